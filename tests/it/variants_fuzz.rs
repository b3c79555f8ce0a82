//! No input makes reading a variant panic: random bytes, mutated files, random JSON and positions.

use keny::board::Squares;
use keny::notation::{parse_position, print_position};
use keny::rules::catalog::{FLAGS, Shape, Value};
use keny::rules::{BoardRules, Notation, Ruleset};
use keny::variant::{self, library, validate};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::fuzz::PIECES;

/// Checks a text and draws its problems both ways.
fn checked(text: &str) -> variant::Report {
    let report = variant::check_text("fuzz.toml", text);
    assert_eq!(report.variant.is_some(), !report.problems.has_errors());
    let drawn = report.problems.render(false);
    assert_eq!(drawn.is_empty(), report.problems.is_empty());
    assert_eq!(report.problems.render(true).is_empty(), drawn.is_empty());
    report
}

fn mutated(text: &str, edits: &[(Index, Index, u8)]) -> String {
    let mut text = text.to_owned();
    for (place, piece, kind) in edits {
        let starts: Vec<usize> =
            text.char_indices().map(|(start, _)| start).chain([text.len()]).collect();
        let at = *place.get(&starts);
        match kind % 4 {
            0 => text.insert_str(at, piece.get::<&str>(PIECES)),
            1 if at < text.len() => drop(text.remove(at)),
            2 => text.truncate(at),
            _ => {
                let end = *piece.get(&starts);
                let (from, to) = (at.min(end), at.max(end));
                let part = text[from..to].to_owned();
                text.insert_str(at, &part);
            }
        }
        if text.len() > 20_000 {
            break;
        }
    }
    text
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let word = prop_oneof![select(PIECES.to_vec()).prop_map(str::to_owned), ".{0,8}"];
    let key = prop_oneof![
        select(vec!["man", "king", "setup", "hop", "draw", "board", "extends", "step", "chain"])
            .prop_map(str::to_owned),
        ".{0,6}"
    ];
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        word.prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|entries| serde_json::Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// Any answer to any flag that needs no board, allowed by its shape.
fn answer() -> impl Strategy<Value = (&'static str, Value)> {
    (0..FLAGS.len(), any::<Index>(), any::<u64>()).prop_filter_map("no answer", |row| {
        let (flag, setting, seed) = (&FLAGS[row.0], row.1, row.2);
        let value = match flag.shape {
            Shape::Bool | Shape::OneOf | Shape::ListOf | Shape::Position => {
                setting.get(flag.settings).clone()
            }
            Shape::SetOf => {
                let chosen = flag.choices.iter().enumerate();
                let chosen = chosen.filter(|(bit, _)| seed >> bit & 1 == 1);
                Value::Words(chosen.map(|(_, choice)| choice.word).collect())
            }
            Shape::Number { min, max, .. } => {
                Value::Integer(min + u32::try_from(seed % u64::from(max - min + 1)).ok()?)
            }
            Shape::Chain { max } => Value::Integer(1 + u32::try_from(seed % u64::from(max)).ok()?),
            Shape::Ranks { max } => {
                Value::Integers((1..=max).filter(|bit| seed >> bit & 1 == 1).collect())
            }
        };
        Some((flag.key, value))
    })
}

/// Large files made of one thing: each is checked and drawn in a moment.
#[test]
fn large_files_of_one_thing() {
    let numbered = |line: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for number in 0.. {
            let line = line(number);
            if text.len() + line.len() > 250_000 {
                return text;
            }
            text.push_str(&line);
        }
        text
    };
    for text in [
        numbered(&|number| format!("k{number}=1\n")),
        numbered(&|number| format!("[t{number}]\n")),
        numbered(&|_| "]\n".to_owned()),
        numbered(&|_| "a=1\n".to_owned()),
        numbered(&|_| "=".to_owned()),
        numbered(&|_| "[".to_owned()),
        format!("x = {}", numbered(&|_| "[".to_owned())),
        format!("x = {}", numbered(&|_| "{a=".to_owned())),
        format!("x{}", numbered(&|_| ".x".to_owned())),
        format!("extends = \"{}\"", numbered(&|_| "x".to_owned())),
        format!("man.step = [{}]", numbered(&|_| "\"forwad\",".to_owned())),
        format!("setup.ranks = [{}]", numbered(&|_| "1,".to_owned())),
        format!("setup.position = \"W:W{}\"", numbered(&|_| "a1,".to_owned())),
        format!("{} = 1", numbered(&|_| "mann".to_owned())),
    ] {
        assert!(checked(&text).problems.has_errors());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dormant_flags_at_their_defaults_are_the_same_rules(
        answers in prop::collection::vec(answer(), 0..12),
    ) {
        let mut ruleset = Ruleset::default();
        for (key, value) in answers {
            let flag = FLAGS.iter().find(|flag| flag.key == key).expect("a flag");
            drop(flag.put(&mut ruleset, &value));
        }
        let plain = variant::live_only(&ruleset);
        prop_assert_eq!(variant::canonical_text(&plain), variant::canonical_text(&ruleset));
        prop_assert_eq!(variant::live_only(&plain), plain);
        if validate::faults(&ruleset).is_empty() {
            // It is what the canonical text says, read as a file.
            let text = variant::canonical_text(&ruleset);
            let text = text.split_once('\n').expect("a version line").1;
            let read = variant::check_text("canonical.toml", &format!("name = \"x\"\n{text}"));
            prop_assert_eq!(read.variant.expect("a variant").ruleset, plain);
        }
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        checked(&String::from_utf8_lossy(&bytes));
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), &bytes).expect("it is written");
        let report = variant::check_file(file.path());
        prop_assert_eq!(report.variant.is_some(), !report.problems.has_errors());
    }

    #[test]
    fn random_pieces(pieces in prop::collection::vec(select(PIECES.to_vec()), 0..60)) {
        checked(&pieces.concat());
    }

    #[test]
    fn mutated_files(
        name in select(library::NAMES.to_vec()),
        edits in prop::collection::vec((any::<Index>(), any::<Index>(), any::<u8>()), 1..12),
    ) {
        checked(&mutated(library::text(name).expect("it is shipped"), &edits));
    }

    #[test]
    fn random_json(value in json()) {
        if let Err(problems) = variant::from_json(&value) {
            prop_assert!(!problems.to_string().is_empty());
        }
    }

    #[test]
    fn random_positions(
        text in prop_oneof![
            ".{0,40}",
            "[WBK:,. a-j0-9]{0,40}",
            "[WB]:W(K?[a-h][1-8],){0,6}a3:B(K?[a-h][1-8],){0,6}h6",
        ],
        files in 4_u8..=16,
        ranks in 4_u8..=8,
        dark in any::<bool>(),
        numbers in any::<bool>(),
    ) {
        let board = BoardRules {
            files,
            ranks,
            squares: if dark { Squares::Dark } else { Squares::All },
            notation: if numbers { Notation::Numbers } else { Notation::Letters },
        };
        match parse_position(&text, &board) {
            Ok((first, placement)) => {
                let printed = print_position(first, &placement, &board);
                prop_assert_eq!(parse_position(&printed, &board), Ok((first, placement)));
            }
            Err(error) => {
                prop_assert!(text.get(error.span.clone()).is_some());
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    /// Answers written to a file come back as they were, and what the file is refused for are the
    /// faults of its ruleset.
    #[test]
    fn any_answers_survive_a_file(answers in prop::collection::vec(answer(), 0..12)) {
        let mut answers = answers;
        answers.sort_by_key(|(key, _)| *key);
        answers.dedup_by_key(|(key, _)| *key);
        let mut ruleset = Ruleset::default();
        let mut text = String::new();
        for (key, value) in &answers {
            let flag = keny::rules::catalog::flag(key).expect("a flag");
            flag.put(&mut ruleset, value).expect("an answer");
            text.push_str(&format!("{key} = {value}\n"));
        }
        let faults = validate::faults(&ruleset);
        let errors =
            faults.iter().filter(|fault| fault.severity == variant::Severity::Error).count();
        let report = checked(&text);
        prop_assert_eq!(report.problems.error_count(), errors, "{}\n{}", text, report.problems);
        if let Some(variant) = report.variant {
            prop_assert_eq!(variant.ruleset, ruleset);
            let dormant = answers.iter().filter(|(key, _)| {
                !keny::rules::catalog::flag(key).expect("a flag").live(&ruleset)
            });
            prop_assert_eq!(variant.warnings.items().len(), dormant.count());
        }
    }
}
