//! Records: stored games replay as they were played, for ever.

use std::fmt::Write as _;
use std::path::Path;

use keny::board::{Placement, SquareSet};
use keny::notation::print_position;
use keny::record::{Record, ReplayError, Replayer};
use keny::rules::{Engine, Rules};
use keny::study::metrics::{Options, measure};
use keny::study::{self, Store};
use keny::{variant, with_rules};

use super::{plan, played, run_to_end};
use crate::stored::same_as_file;

/// Replays; a hash of every legal turn of every position in order, and the last position.
fn story<S: SquareSet>(rules: &Rules<S>, record: &Record) -> Result<(String, String), ReplayError> {
    let mut listing = String::new();
    let mut replayer = Replayer::new(rules);
    replayer.replay(record, |step| {
        for index in 0..step.choices.len() {
            let turn = step.choices.get(rules, index);
            let (taken, crowns) = (turn.taken.to_bits(), turn.promotes());
            let _ = writeln!(listing, "{} {} {taken:x} {crowns}", turn.from.0, turn.to.0);
        }
        listing.push('\n');
    })?;
    let position = replayer.game().position();
    let placement: Placement<u128> = position.placement.cast();
    let last = print_position(position.side, &placement, &rules.ruleset().board);
    Ok((blake3::hash(listing.as_bytes()).to_hex()[..16].to_owned(), last))
}

fn line(name: &str, record: &Record, rules: &Engine) -> String {
    let (listing, last) = with_rules!(rules, rules => story(rules, record)).expect("sound");
    let turns: String = record.turns.iter().map(|byte| format!("{byte:02x}")).collect();
    let outcome = record.outcome().map_or("-", keny::rules::Outcome::name);
    format!("{name}\t{outcome}\t{}\t{listing}\t{last}\t{turns}\n", record.reason_name())
}

/// `tests/data/records.tsv`: games of every shipped variant as stores hold them. Where this test
/// fails because the order of the turns has changed, old stores cannot be read any more, and
/// `GAMES_VERSION` must change; delete the file, and with `KENY_BLESS=1` it is made anew.
#[test]
fn stored_games_replay_as_they_were_played() {
    let path = "tests/data/records.tsv";
    let names = variant::library::NAMES;
    if !std::path::Path::new(path).exists() {
        let plan = plan(&names, &[("random", "random", 3)]);
        let mut text = String::new();
        for record in played(&plan) {
            let variant = &plan.variants[record.key.variant as usize];
            text.push_str(&line(&variant.name, &record, &Engine::new(&variant.ruleset)));
        }
        same_as_file(path, &text).expect("written");
    }
    let stored = std::fs::read_to_string(path).expect("the stored games");
    let mut seen = 0;
    for row in stored.lines() {
        let columns: Vec<&str> = row.split('\t').collect();
        let [name, outcome, reason, _, _, turns] = columns[..] else { panic!("{row}") };
        let ruleset = variant::load(name).expect("a shipped variant").ruleset;
        let turns: Vec<u8> = (0..turns.len() / 2)
            .map(|at| u8::from_str_radix(&turns[2 * at..2 * at + 2], 16).expect("hex"))
            .collect();
        let record = record_of(outcome, reason, turns);
        assert_eq!(line(name, &record, &Engine::new(&ruleset)), format!("{row}\n"));
        seen += 1;
    }
    assert_eq!(seen, 3 * names.len());
}

fn record_of(outcome: &str, reason: &str, turns: Vec<u8>) -> Record {
    use keny::record::{GameKey, Indices, Seat};
    use keny::rules::{Ending, Outcome, Reason};
    let outcome = Outcome::ALL.into_iter().find(|other| other.name() == outcome);
    let reason = Reason::ALL.into_iter().find(|other| other.name() == reason);
    let end = outcome.zip(reason).map(|(outcome, reason)| Ending { outcome, reason });
    let plies = u32::try_from(Indices::new(&turns).count()).expect("a short game");
    let key = GameKey { variant: 0, pairing: 0, opening: 0, white: Seat::First };
    Record { key, seed: 0, end, plies, opening_shared: true, turns }
}

#[test]
fn records_that_do_not_fit_are_told() {
    let plan = plan(&["keny"], &[("random", "random", 1)]);
    let record = played(&plan).remove(0);
    let engine = Engine::new(&plan.variants[0].ruleset);
    let told = |record: &Record| {
        with_rules!(&engine, rules => story(rules, record)).expect_err("a fault").to_string()
    };
    let plies = record.plies;
    let mut long = record.clone();
    long.turns.push(0);
    assert_eq!(
        told(&long),
        format!("ply {} is turn number 0, but only 0 turns are legal there", plies + 1)
    );
    let mut short = record.clone();
    short.turns.pop();
    assert_eq!(
        told(&short),
        format!("the record says {plies} plies, but it has {} turns", plies - 1)
    );
    short.plies -= 1;
    let told_end = told(&short);
    assert!(told_end.starts_with("the record says that the game ended by "), "{told_end}");
    assert!(told_end.ends_with(", but it ends by unfinished"), "{told_end}");
}

#[test]
fn dormant_flags_do_not_change_how_stored_games_read() {
    // Without anyone who hops, nothing goes on from a hop to a capture; but turns would be listed
    // in another order.
    let text = "players = [\"random\"]\nopenings = 40\nvariants = [{ name = \"dormant\", man = { \
                hop_over = [] }, hop = { then_capture = true, chain = 3 }, capture = { priority = \
                [\"most-pieces\"] }, promotion = { in_hop = \"continue-as-man\" } }]";
    let checked = study::file::check_text("dormant", text, Path::new(""));
    let plan = checked.study.expect("a study with warnings").plan;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    run_to_end(&plan, &path, 2, u64::MAX);
    let store = Store::open(&path).expect("a store");
    let read = store.plan().variants[0].ruleset;
    assert_eq!(read, plan.variants[0].ruleset);
    let measured = measure(&store, 0, 0, Options::default()).expect("games that fit their rules");
    assert_eq!(measured.tally.units() + measured.tally.units_repeated(), 40);
}
