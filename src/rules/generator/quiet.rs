//! Steps, slides and hops: turns that take nothing, as sets of end squares.

use std::convert::Infallible;

use super::super::compiled::{
    AxisSet, Known, Lines, Rules, Shifts, SideTables, each_axis, with_known_lines,
};
use super::super::ruleset::Kinds;
use super::super::turn::Turn;
use super::hop::{Floods, Reach};
use super::leap::Leaps;
use crate::board::{Kind, Placement, Side, Square, SquareSet};

/// A placement as the side to move sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a, S> {
    pub(super) rules: &'a Rules<S>,
    pub(super) tables: &'a SideTables<S>,
    pub(super) men: S,
    pub(super) kings: S,
    pub(super) enemy: S,
    pub(super) enemy_kings: S,
    pub(super) occupied: S,
}

/// Turns of one kind and origin: one turn for each end square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<S> {
    pub(super) targets: S,
    pub(super) origin: Origin,
}

/// Where the turns of a group begin and how they are made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// Steps of men along an axis, each from its own square; on the far rank they crown.
    Steps { axis: u8 },
    /// Slides of the king on a square.
    Slides { from: Square },
    /// Single jumps of men along an axis, each from its own square; on the far rank they crown.
    SingleJumps { axis: u8 },
    /// Single hops of men along an axis, each from its own square; on the far rank they crown.
    SingleHops { axis: u8 },
    /// Hops of the king on a square.
    KingHops { from: Square },
    /// Hops of the man on a square, all ending with or all without a crown.
    ManHops { from: Square, crowned: bool },
}

#[expect(clippy::cast_possible_truncation, reason = "an axis number is below 8")]
impl Origin {
    #[inline(always)]
    const fn steps(axis: usize) -> Self {
        Self::Steps { axis: axis as u8 }
    }

    #[inline(always)]
    pub(super) const fn single_jumps(axis: usize) -> Self {
        Self::SingleJumps { axis: axis as u8 }
    }

    #[inline(always)]
    const fn single_hops(axis: usize) -> Self {
        Self::SingleHops { axis: axis as u8 }
    }
}

impl<S: SquareSet> Group<S> {
    /// A group without turns.
    pub(super) const NONE: Self =
        Self { targets: S::EMPTY, origin: Origin::Slides { from: Square(0) } };

    /// Shows the turns of this group, by rising end square.
    #[inline]
    pub(super) fn visit(&self, rules: &Rules<S>, far_rank: S, mut show: impl FnMut(Turn<S>)) {
        // Most turns are steps: how they are made is asked once.
        if let Origin::Steps { axis } = self.origin {
            for to in self.targets.squares() {
                show(step(rules, far_rank, axis, to));
            }
        } else {
            for to in self.targets.squares() {
                show(self.turn(rules, far_rank, to));
            }
        }
    }

    /// The turn of this group that ends on `to`.
    #[inline]
    pub(super) fn turn(&self, rules: &Rules<S>, far_rank: S, to: Square) -> Turn<S> {
        let quiet = |from, moved| Turn::new(from, to, moved, S::EMPTY);
        match self.origin {
            Origin::Steps { axis } => step(rules, far_rank, axis, to),
            Origin::SingleJumps { axis } => {
                let mid = rules.origin(axis.into(), to);
                let from = rules.origin(axis.into(), mid);
                Turn::new(from, to, Kind::Man, S::single(mid)).crowned_if(far_rank.contains(to))
            }
            Origin::SingleHops { axis } => {
                let from = rules.origin(axis.into(), rules.origin(axis.into(), to));
                quiet(from, Kind::Man).crowned_if(far_rank.contains(to)).hopping_if(true)
            }
            Origin::Slides { from } => quiet(from, Kind::King),
            Origin::KingHops { from } => quiet(from, Kind::King).hopping_if(true),
            Origin::ManHops { from, crowned } => {
                quiet(from, Kind::Man).crowned_if(crowned).hopping_if(true)
            }
        }
    }
}

/// The step of a man along the axis to this square.
#[inline(always)]
fn step<S: SquareSet>(rules: &Rules<S>, far_rank: S, axis: u8, to: Square) -> Turn<S> {
    let from = rules.origin(axis.into(), to);
    Turn::new(from, to, Kind::Man, S::EMPTY).crowned_if(far_rank.contains(to))
}

impl<'a, S: SquareSet> Scene<'a, S> {
    #[inline]
    pub(super) fn new(rules: &'a Rules<S>, placement: &Placement<S>, side: Side) -> Self {
        Self {
            rules,
            tables: rules.tables(side),
            men: placement.men(side),
            kings: placement.kings(side),
            enemy: placement.of(side.other()),
            enemy_kings: placement.kings(side.other()),
            occupied: placement.occupied(),
        }
    }

    /// Shows every group of quiet turns, in the fixed order; groups may be empty.
    #[inline(always)]
    pub(super) fn visit_quiet(&self, mut visit: impl FnMut(Group<S>)) {
        with_known_lines!(self.rules, self.tables.man_step, lines => each_axis!(lines.axes, axis => {
            let stepping = self.men & self.rules.can[axis];
            let targets = lines.step(axis, stepping).minus(self.occupied);
            visit(Group { targets, origin: Origin::steps(axis) });
        }));
        for from in self.kings.squares() {
            visit(Group { targets: self.slides(from), origin: Origin::Slides { from } });
        }
        let hopped_by = self.rules.hopped_by;
        if !hopped_by[0].is_empty() {
            self.visit_hops_of_men(&mut visit);
        }
        if !hopped_by[1].is_empty() {
            for from in self.kings.squares() {
                let targets = self.hops(from, Kind::King).king.minus(self.slides(from));
                visit(Group { targets, origin: Origin::KingHops { from } });
            }
        }
    }

