//! A search without any cleverness: every turn of every position, the whole game copied each time.
//!
//! Judges the fast search, with which it shares the value of quiet positions and nothing else.

use keny::board::SquareSet;
use keny::player::{Evaluation, WIN};
use keny::rules::{Choices, Game, Rules, Turn};

/// The value for the side to move of the full tree of `depth` plies, its leaves followed through
/// captures; nothing when the tree has more than 100,000 positions.
pub(super) fn value<S: SquareSet>(
    rules: &Rules<S>,
    evaluation: &Evaluation<S>,
    game: &Game<S>,
    depth: u32,
) -> Option<i32> {
    let mut positions_left = 100_000;
    value_within(rules, evaluation, game, depth, &mut positions_left)
}

fn value_within<S: SquareSet>(
    rules: &Rules<S>,
    evaluation: &Evaluation<S>,
    game: &Game<S>,
    depth: u32,
    positions_left: &mut u32,
) -> Option<i32> {
    *positions_left = positions_left.checked_sub(1)?;
    let side = game.position().side;
    let mut choices = Choices::new();
    if let Some(ending) = game.choices(rules, &mut choices) {
        return Some(match ending.outcome.winner() {
            None => 0,
            Some(winner) if winner == side => WIN,
            Some(_) => -WIN,
        });
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
        let depth = depth.saturating_sub(1);
        let value = -value_within(rules, evaluation, &after, depth, positions_left)?;
        // A win or loss is one ply further away here than there.
        best = best.max(value - value.signum() * i32::from(value.abs() > WIN - 10_000));
    }
    Some(best)
}
