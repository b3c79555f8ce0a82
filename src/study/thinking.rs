//! How long players think: some games of a plan played once more under a clock that the caller
//! brings, and thrown away. Reads no clock and no store itself.

use std::sync::atomic::AtomicBool;

use super::opening::Model;
use super::plan::Plan;
use super::play::Table;
pub use super::play::{Clock, Spent};
use crate::record::GameKey;
use crate::rules::Engine;
use crate::with_rules;

/// What the players of a plan spend on their turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// How many openings of each variant and pairing were played, where it has so many.
    pub openings: u32,
    /// What the clock measures, and of which machine.
    pub clock: String,
    /// For each pairing, and in it for each variant, what the first and the second player spent. A
    /// player against itself has all in the first place.
    pub spent: Vec<Vec<[Spent; 2]>>,
}

/// Plays the first openings of every variant and pairing of a plan on the calling thread. The games
/// of the first variant are those of the plan; other variants have openings of their own.
///
/// What was looked at is the same whenever and wherever it is measured; times are not.
#[must_use]
pub fn thinking(plan: &Plan, openings: u32, clock: Clock, clock_text: String) -> Thinking {
    let pairings = (0..).zip(&plan.pairings);
    let spent = pairings.map(|(pairing, _)| {
        let variants = (0..).zip(&plan.variants);
        variants.map(|(variant, _)| spent(plan, variant, pairing, openings, clock)).collect()
    });
    Thinking { openings, clock: clock_text, spent: spent.collect() }
}

fn spent(plan: &Plan, variant: u32, pairing: u32, openings: u32, clock: Clock) -> [Spent; 2] {
    let pair = &plan.pairings[pairing as usize];
    let engine = Engine::new(&plan.variants[variant as usize].ruleset);
    let model = if variant == 0 { Model::Itself } else { Model::Unlike };
    let never = AtomicBool::new(false);
    let both = with_rules!(&engine, rules => {
        let mut table = Table::new(rules, plan, variant, pair);
        table.set_clock(clock);
        for opening in 0..openings.min(pair.openings) {
            for &white in pair.whites() {
                let key = GameKey { variant, pairing, opening, white };
                let played = table.play(key, model, &never);
                debug_assert!(played.is_some(), "nobody stops these games");
            }
        }
        table.spent()
    });
    if !pair.is_self() {
        return both;
    }
    let mut sum = both[0];
    sum.add(both[1]);
    [sum, Spent::default()]
}
