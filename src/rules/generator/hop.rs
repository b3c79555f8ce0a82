//! Where a chain of hops can lead, as a flood fill over what the hopping piece is by then.

use super::super::compiled::{AxisSet, Known, Lines, Shifts, each_axis, with_known_lines};
use super::super::ruleset::PromotionRule;
use super::leap::Leaps;
use super::quiet::Scene;
use crate::board::{Kind, Square, SquareSet};

/// Squares that a piece can reach by one or more hops, by what has become of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach<S> {
    /// As a man that has not been crowned or promised a crown (it may stand on the far rank).
    pub(super) man: S,
    /// As a man that is crowned when its turn ends, having landed on the far rank.
    pub(super) touched: S,
    /// As a king that may go on.
    pub(super) king: S,
    /// Crowned, with the turn at its end.
    pub(super) crowned: S,
}

impl<S: SquareSet> Leaps<S> {
    /// Everything that the man on `from` can come through by hops, where it stays a man all the way
    /// ([`Rules::plain_hops`](super::super::compiled::Rules)).
    pub(super) fn flood(&self, scene: &Scene<'_, S>, from: Square) -> S {
        with_known_lines!(scene.rules, scene.tables.man_hop, lines => {
            self.flood_along(lines, scene, from)
        })
    }

    #[inline(always)]
    fn flood_along(&self, lines: Lines, scene: &Scene<'_, S>, from: Square) -> S {
        let rules = scene.rules;
        let start = S::single(from);
        let stops = scene.hops_stop();
        // The man has left its square, so nothing can be hopped there now; but no chain of hops from
        // it comes to a square beside it. Hops may land there again, to stay or to jump from there.
        let mut home = S::EMPTY;
        if rules.ruleset().hop.return_to_start || rules.ruleset().hop.then_capture {
            each_axis!(lines.axes, axis => {
                if let Some((_, before)) = rules.leap(axis ^ 4, from, self.over, S::FULL) {
                    home |= before;
                }
            });
        }
        let (mut reach, mut fresh) = (S::EMPTY, start);
        let mut hops_left = rules.hops_max;
        while fresh.any() && hops_left > 0 {
            let mut next = S::EMPTY;
            each_axis!(lines.axes, axis => {
                next |= lines.leap(axis, fresh & self.from[axis]);
            });
            if (fresh & home).any() {
                next |= start;
            }
            fresh = next.minus(reach | stops);
            reach |= next;
            hops_left -= 1;
        }
        reach
    }
}

/// How many men are followed at once: words of 64 squares in a vector register of 256 bits.
const ABREAST: usize = 4;

/// Hops followed for several men at once, in lanes, which costs hardly more than for one.
///
/// Only where [`Rules::hops_abreast`](super::super::compiled::Rules) holds; a start to which hops come
/// back is left out.
pub(super) struct Floods<S> {
    /// For each axis: the squares from which a chain goes on along it.
    from: [S; 8],
    /// The squares from which a chain goes on.
    somewhere: S,
}

impl<S: SquareSet> Floods<S> {
    #[inline(always)]
    pub(super) fn new(hops: &Leaps<S>, lines: Lines, stops: S) -> Self {
        let mut from = hops.from;
        each_axis!(lines.axes, axis => {
            from[axis] = from[axis].minus(stops);
        });
        Self { from, somewhere: hops.somewhere.minus(stops) }
    }

    /// Shows each of these men with everything that it can come to by hops.
    #[inline(always)]
    pub(super) fn each_reach<E>(
        &self,
        lines: Lines,
        men: S,
        mut show: impl FnMut(Square, S) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = men;
        while rest.any() {
            let men: [S; ABREAST] = std::array::from_fn(|_| {
                let man = rest.first_alone();
                rest = rest.without_first();
                man
            });
            let reached = self.reach(lines, men);
            for (man, reach) in men.into_iter().zip(reached) {
                if man.is_empty() {
                    break;
                }
                show(man.first(), reach)?;
            }
        }
        Ok(())
    }

    /// Everything that each man, alone in its set, can come to by hops; an empty set comes nowhere.
    #[inline(always)]
    fn reach(&self, lines: Lines, men: [S; ABREAST]) -> [S; ABREAST] {
        let mut reach = self.hop(lines, men);
        let mut fresh = reach.map(|squares| squares & self.somewhere);
        while fresh.iter().fold(S::EMPTY, |all, &squares| all | squares).any() {
            // Three at a time, for the end is hard to foresee.
            for _ in 0..3 {
                let next = self.hop(lines, fresh);
                for lane in 0..ABREAST {
                    fresh[lane] = next[lane].minus(reach[lane]) & self.somewhere;
                    reach[lane] |= next[lane];
                }
            }
        }
        reach
    }

    #[inline(always)]
    fn hop(&self, lines: Lines, from: [S; ABREAST]) -> [S; ABREAST] {
        let mut landings = [S::EMPTY; ABREAST];
        each_axis!(lines.axes, axis => {
            for lane in 0..ABREAST {
                landings[lane] |= lines.leap(axis, from[lane] & self.from[axis]);
            }
        });
        landings
    }
}

