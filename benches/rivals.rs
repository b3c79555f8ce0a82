//! Speed as ratios in one run: against a specialised engine for Turkish draughts, between rulesets,
//! and between one thread and two. Every count is asserted.
//!
//! `cargo bench --bench rivals` runs all; a word after `--` runs the lines whose name has it.
//! Each line plays its two works in turn, round by round, and prints the median of the ratios, so
//! that a machine whose speed drifts drifts for both.

mod common;
#[path = "common/perft.rs"]
mod perft;
#[path = "common/ratios.rs"]
mod ratios;

use std::sync::atomic::AtomicBool;

use common::{engine, rate, say};
use keny::board::SquareSet;
use keny::player::{AlphaBeta, Budget, Rng, Sampling, Weights};
use keny::rules::{Choices, Counted, CountedTurns, DrawRules, Engine, Game, Rules, Ruleset};
use keny::study::{self, Settings, Store};
use keny::{variant, with_rules};
use perft::perft;
use ratios::ratios;
use rayon::prelude::*;

const TURKISH_8: u64 = 123_285_642;
const TURKISH_8_PATHS: u64 = 123_290_300;
const KENY_5: u64 = 16_099_820;
const KENY_6: u64 = 506_402_744;
/// Games of a study.
const STORED: u32 = 600_000;
const WORST_7: u64 = 2_099_498;
const INTERNATIONAL_9: u64 = 41_022_423;
const GAMES: u64 = 20_000;

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let bench = Bench { wanted };
    let turkish = engine("turkish");
    let turkish_perft = || perft(&turkish, 8, TURKISH_8);
    bench.line("turkish perft 8 / kish's count", 1.0, turkish_perft, kish_perft);
    let limited = Engine::new(&as_kish_draws());
    bench.line(
        "turkish random games / kish's",
        1.25,
        || rate(|| playouts(&limited, GAMES).0),
        kish_playouts,
    );
    bench.line("keny perft 6 / turkish", 0.5, || perft(&engine("keny"), 6, KENY_6), turkish_perft);
    bench.line(
        "international perft 9 / turkish",
        0.5,
        || perft(&engine("international"), 9, INTERNATIONAL_9),
        turkish_perft,
    );
    bench.line(
        "keny random plies / turkish",
        0.6,
        || rate(|| playouts(&engine("keny"), GAMES).1),
        || rate(|| playouts(&turkish, GAMES).1),
    );
    // Slow because of what its positions hold, not because they have hardly any turn.
    let worst = engine("benches/worst.toml");
    bench.line("worst ruleset perft 7 / turkish", 0.1, || perft(&worst, 7, WORST_7), turkish_perft);
    let keny = engine("keny");
    bench.line("alphabeta nodes / keny perft 5", None, nodes, || perft(&keny, 5, KENY_5));
    bench.line(
        "study of random / bare games",
        0.7,
        || study(1),
        || rate(|| playouts(&keny, GAMES).0),
    );
    bench.line("two cores study / one", 1.9, || study(2), || on_one_core(|| study(1)));
    bench.line(
        "two cores perft / one",
        1.9,
        || two_threads_perft(&turkish),
        || on_one_core(|| perft(&turkish, 8, TURKISH_8)),
    );
    bench.line(
        "two cores random games / one",
        1.9,
        || rate(|| two_threads_playouts(&turkish)),
        || on_one_core(|| rate(|| playouts(&turkish, 2 * GAMES).0)),
    );
}

/// Runs and prints the lines that were asked for.
struct Bench {
    wanted: Vec<String>,
}

impl Bench {
    /// The ratio of two speeds, in units of work a second each.
    fn line(
        &self,
        name: &str,
        goal: impl Into<Option<f64>>,
        ours: impl FnMut() -> f64,
        theirs: impl FnMut() -> f64,
    ) {
        if !self.wanted.is_empty() && !self.wanted.iter().any(|word| name.contains(word.as_str())) {
            return;
        }
        let [low, median, high] = ratios(ours, theirs);
        let goal = goal.into().map_or_else(String::new, |goal| format!(", goal {goal}"));
        say(&format!("{name:<36} {median:>6.3}  ({low:.3} to {high:.3}){goal}"));
    }
}

/// Turkish draughts with the rival's draw rule of 150 plies, so that both play the same games.
fn as_kish_draws() -> Ruleset {
    let turkish = variant::load("turkish").expect("a shipped variant").ruleset;
    let draw = DrawRules { quiet_turns: 150, counted: CountedTurns::Both, ..turkish.draw };
    Ruleset { draw, ..turkish }
}

fn kish_perft() -> f64 {
    rate(|| {
        let count = kish::Board::new_default().perft(8);
        assert_eq!(count, TURKISH_8_PATHS, "a wrong count is no speed");
        count
    })
}

fn two_threads_perft(engine: &Engine) -> f64 {
    let pool = pool();
    rate(|| {
        let count: u64 = with_rules!(engine, rules => {
            let side = rules.ruleset().setup.first;
            let firsts: Vec<_> = rules
                .first_turns(rules.start(), side, Counted::Turns)
                .expect("few turns")
                .iter()
                .map(|turn| rules.start().after(side, turn))
                .flat_map(|after| {
                    let turns = rules.first_turns(&after, side.other(), Counted::Turns);
                    let turns = turns.expect("few turns");
                    turns.into_iter().map(move |turn| after.after(side.other(), &turn))
                })
                .collect();
            pool.install(|| {
                let perft = |after| rules.perft(after, side, 6, Counted::Turns).expect("few turns");
                firsts.par_iter().map(perft).sum()
            })
        });
        assert_eq!(count, TURKISH_8, "a wrong count is no speed");
        count
    })
}

