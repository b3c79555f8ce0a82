//! `keny moves`: the legal turns of a position, with the board.

use super::args::MovesArgs;
use super::exit::{Exit, Failure, Outcome};
use super::input;
use super::output::Output;
use super::turn_json::turns_json;
use super::wrap::wrap;
use crate::board::SquareSet;
use crate::notation::{Diagram, TurnTexts, print_position};
use crate::rules::{Engine, Game, Rules};
use crate::variant::Variant;
use crate::with_rules;

/// Prints the legal turns.
pub(super) fn run(args: &MovesArgs, output: &mut Output) -> Outcome {
    let variant = input::scene(&args.scene, output)?;
    let engine = Engine::new(&variant.ruleset);
    with_rules!(&engine, rules => moves(rules, &variant, args, output))
}

fn moves<S: SquareSet>(
    rules: &Rules<S>,
    variant: &Variant,
    args: &MovesArgs,
    output: &mut Output,
) -> Outcome {
    let position = input::position(args.scene.position.as_deref(), rules)?;
    let board = &rules.ruleset().board;
    let texts = TurnTexts::new(board);
    let (placement, side) = (&position.placement, position.side);
    let mut turns = Vec::new();
    rules.turns(placement, side, &mut turns).map_err(|error| Failure::new(Exit::Usage, error))?;
    let listed = turns_json(rules, &texts, placement, side, &turns);
    let position_text = print_position(side, placement, board);
    let ending = Game::from_position(rules, position).ending(rules);
    if args.json {
        output.json(&serde_json::json!({
            "variant": variant.id,
            "fingerprint": variant.fingerprint().to_string(),
            "position": position_text,
            "side": side.name(),
            "result": ending.map(|ending| ending.outcome.name()),
            "reason": ending.map(|ending| ending.reason.name()),
            "turns": listed,
        }))?;
        return Ok(Exit::Done);
    }
    let marks = input::marks(args.ascii);
    output.write(&Diagram { board, marks }.draw(placement, &[]))?;
    output.line(&marks.legend())?;
    output.line(&position_text)?;
    let count = match listed.len() {
        0 => "no legal turn".to_owned(),
        1 => "1 legal turn".to_owned(),
        count => format!("{count} legal turns"),
    };
    output.line(&format!("{} to move, {count}", side.name()))?;
    let words: Vec<String> = listed.into_iter().filter_map(|turn| turn.text).collect();
    if !words.is_empty() {
        output.write(&wrap("  ", "  ", &words.join(" ")))?;
    }
    if let Some(ending) = ending {
        let result = match ending.outcome.winner() {
            Some(winner) => format!("{} wins", winner.name()),
            None => "a draw".to_owned(),
        };
        output.line(&format!("a game would be over here: {result} ({})", ending.reason.name()))?;
    }
    Ok(Exit::Done)
}
