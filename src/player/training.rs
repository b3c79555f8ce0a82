//! Learning what the parts of a position are worth: play, fit, play again.
//!
//! The searching player plays itself from random openings; the weights are those of a logistic
//! regression of the outcomes on the features of quiet positions; the next round plays with them.
//! The same ruleset, plan and seed give the same weights for any number of threads.

mod features;
mod fit;
mod games;

use super::Weights;
use super::roster::Thousandths;
use crate::board::SquareSet;
use crate::rules::{Engine, Rules, Ruleset};
use features::Columns;
use games::Sample;

/// How much is played, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrainingPlan {
    /// Rounds of playing and fitting, 1 or more.
    pub rounds: u32,
    /// Turns played in a round, all games together, about.
    pub plies_a_round: u32,
    /// Positions that the player may visit for one turn.
    pub nodes: u64,
    /// The chance of a random turn.
    pub epsilon: Thousandths,
    /// What openings and players are drawn from.
    pub seed: u64,
}

impl Default for TrainingPlan {
    fn default() -> Self {
        Self {
            rounds: 4,
            plies_a_round: 400_000,
            nodes: 200,
            epsilon: Thousandths::new(50),
            seed: 1,
        }
    }
}

/// What a training came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trained {
    /// How they were learned.
    pub plan: TrainingPlan,
    /// The weights of the last fit.
    pub weights: Weights,
    /// What a king is worth in hundredths of a man where nothing but men, kings and the move is
    /// looked at; nothing where no king or no value of a man was seen.
    pub king_worth: Option<i32>,
    /// Games played in all rounds.
    pub games: u64,
    /// Games of these that reached the cap of plies, and taught nothing.
    pub unfinished: u64,
    /// Positions that the last fit learned from.
    pub positions: u64,
}

/// One round of a training, when it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// Its number, from 1.
    pub number: u32,
    /// How many there are.
    pub rounds: u32,
    /// Games played so far.
    pub games: u64,
}

/// Learns weights for a ruleset, and tells of each round that is over.
#[must_use]
pub fn train(ruleset: &Ruleset, plan: &TrainingPlan, tell: &mut dyn FnMut(Round)) -> Trained {
    crate::with_rules!(&Engine::new(ruleset), rules => train_under(rules, plan, tell))
}

fn train_under<S: SquareSet>(
    rules: &Rules<S>,
    plan: &TrainingPlan,
    tell: &mut dyn FnMut(Round),
) -> Trained {
    let columns = Columns::of(rules.ruleset());
    let mut weights = Weights::generic(rules.ruleset());
    let mut sample = Sample::new(columns.len());
    let mut material = fit::Fitted { coefficients: vec![0.0; columns.len()], draw_width: 0.0 };
    for number in 1..=plan.rounds.max(1) {
        games::play_round(rules, plan, number, &weights, &columns, &mut sample);
        material = fit::fit(&columns.holds_of_material(), &sample);
        let fitted = fit::fit(&columns.holds(), &sample);
        weights = columns.weights(&fitted, &material);
        tell(Round { number, rounds: plan.rounds.max(1), games: sample.games });
    }
    Trained {
        plan: *plan,
        weights,
        king_worth: columns.king_worth(&material, &sample),
        games: sample.games,
        unfinished: sample.unfinished,
        positions: sample.results.len() as u64,
    }
}
