//! A 64-bit hash of pieces and side to move, kept up to date turn by turn (Zobrist 1970).

use super::turn::Turn;
use crate::board::{Kind, Placement, Side, SquareSet};

/// The key of each piece on each square, the same in every program run.
static KEYS: [[[u64; 128]; 2]; 2] = keys();

/// The key of the side to move being Black.
const BLACK_TO_MOVE: u64 = mix(0x6b65_6e79);

const fn keys() -> [[[u64; 128]; 2]; 2] {
    let mut keys = [[[0; 128]; 2]; 2];
    let mut number = 0;
    while number < 512 {
        keys[number / 256][number / 128 % 2][number % 128] = mix(number as u64 + 1);
        number += 1;
    }
    keys
}

/// The finaliser of splitmix64 (Steele, Lea, Flood 2014).
const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl<S: SquareSet> Placement<S> {
    /// The hash of these pieces with `side` to move, made from nothing.
    #[must_use]
    pub fn hash(&self, side: Side) -> u64 {
        let mut hash = if side == Side::Black { BLACK_TO_MOVE } else { 0 };
        for owner in Side::ALL {
            for (kind, set) in [(Kind::Man, self.men(owner)), (Kind::King, self.kings(owner))] {
                for square in set.squares() {
                    hash ^= KEYS[owner.index()][kind as usize][square.index()];
                }
            }
        }
        hash
    }

    /// The hash after a turn of `side` from this placement, made from the hash before it.
    #[must_use]
    #[inline]
    pub fn hash_after(&self, hash: u64, side: Side, turn: &Turn<S>) -> u64 {
        let (own, other) = (&KEYS[side.index()], &KEYS[side.other().index()]);
        let mut hash = hash
            ^ BLACK_TO_MOVE
            ^ own[turn.moved() as usize][turn.from.index()]
            ^ own[turn.becomes() as usize][turn.to.index()];
        for square in turn.taken.squares() {
            hash ^= other[usize::from(self.kings.contains(square))][square.index()];
        }
        hash
    }
}
