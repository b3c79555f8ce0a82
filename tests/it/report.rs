//! Reports of runs that the test itself plays: stored texts, and numbers found again by hand.
//!
//! `KENY_BLESS=1` writes the stored texts anew.

mod odd;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use keny::record::{Record, Seat};
use keny::report::{self, Sample, View};
use keny::rules::Outcome;
use keny::stats::Confidence;
use keny::stats::paired::paired_difference;
use keny::stats::rating::{RatedGame, RatedResult, rate};
use keny::study::relevance::of_stored;
use keny::study::thinking::thinking;
use keny::study::{self, Pairing, Plan, PlannedVariant, Settings, Store};
use keny::variant;
use tabled::grid::util::string::get_string_width;

use crate::stored::same_as_file;

/// A plan of shipped variants under other names.
const ALL: &str = "[\"forward\", \"sideways\", \"backward\", \"diagonal-forward\", \
                   \"diagonal-backward\"]";

fn plan(variants: &[(&str, &str)], pairings: &[(&str, &str, u32)]) -> Plan {
    let variants = variants.iter().map(|(name, shown)| {
        let variant = variant::load(name).expect("a shipped variant");
        let fingerprint = variant.fingerprint();
        PlannedVariant {
            name: (*shown).to_owned(),
            ruleset: variant.ruleset,
            fingerprint,
            weights: None,
        }
    });
    let pairings = pairings.iter().map(|&(first, second, openings)| Pairing {
        players: [first, second].map(|name| name.parse().expect("a player")),
        openings,
    });
    Plan {
        title: "A first | look".to_owned(),
        seed: 7,
        opening_plies: 4,
        plies_max: 160,
        variants: variants.collect(),
        pairings: pairings.collect(),
        designs: Vec::new(),
        stopping: None,
        adjudication: None,
    }
}

fn played(plan: &Plan) -> (tempfile::TempDir, Store) {
    let (folder, mut store) = unplayed(plan);
    let stop = AtomicBool::new(false);
    study::run(&mut store, Settings::default(), &stop, |_| {}).expect("a run");
    (folder, store)
}

fn unplayed(plan: &Plan) -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.db");
    let store = Store::create_or_resume(&path, plan, "title = \"A first | look\"\n");
    (folder, store.expect("a store"))
}

fn first_look() -> Plan {
    plan(
        &[
            ("keny", "keny"),
            ("keny-other-sources", "free | capture, *one* hop, with a long name"),
            ("turkish", "Türk daması 土耳其跳棋"),
        ],
        &[("random", "random", 60), ("greedy", "random", 20)],
    )
}

pub(crate) fn formats(view: &View) -> BTreeMap<&'static str, String> {
    let mut texts = BTreeMap::from([
        ("terminal.txt", report::terminal(view, 100, false, report::Extent::All)),
        ("report.md", report::markdown(view)),
        ("report.json", report::json(view)),
        ("report.html", report::html(view)),
    ]);
    texts.extend(report::csv(view));
    texts
}

#[test]
fn texts_are_as_stored() {
    let (_folder, store) = played(&first_look());
    let view = report::view(&store).expect("a view");
    for (name, text) in formats(&view) {
        if !["terminal.txt", "report.md"].contains(&name) {
            continue;
        }
        same_as_file(&format!("tests/data/report/{name}"), &text).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn no_line_is_wider_than_asked() {
    let (_folder, store) = played(&first_look());
    let view = report::view(&store).expect("a view");
    for width in [60, 80, 100, 140] {
        let text = report::terminal(&view, width, false, report::Extent::All);
        for line in text.lines() {
            assert!(get_string_width(line) <= width, "wider than {width}: {line}");
        }
    }
    // At the width that the tables are made for, none is split: as many rules as captions.
    let text = report::terminal(&view, 100, false, report::Extent::All);
    let rules = text.lines().filter(|line| line.starts_with("---")).count();
    let captions = text.split("\n\n").filter(|block| block.contains("Unit:")).count();
    assert_eq!(rules, captions);
    assert!(
        report::terminal(&view, 60, false, report::Extent::All)
            .lines()
            .filter(|l| l.starts_with("---"))
            .count()
            > rules
    );
    let coloured = report::terminal(&view, 100, true, report::Extent::All);
    assert!(coloured.contains("\u{1b}[1m") && !text.contains('\u{1b}'));
}

#[test]
fn the_view_does_not_depend_on_threads() {
    let (_folder, store) = played(&first_look());
    let path = store.path().to_owned();
    drop(store);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| report::view(&Store::open(&path).expect("a store")).expect("a view"))
    };
    assert_eq!(formats(&with(1)), formats(&with(3)));
}

