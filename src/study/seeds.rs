//! The numbers that all chance in a study comes from. They know the study's seed, the players and
//! the opening, but no rules, so that variants share openings and early choices.
//!
//! A stream is named by a BLAKE3 hash of what it is for; its members are those of the splitmix64
//! generator that starts there (Steele, Lea, Flood 2014), so that no two members of one stream are
//! equal and none costs a hash.

use super::plan::{Pairing, first_bits};
use crate::record::Seat;

/// A stream of seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seeds(u64);

impl Seeds {
    /// The seeds of openings.
    pub(super) fn of_openings(study_seed: u64) -> Self {
        Self::named(&format!("keny openings 1\n{study_seed}"))
    }

    /// The seeds of the games of a pairing.
    pub(super) fn of_games(study_seed: u64, pairing: &Pairing) -> Self {
        let [first, second] = &pairing.players;
        Self::named(&format!("keny games 1\n{study_seed}\n{first}\n{second}"))
    }

    fn named(text: &str) -> Self {
        Self(first_bits(&blake3::hash(text.as_bytes())))
    }

    /// The seed of an attempt at an opening.
    pub(super) const fn opening(self, opening: u32, attempt: u32) -> u64 {
        self.member((opening as u64) << 32 | attempt as u64)
    }

    /// The seed of a game.
    pub(super) const fn game(self, opening: u32, white: Seat) -> u64 {
        self.member((opening as u64) << 1 | white as u64)
    }

    const fn member(self, number: u64) -> u64 {
        let mut z =
            self.0.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(number.wrapping_add(1)));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::Seeds;

    #[test]
    fn members_are_those_of_splitmix64() {
        // The reference generator, seeded with 1234567.
        let seeds = Seeds(1_234_567);
        assert_eq!(seeds.member(0), 6_457_827_717_110_365_317);
        assert_eq!(seeds.member(1), 3_203_168_211_198_807_973);
        assert_eq!(seeds.member(2), 9_817_491_932_198_370_423);
    }
}
