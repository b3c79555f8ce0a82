//! Perfts of an engine, timed.

use keny::rules::{Counted, Engine};
use keny::with_rules;

use crate::common::rate;

/// Leaves a second of a perft whose count is known.
pub(crate) fn perft(engine: &Engine, depth: u32, leaves: u64) -> f64 {
    rate(|| {
        let count = count(engine, depth).expect("few turns");
        assert_eq!(count, leaves, "a wrong count is no speed");
        count
    })
}

/// The leaves of a perft; nothing where a position has too many turns.
pub(crate) fn count(engine: &Engine, depth: u32) -> Option<u64> {
    with_rules!(engine, rules => {
        rules.perft(rules.start(), rules.ruleset().setup.first, depth, Counted::Turns)
    })
    .ok()
}
