//! What the committed ladder must show: every step is one, on six variants, from enough pairs.

use std::collections::BTreeMap;
use std::path::Path;

use keny::stats::score::elo;

/// A row of a table of the report, by the names of its columns.
type Row = BTreeMap<String, String>;

fn table(name: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/ladder").join(name);
    let mut reader = csv::Reader::from_path(&path).unwrap_or_else(|error| panic!("{error}"));
    let heads = reader.headers().expect("a heading").clone();
    let rows = reader.records().map(|row| {
        let row = row.expect("a row");
        heads.iter().zip(&row).map(|(head, cell)| (head.to_owned(), cell.to_owned())).collect()
    });
    rows.collect()
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("no `{column}` in {row:?}"))
}

/// Each player and the weaker one below it.
const STEPS: [[&str; 2]; 8] = [
    ["greedy", "random"],
    ["alphabeta:nodes=100", "greedy"],
    ["alphabeta:nodes=400", "alphabeta:nodes=100"],
    ["alphabeta:nodes=1600", "alphabeta:nodes=400"],
    ["alphabeta:nodes=6400", "alphabeta:nodes=1600"],
    ["mcts:playouts=50", "random"],
    ["mcts:playouts=200", "mcts:playouts=50"],
    ["mcts:playouts=800", "mcts:playouts=200"],
];
const LEARNED: [&str; 2] = ["alphabeta:nodes=1000", "alphabeta:nodes=1000,weights=material"];
const VARIANTS: usize = 6;
const PAIRS_MIN: f64 = 400.0;

/// The scores of the first of two players, one a variant.
fn scores([player, against]: [&str; 2]) -> Vec<Row> {
    let mut rows = table("cross-tables.csv");
    rows.retain(|row| row["player"] == player && row["against"] == against);
    assert_eq!(rows.len(), VARIANTS, "{player} against {against}");
    rows
}

#[test]
fn every_step_beats_the_one_below() {
    for step in STEPS {
        for row in scores(step) {
            assert!(number(&row, "pairs") >= PAIRS_MIN, "{row:?}");
            assert!(number(&row, "low") > 0.55, "{row:?}");
        }
    }
}

#[test]
fn learned_values_are_worth_a_hundred_elo() {
    for row in scores(LEARNED) {
        assert!(number(&row, "pairs") >= PAIRS_MIN, "{row:?}");
        let elo = |column| elo(number(&row, column)).expect("a score between 0 and 1");
        assert!(elo("score") >= 100.0 && elo("low") > 50.0, "{row:?}");
    }
}

#[test]
fn what_a_doubled_budget_is_worth_is_reported() {
    let rows = table("ladder.csv");
    for [stronger, weaker] in STEPS {
        let budget = |player: &str| player.contains("nodes=") || player.contains("playouts=");
        if !(budget(stronger) && budget(weaker)) {
            continue;
        }
        let step = rows.iter().filter(|row| row["stronger"] == stronger && row["weaker"] == weaker);
        let step: Vec<&Row> = step.collect();
        assert_eq!(step.len(), VARIANTS, "{stronger} against {weaker}");
        for row in step {
            assert_eq!(row["step"], "doubling");
            let [low, value, high] =
                ["per_step_low", "elo_per_step", "per_step_high"].map(|name| number(row, name));
            assert!(0.0 < low && low < value && value < high, "{row:?}");
        }
    }
}

#[test]
fn thinking_times_are_reported_for_every_step() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/ladder/report.md");
    let report = std::fs::read_to_string(path).expect("a report");
    for title in ["Thinking time a game", "Thinking time a turn", "Looked at for a turn"] {
        let (_, rest) = report.split_once(&format!("### {title}\n")).expect("the table is there");
        let rows: Vec<&str> = rest.lines().skip(3).take_while(|line| !line.is_empty()).collect();
        for step in STEPS.iter().chain([&LEARNED]) {
            for (player, against) in [(step[0], step[1]), (step[1], step[0])] {
                let label = format!("| {player} (against {against}) |");
                let row = rows.iter().find(|row| row.starts_with(&label));
                let row = row.unwrap_or_else(|| panic!("no {label} in {title}"));
                let cells = row[label.len()..].split('|').map(str::trim);
                let cells: Vec<f64> = cells.filter_map(|cell| cell.parse().ok()).collect();
                let searches = player.contains("nodes=") || player.contains("playouts=");
                let numbers = if searches || title.contains("time") { VARIANTS } else { 0 };
                assert_eq!(cells.len(), 1 + numbers, "{row}");
                assert!(cells[0] >= 20.0 && (!searches || cells[1..].iter().all(|&n| n > 0.0)));
            }
        }
    }
}
