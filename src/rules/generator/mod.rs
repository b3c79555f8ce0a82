//! The legal turns of a placement: listed, counted, or kept in groups from which one can be drawn.

mod capture;
mod chains;
mod collector;
mod few;
mod fly;
mod hop;
mod leap;
mod priority;
mod quiet;
mod waves;
mod ways;

use super::compiled::Rules;
use super::turn::Turn;
use crate::board::{Placement, Side, SquareSet};
pub use capture::TooManyTurns;
use collector::Collector;
use quiet::{Group, Scene};
use waves::Waves;

pub use ways::Way;

/// The legal turns of one position, in a form that is cheap to make: jump chains listed, single
/// jumps of men and quiet turns as sets of end squares. Reused from position to position, it stops
/// allocating.
///
/// The order of the turns is fixed: jump chains, single jumps, steps, slides, hops, captures after
/// hops.
#[derive(Clone, Debug)]
pub struct Choices<S> {
    scratch: Scratch<S>,
    /// Each with the number of turns in it and in those before it; of a fixed length, so that
    /// nothing has to be asked before one is added.
    groups: Box<[(Group<S>, u32); GROUPS_MAX]>,
    groups_used: usize,
    far_rank: S,
    /// How many turns the groups have, and how many jump chains go before them.
    grouped: u32,
    captures: u32,
    too_many: bool,
}

/// What listing needs beside its result. Reused from position to position, it stops allocating; what
/// it holds between two lists means nothing.
#[derive(Clone, Debug)]
pub struct Scratch<S> {
    /// Jump chains without hops.
    captures: Collector<S>,
    /// Captures that begin with hops.
    after_hops: Collector<S>,
    waves: Waves<S>,
}

impl<S: SquareSet> Default for Scratch<S> {
    fn default() -> Self {
        Self {
            captures: Collector::default(),
            after_hops: Collector::default(),
            waves: Waves::default(),
        }
    }
}

impl<S: SquareSet> Scratch<S> {
    #[inline]
    fn clear(&mut self) {
        self.captures.clear();
        self.after_hops.clear();
    }
}

/// More than eight groups each of steps, single jumps and single hops, and two for each of 128
/// pieces; a power of two, so that an index is kept below it by a mask.
const GROUPS_MAX: usize = 512;

impl<S: SquareSet> Default for Choices<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: SquareSet> Choices<S> {
    /// No turns yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            scratch: Scratch::default(),
            groups: Box::new([(Group::NONE, 0); GROUPS_MAX]),
            groups_used: 0,
            far_rank: S::EMPTY,
            grouped: 0,
            captures: 0,
            too_many: false,
        }
    }

    /// Number of distinct legal turns.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        (self.captures + self.grouped + self.scratch.after_hops.len()) as usize
    }

    /// Whether there is no legal turn.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the position has more turns than can be listed ([`TooManyTurns`]); then there is
    /// none here.
    #[must_use]
    #[inline]
    pub const fn too_many(&self) -> bool {
        self.too_many
    }

    /// Whether the position has a legal turn, listed or not.
    #[must_use]
    #[inline]
    pub fn has_turn(&self) -> bool {
        self.too_many || !self.is_empty()
    }

    /// Forgets the turns.
    pub fn clear(&mut self) {
        self.scratch.clear();
        self.groups_used = 0;
        (self.grouped, self.captures) = (0, 0);
        self.too_many = false;
    }

    /// The turn at `index` of the fixed order.
    ///
    /// # Panics
    /// When `index` is not below [`Self::len`].
    #[must_use]
    #[inline]
    pub fn get(&self, rules: &Rules<S>, index: usize) -> Turn<S> {
        let index = u32::try_from(index).expect("fewer than 2^32 turns");
        let rest = index.wrapping_sub(self.captures);
        if rest >= self.grouped {
            return self.get_chain(index);
        }
        let mut before = 0;
        for (group, end) in &self.groups[..self.groups_used] {
            if rest < *end {
                return group.turn(rules, self.far_rank, group.targets.nth(rest - before));
            }
            before = *end;
        }
        unreachable!("the groups have as many turns as were counted")
    }

    /// The turn at an index that is in no group.
    fn get_chain(&self, index: u32) -> Turn<S> {
        let Scratch { captures, after_hops, .. } = &self.scratch;
        if index < self.captures {
            captures.get(index)
        } else {
            after_hops.get(index - self.captures - self.grouped)
        }
    }
}

impl<S: SquareSet> Rules<S> {
    /// Gathers the legal turns of `side` into `choices`, replacing what was there; where they are
    /// too many, none ([`Choices::too_many`]).
    #[inline]
    pub fn choices(&self, placement: &Placement<S>, side: Side, choices: &mut Choices<S>) {
        if self.gather(placement, side, choices).is_err() {
            choices.clear();
            choices.too_many = true;
        }
    }