fn records(store: &Store, variant: u32, pairing: u32) -> Vec<Record> {
    store.games(variant, pairing).map(|game| game.expect("a stored game")).collect()
}

/// White moves first in all variants used here.
fn points(record: &Record) -> f64 {
    match record.outcome() {
        Some(Outcome::White) => 1.0,
        Some(Outcome::Draw) => 0.5,
        Some(Outcome::Black) => 0.0,
        None => panic!("not finished"),
    }
}

#[test]
fn numbers_are_those_of_the_games() {
    let (_folder, store) = played(&first_look());
    let view = report::view(&store).expect("a view");
    for (variant, row) in (0..).zip(&view.pairings[0].rows) {
        let games = records(&store, variant, 0);
        let finished: Vec<&Record> = games.iter().filter(|game| game.end.is_some()).collect();
        let share = |count: usize, n: usize| count as f64 / n as f64;
        let draws = finished.iter().filter(|game| game.outcome() == Some(Outcome::Draw)).count();
        let same = |key: &str, value: f64, n: usize| {
            let cell = row.cell(key);
            assert_eq!(cell.n, n as u64, "{key}");
            assert!((cell.value.expect("a value") - value).abs() < 1e-12, "{key}");
        };
        same("draws", share(draws, finished.len()), finished.len());
        same("unfinished", share(games.len() - finished.len(), games.len()), games.len());
        let score = finished.iter().map(|game| points(game)).sum::<f64>() / finished.len() as f64;
        same("first-player-score", score, finished.len());
        let plies: u32 = finished.iter().map(|game| game.plies).sum();
        same("plies", f64::from(plies) / finished.len() as f64, finished.len());
    }
}

#[test]
fn comparisons_are_paired_by_opening() {
    let variants = [("keny", "keny"), ("keny-zillions", "zillions")];
    let (_folder, store) = played(&plan(&variants, &[("random", "random", 80)]));
    let view = report::view(&store).expect("a view");
    let (first, other) = (records(&store, 0, 0), records(&store, 1, 0));
    let both = first.iter().zip(&other).filter(|(first, other)| {
        other.opening_shared && first.end.is_some() && other.end.is_some()
    });
    let (a, b): (Vec<f64>, Vec<f64>) =
        both.map(|(first, other)| (points(other), points(first))).unzip();
    let judged = paired_difference(&a, &b, Confidence::P95).expect("pairs");
    let found = view.pairings[0]
        .contrasts
        .iter()
        .find(|c| c.variant == 1 && c.metric.key == "first-player-score")
        .expect("a comparison");
    assert_eq!(found.sample, Sample::Paired(a.len() as u64));
    let close = |x: f64, y: f64| assert!((x - y).abs() < 1e-9, "{x} {y}");
    close(found.difference.expect("a difference"), judged.estimate.value);
    let judgement = judged.estimate.judgement.expect("a judgement");
    close(found.interval.expect("an interval").low(), judgement.interval.low());
    close(found.p.expect("a p"), judgement.p);
    let correlation = found.correlation.expect("paired");
    close(correlation.expect("a correlation"), judged.correlation.expect("a correlation"));
    // Holm never makes a p smaller, and the smallest is multiplied by the size of the family.
    let contrasts = &view.pairings[0].contrasts;
    let p: Vec<f64> = contrasts.iter().filter_map(|c| c.p.ok()).collect();
    assert_eq!(p.len(), view.pairings[0].family);
    let least = contrasts.iter().filter_map(|c| Some((c.p.ok()?, c.p_adjusted?)));
    let least = least.min_by(|a, b| a.0.total_cmp(&b.0)).expect("comparisons");
    close(least.1, (least.0 * p.len() as f64).min(1.0));
}

