//! The slowest rulesets that the catalog can express on a board of 8x8, and which flag costs what.
//!
//! `cargo bench --bench worst` draws rulesets at random, changes the slowest of them flag by flag
//! as long as that makes them slower, and prints the worst one: its perft's leaves a second against
//! Turkish draughts' in the same run, and the same with each of its flags put back to the default.
//! `cargo bench --bench worst -- costs FILE` prints the last part for a variant file.
//!
//! Where a position has hardly any turn, each leaf carries the cost of a whole position. So positions a
//! second stand beside the leaves, against Turkish draughts' too.

mod common;
#[path = "common/perft.rs"]
mod perft;
#[path = "common/ratios.rs"]
mod ratios;

use common::say;
use keny::player::Rng;
use keny::rules::catalog::{self, FLAGS, Flag};
use keny::rules::{Engine, Ruleset};
use keny::variant;
use perft::{count, perft};
use ratios::ratios;

/// Rulesets drawn.
const DRAWN: usize = 1_500;
/// Of the drawn ones, the slowest that are made slower.
const CLIMBING: usize = 4;
/// Leaves that a rough look counts at least, one while flags are changed, and a careful one: as many as
/// the Turkish perft that it is held against.
const ROUGH: u64 = 30_000;
const CHANGING: u64 = 1_000_000;
const CAREFUL: u64 = 10_000_000;
/// Of the drawn ones, the slowest at a rough look that are looked at with care.
const LOOKED_AT: usize = 60;
/// Perfts are no deeper: games that end at once would never have so many leaves.
const DEPTH_MAX: u32 = 26;
/// Leaves a second against Turkish draughts' that every ruleset should reach.
const GOAL: f64 = 0.1;
const TURKISH_7: u64 = 10_782_308;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let worst = match words[..] {
        ["costs", file] => variant::load(file).expect("a variant").ruleset,
        [] => hunt(),
        _ => return say("no words, or: costs FILE"),
    };
    let turkish = common::engine("turkish");
    say(&toml_of(&worst));
    say(&format!("{:<58} leaves / turkish  positions / turkish", "ruleset"));
    say(&format!("{:<58} {}", "the worst", ratio(&worst, &turkish)));
    for flag in FLAGS.iter().filter(|flag| flag.live(&worst)) {
        let (value, default) = (flag.get(&worst), flag.default_value());
        let mut other = worst;
        flag.put(&mut other, &default).expect("a default is an answer");
        if value != default && possible(&other) && lowest(&Engine::new(&other), CAREFUL).is_some() {
            let change = format!("{} = {default}, not {value}", flag.key);
            say(&format!("  {change:<56} {}", ratio(&other, &turkish)));
        }
    }
}

/// The slowest ruleset found.
fn hunt() -> Ruleset {
    let mut rng = Rng::from_seed(20_261_130);
    let mut drawn: Vec<(f64, Ruleset)> = std::iter::repeat_with(|| random(&mut rng))
        .filter(possible)
        .take(DRAWN)
        .filter_map(|ruleset| Some((seconds_a_leaf(&ruleset, ROUGH)?, ruleset)))
        .collect();
    drawn.sort_by(|a, b| b.0.total_cmp(&a.0));
    let turkish = common::engine("turkish");
    let leaf = 1.0 / perft(&turkish, 7, TURKISH_7);
    let slow = drawn.iter().filter(|(seconds, _)| leaf / seconds < GOAL).count();
    say(&format!("rulesets drawn: {DRAWN}, of these below {GOAL} at a rough look: {slow}"));
    let look = |&(_, ruleset): &(f64, Ruleset)| Some((seconds_a_leaf(&ruleset, CAREFUL)?, ruleset));
    let mut drawn: Vec<_> = drawn.iter().take(LOOKED_AT).filter_map(look).collect();
    drawn.sort_by(|a, b| b.0.total_cmp(&a.0));
    let both_ratios = |&(seconds, ruleset): &(f64, Ruleset)| {
        let engine = Engine::new(&ruleset);
        let (depth, leaves) = lowest(&engine, CAREFUL).expect("it was measured before");
        (leaf / seconds, in_positions(leaf / seconds, &engine, depth, leaves, &turkish))
    };
    let both: Vec<(f64, f64)> = drawn.iter().map(both_ratios).collect();
    let slow = both.iter().filter(|&&(leaves, positions)| leaves.max(positions) < GOAL).count();
    say(&format!("of the {} slowest, below it in positions too: {slow}", both.len()));
    for ((_, ruleset), (leaves, positions)) in drawn.iter().zip(&both).take(CLIMBING) {
        say(&format!("drawn: {leaves:.3}, positions {positions:.3}\n\n{}", toml_of(ruleset)));
    }
    say("made slower, flag by flag:\n");
    let climbed = drawn.iter().take(CLIMBING).map(|&(_, ruleset)| climb(ruleset));
    let slowest = climbed.max_by(|a, b| a.0.total_cmp(&b.0));
    slowest.expect("some ruleset was drawn").1
}