impl<S: SquareSet> Scene<'_, S> {
    /// The squares on which a chain of plain hops ends.
    #[inline]
    pub(super) fn hops_stop(&self) -> S {
        match self.rules.ruleset().promotion.in_hop {
            PromotionRule::Stop => self.tables.far_rank,
            PromotionRule::ContinueAsKing
            | PromotionRule::ContinueAsMan
            | PromotionRule::OnlyIfEndsThere => S::EMPTY,
        }
    }

    /// Everything that the piece of this kind on `from` can reach by hops.
    ///
    /// The start square is among it only where ending there is a legal turn.
    #[inline]
    pub(super) fn hops(&self, from: Square, kind: Kind) -> Reach<S> {
        self.staying(self.hops_through(from, kind), from, kind)
    }

    /// What is left of a reach where the turn ends: not the start square as it was, unless the
    /// rules allow that.
    #[inline]
    pub(super) fn staying(&self, mut reach: Reach<S>, from: Square, kind: Kind) -> Reach<S> {
        if !self.rules.ruleset().hop.return_to_start {
            let start = S::single(from);
            match kind {
                Kind::Man => reach.man = reach.man.minus(start),
                Kind::King => reach.king = reach.king.minus(start),
            }
        }
        reach
    }

    /// Everything that the man on `from` can come through by one or more hops, given where men can
    /// hop at all.
    #[inline]
    pub(super) fn man_hops_through(&self, hops: &Leaps<S>, from: Square) -> Reach<S> {
        if self.rules.plain_hops {
            Reach { man: hops.flood(self, from), ..Reach::default() }
        } else {
            self.hops_through(from, Kind::Man)
        }
    }

    /// Everything that the piece of this kind on `from` can come through by one or more hops.
    #[inline]
    pub(super) fn hops_through(&self, from: Square, kind: Kind) -> Reach<S> {
        let mut flood = Flood::from(self, from, kind);
        let mut hops_left = self.rules.hops_max;
        while hops_left > 0 && flood.hop_once() {
            hops_left -= 1;
        }
        flood.reach
    }
}

/// A flood fill in progress.
pub(super) struct Flood<'a, S> {
    scene: &'a Scene<'a, S>,
    empty: S,
    /// What a man, and a king, may hop.
    over: [S; 2],
    reach: Reach<S>,
    /// What the last hop reached for the first time.
    pub(super) fresh: Reach<S>,
}

impl<'a, S: SquareSet> Flood<'a, S> {
    /// Before the first hop of the piece of this kind on `from`.
    #[inline]
    pub(super) fn from(scene: &'a Scene<'a, S>, from: Square, kind: Kind) -> Self {
        let start = S::single(from);
        let (man, king) = match kind {
            Kind::Man => (start, S::EMPTY),
            Kind::King => (S::EMPTY, start),
        };
        Self {
            scene,
            empty: !scene.occupied | start,
            over: scene.rules.hopped_by.map(|kinds| scene.own(kinds).minus(start)),
            reach: Reach::default(),
            fresh: Reach { man, king, ..Reach::default() },
        }
    }

    /// Everything reached so far.
    pub(super) const fn reach(&self) -> &Reach<S> {
        &self.reach
    }

    /// One more hop from everything fresh; whether anything new was reached that may go on.
    #[inline]
    pub(super) fn hop_once(&mut self) -> bool {
        let fresh = self.fresh;
        let mut next = Reach::default();
        if fresh.man.any() {
            let landed = self.man_hops(fresh.man);
            let far_rank = self.scene.tables.far_rank;
            let onto = landed & far_rank;
            match self.scene.rules.ruleset().promotion.in_hop {
                PromotionRule::Stop => next.crowned = onto,
                PromotionRule::ContinueAsKing => next.king = onto,
                PromotionRule::ContinueAsMan => next.touched = onto,
                PromotionRule::OnlyIfEndsThere => next.man = onto,
            }
            next.man |= landed.minus(far_rank);
        }
        if fresh.touched.any() {
            next.touched |= self.man_hops(fresh.touched);
        }
        if fresh.king.any() {
            next.king |= self.king_hops(fresh.king);
        }
        self.fresh = Reach {
            man: next.man.minus(self.reach.man),
            touched: next.touched.minus(self.reach.touched),
            king: next.king.minus(self.reach.king),
            crowned: S::EMPTY,
        };
        self.reach.man |= next.man;
        self.reach.touched |= next.touched;
        self.reach.king |= next.king;
        self.reach.crowned |= next.crowned;
        (self.fresh.man | self.fresh.touched | self.fresh.king).any()
    }

    #[inline(always)]
    fn man_hops(&self, from: S) -> S {
        let rules = self.scene.rules;
        let mut landed = S::EMPTY;
        each_axis!(self.scene.tables.man_hop.axes, axis => {
            landed |= rules.shift(axis, rules.shift(axis, from) & self.over[0]);
        });
        landed & self.empty
    }

    fn king_hops(&self, from: S) -> S {
        let rules = self.scene.rules;
        let over = self.over[1];
        let mut landed = S::EMPTY;
        if rules.ruleset().king.flying_hop {
            for square in from.squares() {
                for axis in self.scene.tables.king_hop.iter() {
                    let first = rules.first_on_ray(axis, square, !self.empty) & over;
                    if first.any() {
                        landed |= rules.free_on_ray(axis, first.first(), !self.empty);
                    }
                }
            }
            landed
        } else {
            for axis in self.scene.tables.king_hop.iter() {
                landed |= rules.shift(axis, rules.shift(axis, from) & over);
            }
            landed & self.empty
        }
    }
}
