//! No input makes reading panic, hang or swell: files, positions, turns, games and requests that
//! are mutated from a kept corpus, and some that are nasty on purpose.
//!
//! A short run is part of every test run. `KENY_FUZZ=600 cargo test --test it fuzz::KIND` goes on
//! for so many seconds, and `KENY_BLESS=1` beside it keeps inputs that were answered in a new way
//! in `tests/data/fuzz/KIND.jsonl`. What is new is told by the messages, without names and numbers.

mod mutate;
mod pipe;

use std::collections::BTreeSet;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use keny::notation::{TurnTexts, parse_games, parse_position, print_position, replay};
use keny::rules::{BoardRules, Rules, Ruleset};
use keny::study;
use keny::variant::{self, Problems};

pub(crate) use mutate::PIECES;
use mutate::{Source, nasty};

/// The processor time of this thread in seconds; nothing where the system does not tell. Unlike the
/// clock, it stands still while the machine does other things.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Mutated inputs of a short run.
const ROUNDS_SHORT: u64 = 150;
/// The longest that one input may take of the processor.
const PATIENCE: Duration = Duration::from_secs(20);
/// The most memory that a long run may hold at any time, in kibibytes.
const MEMORY_MAX: u64 = 1 << 20;
/// The largest input that is kept, in bytes, and how many.
const KEPT_BYTES: usize = 2_000;
const KEPT_MAX: usize = 60;

/// How long a long run is; nothing in a short one.
pub(super) fn seconds() -> Option<u64> {
    std::env::var("KENY_FUZZ").ok().map(|text| text.parse().expect("seconds"))
}

#[expect(clippy::disallowed_methods, reason = "a long run ends by the clock")]
fn now() -> Instant {
    Instant::now()
}

fn file(kind: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fuzz");
    folder.join(format!("{kind}.jsonl"))
}

/// The texts of a corpus: a file with a JSON string a line.
pub(super) fn corpus(kind: &str) -> Vec<String> {
    let Ok(text) = std::fs::read_to_string(file(kind)) else { return Vec::new() };
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON string")).collect()
}

/// Adds an input to the corpus, if this run is to keep what it finds.
pub(super) fn keep(kind: &str, input: &str, kept: &mut usize) {
    let wanted = seconds().is_some() && std::env::var_os("KENY_BLESS").is_some();
    if !wanted || *kept >= KEPT_MAX || input.len() > KEPT_BYTES {
        return;
    }
    *kept += 1;
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(file(kind))
        .expect("a file that can be written");
    writeln!(file, "{}", serde_json::json!(input)).expect("a file that can be written");
}

/// The most memory that this process has held, in kibibytes, where the system tells.
pub(super) fn memory_peak(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// A number for a message without what is particular: numbers, and names between backticks.
pub(super) fn shape(message: &str) -> blake3::Hash {
    let mut shape = String::new();
    let mut quoted = false;
    for letter in message.chars() {
        match letter {
            '`' => quoted = !quoted,
            _ if quoted || letter.is_ascii_digit() => {}
            _ => shape.push(letter),
        }
    }
    blake3::hash(shape.as_bytes())
}

/// Feeds a corpus with seeds, nasty inputs, and then mutations, for the rounds or seconds of this
/// run; `feed` says whether an input was answered in a new way, and such inputs are mutated further.
/// The number of mutations.
pub(super) fn drive(kind: &str, seeds: Vec<String>, mut feed: impl FnMut(&str) -> bool) -> u64 {
    let mut source = Source::new(corpus(kind).into_iter().chain(seeds).collect());
    let (begun, long) = (now(), seconds());
    let (mut kept, mut rounds) = (corpus(kind).len(), 0);
    for input in source.corpus().to_vec().iter().chain(&nasty(kind)) {
        feed(input);
    }
    let goes_on = |rounds| match long {
        None => rounds < ROUNDS_SHORT,
        Some(seconds) => begun.elapsed() < Duration::from_secs(seconds),
    };
    while goes_on(rounds) {
        rounds += 1;
        let input = source.next();
        if feed(&input) && input.len() <= KEPT_BYTES {
            keep(kind, &input, &mut kept);
            source.learn(input);
        }
    }
    rounds
}

/// Feeds inputs to a reader, which answers in words.
fn fuzz(kind: &str, seeds: Vec<String>, read: impl Fn(&str) -> String) {
    let mut seen = BTreeSet::new();
    let mut slowest = (Duration::ZERO, String::new());
    let feed = |input: &str| -> bool {
        let (begun, before) = (now(), processor_time());
        let answer = catch_unwind(AssertUnwindSafe(|| read(input)));
        let spent = before.and_then(|before| processor_time()?.checked_sub(before));
        let took = spent.unwrap_or_else(|| begun.elapsed());
        let shown: String = input.chars().take(2_000).collect();
        if took > slowest.0 {
            slowest = (took, shown.chars().take(200).collect());
        }
        let Ok(answer) = answer else { panic!("{kind}: a panic on {shown:?}") };
        assert!(took < PATIENCE, "{kind}: {took:?} for {} bytes: {shown:?}", input.len());
        seen.insert(*shape(&answer).as_bytes())
    };
    let rounds = drive(kind, seeds, feed);
    if seconds().is_some() {
        let peak = memory_peak("self");
        tell(&format!(
            "{kind}: {rounds} inputs, {} kinds of answers, slowest {slowest:?}, {peak:?} KiB",
            seen.len()
        ));
        assert!(peak.is_none_or(|peak| peak < MEMORY_MAX), "{kind}: {peak:?} KiB");
    }
}

#[expect(clippy::print_stderr, reason = "a long run says what it did")]
pub(super) fn tell(line: &str) {
    eprintln!("{line}");
}

/// All messages of a file, after drawing them.
fn told(problems: &Problems) -> String {
    assert_eq!(problems.render(false).is_empty(), problems.is_empty());
    let messages = problems.items().iter().map(|problem| problem.message.as_str());
    messages.collect::<Vec<_>>().join("\n")
}

fn files(folder: &str, ending: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == ending));
    paths.sort();
    let texts = paths.iter().map(|path| std::fs::read(path).expect("a file"));
    texts.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

