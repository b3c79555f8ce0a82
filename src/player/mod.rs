//! Players: programs that choose turns, each with a seed and a budget that is never time.
//!
//! Knows the board and the rules, and nothing of texts of turns, files or studies.

mod alphabeta;
mod arithmetic;
mod evaluation;
mod greedy;
mod line;
mod mcts;
mod ordering;
mod random;
mod rng;
mod roster;
mod sampling;
mod table;
mod training;
mod weights;

pub use alphabeta::{AlphaBeta, Found, PROVEN, WIN};
pub use arithmetic::{exp, ln, logistic};
pub use evaluation::Evaluation;
pub use greedy::Greedy;
pub use mcts::Mcts;
pub use random::Random;
pub use rng::Rng;
pub use roster::{
    Budget, OptionRow, PlayerRow, PlayerSpec, ROSTER, RosterError, Thousandths, WeightsChoice,
    build, build_with,
};
pub use sampling::Sampling;
pub use training::{Round, Trained, TrainingPlan, train};
pub use weights::{Count, Weights};

use crate::board::SquareSet;
use crate::rules::{Choices, Game, Rules};

/// Something that chooses turns. Equal seeds and equal games give equal choices on every machine.
pub trait Player<S: SquareSet> {
    /// The turn to play, as an index into `choices`: the legal turns of the game's position, of
    /// which there is at least one.
    fn choose(&mut self, rules: &Rules<S>, game: &Game<S>, choices: &Choices<S>) -> usize;

    /// Forgets all games, as if newly made with this seed, but keeps its memory allocated.
    fn restart(&mut self, seed: u64);

    /// What it has looked at since it was made or restarted: positions of a search, playouts of a
    /// tree. 0 for players that judge the turns at hand and no more.
    fn looked_at(&self) -> u64 {
        0
    }
}
