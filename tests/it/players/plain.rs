//! A search without memory or cleverness, the whole game copied for each turn.
//!
//! Judges the fast search, with which it shares the value of quiet positions and nothing else.

use keny::board::SquareSet;
use keny::player::{Evaluation, WIN};
use keny::rules::{Choices, Game, Rules, Turn};

/// A search in progress.
pub(super) struct Plain<'a, S> {
    pub(super) rules: &'a Rules<S>,
    pub(super) evaluation: &'a Evaluation<S>,
    /// Whether turns are left out that cannot matter because of what the sides have already.
    pub(super) prunes: bool,
    pub(super) positions_left: u32,
}

impl<S: SquareSet> Plain<'_, S> {
    /// The value for the side to move of the full tree of `depth` plies, its leaves followed
    /// through captures; nothing when the tree has too many positions.
    pub(super) fn value(&mut self, game: &Game<S>, depth: u32) -> Option<i32> {
        self.within(game, depth, 0, [-2 * WIN, 2 * WIN])
    }

    fn within(
        &mut self,
        game: &Game<S>,
        depth: u32,
        ply: i32,
        [mut mine, theirs]: [i32; 2],
    ) -> Option<i32> {
        self.positions_left = self.positions_left.checked_sub(1)?;
        let side = game.position().side;
        let mut choices = Choices::new();
        if let Some(stop) = game.choices(self.rules, &mut choices) {
            let ending = stop.ending().expect("few enough turns to list");
            return Some(match ending.outcome.winner() {
                None => 0,
                Some(winner) if winner == side => WIN - ply,
                Some(_) => ply - WIN,
            });
        }
        let turn_at = |index| choices.get(self.rules, index);
        let mut turns: Vec<Turn<S>> = (0..choices.len()).map(turn_at).collect();
        let mut best = -2 * WIN;
        if depth == 0 {
            turns.retain(|turn| turn.captures());
            let compulsory = self.rules.ruleset().capture.mandatory;
            if !(compulsory && turns.iter().any(|turn| !turn.hops())) {
                best = self.evaluation.value(&game.position().placement, side);
            }
        }
        for turn in &turns {
            mine = mine.max(best);
            if self.prunes && mine >= theirs {
                break;
            }
            let mut after = game.clone();
            after.play(self.rules, turn);
            let value = self.within(&after, depth.saturating_sub(1), ply + 1, [-theirs, -mine])?;
            best = best.max(-value);
        }
        Some(best)
    }
}