#[test]
fn every_format_has_the_same_numbers() {
    let (_folder, store) = played(&first_look());
    let view = report::view(&store).expect("a view");
    let texts = formats(&view);
    let json: serde_json::Value = serde_json::from_str(&texts["report.json"]).expect("JSON");
    let mut rows = csv::Reader::from_reader(texts["metrics.csv"].as_bytes());
    let mut compared = 0;
    for row in rows.deserialize() {
        let row: BTreeMap<String, String> = row.expect("a row");
        let named = |list: &serde_json::Value, name: &str, wanted: &str| {
            let items = list.as_array().expect("a list").iter();
            items.clone().find(|item| item[name] == wanted).cloned()
        };
        let pairing = named(&json["pairings"], "name", &row["pairing"]).expect("a pairing");
        let variant = named(&pairing["variants"], "name", &row["variant"]).expect("a variant");
        let cell = named(&variant["metrics"], "metric", &row["metric"])
            .unwrap_or_else(|| variant["seat"]["score"].clone());
        let field = |name: &str| row[name].parse::<f64>().ok();
        // The JSON reader may miss the last bit.
        let same = |number: &serde_json::Value, text: Option<f64>| match (number.as_f64(), text) {
            (Some(number), Some(text)) => (number - text).abs() <= 1e-15 * text.abs(),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        assert!(same(&cell["value"], field("value")), "{row:?}");
        assert!(same(&cell["interval"][0], field("low")), "{row:?}");
        assert!(same(&cell["interval"][1], field("high")), "{row:?}");
        assert_eq!(cell["n"].as_u64(), row["n"].parse().ok());
        if ["first-player-score", "draws"].contains(&row["metric"].as_str()) {
            let percent = |name: &str| {
                field(name).map_or_else(|| "n/a".to_owned(), |x| format!("{:.1}", 100.0 * x))
            };
            let ends = match field("low") {
                Some(_) => format!("[{}, {}]", percent("low"), percent("high")),
                None => "[n/a]".to_owned(),
            };
            let shown = format!("{} {ends}", percent("value"));
            assert!(texts["terminal.txt"].contains(&shown), "{shown}");
            assert!(texts["report.md"].contains(&shown.replace('[', "\\[")), "{shown}");
            compared += 1;
        }
    }
    assert_eq!(compared, 2 * 3 * 2);
}

/// No text says NaN or infinity, and no interval is without width.
fn is_sound(view: &View) {
    for pairing in &view.pairings {
        for cell in pairing.rows.iter().flat_map(|row| &row.cells) {
            assert!(cell.value.is_err() || cell.value.is_ok_and(f64::is_finite));
            if let Some(Ok(interval)) = cell.interval {
                assert!(interval.low() < interval.high());
            }
        }
    }
    for (name, text) in formats(view) {
        if name == "report.html" {
            // Its script and style have words and brackets of their own.
            assert!(!text.contains(">NaN") && !text.contains("\"NaN"), "{name}");
            continue;
        }
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '.') {
            assert!(!["NaN", "inf", "nan", "infinity"].contains(&word), "{name}: {word}");
        }
        for part in text.split('[').skip(1) {
            let ends = part.split_once(']').and_then(|(inside, _)| inside.split_once(", "));
            if let Some((low, high)) = ends.filter(|(low, _)| low.parse::<f64>().is_ok()) {
                assert!(low != high, "{name}: [{low}, {high}]");
            }
        }
    }
}

#[test]
fn degenerate_counts_say_why() {
    let pairings: &[_] = &[("random", "random", 1), ("greedy", "random", 1)];
    let variants: &[_] = &[("keny", "keny"), ("turkish", "turkish")];
    // Nothing played.
    let (_folder, store) = unplayed(&plan(variants, pairings));
    let view = report::view(&store).expect("a view");
    is_sound(&view);
    assert!(report::terminal(&view, 100, false, report::Extent::All).contains("no games yet"));
    // One game each: values without a spread.
    let (_folder, store) = played(&plan(variants, pairings));
    let view = report::view(&store).expect("a view");
    is_sound(&view);
    let text = report::terminal(&view, 100, false, report::Extent::All);
    assert!(text.contains("n/a: one observation has no spread"), "{text}");
    // Every game cut: no result at all.
    let (_folder, store) = played(&Plan { plies_max: 6, ..plan(variants, pairings) });
    let view = report::view(&store).expect("a view");
    is_sound(&view);
    let text = report::terminal(&view, 100, false, report::Extent::All);
    assert!(text.contains("100.0 % of the games reached the ply cap"), "{text}");
    assert!(text.contains("n/a: no observations"), "{text}");
    // One variant: nothing to compare.
    let (_folder, store) = played(&plan(&variants[..1], &[("random", "random", 30)]));
    let view = report::view(&store).expect("a view");
    is_sound(&view);
    assert!(view.pairings[0].contrasts.is_empty());
}

