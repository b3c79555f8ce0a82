//! The legal turns of a placement: listed, counted, or kept in groups from which one can be drawn.

mod capture;
mod hop;
mod priority;
mod quiet;
mod ways;

use super::compiled::Rules;
use super::turn::Turn;
use crate::board::{Placement, Side, SquareSet};
use capture::Collector;
use quiet::{Group, Scene};

pub use ways::Way;

/// The legal turns of one position, in a form that is cheap to make: captures listed, quiet turns
/// as sets of end squares. Reused from position to position, it stops allocating.
///
/// The order of the turns is fixed: captures, steps, slides, hops, captures after hops.
#[derive(Clone, Debug)]
pub struct Choices<S> {
    captures: Collector<S>,
    groups: Vec<Group<S>>,
    after_hops: Collector<S>,
    far_rank: S,
    quiet_count: u32,
}

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
            groups: Vec::new(),
            after_hops: Collector::default(),
            far_rank: S::EMPTY,
            quiet_count: 0,
        }
    }

    /// Number of distinct legal turns.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.captures.turns().len() + self.quiet_count as usize + self.after_hops.turns().len()
    }

    /// Whether there is no legal turn.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets the turns.
    pub fn clear(&mut self) {
        self.captures.clear();
        self.groups.clear();
        self.after_hops.clear();
        self.quiet_count = 0;
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
        let mut rest = u32::try_from(index - captures.len()).expect("fewer than 2^32 turns");
        if rest >= self.quiet_count {
            return self.after_hops.turns()[(rest - self.quiet_count) as usize];
        }
        for group in &self.groups {
            let count = group.targets.len();
            if rest < count {
                return group.turn(rules, self.far_rank, group.targets.nth(rest));
            }
            rest -= count;
        }
        unreachable!("the groups have as many turns as were counted")
    }
}

impl<S: SquareSet> Rules<S> {
    /// Gathers the legal turns of `side` into `choices`, replacing what was there.
    pub fn choices(&self, placement: &Placement<S>, side: Side, choices: &mut Choices<S>) {
        let scene = Scene::new(self, placement, side);
        choices.clear();
        choices.far_rank = scene.tables.far_rank;
        if scene.list_captures(&mut choices.captures) && self.ruleset().capture.mandatory {
            return;
        }
        let (groups, count) = (&mut choices.groups, &mut choices.quiet_count);
        scene.visit_quiet(|group| {
            *count += group.targets.len();
            groups.push(group);
        });
        scene.list_captures_after_hops(choices.captures.turns(), &mut choices.after_hops);
    }

    /// Lists the distinct legal turns of `side` into `turns`, replacing what was there, in the
    /// fixed order of [`Choices`].
    pub fn turns(&self, placement: &Placement<S>, side: Side, turns: &mut Vec<Turn<S>>) {
        let scene = Scene::new(self, placement, side);
        let mut captures = Collector::reusing(std::mem::take(turns));
        let any = scene.list_captures(&mut captures);
        *turns = captures.into_turns();
        if any && self.ruleset().capture.mandatory {
            return;
        }
        let captures = turns.len();
        let far_rank = scene.tables.far_rank;
        scene.visit_quiet(|group| {
            for to in group.targets.squares() {
                turns.push(group.turn(self, far_rank, to));
            }
        });
        if self.ruleset().hop.then_capture {
            let mut after_hops = Collector::default();
            scene.list_captures_after_hops(&turns[..captures], &mut after_hops);
            turns.extend_from_slice(after_hops.turns());
        }
    }

    /// The number of distinct legal turns of `side`; quiet ones are counted without listing.
    ///
    /// `scratch` holds the captures meanwhile; what was in it is lost.
    #[must_use]
    pub fn count_turns(
        &self,
        placement: &Placement<S>,
        side: Side,
        scratch: &mut Vec<Turn<S>>,
    ) -> u64 {
        let scene = Scene::new(self, placement, side);
        let mut captures = Collector::reusing(std::mem::take(scratch));
        let any = scene.list_captures(&mut captures);
        *scratch = captures.into_turns();
        let count = scratch.len() as u64;
        if any && self.ruleset().capture.mandatory {
            return count;
        }
        let mut quiet = 0_u64;
        scene.visit_quiet(|group| quiet += u64::from(group.targets.len()));
        if self.ruleset().hop.then_capture {
            let mut after_hops = Collector::default();
            scene.list_captures_after_hops(scratch, &mut after_hops);
            return count + quiet + after_hops.turns().len() as u64;
        }
        count + quiet
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
