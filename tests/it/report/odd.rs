//! Names and outcomes that invite mistakes: formulas, tags, marks that turn the writing direction,
//! nothing but draws.

use keny::report;
use keny::variant;
use serde_json::json;

use super::{formats, is_sound, plan, played};
use crate::report::stands_alone;

const NAMES: [&str; 4] = [
    "=HYPERLINK(\"x\")",
    "@SUM(A1), \"quoted\" | `x` <script>alert(1)</script>",
    "-1+2 turned \u{202e}round\u{2066}",
    "Ὀσετία 土耳其跳棋 👩‍👩‍👧 and on and on and on and on and on and on and on and on and on",
];

#[test]
fn odd_names_are_no_formula_no_tag_and_turn_nothing_round() {
    let variants = NAMES.map(|name| ("keny", name));
    let (_folder, store) = played(&plan(&variants, &[("random", "random", 20)]));
    let view = report::view(&store).expect("a view");
    is_sound(&view);
    let texts = formats(&view);
    for (file, text) in &texts {
        assert!(!text.contains(['\u{202e}', '\u{2066}']), "{file}");
    }
    assert!(!texts["report.html"].contains("<script>alert"));
    stands_alone(&texts["report.html"]);
    for (file, text) in texts.iter().filter(|(file, _)| file.ends_with(".csv")) {
        for row in
            csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes()).records()
        {
            for field in &row.expect("a row") {
                let formula = field.starts_with(['=', '+', '-', '@']);
                assert!(!formula || field.parse::<f64>().is_ok(), "{file}: {field}");
            }
        }
    }
    assert!(texts["metrics.csv"].contains("'=HYPERLINK"));
}

#[test]
fn nothing_but_draws_has_intervals_with_width() {
    let mut plan = plan(&[("keny", "keny"), ("keny", "at once")], &[("random", "random", 30)]);
    for (variant, turns) in plan.variants.iter_mut().zip([1, 2]) {
        let rules = json!({"extends": "keny", "draw": {"quiet_turns": turns, "counted": "both"}});
        variant.ruleset =
            variant::from_json(&rules).unwrap_or_else(|p| panic!("{}", p.render(false)));
        variant.fingerprint = variant::fingerprint(&variant.ruleset);
    }
    plan.opening_plies = 2;
    let (_folder, store) = played(&plan);
    let view = report::view(&store).expect("a view");
    is_sound(&view);
    for row in &view.pairings[0].rows {
        let draws = row.cell("draws");
        assert_eq!(draws.value, Ok(1.0));
        assert!(draws.interval.is_some_and(|interval| interval.is_ok()), "{draws:?}");
        let score = row.cell("first-player-score");
        assert!(score.interval.is_some_and(|interval| interval.is_ok()), "{score:?}");
    }
}

#[test]
fn what_unfinished_games_may_be_worth_is_told() {
    // A cap at which some games of random players end and most do not.
    let mut plan = plan(&[("keny", "keny")], &[("random", "random", 60)]);
    plan.plies_max = 30;
    let (_folder, store) = played(&plan);
    let view = report::view(&store).expect("a view");
    let row = &view.pairings[0].rows[0];
    let cut = row.cell("unfinished").value.expect("a share");
    assert!(cut > 0.05 && cut < 1.0, "{cut}");
    let score = row.cell("first-player-score").value.expect("a score");
    let (low, high) = (100.0 * score * (1.0 - cut), 100.0 * (score * (1.0 - cut) + cut));
    let wanted = format!("the score lies between {low:.1} and {high:.1} %");
    assert!(view.pairings[0].warnings[0].contains(&wanted), "{:?}", view.pairings[0].warnings);
}
