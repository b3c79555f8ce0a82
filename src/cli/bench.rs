//! `keny bench`: how fast this machine plays, as numbers and as ratios to Turkish draughts.
//!
//! Each number is measured in rounds, one variant after the other in each round, and the median of
//! a variant's ratios is shown: a machine whose speed drifts drifts for all of them.

use rayon::prelude::*;
use serde_json::json;
use tabled::builder::Builder;
use tabled::settings::Style as TableStyle;

use super::args::BenchArgs;
use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use super::wrap::wrap;
use super::{clock, input};
use crate::board::SquareSet;
use crate::player::{AlphaBeta, Budget, Rng, Sampling, Weights};
use crate::rules::{Choices, Counted, Engine, Game, Rules, TooManyTurns};
use crate::with_rules;

/// The variant that all are held against.
const YARDSTICK: &str = "turkish";
/// Rounds of which the median is shown.
const ROUNDS: u32 = 3;
/// Plies after which a random game is cut.
const PLIES_MAX: u32 = 1_000;
/// Positions of one search.
const NODES: u64 = 20_000;
/// Games of one piece of work for a thread.
const CHUNK: u64 = 32;
/// Chunks for each thread between two looks at the clock.
const CHUNKS: usize = 64;

/// What is measured, each in units a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// Leaves of perft, one thread.
    Perft,
    /// Random games, one thread.
    Games,
    /// Positions of `alphabeta`, one thread.
    Nodes,
    /// Random games, all threads.
    AllThreads,
}

impl Work {
    const ALL: [Self; 4] = [Self::Perft, Self::Games, Self::Nodes, Self::AllThreads];

    const fn index(self) -> usize {
        self as usize
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Perft => "perft_leaves",
            Self::Games => "random_games",
            Self::Nodes => "search_nodes",
            Self::AllThreads => "random_games_all_threads",
        }
    }
}

/// One variant's speeds by work and round; nothing where its turns are too many.
struct Row {
    name: String,
    engine: Engine,
    rates: [Vec<Option<f64>>; 4],
}

impl Row {
    /// The middle one of the rounds' values of some number.
    fn median(&self, value: impl Fn(usize) -> Option<f64>) -> Option<f64> {
        let mut values: Vec<f64> = (0..ROUNDS as usize).filter_map(value).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    }

    fn rate(&self, work: Work) -> Option<f64> {
        self.median(|round| self.rates[work.index()][round])
    }

    fn to(&self, work: Work, other: &Self, other_work: Work) -> Option<f64> {
        self.median(|round| {
            Some(self.rates[work.index()][round]? / other.rates[other_work.index()][round]?)
        })
    }
}

/// Measures and prints.
pub(super) fn run(args: &BenchArgs, output: &mut Output) -> Outcome {
    let mut names = vec![YARDSTICK.to_owned()];
    names.extend(args.variant.iter().filter(|name| *name != YARDSTICK).cloned());
    if args.variant.is_empty() {
        names.push("keny".to_owned());
    }
    let mut rows = Vec::new();
    for name in &names {
        let variant = input::variant(name, output)?;
        let engine = Engine::new(&variant.ruleset);
        rows.push(Row { name: variant.id, engine, rates: [const { Vec::new() }; 4] });
    }
    let seconds = args.seconds / f64::from(ROUNDS);
    let threads = input::on_threads(args.threads, || {
        for _ in 0..ROUNDS {
            for work in Work::ALL {
                for row in &mut rows {
                    let rate = with_rules!(&row.engine, rules => measured(rules, work, seconds));
                    row.rates[work.index()].push(rate.ok());
                }
            }
        }
        rayon::current_num_threads()
    })?;
    if args.json { print_json(&rows, threads, output) } else { print_table(&rows, threads, output) }
}

/// Units a second of some work, done for about so many seconds.
fn measured<S: SquareSet>(rules: &Rules<S>, work: Work, seconds: f64) -> Result<f64, TooManyTurns> {
    match work {
        Work::Perft => perft(rules, seconds),
        Work::Games => rate(seconds, |round| Ok(games(rules, round))),
        Work::Nodes => search(rules, seconds),
        Work::AllThreads => rate(seconds, |round| {
            let chunks = CHUNKS * rayon::current_num_threads();
            let first = round * chunks as u64;
            // Counted in `usize` and dealt out one by one, so that no thread waits long at the end.
            let work = (0..chunks).into_par_iter().with_max_len(1);
            Ok(work.map(|chunk| games(rules, first + chunk as u64)).sum())
        }),
    }
}

/// Repeats the work, numbered from 0, until the time is over; its units a second.
fn rate(
    seconds: f64,
    mut work: impl FnMut(u64) -> Result<u64, TooManyTurns>,
) -> Result<f64, TooManyTurns> {
    let begun = clock::now();
    let mut units = 0;
    for round in 0.. {
        units += work(round)?;
        let passed = begun.elapsed().as_secs_f64();
        if passed >= seconds {
            return Ok(units as f64 / passed);
        }
    }
    unreachable!("numbers do not end before the time does")
}

