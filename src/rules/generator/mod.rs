//! The legal turns of a placement: listed, counted, or kept in groups from which one can be drawn.

mod capture;
mod collector;
mod hop;
mod leap;
mod priority;
mod quiet;
mod ways;

use super::compiled::Rules;
use super::turn::Turn;
use crate::board::{Placement, Side, SquareSet};
pub use capture::TooManyTurns;
use collector::Collector;
use quiet::{Group, Scene};

pub use ways::Way;

/// The legal turns of one position, in a form that is cheap to make: jump chains listed, single
/// jumps of men and quiet turns as sets of end squares. Reused from position to position, it stops
/// allocating.
///
/// The order of the turns is fixed: jump chains, single jumps, steps, slides, hops, captures after
/// hops.
#[derive(Clone, Debug)]
pub struct Choices<S> {
    captures: Collector<S>,
    /// Each with the number of turns in it and in those before it; of a fixed length, so that
    /// nothing has to be asked before one is added.
    groups: Box<[(Group<S>, u32); GROUPS_MAX]>,
    groups_used: usize,
    after_hops: Collector<S>,
    far_rank: S,
    grouped: u32,
    too_many: bool,
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
            captures: Collector::default(),
            groups: Box::new([(Group::NONE, 0); GROUPS_MAX]),
            groups_used: 0,
            after_hops: Collector::default(),
            far_rank: S::EMPTY,
            grouped: 0,
            too_many: false,
        }
    }

    /// Number of distinct legal turns.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.captures.turns().len() + self.grouped as usize + self.after_hops.turns().len()
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
        self.captures.clear();
        self.groups_used = 0;
        self.after_hops.clear();
        self.grouped = 0;
        self.too_many = false;
    }

    /// The turn at `index` of the fixed order.
    ///
    /// # Panics
    /// When `index` is not below [`Self::len`].
    #[must_use]
    #[inline]
    pub fn get(&self, rules: &Rules<S>, index: usize) -> Turn<S> {
        let captures = self.captures.turns();
        if index < captures.len() {
            return captures[index];
        }
        let rest = u32::try_from(index - captures.len()).expect("fewer than 2^32 turns");
        if rest >= self.grouped {
            return self.after_hops.turns()[(rest - self.grouped) as usize];
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
        let scene = Scene::new(self, placement, side);
        choices.clear();
        choices.far_rank = scene.tables.far_rank;
        let groups = &mut *choices.groups;
        let (mut used, mut count) = (0, 0);
        let mut visit = |group: Group<S>| {
            count += group.targets.len();
            // Empty ones too: to find out which are costs more than to pass them by.
            groups[used % GROUPS_MAX] = (group, count);
            used += 1;
        };
        let any = scene.gather_captures(&mut visit, &mut choices.captures)?;
        let captures_only = any && self.ruleset().capture.mandatory;
        if !captures_only {
            scene.visit_quiet(visit);
            scene.list_captures_after_hops(choices.captures.turns(), &mut choices.after_hops)?;
        }
        (choices.groups_used, choices.grouped) = (used, count);
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
        let scene = Scene::new(self, placement, side);
        let far_rank = scene.tables.far_rank;
        let mut captures = Collector::reusing(std::mem::take(turns));
        let mut single = [None; 8];
        let mut axes = 0;
        let any = scene.gather_captures(
            &mut |group| {
                single[axes] = Some(group);
                axes += 1;
            },
            &mut captures,
        );
        *turns = captures.into_turns();
        let any = any.inspect_err(|_| turns.clear())?;
        for group in single.iter().flatten() {
            group.list(self, far_rank, turns);
        }
        if any && self.ruleset().capture.mandatory {
            return Ok(());
        }
        let captures = turns.len();
        scene.visit_quiet(|group| group.list(self, far_rank, turns));
        if self.ruleset().hop.then_capture {
            let mut after_hops = Collector::default();
            scene
                .list_captures_after_hops(&turns[..captures], &mut after_hops)
                .inspect_err(|_| turns.clear())?;
            turns.extend_from_slice(after_hops.turns());
        }
        Ok(())
    }

    /// The number of distinct legal turns of `side`; all but jump chains are counted unlisted.
    ///
    /// `scratch` holds the captures meanwhile; what was in it is lost.
    ///
    /// # Errors
    /// When they are too many.
    pub fn count_turns(
        &self,
        placement: &Placement<S>,
        side: Side,
        scratch: &mut Vec<Turn<S>>,
    ) -> Result<u64, TooManyTurns> {
        let scene = Scene::new(self, placement, side);
        let mut captures = Collector::reusing(std::mem::take(scratch));
        let mut count = 0_u64;
        let mut visit = |group: Group<S>| count += u64::from(group.targets.len());
        let any = scene.gather_captures(&mut visit, &mut captures);
        *scratch = captures.into_turns();
        if any? && self.ruleset().capture.mandatory {
            return Ok(count + scratch.len() as u64);
        }
        scene.visit_quiet(visit);
        count += scratch.len() as u64;
        if self.ruleset().hop.then_capture {
            let mut after_hops = Collector::default();
            scene.list_captures_after_hops(scratch, &mut after_hops)?;
            count += after_hops.turns().len() as u64;
        }
        Ok(count)
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
