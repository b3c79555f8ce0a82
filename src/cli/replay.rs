//! `keny replay`: checks every turn of written games and says how they ended.

use std::path::Path;

use super::args::ReplayArgs;
use super::exit::{Exit, Failure, Outcome};
use super::input;
use super::output::Output;
use crate::board::SquareSet;
use crate::limits::PDN_BYTES_MAX as FILE_MAX;
use crate::notation::{
    Diagram, PdnGame, PdnResult, ReplayFault, Replayed, parse_games, print_position, replay,
};
use crate::rules::{self, Engine, Rules};
use crate::variant::Variant;
use crate::with_rules;

/// Replays all games of a file.
pub(super) fn run(args: &ReplayArgs, output: &mut Output) -> Outcome {
    let text = input::read_text(&args.game, FILE_MAX)?;
    let games = parse_games(&text).map_err(|error| {
        Failure::say(Exit::CheckFailed, format!("{}: {error}", args.game.display()))
    })?;
    if games.is_empty() {
        let message = format!("{}: no game is in it", args.game.display());
        return Err(Failure::say(Exit::CheckFailed, message));
    }
    let mut faults = 0;
    for (index, game) in games.iter().enumerate() {
        let name = title(index + 1, game);
        let variant = variant_of(game, index + 1, args, output)?;
        let engine = Engine::new(&variant.ruleset);
        let told = with_rules!(&engine, rules => one(rules, &variant, game, args));
        match told {
            Ok(text) => output.write(&format!("{name}: {text}"))?,
            Err(fault) => {
                faults += 1;
                output.note(&format!("{}: {name}: {fault}", args.game.display()));
            }
        }
    }
    if faults > 0 {
        if games.len() > 1 {
            output.note(&format!("{faults} of {} games are at fault", games.len()));
        }
        return Ok(Exit::CheckFailed);
    }
    Ok(Exit::Done)
}

fn title(number: usize, game: &PdnGame) -> String {
    let known = |name| game.tag(name).filter(|value| !matches!(*value, "" | "?"));
    match (known("White"), known("Black")) {
        (None, None) => format!("game {number}"),
        (white, black) => {
            format!("game {number}, {} - {}", white.unwrap_or("?"), black.unwrap_or("?"))
        }
    }
}

/// The variant that a game is played by.
fn variant_of(
    game: &PdnGame,
    number: usize,
    args: &ReplayArgs,
    output: &mut Output,
) -> Result<Variant, Failure> {
    let name = match (&args.variant, game.tag("Variant")) {
        (Some(name), _) => name.clone(),
        (None, Some(name)) if input::is_path(name) => {
            let folder = args.game.parent().unwrap_or_else(|| Path::new(""));
            folder.join(name).display().to_string()
        }
        (None, Some(name)) => name.to_owned(),
        (None, None) => {
            let message = format!(
                "{}: line {}: game {number} has no tag `Variant`; name one with `--variant`",
                args.game.display(),
                game.line
            );
            return Err(Failure::say(Exit::Usage, message));
        }
    };
    input::variant(&name, output)
}

/// Why a game is at fault.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(transparent)]
    Replay(#[from] ReplayFault),
    #[error(
        "line {line}: it was played by rules of the fingerprint `{said}`, but that of `{variant}` \
         is {fingerprint}"
    )]
    OtherRules { line: usize, said: String, variant: String, fingerprint: String },
}

fn one<S: SquareSet>(
    rules: &Rules<S>,
    variant: &Variant,
    game: &PdnGame,
    args: &ReplayArgs,
) -> Result<String, Fault> {
    let fingerprint = variant.fingerprint().to_string();
    if let Some(said) = game.tag("Fingerprint").filter(|said| *said != fingerprint)
        && args.variant.is_none()
    {
        return Err(Fault::OtherRules {
            line: game.line,
            said: crate::variant::suggest::shown(said),
            variant: variant.id.clone(),
            fingerprint,
        });
    }
    let replayed = replay(rules, game)?;
    let plies = replayed.turns.len();
    let counted = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
    let mut text = format!("{counted}, {}\n", ended(&replayed, game.result));
    let position = replayed.game.position();
    let board = &rules.ruleset().board;
    if args.board {
        let lit: Vec<_> = replayed.turns.last().map_or(vec![], |turn| vec![turn.from, turn.to]);
        let marks = input::marks(args.ascii);
        text.push_str(&Diagram { board, marks }.draw(&position.placement, &lit));
    }
    text.push_str(&print_position(position.side, &position.placement, board));
    text.push('\n');
    Ok(text)
}

/// "white wins (blocked)", or what the game says where the board does not show it.
fn ended<S>(replayed: &Replayed<S>, claimed: PdnResult) -> String {
    match (replayed.ending, claimed) {
        (Some(ending), _) => format!("{} ({})", won(ending.outcome), ending.reason.name()),
        (None, PdnResult::Unknown) => "not ended".to_owned(),
        (None, PdnResult::Ended(outcome)) => {
            format!("{} (says the game; the board does not show it)", won(outcome))
        }
    }
}

/// "white wins" or "draw".
pub(super) fn won(outcome: rules::Outcome) -> String {
    match outcome.winner() {
        Some(side) => format!("{} wins", side.name()),
        None => "draw".to_owned(),
    }
}