/// Leaves from the start, as deep as a small part of the time allows.
fn perft<S: SquareSet>(rules: &Rules<S>, seconds: f64) -> Result<f64, TooManyTurns> {
    let side = rules.ruleset().setup.first;
    let count = |depth| rules.perft(rules.start(), side, depth, Counted::Turns);
    let mut depth = 1;
    loop {
        let begun = clock::now();
        let leaves = count(depth)?;
        // Another ply takes ten to thirty times as long.
        if leaves == 0 || begun.elapsed().as_secs_f64() > seconds / 60.0 {
            break;
        }
        depth += 1;
    }
    rate(seconds, |_| count(depth))
}

/// Plays a chunk of random games; how many.
fn games<S: SquareSet>(rules: &Rules<S>, chunk: u64) -> u64 {
    let (mut game, mut choices) = (Game::new(rules), Choices::new());
    for number in chunk * CHUNK..(chunk + 1) * CHUNK {
        let mut rng = Rng::from_seed(number);
        game.restart(rules.start_position());
        play(rules, &mut game, &mut choices, &mut rng, PLIES_MAX);
    }
    CHUNK
}

fn play<S: SquareSet>(
    rules: &Rules<S>,
    game: &mut Game<S>,
    choices: &mut Choices<S>,
    rng: &mut Rng,
    plies: u32,
) {
    while game.choices(rules, choices).is_none() && game.plies() < plies {
        game.play(rules, &choices.get(rules, rng.below(choices.len())));
    }
}

/// Positions of searches along random games.
fn search<S: SquareSet>(rules: &Rules<S>, seconds: f64) -> Result<f64, TooManyTurns> {
    let weights = Weights::generic(rules.ruleset());
    let mut player = AlphaBeta::new(rules, Budget::Nodes(NODES), &weights, Sampling::default(), 1);
    let (mut game, mut choices) = (Game::new(rules), Choices::new());
    rate(seconds, |round| {
        game.restart(rules.start_position());
        let plies = u32::try_from(round % 10 * 4).expect("below 40");
        play(rules, &mut game, &mut choices, &mut Rng::from_seed(round), plies);
        if choices.is_empty() {
            return Ok(0);
        }
        player.analyse(rules, &game, 1, |_| {});
        Ok(player.nodes())
    })
}

fn print_table(rows: &[Row], threads: usize, output: &mut Output) -> Outcome {
    let all = format!("{threads} threads");
    let mut table = Builder::default();
    table.push_record(["variant", "perft", "", "random games", "", "search", "", all.as_str()]);
    table.push_record([
        "",
        "leaves/s",
        "ratio",
        "games/s",
        "ratio",
        "nodes/s",
        "ratio",
        "of one thread",
    ]);
    for row in rows {
        let mut cells = vec![row.name.clone()];
        for work in [Work::Perft, Work::Games, Work::Nodes] {
            cells.push(row.rate(work).map_or_else(|| "–".to_owned(), rounded));
            cells.push(ratio_text(row.to(work, &rows[0], work)));
        }
        cells.push(ratio_text(row.to(Work::AllThreads, row, Work::Games)));
        table.push_record(cells);
    }
    let table = table.build().with(TableStyle::blank()).to_string();
    for line in table.lines() {
        output.line(line.trim_end())?;
    }
    output.line("")?;
    let too_many = rows.iter().flat_map(|row| row.rates.iter().flatten()).any(Option::is_none);
    if too_many {
        output.line(&format!("–: {TooManyTurns}"))?;
    }
    output.write(&wrap(
        "",
        "",
        &format!(
            "Ratios are to {YARDSTICK} in the same run, the median of {ROUNDS} rounds. All numbers \
             are those of this machine as busy as it is now; ratios carry over better than speeds."
        ),
    ))?;
    Ok(Exit::Done)
}

fn print_json(rows: &[Row], threads: usize, output: &mut Output) -> Result<Exit, Failure> {
    let variants: Vec<_> = rows
        .iter()
        .map(|row| {
            let speeds = Work::ALL.map(|work| (work.name().to_owned(), json!(row.rate(work))));
            let ratios = [Work::Perft, Work::Games, Work::Nodes]
                .map(|work| (work.name().to_owned(), json!(row.to(work, &rows[0], work))));
            json!({
                "variant": row.name,
                "per_second": serde_json::Map::from_iter(speeds),
                "ratio": serde_json::Map::from_iter(ratios),
                "threads_ratio": row.to(Work::AllThreads, row, Work::Games),
            })
        })
        .collect();
    output.json(&json!({
        "yardstick": YARDSTICK,
        "threads": threads,
        "rounds": ROUNDS,
        "variants": variants,
    }))?;
    Ok(Exit::Done)
}

fn ratio_text(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"))
}

/// Three digits that count, with the rest as thousands or millions.
fn rounded(rate: f64) -> String {
    match rate {
        1e6.. => format!("{:.1} million", rate / 1e6),
        1e3.. => format!("{:.1} thousand", rate / 1e3),
        _ => format!("{rate:.0}"),
    }
}