/// Random games and their plies.
fn playouts(engine: &Engine, games: u64) -> (u64, u64) {
    with_rules!(engine, rules => {
        let mut table = Table::new(rules);
        let plies = (0..games).map(|number| table.play(rules, number)).sum();
        (games, plies)
    })
}

fn two_threads_playouts(engine: &Engine) -> u64 {
    const CHUNK: u64 = 100;
    with_rules!(engine, rules => pool().install(|| {
        // Counted in `usize`, which rayon deals out evenly.
        let chunks = 0..usize::try_from(2 * GAMES / CHUNK).expect("few games");
        chunks
            .into_par_iter()
            .with_max_len(1)
            .map_init(|| Table::new(rules), |table, chunk| {
                let first = chunk as u64 * CHUNK;
                (first..first + CHUNK).map(|number| table.play(rules, number).min(1)).sum::<u64>()
            })
            .sum()
    }))
}

/// Search nodes on Keny, along a random game; the millions a second are printed.
fn nodes() -> f64 {
    let rate = rate(|| {
        with_rules!(&engine("keny"), rules => {
            let weights = Weights::generic(rules.ruleset());
            let budget = Budget::Nodes(200_000);
            let mut player = AlphaBeta::new(rules, budget, &weights, Sampling::default(), 1);
            let (mut game, mut choices) = (Game::new(rules), Choices::new());
            let mut rng = Rng::from_seed(1);
            let mut nodes = 0;
            while game.choices(rules, &mut choices).is_none() && game.plies() < 40 {
                if game.plies() % 5 == 0 {
                    player.analyse(rules, &game, 1, |_| {});
                    nodes += player.nodes();
                }
                game.play(rules, &choices.get(rules, rng.below(choices.len())));
            }
            assert!(nodes >= 200_000, "{nodes}");
            nodes
        })
    });
    say(&format!("  {:.2} million nodes a second, goal 5", rate / 1e6));
    rate
}

/// Games a second of a study with the random player on Keny, its store included.
fn study(threads: usize) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("study.toml");
    let text = format!(
        "title = \"speed\"\nvariants = [\"keny\"]\n\n[[stage]]\nplayers = [\"random\"]\n\
         openings = {}\n",
        STORED / 2
    );
    std::fs::write(&file, text).expect("a file that can be written");
    let study = study::file::load(&file).expect("a study");
    let path = folder.path().join("study.sqlite");
    let mut store = Store::create_or_resume(&path, &study.plan, "").expect("a store");
    let settings = Settings { threads, ..Settings::default() };
    rate(|| {
        let stop = AtomicBool::new(false);
        let summary = study::run(&mut store, settings, &stop, |_| {}).expect("a run");
        assert!(summary.complete(), "{summary:?}");
        summary.played
    })
}

/// Does the work on one core, with all the threads that it starts: a study has one that writes
/// beside those that play, and on a second core it would be free.
fn on_one_core<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            keep_to_one_core();
            work()
        });
        worker.join().expect("a benchmark does not panic")
    })
}

/// Keeps this thread, and those it starts, to the first core that it may use.
#[cfg(target_os = "linux")]
fn keep_to_one_core() {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let all = sched_getaffinity(None).expect("a thread knows its cores");
    let first = (0..CpuSet::MAX_CPU).find(|&core| all.is_set(core)).expect("one core at least");
    let mut one = CpuSet::new();
    one.set(first);
    sched_setaffinity(None, &one).expect("a thread may keep to a core of its own");
}

/// Cores cannot be chosen here; a thread that writes then has one of its own.
#[cfg(not(target_os = "linux"))]
const fn keep_to_one_core() {}

fn pool() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads")
}

/// What a random game needs, kept from game to game.
struct Table<S> {
    game: Game<S>,
    choices: Choices<S>,
}

impl<S: SquareSet> Table<S> {
    fn new(rules: &Rules<S>) -> Self {
        Self { game: Game::new(rules), choices: Choices::new() }
    }

    /// Plays one random game; its length in plies.
    fn play(&mut self, rules: &Rules<S>, seed: u64) -> u64 {
        let mut rng = Rng::from_seed(seed);
        self.game.restart(rules.start_position());
        while self.game.choices(rules, &mut self.choices).is_none() && self.game.plies() < 1_000 {
            let turn = self.choices.get(rules, rng.below(self.choices.len()));
            self.game.play(rules, &turn);
        }
        self.game.plies().into()
    }
}

fn kish_playouts() -> f64 {
    rate(|| {
        let mut actions = Vec::new();
        for seed in 0..GAMES {
            let mut rng = Rng::from_seed(seed);
            let mut game = kish::Game::new();
            while !game.status().is_over() {
                game.board().actions_into(&mut actions);
                game.make_move(&actions[rng.below(actions.len())]);
            }
        }
        GAMES
    })
}
