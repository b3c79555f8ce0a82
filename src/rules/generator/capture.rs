//! Captures: which pieces can jump, and what the priority leaves of their chains.

use super::super::compiled::{
    AxisSet, Known, Lines, LongerFirst, Shifts, each_axis, with_known_lines,
};
use super::chains::ChainSearch;
use super::collector::Collector;
use super::fly::KingJumps;
use super::hop::{Floods, Reach};
use super::leap::Leaps;
use super::quiet::{Group, Origin, Scene};
use super::waves::Waves;
use crate::board::{Kind, Square, SquareSet};
use crate::limits::JUMPS_MAX;

/// A position has so many jump chains that its turns cannot be listed.
///
/// Kings that may fly far, land anywhere, stop early or hop first can have more chains on a full
/// board than any memory holds. A position whose captures take more than 50,000 jumps to follow is
/// given up as a whole: none of its turns is listed, counted or drawn. Jumps of one piece that land
/// on one square over one piece, the same taken before, count once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the position has more captures than can be listed (more than {JUMPS_MAX} jumps to follow)"
)]
pub struct TooManyTurns;

impl<S: SquareSet> Scene<'_, S> {
    /// Where men could jump.
    #[inline]
    fn leaps_of_jumps(&self) -> Leaps<S> {
        Leaps::new(self.rules, self.tables.man_capture, self.prey_of_men(), !self.occupied)
    }

    /// Enemies that men may take.
    #[inline]
    pub(super) fn prey_of_men(&self) -> S {
        self.enemy.minus(self.safe_from_men())
    }

    /// Enemies that no man may take.
    #[inline]
    pub(super) fn safe_from_men(&self) -> S {
        if self.rules.ruleset().man.captures_kings { S::EMPTY } else { self.enemy_kings }
    }

    /// Kings that can make at least one jump.
    #[inline(always)]
    fn jumping_kings(&self) -> S {
        if self.kings.is_empty() { S::EMPTY } else { self.jumping_among_kings() }
    }

    #[inline(never)]
    fn jumping_among_kings(&self) -> S {
        let room = &self.tables.king_room;
        let jumps = KingJumps::new(self.rules, room, self.enemy, !self.occupied);
        let from =
            if self.rules.ruleset().king.flying { jumps.flown_from() } else { jumps.leapt_from() };
        from & self.kings
    }

    /// Whether some capture without hops is possible.
    #[inline]
    pub(super) fn has_capture(&self) -> bool {
        (self.leaps_of_jumps().somewhere & self.men).any() || self.jumping_kings().any()
    }

    /// Gathers the captures without hops that the priority leaves, single jumps of men in groups
    /// and the rest in `list`; whether there are any.
    #[inline]
    pub(super) fn gather_captures(
        &self,
        visit: &mut impl FnMut(Group<S>),
        list: &mut Collector<S>,
        waves: &mut Waves<S>,
    ) -> Result<bool, TooManyTurns> {
        with_known_lines!(self.rules, self.tables.man_capture, lines => {
            self.gather_captures_along(lines, visit, list, waves)
        })
    }

    #[inline(always)]
    fn gather_captures_along(
        &self,
        lines: Lines,
        visit: &mut impl FnMut(Group<S>),
        list: &mut Collector<S>,
        waves: &mut Waves<S>,
    ) -> Result<bool, TooManyTurns> {
        let leaps = Leaps::along(self.rules, lines, self.prey_of_men(), !self.occupied);
        let (men, kings) = (leaps.somewhere & self.men, self.jumping_kings());
        if (men | kings).is_empty() {
            return Ok(false);
        }
        let Some(longest_first) = self.length_decides(kings) else {
            // A copy, so that the other way can keep its own in registers.
            self.search_all(Leaps { ..leaps }, men, kings, list, waves)?;
            return Ok(true);
        };
        let promotion = self.rules.ruleset().promotion.in_capture;
        let longer = leaps.men_that_go_on(lines, men, self.tables.far_rank, promotion);
        if longer.any() {
            self.search_men(longer, list, waves)?;
        }
        // Only where a man is crowned and goes on can a chain fail to grow.
        if !longest_first || list.len() == 0 || list.only_single_jumps() {
            let single = men.minus(longer);
            each_axis!(lines.axes, axis => {
                let targets = lines.leap(axis, leaps.from[axis] & single);
                visit(Group { targets, origin: Origin::single_jumps(axis) });
            });
        }
        Ok(true)
    }

    /// Whether chains are chosen by their length alone (`true`) or freely (`false`), given the
    /// kings that can jump; nothing where more than that decides.
    #[inline]
    fn length_decides(&self, jumping_kings: S) -> Option<bool> {
        let priority = &self.rules.priority;
        let rules = self.rules.ruleset();
        // Captures after hops are held against a list of the plain ones.
        if (rules.hop.then_capture && !rules.capture.mandatory)
            || jumping_kings.any()
            || (priority.counts_kings && self.enemy_kings.any())
        {
            return None;
        }
        Some(priority.longer_first > LongerFirst::Never)
    }

    /// Collects every jump chain of these men that the priority leaves.
    fn search_men(
        &self,
        men: S,
        list: &mut Collector<S>,
        waves: &mut Waves<S>,
    ) -> Result<(), TooManyTurns> {
        waves.restart();
        let mut search = ChainSearch::new(self, waves, list);
        for from in men.squares() {
            search.of_man(from)?;
        }
        Ok(())
    }

    /// Collects every jump chain of these men and kings that the priority leaves.
    #[inline(never)]
    #[expect(clippy::needless_pass_by_value, reason = "who has them keeps them in registers")]
    fn search_all(
        &self,
        leaps: Leaps<S>,
        men: S,
        kings: S,
        list: &mut Collector<S>,
        waves: &mut Waves<S>,
    ) -> Result<(), TooManyTurns> {
        let promotion = self.rules.ruleset().promotion.in_capture;
        let longer = with_known_lines!(self.rules, self.tables.man_capture, lines => {
            leaps.men_that_go_on(lines, men, self.tables.far_rank, promotion)
        });
        waves.restart();
        let mut search = ChainSearch::new(self, waves, list);
        for from in men.squares() {
            if longer.contains(from) {
                search.of_man(from)?;
            } else {
                search.of_man_that_stops(&leaps, from);
            }
        }
        for from in kings.squares() {
            search.of_king(from)?;
        }
        Ok(())
    }

    /// Lists the captures that begin with hops and are not among `plain`.
    #[inline]
    pub(super) fn list_captures_after_hops(
        &self,
        plain: &Collector<S>,
        list: &mut Collector<S>,
        waves: &mut Waves<S>,
    ) -> Result<(), TooManyTurns> {
        if self.rules.ruleset().hop.then_capture {
            self.search_after_hops(plain, list, waves)
        } else {
            Ok(())
        }
    }

    #[inline(never)]
    fn search_after_hops(
        &self,
        plain: &Collector<S>,
        list: &mut Collector<S>,
        waves: &mut Waves<S>,
    ) -> Result<(), TooManyTurns> {
        if plain.len() == 0 {
            // There was nothing to search for, so this is the first search here.
            waves.restart();
        }
        let mut search = ChainSearch::new(self, waves, list);
        self.each_hopped(|from, kind, reach| search.after_hops(from, kind, &reach))?;
        list.drop_known(plain);
        Ok(())
    }

    /// Shows each piece that can hop, with the squares that hops lead it to and from which it may go
    /// on to a capture; only squares from where it certainly cannot are left out.
    pub(super) fn each_hopped<E>(
        &self,
        mut show: impl FnMut(Square, Kind, Reach<S>) -> Result<(), E>,
    ) -> Result<(), E> {
        let hopped_by = self.rules.hopped_by;
        if !hopped_by[0].is_empty() {
            self.each_hopped_man(&mut show)?;
        }
        if !hopped_by[1].is_empty() {
            for from in self.kings.squares() {
                show(from, Kind::King, self.hops_through(from, Kind::King))?;
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn each_hopped_man<E>(
        &self,
        show: &mut impl FnMut(Square, Kind, Reach<S>) -> Result<(), E>,
    ) -> Result<(), E> {
        let hops = self.leaps_of_hops();
        let hopping = hops.somewhere & self.men;
        // Wherever a man could jump from if any of its own side had left the board.
        let anywhere =
            Leaps::new(self.rules, self.tables.man_capture, self.prey_of_men(), !self.enemy);
        if hopping.is_empty() || (self.rules.plain_hops && anywhere.somewhere.is_empty()) {
            return Ok(());
        }
        if self.rules.hops_abreast && self.rules.ruleset().capture.mandatory {
            // Without a plain capture none begins at a start to which hops have come back.
            return with_known_lines!(self.rules, self.tables.man_hop, lines => {
                let floods = Floods::new(&hops, lines, self.hops_stop());
                floods.each_reach(lines, hopping, |from, reach| {
                    let man = reach.minus(self.hops_stop()) & anywhere.somewhere;
                    show(from, Kind::Man, Reach { man, ..Reach::default() })
                })
            });
        }
        for from in hopping.squares() {
            let reach = self.man_hops_through(&hops, from);
            let man = reach.man.minus(self.hops_stop()) & anywhere.somewhere;
            let touched = reach.touched & anywhere.somewhere;
            show(from, Kind::Man, Reach { man, touched, king: reach.king, crowned: S::EMPTY })?;
        }
        Ok(())
    }
}