#[test]
fn copies_are_counted_once_and_told() {
    // Games of one ply: no more of them differ than there are first turns.
    let plan = plan(&[("keny", "keny")], &[("random", "random", 80)]);
    let (_folder, store) = played(&Plan { opening_plies: 0, plies_max: 1, ..plan });
    let view = report::view(&store).expect("a view");
    is_sound(&view);
    let turns: BTreeSet<Vec<u8>> =
        records(&store, 0, 0).into_iter().map(|record| record.turns).collect();
    let row = &view.pairings[0].rows[0];
    assert_eq!((row.openings, row.units), (80, turns.len() as u64));
    assert!(turns.len() < 70, "{}", turns.len());
    assert_eq!(row.cell("taken").n, row.units);
    let text = report::terminal(&view, 100, false, report::Extent::All);
    let warning = format!("of the games differ from each other ({} of 80)", turns.len());
    assert!(text.replace('\n', " ").contains(&warning), "{text}");
}

#[test]
fn players_are_rated_by_their_games() {
    let pairings = [
        ("random", "greedy", 24),
        ("random", "alphabeta:nodes=60", 24),
        ("alphabeta:nodes=60", "greedy", 24),
        ("alphabeta:nodes=60", "alphabeta:nodes=240", 24),
    ];
    let (_folder, store) = played(&plan(&[("keny", "keny"), ("turkish", "turkish")], &pairings));
    let view = report::view(&store).expect("a view");
    is_sound(&view);
    let found = view.tournament.as_ref().expect("four players");
    assert_eq!(found.players, ["random", "greedy", "alphabeta:nodes=60", "alphabeta:nodes=240"]);
    for standing in &found.standings {
        let variant = u32::try_from(standing.variant).expect("a few");
        // The score of random against greedy, and the other way round, from the games themselves.
        let games = records(&store, variant, 0);
        let points = |seat: Seat| {
            let ended = games.iter().filter_map(|game| Some((game.key.white, game.outcome()?)));
            ended
                .map(|(white, outcome)| match outcome {
                    Outcome::Draw => 0.5,
                    Outcome::White => f64::from(u8::from(white == seat)),
                    Outcome::Black => f64::from(u8::from(white != seat)),
                })
                .sum::<f64>()
        };
        if games.iter().all(|game| game.end.is_some()) {
            for (row, column, seat) in [(0, 1, Seat::First), (1, 0, Seat::Second)] {
                let score = standing.scores[row][column].as_ref().expect("they met");
                assert_eq!(score.n, 24);
                assert!((score.value.expect("a score") - points(seat) / 48.0).abs() < 1e-12);
            }
        }
        assert!(standing.scores[0][0].is_none() && standing.scores[0][3].is_none());
        let finished: usize = (0..4)
            .map(|pairing| {
                records(&store, variant, pairing).iter().filter(|g| g.end.is_some()).count()
            })
            .sum();
        assert_eq!(standing.games, finished as u64);
        let Ok(rated) = &standing.ratings else { continue };
        let values: Vec<f64> = rated.players.iter().filter_map(|p| Some(p.ok()?.value)).collect();
        assert!(values.iter().sum::<f64>().abs() < 1e-6, "{values:?}");
        for (player, place) in rated.places.iter().enumerate() {
            assert_eq!(place.is_some(), rated.players[player].is_ok());
        }
    }
    // Games of one pair go together: the ratings are those of a fit to the stored games.
    let mut games = Vec::new();
    for (pairing, [one, two]) in [[0, 1], [0, 2], [2, 1], [2, 3]].into_iter().enumerate() {
        let number = u32::try_from(pairing).expect("a few");
        for game in records(&store, 0, number) {
            let Some(outcome) = game.outcome() else { continue };
            let (first, second) = match game.key.white {
                Seat::First => (one, two),
                Seat::Second => (two, one),
            };
            let result = match outcome {
                Outcome::White => RatedResult::First,
                Outcome::Draw => RatedResult::Draw,
                Outcome::Black => RatedResult::Second,
            };
            let cluster = u64::from(number) << 32 | u64::from(game.key.opening);
            games.push(RatedGame { first, second, result, cluster });
        }
    }
    let fit = rate(&games, 4, true, Confidence::P95);
    match (&found.standings[0].ratings, fit) {
        (Ok(rated), Ok(fit)) => assert_eq!(rated.players, fit.players),
        (Err(one), Err(other)) => assert_eq!(*one, other),
        (one, other) => panic!("{one:?} and {other:?}"),
    }
    let rung = &view.ladder[0];
    assert_eq!((view.ladder.len(), rung.pairing), (1, 3));
    assert_eq!(
        [rung.stronger.as_str(), rung.weaker.as_str()],
        ["alphabeta:nodes=240", "alphabeta:nodes=60"]
    );
    assert!((rung.steps - 2.0).abs() < 1e-12);
    for (row, seat) in rung.rows.iter().zip(&view.pairings[3].rows) {
        let weaker = seat.seat.as_ref().expect("pairs").score.value.expect("a score");
        assert!((row.score.value.expect("a score") - (1.0 - weaker)).abs() < 1e-12);
        if let (Ok(elo), Ok(step)) = (row.elo, row.elo_per_step) {
            assert_eq!(elo.value.map(|elo| elo / 2.0), step.value);
        }
    }
    let texts = formats(&view);
    for text in ["terminal.txt", "report.md", "report.html"].map(|name| &texts[name]) {
        assert!(text.contains("Who beats whom") && text.contains("Whether thought pays"), "{text}");
    }
    assert_eq!(texts["ratings.csv"].lines().count(), 1 + 2 * 4);
    assert_eq!(texts["cross-tables.csv"].lines().count(), 1 + 2 * 8);
    assert_eq!(texts["ladder.csv"].lines().count(), 1 + 2);
    let json: serde_json::Value = serde_json::from_str(&texts["report.json"]).expect("JSON");
    assert_eq!(json["tournament"]["standings"][1]["variant"], "turkish");
    assert_eq!(json["ladder"][0]["steps"], 2.0);
}