    fn gather(
        &self,
        placement: &Placement<S>,
        side: Side,
        choices: &mut Choices<S>,
    ) -> Result<(), TooManyTurns> {
        choices.clear();
        choices.far_rank = self.far_rank(side);
        let groups = &mut *choices.groups;
        let (mut used, mut count) = (0, 0);
        self.visit_groups(placement, side, &mut choices.scratch, |group| {
            count += group.targets.len();
            // Empty ones too: to find out which are costs more than to pass them by.
            groups[used % GROUPS_MAX] = (group, count);
            used += 1;
        })?;
        choices.captures = choices.scratch.captures.len();
        (choices.groups_used, choices.grouped) = (used, count);
        Ok(())
    }

    /// Shows the legal turns of `side` that are in groups, single jumps first; the chains that are in
    /// none are left in `scratch`.
    #[inline(always)]
    fn visit_groups(
        &self,
        placement: &Placement<S>,
        side: Side,
        scratch: &mut Scratch<S>,
        mut visit: impl FnMut(Group<S>),
    ) -> Result<(), TooManyTurns> {
        let scene = Scene::new(self, placement, side);
        scratch.clear();
        let Scratch { captures, after_hops, waves } = scratch;
        let any = scene.gather_captures(&mut visit, captures, waves)?;
        if any && self.ruleset().capture.mandatory {
            return Ok(());
        }
        scene.visit_quiet(visit);
        scene.list_captures_after_hops(captures, after_hops, waves)
    }

    /// Shows each distinct legal turn of `side`, in no certain order.
    ///
    /// # Errors
    /// When they are too many; some may have been shown by then.
    #[inline(always)]
    pub(super) fn visit_turns(
        &self,
        placement: &Placement<S>,
        side: Side,
        scratch: &mut Scratch<S>,
        mut visit: impl FnMut(Turn<S>),
    ) -> Result<(), TooManyTurns> {
        let far_rank = self.far_rank(side);
        self.visit_groups(placement, side, scratch, |group| {
            group.visit(self, far_rank, &mut visit);
        })?;
        scratch.captures.turns().chain(scratch.after_hops.turns()).for_each(visit);
        Ok(())
    }

    /// Lists the distinct legal turns of `side` into `turns`, replacing what was there, in the
    /// fixed order of [`Choices`].
    ///
    /// # Errors
    /// When they are too many; then none is listed.
    pub fn turns(
        &self,
        placement: &Placement<S>,
        side: Side,
        turns: &mut Vec<Turn<S>>,
    ) -> Result<(), TooManyTurns> {
        self.list_turns(placement, side, &mut Scratch::default(), turns)
    }

    /// The same as [`Self::turns`], for those who list often.
    ///
    /// # Errors
    /// When they are too many; then none is listed.
    pub fn list_turns(
        &self,
        placement: &Placement<S>,
        side: Side,
        scratch: &mut Scratch<S>,
        turns: &mut Vec<Turn<S>>,
    ) -> Result<(), TooManyTurns> {
        let far_rank = self.far_rank(side);
        turns.clear();
        self.visit_groups(placement, side, scratch, |group| {
            group.visit(self, far_rank, |turn| turns.push(turn));
        })
        .inspect_err(|_| turns.clear())?;
        let Scratch { captures, after_hops, .. } = scratch;
        if captures.len() > 0 {
            turns.extend(captures.turns());
            turns.rotate_right(captures.len() as usize);
        }
        turns.extend(after_hops.turns());
        Ok(())
    }

    /// The number of distinct legal turns of `side`, none of them listed.
    ///
    /// # Errors
    /// When they are too many.
    pub fn count_turns(&self, placement: &Placement<S>, side: Side) -> Result<u64, TooManyTurns> {
        self.count_with(placement, side, &mut Scratch::default())
    }

    #[inline]
    pub(super) fn count_with(
        &self,
        placement: &Placement<S>,
        side: Side,
        scratch: &mut Scratch<S>,
    ) -> Result<u64, TooManyTurns> {
        let mut count = 0_u64;
        self.visit_groups(placement, side, scratch, |group| {
            count += u64::from(group.targets.len());
        })?;
        let Scratch { captures, after_hops, .. } = scratch;
        Ok(count + u64::from(captures.len()) + u64::from(after_hops.len()))
    }

    /// Whether `side` has a legal turn.
    #[must_use]
    pub fn has_turn(&self, placement: &Placement<S>, side: Side) -> bool {
        let scene = Scene::new(self, placement, side);
        scene.has_quiet() || scene.has_capture()
    }

    /// Whether `side` can capture without hops.
    #[must_use]
    #[inline]
    pub fn has_capture(&self, placement: &Placement<S>, side: Side) -> bool {
        Scene::new(self, placement, side).has_capture()
    }
}
