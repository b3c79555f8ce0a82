//! Every flag with its choices as JSON, the default first: what random rulesets are drawn from.

use serde_json::{Value, json};

/// The choices of every flag but the board's and the setup's.
pub(crate) fn flags() -> Vec<(&'static str, Vec<Value>)> {
    let truths = |default: bool| vec![json!(default), json!(!default)];
    let straight = ["forward", "sideways", "backward"];
    let directions = |default: &[&str]| {
        let all = ["forward", "sideways", "backward", "diagonal-forward", "diagonal-backward"];
        default_first(subsets(&all), &json!(default))
    };
    let kinds = |default: &[&str]| default_first(subsets(&["man", "king"]), &json!(default));
    let words = |words: &[&str]| words.iter().map(|word| json!(word)).collect::<Vec<Value>>();
    vec![
        ("man.step", directions(&["forward", "sideways"])),
        ("man.capture", directions(&straight)),
        ("man.captures_kings", truths(true)),
        ("man.hop", directions(&straight)),
        ("man.hop_over", kinds(&["man"])),
        ("king.move", directions(&straight)),
        ("king.capture", directions(&straight)),
        ("king.flying", truths(true)),
        ("king.landing", words(&["any", "nearest", "continuing"])),
        ("king.reversal", truths(true)),
        ("king.hop_over", kinds(&[])),
        ("king.hop", directions(&straight)),
        ("king.flying_hop", truths(false)),
        ("capture.mandatory", truths(true)),
        ("capture.complete", truths(true)),
        ("capture.priority", priorities()),
        ("capture.removal", words(&["immediate", "end-of-turn"])),
        ("hop.chain", vec![json!("unlimited"), json!(1), json!(2), json!(3)]),
        ("hop.return_to_start", truths(false)),
        ("hop.then_capture", truths(false)),
        (
            "promotion.in_capture",
            words(&["continue-as-king", "stop", "continue-as-man", "only-if-ends-there"]),
        ),
        (
            "promotion.in_hop",
            words(&["stop", "continue-as-king", "continue-as-man", "only-if-ends-there"]),
        ),
        ("end.blocked", words(&["loss", "draw"])),
        ("end.one_piece_each", words(&["play-on", "draw", "king-beats-man"])),
        ("draw.quiet_turns", vec![json!(10), json!(0), json!(1), json!(2), json!(5)]),
        ("draw.counted", words(&["per-side", "both"])),
        ("draw.starts", words(&["first-turn", "first-capture"])),
        (
            "draw.reset_by",
            default_first(
                subsets(&["capture", "promotion", "hop", "man-move"]),
                &json!(["capture"]),
            ),
        ),
        ("draw.repetition", vec![json!(0), json!(2), json!(3)]),
        ("draw.repetition_result", words(&["draw", "loss"])),
    ]
}

/// Every subset of these words, each in their order.
pub(crate) fn subsets(words: &[&str]) -> Vec<Value> {
    let subset = |bits: usize| {
        let chosen = words.iter().enumerate().filter(|(index, _)| bits >> index & 1 == 1);
        json!(chosen.map(|(_, word)| *word).collect::<Vec<&str>>())
    };
    (0..1 << words.len()).map(subset).collect()
}

/// Every list of different filters, the empty one first.
fn priorities() -> Vec<Value> {
    let mut lists: Vec<Vec<&str>> = vec![Vec::new()];
    let mut done = 0;
    while done < lists.len() {
        for filter in ["most-pieces", "by-king", "most-kings", "king-first"] {
            if !lists[done].contains(&filter) {
                let mut longer = lists[done].clone();
                longer.push(filter);
                lists.push(longer);
            }
        }
        done += 1;
    }
    lists.into_iter().map(|list| json!(list)).collect()
}

fn default_first(mut choices: Vec<Value>, default: &Value) -> Vec<Value> {
    let place = choices.iter().position(|choice| choice == default).unwrap();
    choices.swap(0, place);
    choices
}

#[test]
fn every_first_choice_is_the_default() {
    let mut rules = keny::rules::Ruleset::default();
    for (flag, choices) in flags() {
        super::rules_json::set(&mut rules, flag, &choices[0]);
    }
    assert_eq!(rules, keny::rules::Ruleset::default());
    assert_eq!(priorities().len(), 65);
}