#[test]
fn how_long_players_think_is_told_where_it_was_measured() {
    let pairings = [("random", "random", 6), ("alphabeta:nodes=60", "mcts:playouts=9", 6)];
    let plan = plan(&[("keny", "keny"), ("turkish", "turkish")], &pairings);
    let (_folder, store) = played(&plan);
    let mut view = report::view(&store).expect("a view");
    let heading = "How long players think";
    assert!(formats(&view).values().all(|text| !text.contains(heading)));
    // A clock that goes on by itself would make the test depend on the machine.
    let measured = || thinking(&plan, 3, || Duration::from_millis(0), "No clock".to_owned());
    let found = measured();
    assert_eq!(found, measured(), "what is looked at is the same each time");
    for variants in &found.spent {
        assert_eq!(variants.len(), 2);
    }
    for variant in 0..2 {
        let [all, none] = found.spent[0][variant];
        // A player against itself: both sides of one game an opening.
        assert_eq!((all.games, all.looked_at, none.games), (6, 0, 0));
        let [searcher, sampler] = found.spent[1][variant];
        assert_eq!((searcher.games, sampler.games), (6, 6));
        assert!(searcher.turns > 30 && searcher.turns.abs_diff(sampler.turns) <= 6);
        assert!(searcher.looked_at <= 62 * searcher.turns && searcher.looked_at > searcher.turns);
        assert!(sampler.looked_at <= 9 * sampler.turns && sampler.looked_at > 5 * sampler.turns);
    }
    // The first variant plays the games of the study.
    let turns = |pairing: u32| -> u64 {
        let games = records(&store, 0, pairing);
        let sampled = games.iter().filter(|game| game.key.opening < 3);
        sampled.map(|game| u64::from(game.plies)).sum()
    };
    for pairing in [0, 1] {
        let [first, second] = found.spent[pairing as usize][0];
        let games = (first.games + second.games) / 2;
        let opening_plies = u64::from(plan.opening_plies) * games;
        assert_eq!(first.turns + second.turns, turns(pairing) - opening_plies);
    }
    view.thinking = Some(found);
    let texts = formats(&view);
    for name in ["terminal.txt", "report.md", "report.html"] {
        assert!(texts[name].contains(heading), "{name}");
    }
    assert!(texts["report.md"].contains("| mcts:playouts=9 (against alphabeta:nodes=60) | 6 |"));
    assert_eq!(texts["thinking.csv"].lines().count(), 1 + 2 + 4);
    let json: serde_json::Value = serde_json::from_str(&texts["report.json"]).expect("JSON");
    assert_eq!(json["thinking"]["players"].as_array().map(Vec::len), Some(6));
}

