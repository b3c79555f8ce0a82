//! How jump chains are compared when the rules say which of them may be chosen.

use super::super::compiled::{PriorityTable, Weights};
use crate::board::SquareSet;

/// The rank of a jump chain: only chains of the highest key may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    before: u32,
    /// Which jumps of the chain took a king, the first jump in the highest bit.
    kings_in_order: u128,
    jumps: u32,
    after: u32,
}

impl Key {
    /// The key of no chain: every chain has this key or a higher one.
    pub(super) const LOWEST: Self = Self { before: 0, kings_in_order: 0, jumps: 0, after: 0 };

    /// The key of a chain that took `taken`; `kings_in_order` is read only under `king-first`.
    #[inline]
    pub(super) fn of<S: SquareSet>(
        table: &PriorityTable,
        taken: S,
        enemy_kings: S,
        by_king: bool,
        kings_in_order: u128,
    ) -> Self {
        let weigh = |weights: &Weights| {
            weights.pieces * taken.len()
                + weights.by_king * u32::from(by_king)
                + weights.kings * (taken & enemy_kings).len()
        };
        if table.king_first {
            Self {
                before: weigh(&table.before),
                kings_in_order,
                jumps: taken.len(),
                after: weigh(&table.after),
            }
        } else {
            Self { before: weigh(&table.before), ..Self::LOWEST }
        }
    }
}
