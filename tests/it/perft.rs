//! Published and recomputed perft counts (`tests/data/perft.tsv`) judge the engine.

use keny::notation::parse_position;
use keny::rules::{Counted, Engine};
use keny::{variant, with_rules};

/// Counts up to this many leaves run in every test; larger ones in `perft::every_count`.
const LEAVES_IN_EVERY_TEST: u64 = 25_000_000;

struct Row {
    variant: String,
    position: String,
    depth: u32,
    counted: Counted,
    leaves: u64,
}

fn rows() -> Vec<Row> {
    let text = include_str!("../data/perft.tsv");
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            Row {
                variant: cells[0].to_owned(),
                position: cells[1].to_owned(),
                depth: cells[2].parse().expect("a depth"),
                counted: match cells[3] {
                    "turns" => Counted::Turns,
                    "paths" => Counted::Paths,
                    other => panic!("counted {other}?"),
                },
                leaves: cells[4].parse().expect("a count"),
            }
        })
        .collect()
}

fn check(rows: &[Row]) {
    for row in rows {
        let ruleset = variant::load(&row.variant).expect("a shipped variant").ruleset;
        let (side, placement) = if row.position.is_empty() {
            (ruleset.setup.first, ruleset.start())
        } else {
            parse_position(&row.position, &ruleset.board).expect("a position")
        };
        let engine = Engine::new(&ruleset);
        let leaves = with_rules!(&engine, rules => {
            rules.perft(&placement.cast(), side, row.depth, row.counted).unwrap()
        });
        let Row { variant, position, depth, counted, .. } = row;
        assert_eq!(leaves, row.leaves, "{variant} {position} depth {depth} {counted:?}");
    }
}

#[test]
fn counts_of_a_few_million_leaves() {
    let small: Vec<Row> =
        rows().into_iter().filter(|row| row.leaves <= LEAVES_IN_EVERY_TEST).collect();
    assert!(small.len() >= 260, "only {} rows of the table are small", small.len());
    check(&small);
}

#[test]
#[ignore = "a minute or two: cargo test --release -- --ignored every_count"]
fn every_count() {
    let all = rows();
    assert_eq!(all.len(), 302);
    check(&all);
}