#[test]
fn time_is_added_up_for_the_player_that_thinks() {
    // A second passes whenever the clock is read.
    static READ: AtomicU64 = AtomicU64::new(0);
    fn clock() -> Duration {
        Duration::from_secs(READ.fetch_add(1, Ordering::Relaxed))
    }
    let plan = plan(&[("keny", "keny")], &[("greedy", "random", 2)]);
    let found = thinking(&plan, 9, clock, "Seconds of nobody".to_owned());
    for spent in found.spent[0][0] {
        assert_eq!((spent.games, spent.time), (4, Duration::from_secs(spent.turns)));
    }
}

#[test]
fn how_often_turns_differ_is_in_every_format() {
    let variants = [("keny", "keny"), ("keny-zillions", "zillions"), ("russian", "dark squares")];
    let (_folder, store) = played(&plan(&variants, &[("random", "random", 40)]));
    let view = report::view(&store).expect("a view");
    is_sound(&view);
    let counted = of_stored(&store, 0, 0).expect("sound games");
    assert_eq!((view.relevance.len(), view.relevance_base), (2, 0));
    let cells = view.relevance[0].found.as_ref().expect("comparable");
    let counts = counted[1].as_ref().expect("another").as_ref().expect("comparable");
    assert_eq!(u128::from(cells.positions.n), counts.positions.denominator());
    assert_eq!(cells.positions.value, counts.positions.value());
    assert_eq!(cells.games.n, 40);
    let texts = formats(&view);
    for name in ["terminal.txt", "report.md", "report.html"] {
        let text = texts[name].replace('\n', " ");
        assert!(text.contains("How often the questions come up"), "{name}: {text}");
        assert!(text.contains("not compared: dark squares"), "{name}: {text}");
        assert!(text.contains("legal under zillions alone"), "{name}: {text}");
    }
    assert_eq!(texts["relevance.csv"].lines().count(), 1 + 5 + 1);
    let json: serde_json::Value = serde_json::from_str(&texts["report.json"]).expect("JSON");
    let value = json["relevance"][0]["found"]["numbers"][0]["value"].as_f64().expect("a number");
    assert!((value - cells.positions.value.expect("a share")).abs() < 1e-12);
    assert!(json["relevance"][1]["not_compared"].is_string());
}

#[test]
fn unfinished_games_are_told_by_what_cut_them() {
    // Kings that may stop after any jump, around many to be taken: no list holds their captures.
    let text = format!(
        "players = [\"random\"]\nopenings = 4\nopening_plies = 1\nplies_max = 12\n\
         variants = [\"keny\", {{ name = \"explosive\", board = {{ files = 11, ranks = 11 }}, \
         king = {{ move = {ALL}, capture = {ALL} }}, \
         capture = {{ mandatory = false, complete = false }}, \
         setup = {{ position = \"{}\" }} }}]",
        super::explosive::full(11, 11)
    );
    let checked = study::file::check_text("cut", &text, Path::new(""));
    let plan = checked.study.unwrap_or_else(|| panic!("{}", checked.problems.render(false))).plan;
    let (_folder, store) = played(&plan);
    let view = report::view(&store).expect("a view");
    let rows = &view.pairings[0].rows;
    let counts = rows.iter().map(|row| (row.unfinished.capped, row.unfinished.given_up));
    // All games of the second are one, which is counted once.
    assert_eq!(counts.collect::<Vec<_>>(), [(rows[0].units, 0), (0, 1)]);
    let warned = view.pairings[0].warnings.join("\n");
    assert!(warned.contains("`keny`: 100.0 % of the games reached the ply cap and"), "{warned}");
    let given_up = "of the games came to a position with too many turns to list and have no result";
    assert!(warned.contains(&format!("`explosive`: 100.0 % {given_up}")), "{warned}");
    let text = report::markdown(&view);
    let both = format!(
        "unfinished games reached the ply cap ({}) or came to a position with too many turns to \
         list (1)",
        rows[0].units
    );
    assert!(text.contains(&both), "{text}");
    let json = report::json(&view);
    assert!(json.contains("\"ply_cap\": 0,\n            \"too_many_turns\": 1"), "{json}");
}

