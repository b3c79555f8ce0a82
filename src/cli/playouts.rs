//! `keny playouts`: random games in parallel, the same for any number of threads.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::args::PlayoutsArgs;
use super::exit::{Exit, Outcome as CommandOutcome};
use super::output::Output;
use super::{clock, input};
use crate::board::SquareSet;
use crate::player::Rng;
use crate::rules::{Choices, Ending, Engine, Game, Outcome, Position, Reason, Rules, Stop};
use crate::stats::histogram::Histogram;
use crate::stats::interval::Share;
use crate::stats::{Confidence, Known};
use crate::with_rules;

/// Games of one piece of work.
const CHUNK: u64 = 64;

/// What games came to; sums of whole numbers, so that their order means nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tally {
    /// Finished games by outcome and reason.
    endings: BTreeMap<(Outcome, Reason), u64>,
    /// Games without an end.
    unfinished: u64,
    /// Those of them that came to a position with too many turns to list.
    given_up: u64,
    /// Lengths in plies.
    plies: Histogram,
}

impl Tally {
    fn add(&mut self, stop: Option<Stop>, plies: u32) {
        match stop {
            Some(Stop::Ended(Ending { outcome, reason })) => {
                *self.endings.entry((outcome, reason)).or_insert(0) += 1;
            }
            Some(Stop::TooManyTurns) => {
                self.unfinished += 1;
                self.given_up += 1;
            }
            None => self.unfinished += 1,
        }
        self.plies.add(usize::try_from(plies).expect("a cap of plies is a usize"));
    }

    fn merged(mut self, other: &Self) -> Self {
        for (key, count) in &other.endings {
            *self.endings.entry(*key).or_insert(0) += count;
        }
        self.unfinished += other.unfinished;
        self.given_up += other.given_up;
        self.plies.merge(&other.plies);
        self
    }

    fn of(&self, outcome: Outcome) -> u64 {
        self.endings
            .iter()
            .filter(|((other, _), _)| *other == outcome)
            .map(|(_, count)| count)
            .sum()
    }

    fn games(&self) -> u64 {
        self.plies.n()
    }

    fn reasons(&self) -> Vec<(&'static str, u64)> {
        let of = |reason| {
            self.endings.iter().filter(|((_, other), _)| *other == reason).map(|(_, n)| n).sum()
        };
        let mut reasons: Vec<(&str, u64)> =
            Reason::BY_RULES.map(|reason| (reason.name(), of(reason))).to_vec();
        reasons.push(("unfinished", self.unfinished - self.given_up));
        reasons.push(("too-many-turns", self.given_up));
        reasons.retain(|(_, count)| *count > 0);
        reasons
    }
}

/// Plays the games and prints what came of them.
pub(super) fn run(args: &PlayoutsArgs, output: &mut Output) -> CommandOutcome {
    let variant = input::scene(&args.scene, output)?;
    let engine = Engine::new(&variant.ruleset);
    let begun = clock::now();
    let tally = with_rules!(&engine, rules => {
        let start = input::position(args.scene.position.as_deref(), rules)?;
        input::on_threads(args.threads, || play_all(rules, start, args))?
    });
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        let reasons: serde_json::Map<String, Value> = tally
            .reasons()
            .into_iter()
            .map(|(name, count)| (name.to_owned(), json!(count)))
            .collect();
        output.json(&json!({
            "variant": variant.id,
            "fingerprint": variant.fingerprint().to_string(),
            "seed": args.seed,
            "plies_max": args.plies_max,
            "games": tally.games(),
            "plies": u64::try_from(tally.plies.sum()).unwrap_or(u64::MAX),
            "seconds": seconds,
            "white": tally.of(Outcome::White),
            "black": tally.of(Outcome::Black),
            "draw": tally.of(Outcome::Draw),
            "unfinished": tally.unfinished,
            "reasons": reasons,
        }))?;
        return Ok(Exit::Done);
    }
    output.line(&format!(
        "{}: {} random games, seed {}",
        variant.name,
        tally.games(),
        args.seed
    ))?;
    output.write(&told(&tally))?;
    output.flush()?;
    output.note(&format!("{seconds:.2} seconds"));
    Ok(Exit::Done)
}

fn play_all<S: SquareSet>(rules: &Rules<S>, start: Position<S>, args: &PlayoutsArgs) -> Tally {
    let chunks = usize::try_from(args.games.div_ceil(CHUNK)).unwrap_or(usize::MAX);
    // Counted in `usize` and dealt out in few, so that no thread waits long at the end.
    (0..chunks)
        .into_par_iter()
        .with_max_len(4)
        .map(|chunk| {
            let chunk = chunk as u64;
            let mut tally = Tally::default();
            let mut game = Game::from_position(rules, start);
            let mut choices = Choices::new();
            for number in chunk * CHUNK..((chunk + 1) * CHUNK).min(args.games) {
                let seed = format!("keny playout\nseed {}\ngame {number}\n", args.seed);
                let mut rng = Rng::from_bytes(seed.as_bytes());
                game.restart(start);
                let mut stop = game.choices(rules, &mut choices);
                while stop.is_none() && game.plies() < args.plies_max {
                    let turn = choices.get(rules, rng.below(choices.len()));
                    game.play(rules, &turn);
                    stop = game.choices(rules, &mut choices);
                }
                tally.add(stop, game.plies());
            }
            tally
        })
        .reduce(Tally::default, |sum, more| sum.merged(&more))
}

/// The tally as lines: shares with their 95 % intervals (Wilson) and n, reasons, lengths.
fn told(tally: &Tally) -> String {
    let mut text = String::new();
    let games = tally.games();
    let finished = games - tally.unfinished;
    let mut share = |name: &str, count: u64, n: u64| {
        text.push_str(&format!("  {name:<12}{count:>9}  {}\n", share_text(count, n)));
    };
    share("white wins", tally.of(Outcome::White), finished);
    share("black wins", tally.of(Outcome::Black), finished);
    share("draws", tally.of(Outcome::Draw), finished);
    share("unfinished", tally.unfinished, games);
    let reasons: Vec<String> =
        tally.reasons().iter().map(|(name, count)| format!("{name} {count}")).collect();
    text.push_str(&format!("  reasons: {}\n", reasons.join(", ")));
    let number = |value: Known<f64>, digits: usize| match value {
        Ok(value) => format!("{value:.digits$}"),
        Err(missing) => missing.cell(),
    };
    text.push_str(&format!(
        "  plies: mean {}, median {}, {} to {}\n",
        number(tally.plies.mean(), 1),
        number(tally.plies.median(), 0),
        tally.plies.least().unwrap_or(0),
        tally.plies.largest().unwrap_or(0),
    ));
    text
}

fn share_text(count: u64, n: u64) -> String {
    let share = Share { count, n };
    match (share.value(), share.wilson(Confidence::P95)) {
        (Ok(value), Ok(interval)) => format!(
            "{:>5.1} % [{:.1}, {:.1}] of {n}",
            100.0 * value,
            100.0 * interval.low(),
            100.0 * interval.high()
        ),
        (Err(missing), _) | (_, Err(missing)) => format!("{} of {n}", missing.cell()),
    }
}