#[test]
fn variants() {
    let seeds = [files("variants", "toml"), files("tests/data/broken", "toml")].concat();
    fuzz("variants", seeds, |text| told(&variant::check_text("fuzz.toml", text).problems));
}

#[test]
fn studies() {
    let seeds = files("tests/data/broken-studies", "toml");
    let nowhere = Path::new("/nowhere");
    fuzz("studies", seeds, |text| {
        let report = study::file::check_text("fuzz.toml", text, nowhere);
        if let Some(study) = &report.study {
            assert!(study.plan.variants.len() <= keny::limits::VARIANTS_MAX);
            assert!(study.plan.games_total() <= keny::limits::PLAN_GAMES_MAX);
        }
        told(&report.problems)
    });
}

/// Boards of every kind: small and large, full and dark, in letters and in numbers.
fn boards() -> Vec<BoardRules> {
    let shipped = ["keny", "international"].map(|name| variant::load(name).expect("shipped"));
    let mut boards: Vec<BoardRules> = shipped.iter().map(|variant| variant.ruleset.board).collect();
    boards.push(BoardRules { files: 16, ranks: 8, ..boards[0] });
    boards.push(BoardRules { files: 5, ranks: 4, ..boards[1] });
    boards
}

#[test]
fn positions() {
    let seeds = ["W:Wa2,b2,Kd5:Ba7,Kh8", "B:B1,K2:W30,K31.", "w : b : w", "W:WKp8:BKa1"];
    let boards = boards();
    fuzz("positions", seeds.map(str::to_owned).to_vec(), |text| {
        let read = boards.iter().map(|board| match parse_position(text, board) {
            Ok((side, placement)) => {
                let again = print_position(side, &placement, board);
                assert_eq!(parse_position(&again, board), Ok((side, placement)));
                "read".to_owned()
            }
            Err(error) => {
                assert!(text.is_char_boundary(error.span.start));
                assert!(error.span.end <= text.len(), "{error:?}");
                error.to_string()
            }
        });
        read.collect::<Vec<_>>().join("\n")
    });
}

#[test]
fn turns() {
    let seeds = ["a3-a4", "a2-a4-c4", "a3xa5xc5", "a2-a4xa6", "31-26", "b2xd4", "a3:a5 × c5"];
    let scenes: Vec<(Rules<u64>, TurnTexts)> = ["keny", "keny-collection-variant", "international"]
        .into_iter()
        .map(|name| {
            let ruleset: Ruleset = variant::load(name).expect("shipped").ruleset;
            (Rules::new(&ruleset), TurnTexts::new(&ruleset.board))
        })
        .collect();
    fuzz("turns", seeds.map(str::to_owned).to_vec(), |text| {
        let read = scenes.iter().map(|(rules, texts)| {
            let (placement, side) = (rules.start(), rules.ruleset().setup.first);
            match texts.parse(rules, placement, side, text) {
                Ok(turn) => {
                    let again = texts.print(rules, placement, side, &turn);
                    assert_eq!(texts.parse(rules, placement, side, &again), Ok(turn));
                    "read".to_owned()
                }
                Err(error) => error.to_string(),
            }
        });
        read.collect::<Vec<_>>().join("\n")
    });
}

#[test]
fn games() {
    let rules = Rules::<u64>::new(&variant::load("keny").expect("shipped").ruleset);
    fuzz("games", files("tests/data/cli/files", "pdn"), |text| match parse_games(text) {
        Err(error) => error.fault.to_string(),
        Ok(games) => {
            let played = games.iter().map(|game| match replay(&rules, game) {
                Ok(_) => "played".to_owned(),
                Err(fault) => fault.to_string(),
            });
            played.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("\n")
        }
    });
}