#[test]
fn names_stay_names_in_markdown() {
    let (_folder, store) = played(&first_look());
    let text = report::markdown(&report::view(&store).expect("a view"));
    assert!(text.contains("| free \\| capture, \\*one\\* hop, with a long name |"));
    let mut columns = 0;
    for line in text.lines() {
        if !line.starts_with('|') {
            columns = 0;
            continue;
        }
        let bars = line.replace("\\|", "").matches('|').count();
        assert!(columns == 0 || columns == bars, "{line}");
        columns = bars;
    }
}

/// Widths in CSS pixels at which the page is looked at: a wide window and a narrow one.
const WIDTHS: [u32; 2] = [1280, 500];

#[test]
fn the_page_stands_alone() {
    let plan = plan(
        &[("keny", "keny"), ("turkish", "<script>alert(1)</script> & \"quoted\"")],
        &[("random", "random", 30), ("greedy", "random", 10)],
    );
    let (_folder, store) = played(&plan);
    let view = report::view(&store).expect("a view");
    let page = report::html(&view);
    assert!(!page.contains("<script>alert"), "a name is not escaped");
    stands_alone(&page);
}

/// The page asks for nothing outside, and what it refers to inside is there.
pub(crate) fn stands_alone(page: &str) {
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    let ids: Vec<&str> = page
        .split(" id=\"")
        .skip(1)
        .map(|rest| rest.split_once('"').expect("a closed attribute").0)
        .collect();
    let distinct: BTreeSet<&&str> = ids.iter().collect();
    assert_eq!(distinct.len(), ids.len(), "an id stands twice");
    for labels in page.split("aria-labelledby=\"").skip(1) {
        let (labels, _) = labels.split_once('"').expect("a closed attribute");
        assert!(labels.split(' ').all(|label| distinct.contains(&label)), "{labels}");
    }
    for place in page.split("href=\"#").skip(1) {
        let (place, _) = place.split_once('"').expect("a closed attribute");
        assert!(distinct.contains(&place), "{place}");
    }
}

/// The browser, if this machine has one.
fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&folders)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

/// Looks at the page from inside: its width, what sticks out of it, and whether sorting sorts.
const PROBE: &str = r#"<script>
const inner = document.documentElement.clientWidth;
const scrolls = (e) => e && (["auto", "hidden"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
const out = [...document.body.querySelectorAll("*")]
  .filter((e) => !e.matches(".skip") && e.getBoundingClientRect().right > inner + 1 && !scrolls(e.parentElement))
  .map((e) => e.tagName);
if (document.documentElement.scrollWidth > inner) out.push("page");
const heads = [...document.querySelectorAll("table.sorts thead th")];
const plies = heads.findIndex((e) => e.textContent === "plies");
heads[plies].querySelector("button").click();
const column = [...document.querySelectorAll("table.sorts tbody tr")].map((r) => Number(r.cells[plies].dataset.value));
const sorted = column.every((x, i) => i === 0 || column[i - 1] >= x) && heads[plies].getAttribute("aria-sort") === "descending";
document.body.innerHTML = "<p>probe: width " + inner + ", sorted " + sorted + ", out [" + out.join(" ") + "]</p>";
</script>"#;

#[test]
fn the_page_fits_the_browser() {
    let (_folder, store) = played(&first_look());
    fits_the_browser(&report::html(&report::view(&store).expect("a view")));
}

/// At two widths, one light and one dark: no message on the console, nothing sticks out, the
/// table sorts. Says that it is skipped where there is no browser.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn fits_the_browser(page: &str) {
    let Some(browser) = browser() else {
        eprintln!("skipped: there is no chromium on this machine");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.html");
    std::fs::write(&path, page.to_owned() + PROBE).expect("a file that can be written");
    // The wide window looks at the light page, the narrow one at the dark page.
    for (width, scheme) in WIDTHS.into_iter().zip([1, 0]) {
        let profile = folder.path().join(format!("profile-{width}"));
        let output = std::process::Command::new(&browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
            .args(["--disable-background-networking", "--disable-dev-shm-usage"])
            .args(["--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom"])
            .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
            .arg(format!("--window-size={width},900"))
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(format!("file://{}", path.display()))
            .output()
            .expect("a browser that starts");
        let (dom, log) = (text_of(&output.stdout), text_of(&output.stderr));
        let wanted = format!("probe: width {width}, sorted true, out []");
        assert!(dom.contains(&wanted), "{width}: {dom}\n{log}");
        assert!(!log.contains("CONSOLE"), "{log}");
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
