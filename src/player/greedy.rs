//! The player that looks one turn ahead, and at the best capture that answers it.
//!
//! Never looks further; its turns are those of a beginner who counts pieces.

use super::alphabeta::WIN;
use super::evaluation::Evaluation;
use super::line::Line;
use super::sampling::Sampling;
use super::{Player, Rng, Weights};
use crate::board::SquareSet;
use crate::rules::{Choices, Game, Rules, Scratch, Turn};

/// Takes the turn with the best value after the worst capture that it allows.
#[derive(Clone, Debug)]
pub struct Greedy<S> {
    sampling: Sampling,
    rng: Rng,
    evaluation: Evaluation<S>,
    line: Line<S>,
    replies: Vec<Turn<S>>,
    scratch: Scratch<S>,
    scores: Vec<i32>,
}

impl<S: SquareSet> Greedy<S> {
    /// A greedy player with this seed.
    ///
    /// # Panics
    /// When the weights have not the shape of the rules' board ([`Weights::fits`]).
    #[must_use]
    pub fn new(rules: &Rules<S>, weights: &Weights, sampling: Sampling, seed: u64) -> Self {
        Self {
            sampling,
            rng: Rng::from_seed(seed),
            evaluation: Evaluation::new(rules, weights),
            line: Line::new(rules),
            replies: Vec::new(),
            scratch: Scratch::default(),
            scores: Vec::new(),
        }
    }

    /// The value of a turn for the side that makes it.
    fn score(&mut self, rules: &Rules<S>, turn: &Turn<S>) -> i32 {
        let mover = self.line.top().position.side;
        self.line.push(rules, turn);
        let position = self.line.top().position;
        let placement = position.placement;
        let can_capture = rules.has_capture(&placement, position.side);
        let has_turn = can_capture || rules.has_turn(&placement, position.side);
        let ending = self.line.judge(rules, has_turn);
        self.line.pop();
        if let Some(ending) = ending {
            return match ending.outcome.winner() {
                None => 0,
                Some(winner) if winner == mover => WIN,
                Some(_) => -WIN,
            };
        }
        let quiet = -self.evaluation.value(&placement, position.side);
        if !can_capture {
            return quiet;
        }
        if rules
            .list_turns(&placement, position.side, &mut self.scratch, &mut self.replies)
            .is_err()
        {
            return quiet;
        }
        let captures = self.replies.iter().filter(|reply| reply.captures());
        let after = captures.map(|reply| {
            let after = placement.after(position.side, reply);
            self.evaluation.value(&after, mover)
        });
        let worst = after.min().unwrap_or(quiet);
        if rules.ruleset().capture.mandatory { worst } else { worst.min(quiet) }
    }
}

impl<S: SquareSet> Player<S> for Greedy<S> {
    fn choose(&mut self, rules: &Rules<S>, game: &Game<S>, choices: &Choices<S>) -> usize {
        if choices.len() == 1 {
            return 0;
        }
        if let Some(index) = self.sampling.stray(&mut self.rng, choices.len()) {
            return index;
        }
        self.line.restart(game);
        self.scores.clear();
        for index in 0..choices.len() {
            let score = self.score(rules, &choices.get(rules, index));
            self.scores.push(score);
        }
        self.sampling.draw_by_score(&mut self.rng, &self.scores)
    }

    fn restart(&mut self, seed: u64) {
        self.rng = Rng::from_seed(seed);
    }
}
