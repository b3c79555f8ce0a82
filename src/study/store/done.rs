//! Which games of a plan are done, in one bit each. Reads no file.

use super::super::plan::Plan;
use crate::record::GameKey;

/// Which games of a plan are done: one bit a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    bits: Vec<u64>,
    count: u64,
}

impl Done {
    pub(in crate::study) fn of(plan: &Plan) -> Self {
        let words = usize::try_from(plan.games_total().div_ceil(64)).expect("games fit in memory");
        Self { bits: vec![0; words], count: 0 }
    }

    pub(in crate::study) fn insert(&mut self, number: u64) {
        let (word, bit) = ((number / 64) as usize, 1 << (number % 64));
        self.count += u64::from(self.bits[word] & bit == 0);
        self.bits[word] |= bit;
    }

    /// How many games are done.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Whether this game of the plan is done.
    #[must_use]
    pub fn contains(&self, plan: &Plan, key: &GameKey) -> bool {
        plan.number_of(key)
            .is_some_and(|number| self.bits[(number / 64) as usize] >> (number % 64) & 1 == 1)
    }
}
