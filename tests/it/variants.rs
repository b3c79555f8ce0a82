//! Variant files: the shipped ones, what is accepted, and every kind of problem as it is drawn.

use keny::rules::catalog::FLAGS;
use keny::variant::{self, library};

#[test]
fn shipped_variants_resolve_without_a_warning() {
    for name in library::NAMES {
        let variant = variant::load(name).unwrap_or_else(|problems| panic!("{problems}"));
        assert!(variant.warnings.is_empty(), "{}", variant.warnings);
        assert_eq!(variant.id, name);
        assert!(!variant.summary.is_empty() && !variant.sources.is_empty(), "{name}");
    }
}

#[test]
fn rules_of_the_vectors_are_accepted_as_json() {
    for (file, lines_min) in [("positions.jsonl", 2_000), ("games.jsonl", 200)] {
        let path = format!("{}/tests/data/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the vectors are there");
        let mut lines = 0;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let line: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
            let ruleset = variant::from_json(&line["rules"]).unwrap_or_else(|p| panic!("{p}"));
            for flag in FLAGS {
                let (table, name) = flag.key.split_once('.').expect("a dotted key");
                if let Some(written) = line["rules"].get(table).and_then(|table| table.get(name)) {
                    let got = flag.get(&ruleset).to_string();
                    assert_eq!(got.replace(' ', ""), written.to_string(), "{}", flag.key);
                }
            }
            for key in ["position", "final"] {
                let Some(text) = line[key].as_str() else { continue };
                let (first, placement) =
                    keny::notation::parse_position(text, &ruleset.board).expect(text);
                let again = keny::notation::print_position(first, &placement, &ruleset.board);
                assert_eq!(again, text);
            }
            lines += 1;
        }
        assert!(lines >= lines_min, "{file} has {lines} lines");
    }
}
