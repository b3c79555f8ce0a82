//! `keny relevance`: how often two variants give different legal turns.

use serde_json::json;

use super::args::{RelevanceArgs, ShortFormat};
use super::exit::{Exit, Failure, Outcome};
use super::input;
use super::output::Output;
use crate::report::{Unit, relevance_cells, relevance_value};
use crate::stats::Confidence;
use crate::study::relevance::{Trial, of_played};

/// Plays games of one variant and prints how often the other one differs.
pub(super) fn run(args: &RelevanceArgs, output: &mut Output) -> Outcome {
    let [a, b] = [input::variant(&args.a, output)?, input::variant(&args.b, output)?];
    let trial = Trial {
        player: args.player,
        games: args.games,
        opening_plies: args.opening_plies,
        plies_max: args.plies_max,
        seed: args.seed,
    };
    let counts = input::on_threads(args.threads, || of_played(&a.ruleset, &b.ruleset, &trial))?
        .map_err(|reason| {
            let message = format!("cannot compare `{}` and `{}`: {reason}", a.id, b.id);
            Failure::say(Exit::Usage, message)
        })?;
    let level = Confidence::P95;
    let cells = relevance_cells(&counts, &a.ruleset.board, Unit::Game, level);
    match args.format {
        ShortFormat::Json => {
            let mut answer = json!({
                "a": a.id,
                "b": b.id,
                "fingerprints": [a.fingerprint().to_string(), b.fingerprint().to_string()],
                "player": args.player.to_string(),
                "games": args.games,
                "opening_plies": args.opening_plies,
                "plies_max": args.plies_max,
                "seed": args.seed,
                "level": level.level(),
            });
            if let (Some(answer), Some(found)) =
                (answer.as_object_mut(), relevance_value(&cells).as_object_mut())
            {
                answer.append(found);
            }
            output.json(&answer)?;
        }
        ShortFormat::Table => {
            output.line(&format!(
                "games of {} by {}, legal turns of {}; seed {}, {} random plies, ply cap {}; \
                 {:.0} % intervals, positions clustered by game",
                a.id,
                args.player,
                b.id,
                args.seed,
                args.opening_plies,
                args.plies_max,
                100.0 * level.level()
            ))?;
            output.write(&cells.text(&a.id, &b.id))?;
        }
    }
    Ok(Exit::Done)
}
