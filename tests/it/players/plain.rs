//! A search without any cleverness: every turn of every position, the whole game copied each time.
//!
//! Judges the fast search, with which it shares the value of quiet positions and nothing else.

use keny::board::SquareSet;
use keny::player::{Evaluation, WIN};
use keny::rules::{Choices, Game, Rules, Turn};

/// The value for the side to move of the full tree of `depth` plies, its leaves followed through
/// captures.
pub(super) fn value<S: SquareSet>(
    rules: &Rules<S>,
    evaluation: &Evaluation<S>,
    game: &Game<S>,
    depth: u32,
) -> i32 {
    let side = game.position().side;
    let mut choices = Choices::new();
    if let Some(ending) = game.choices(rules, &mut choices) {
        return match ending.outcome.winner() {
            None => 0,
            Some(winner) if winner == side => WIN,
            Some(_) => -WIN,
        };
    }
    let mut turns: Vec<Turn<S>> = (0..choices.len()).map(|i| choices.get(rules, i)).collect();
    let mut best = i32::MIN;
    if depth == 0 {
        turns.retain(|turn| turn.captures());
        let forced = rules.ruleset().capture.mandatory && turns.iter().any(|turn| !turn.hops());
        if !forced {
            best = evaluation.value(&game.position().placement, side);
        }
    }
    for turn in &turns {
        let mut after = game.clone();
        after.play(rules, turn);
        let value = -value(rules, evaluation, &after, depth.saturating_sub(1));
        // A win or loss is one ply further away here than there.
        best = best.max(value - value.signum() * i32::from(value.abs() > WIN - 10_000));
    }
    best
}
