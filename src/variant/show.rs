//! Answers of a ruleset as variant files write them.

use crate::notation::print_position;
use crate::rules::catalog::Value;
use crate::rules::{BoardRules, Notation, Ruleset};

/// The value as TOML writes it, a position with the names of its squares in letters.
#[must_use]
pub fn value_text(value: &Value, ruleset: &Ruleset) -> String {
    match value {
        Value::Position(Some(placement)) => {
            let board = BoardRules { notation: Notation::Letters, ..ruleset.board };
            format!("\"{}\"", print_position(ruleset.setup.first, placement, &board))
        }
        Value::Position(None)
        | Value::Bool(_)
        | Value::Integer(_)
        | Value::Word(_)
        | Value::Words(_)
        | Value::Integers(_) => value.to_string(),
    }
}