    /// The squares to which the king on `from` can slide.
    #[inline]
    pub(super) fn slides(&self, from: Square) -> S {
        let mut targets = S::EMPTY;
        if self.rules.ruleset().king.flying {
            for axis in self.tables.king_move.iter() {
                targets |= self.rules.free_on_ray(axis, from, self.occupied);
            }
        } else {
            for axis in self.tables.king_move.iter() {
                targets |= self.rules.neighbour(axis, from);
            }
        }
        targets.minus(self.occupied)
    }

    /// The squares to which the man on `from` can step.
    pub(super) fn steps(&self, from: Square) -> S {
        self.tables
            .man_step
            .axes
            .iter()
            .fold(S::EMPTY, |targets, axis| targets | self.rules.neighbour(axis, from))
            .minus(self.occupied)
    }

    /// Own pieces of these kinds.
    #[inline]
    pub(super) fn own(&self, kinds: Kinds) -> S {
        let men = if kinds.contains(Kind::Man) { self.men } else { S::EMPTY };
        let kings = if kinds.contains(Kind::King) { self.kings } else { S::EMPTY };
        men | kings
    }

    /// Where men could hop.
    #[inline]
    pub(super) fn leaps_of_hops(&self) -> Leaps<S> {
        let over = self.own(self.rules.hopped_by[0]);
        Leaps::new(self.rules, self.tables.man_hop, over, !self.occupied)
    }

    /// Shows the hops of men: those that end after one hop axis by axis, the rest man by man.
    #[inline]
    fn visit_hops_of_men(&self, visit: &mut impl FnMut(Group<S>)) {
        with_known_lines!(self.rules, self.tables.man_hop, lines => {
            self.visit_hops_along(lines, visit);
        });
    }

    #[inline(always)]
    fn visit_hops_along(&self, lines: Lines, visit: &mut impl FnMut(Group<S>)) {
        let over = self.own(self.rules.hopped_by[0]);
        let hops = Leaps::along(self.rules, lines, over, !self.occupied);
        let hopping = hops.somewhere & self.men;
        if hopping.is_empty() {
            return;
        }
        let rules = self.rules.ruleset();
        let longer = if self.rules.hops_max == 1 {
            S::EMPTY
        } else if rules.hop.return_to_start {
            hopping
        } else {
            hops.men_that_go_on(lines, hopping, self.tables.far_rank, rules.promotion.in_hop)
        };
        let single = hopping.minus(longer);
        each_axis!(lines.axes, axis => {
            let targets = lines.leap(axis, hops.from[axis] & single);
            visit(Group { targets, origin: Origin::single_hops(axis) });
        });
        if longer.is_empty() {
            return;
        }
        if self.rules.hops_abreast {
            self.visit_hops_abreast(&hops, lines, longer, visit);
        } else {
            self.visit_longer_hops(&hops, longer, visit);
        }
    }

    #[inline(always)]
    fn visit_hops_abreast(
        &self,
        hops: &Leaps<S>,
        lines: Lines,
        longer: S,
        visit: &mut impl FnMut(Group<S>),
    ) {
        let floods = Floods::new(hops, lines, self.hops_stop());
        let far_rank = self.tables.far_rank;
        let Ok(()) = floods.each_reach(lines, longer, |from, reach| {
            let targets = reach.minus(far_rank);
            visit(Group { targets, origin: Origin::ManHops { from, crowned: false } });
            self.visit_crowning_hops(reach & far_rank, from, visit);
            Ok::<(), Infallible>(())
        });
    }

    #[inline]
    fn visit_longer_hops(&self, hops: &Leaps<S>, longer: S, visit: &mut impl FnMut(Group<S>)) {
        for from in longer.squares() {
            let reach = self.man_hops_through(hops, from);
            self.visit_man_hops(self.staying(reach, from, Kind::Man), from, visit);
        }
    }

    #[inline]
    fn visit_man_hops(&self, reach: Reach<S>, from: Square, visit: &mut impl FnMut(Group<S>)) {
        let far_rank = self.tables.far_rank;
        let uncrowned = reach.man.minus(far_rank);
        visit(Group { targets: uncrowned, origin: Origin::ManHops { from, crowned: false } });
        let crowned = reach.crowned | (reach.man & far_rank) | reach.touched | reach.king;
        self.visit_crowning_hops(crowned, from, visit);
    }

    #[inline(always)]
    fn visit_crowning_hops(&self, crowned: S, from: Square, visit: &mut impl FnMut(Group<S>)) {
        if crowned.any() {
            // A step onto the far rank names the same turn first.
            let targets = crowned.minus(self.steps(from) & self.tables.far_rank);
            visit(Group { targets, origin: Origin::ManHops { from, crowned: true } });
        }
    }

    /// Whether some quiet turn exists; where none does, no turn after a hop does either.
    pub(super) fn has_quiet(&self) -> bool {
        let mut found = false;
        each_axis!(self.tables.man_step.axes, axis => {
            found |= self.rules.shift(axis, self.men).minus(self.occupied).any();
        });
        let hopped_by = self.rules.hopped_by;
        found
            || self.kings.squares().any(|from| self.slides(from).any())
            || (!hopped_by[0].is_empty() && (self.leaps_of_hops().somewhere & self.men).any())
            || (!hopped_by[1].is_empty()
                && self.kings.squares().any(|from| self.hops(from, Kind::King).king.any()))
    }
}
