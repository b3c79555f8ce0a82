//! What cut the games that have no end, counted and in words. Judges nothing.

use super::number::count;
use crate::study::metrics::{Quantity, Tally};

/// Games without an end, by what cut them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// Games that reached the ply cap.
    pub capped: u64,
    /// Games that came to a position with too many turns to list.
    pub given_up: u64,
}

impl Unfinished {
    pub(super) fn of(tally: &Tally) -> Self {
        let given_up = tally.sum(Quantity::GivenUp);
        Self { capped: tally.sum(Quantity::Unfinished) - given_up, given_up }
    }

    /// The counts of several rows together.
    pub(super) fn sum(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::default(), |sum, more| Self {
            capped: sum.capped + more.capped,
            given_up: sum.given_up + more.given_up,
        })
    }

    /// What such games did, with counts where they did not all do the same: `reached the ply cap`.
    pub(super) fn words(self) -> String {
        const CAP: &str = "reached the ply cap";
        const TURNS: &str = "came to a position with too many turns to list";
        match self {
            Self { given_up: 0, .. } => CAP.to_owned(),
            Self { capped: 0, .. } => TURNS.to_owned(),
            Self { capped, given_up } => {
                format!("{CAP} ({}) or {TURNS} ({})", count(capped), count(given_up))
            }
        }
    }
}