/// Changes flags one by one, always the one that slows most, until none does.
fn climb(mut ruleset: Ruleset) -> (f64, Ruleset) {
    let look = |ruleset: &Ruleset| seconds_a_leaf(ruleset, CHANGING).unwrap_or(0.0);
    let mut seconds = look(&ruleset);
    loop {
        let others = varied().flat_map(|flag| flag.alternatives(&ruleset));
        let others = others.map(|(_, other)| other).filter(possible);
        let mut others: Vec<_> = others.map(|other| (look(&other), other)).collect();
        others.sort_by(|a, b| b.0.total_cmp(&a.0));
        let deep = |ruleset: &Ruleset| lowest(&Engine::new(ruleset), CAREFUL).is_some();
        let slowest = others.into_iter().find(|(_, other)| deep(other));
        match slowest {
            // Less is noise.
            Some((more, other)) if more > 1.05 * seconds => (seconds, ruleset) = (more, other),
            _ => return (seconds, ruleset),
        }
    }
}

/// The flags that are varied: all but the board's size and how its squares are written, and not a
/// position to begin at, which would say how many turns there are.
fn varied() -> impl Iterator<Item = &'static Flag> {
    let kept = ["board.files", "board.ranks", "board.notation", "setup.position"];
    FLAGS.iter().filter(move |flag| !kept.contains(&flag.key))
}

/// Keny with each flag changed or not by the toss of a coin.
fn random(rng: &mut Rng) -> Ruleset {
    let mut ruleset = Ruleset::default();
    for flag in varied() {
        let others: Vec<Ruleset> =
            flag.alternatives(&ruleset).map(|(_, other)| other).filter(possible).collect();
        if !others.is_empty() && rng.below(2) == 1 {
            ruleset = others[rng.below(others.len())];
        }
    }
    ruleset
}

/// What a variant file would say of the ruleset.
fn toml_of(ruleset: &Ruleset) -> String {
    let mut text = String::new();
    for table in catalog::tables() {
        let changed =
            |flag: &&Flag| flag.live(ruleset) && flag.get(ruleset) != flag.default_value();
        let lines: Vec<String> = catalog::flags_of(table)
            .filter(changed)
            .map(|flag| format!("{} = {}\n", flag.name(), flag.get(ruleset)))
            .collect();
        if !lines.is_empty() {
            text += &format!("[{table}]\n{}\n", lines.concat());
        }
    }
    text
}

fn possible(ruleset: &Ruleset) -> bool {
    let grave = |fault: &variant::validate::Fault| fault.severity == variant::Severity::Error;
    !variant::validate::faults(ruleset).iter().any(grave)
}

/// The depth and the count of the lowest perft that has so many leaves, if there is one.
fn lowest(engine: &Engine, leaves: u64) -> Option<(u32, u64)> {
    let counts = (1..=DEPTH_MAX).map(|depth| Some((depth, count(engine, depth)?)));
    counts.map_while(|count| count).find(|&(_, count)| count >= leaves)
}

/// The shortest of three times for a leaf of the lowest perft that has so many; nothing where no
/// perft has, or a position has too many turns.
fn seconds_a_leaf(ruleset: &Ruleset, leaves: u64) -> Option<f64> {
    let engine = Engine::new(ruleset);
    let (depth, leaves) = lowest(&engine, leaves)?;
    (0..3).map(|_| 1.0 / perft(&engine, depth, leaves)).min_by(f64::total_cmp)
}

/// The median ratio of two perfts' leaves a second, and of their positions; each round measures both.
fn ratio(ruleset: &Ruleset, turkish: &Engine) -> String {
    let engine = Engine::new(ruleset);
    let (depth, leaves) = lowest(&engine, CAREFUL).expect("it was measured before");
    let [_, median, _] = ratios(|| perft(&engine, depth, leaves), || perft(turkish, 7, TURKISH_7));
    format!("{median:16.3} {:20.3}", in_positions(median, &engine, depth, leaves, turkish))
}

/// A ratio of leaves a second, given as one of positions a second.
fn in_positions(ratio: f64, engine: &Engine, depth: u32, leaves: u64, turkish: &Engine) -> f64 {
    ratio * branching(turkish, 7, TURKISH_7) / branching(engine, depth, leaves)
}

/// The leaves of a perft for each position above them.
fn branching(engine: &Engine, depth: u32, leaves: u64) -> f64 {
    let above = |depth| count(engine, depth).expect("a part of what was counted before");
    leaves as f64 / (0..depth).map(above).sum::<u64>() as f64
}
