//! The rule to stop early of a study file: `stop_when`.
//!
//! ```toml
//! stop_when = { metric = "first-player-score", half_width = 0.02 }   # or metric = "draws"
//! stop_when = { metric = "draws", difference = true, half_width = 0.03 }
//! ```
//!
//! With `difference = true` it is the difference to the study's first variant.

use crate::study::stopping::{HalfWidth, StopMetric, StopRule};
use crate::variant::problems::{Problem, Problems};
use crate::variant::table::{Node, Raw, Table, out_of_range};

const KEYS: [&str; 3] = ["metric", "half_width", "difference"];
const EXAMPLE: &str = "write for example `stop_when = { metric = \"draws\", half_width = 0.02 }`";

/// Takes the rule out, for a study of so many variants.
pub(super) fn read(
    table: &mut Table,
    variants: usize,
    problems: &mut Problems,
) -> Option<StopRule> {
    let entry = table.take("stop_when")?;
    let mut table = entry.node.into_table("stop_when", problems)?;
    table.need(&["metric", "half_width"], entry.key_spot.as_ref(), EXAMPLE, problems);
    let word = table.word("metric", &StopMetric::WORDS, problems);
    let half_width = table.take("half_width").map(|entry| entry.node);
    let half_width = half_width.and_then(|node| read_half_width(&node, problems));
    let difference = table.bool("difference", problems);
    table.finish(&KEYS, problems);
    if let Some(wanted) = difference.as_ref().filter(|wanted| wanted.value && variants < 2) {
        problems.push(
            Problem::error("a difference to the first variant needs a second one")
                .at(wanted.spot.as_ref(), ""),
        );
    }
    let metric =
        StopMetric::ALL.into_iter().find(|one| word.as_ref().is_some_and(|w| w.value == one.key()));
    let difference = difference.is_some_and(|wanted| wanted.value);
    Some(StopRule { metric: metric?, difference, half_width: half_width? })
}

fn read_half_width(node: &Node, problems: &mut Problems) -> Option<HalfWidth> {
    const KEY: &str = "stop_when.half_width";
    const ALLOWED: &str = "a share of 0.0001 to 0.5 with at most four decimals";
    let problem = match &node.value {
        Raw::Float(text) => {
            if let Some(width) = ten_thousandths(text).and_then(HalfWidth::new) {
                return Some(width);
            }
            Problem::error(format!("`{KEY}` cannot be {}", node.found()))
                .at(node.spot.as_ref(), format!("expected {ALLOWED}"))
        }
        Raw::Integer(_) | Raw::Huge(_) => {
            out_of_range(node, KEY, ALLOWED).with_help("2 points of 100 are written as 0.02")
        }
        Raw::Bool(_) | Raw::Text(_) | Raw::Date(_) | Raw::Null | Raw::List(_) | Raw::Table(_) => {
            node.unfit(KEY, ALLOWED)
        }
    };
    problems.push(problem);
    None
}

/// A decimal fraction below 1 of at most four decimals, exactly: `0.02` is 200.
fn ten_thousandths(text: &str) -> Option<u32> {
    let decimals = text.trim_start_matches('+').strip_prefix("0.")?.trim_end_matches('0');
    let digits = !decimals.is_empty()
        && decimals.len() <= 4
        && decimals.bytes().all(|byte| byte.is_ascii_digit());
    if digits { format!("{decimals:0<4}").parse().ok() } else { None }
}
