//! The player that takes any legal turn. Never looks at the board.

use super::{Player, Rng};
use crate::board::SquareSet;
use crate::rules::{Choices, Game, Rules};

/// Every legal turn is equally likely.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A random player with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::from_seed(seed) }
    }
}

impl<S: SquareSet> Player<S> for Random {
    #[inline]
    fn choose(&mut self, _: &Rules<S>, _: &Game<S>, choices: &Choices<S>) -> usize {
        self.rng.below(choices.len())
    }

    fn restart(&mut self, seed: u64) {
        self.rng = Rng::from_seed(seed);
    }
}
