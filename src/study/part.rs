//! Which part of a plan a store holds: all of it, or one of several shards. Plays nothing.
//!
//! The games of a plan are dealt out by opening, within each variant and pairing alike: shard `i`
//! of `n` has the openings whose number leaves the remainder `i` when divided by `n`. So every
//! shard has about as many games of each variant, a lost shard takes the same openings from all of
//! them, and the games of one opening never straddle two shards.
//!
//! What a store is for is named by two things. The plan hash names the games, and it does not know
//! of shards: the games of a plan are the same however they were dealt out, so a report of merged
//! shards is, byte for byte, that of a run in one piece. The part names the shard and the number of
//! shards; it stands in every store beside the plan hash, a run refuses a store of another part,
//! and a merge refuses shards of different numbers of shards.

use std::fmt;

use super::plan::{Pairing, Plan};
use crate::limits::SHARDS_MAX;
use crate::record::GameKey;

/// One shard of several, or the whole plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    shard: u32,
    shards: u32,
}

/// A shard that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchPart {
    /// The number of shards is out of range.
    #[error("a study has 1 to {SHARDS_MAX} shards, not {0}")]
    Shards(u32),
    /// The shard is not below the number of shards.
    #[error(
        "there is no shard {shard} of {shards}: shards are counted from 0 to {}; an array of jobs \
         begins at 0, as in `--array=0-{}`", .shards - 1, .shards - 1
    )]
    Shard {
        /// The shard asked for.
        shard: u32,
        /// The number of shards.
        shards: u32,
    },
}

impl Part {
    /// The whole plan, which is the only shard of one.
    pub const WHOLE: Self = Self { shard: 0, shards: 1 };

    /// The shard with this number, from 0, of so many.
    ///
    /// # Errors
    /// When there is no such shard.
    pub const fn new(shard: u32, shards: u32) -> Result<Self, NoSuchPart> {
        if shards == 0 || shards > SHARDS_MAX {
            Err(NoSuchPart::Shards(shards))
        } else if shard >= shards {
            Err(NoSuchPart::Shard { shard, shards })
        } else {
            Ok(Self { shard, shards })
        }
    }

    /// The number of the shard, from 0.
    #[must_use]
    pub const fn shard(self) -> u32 {
        self.shard
    }

    /// The number of shards.
    #[must_use]
    pub const fn shards(self) -> u32 {
        self.shards
    }

    /// Whether it is the whole plan.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.shards == 1
    }

    /// Whether it has the games of this opening.
    #[must_use]
    pub const fn has_opening(self, opening: u32) -> bool {
        opening % self.shards == self.shard
    }

    /// Whether it has this game.
    #[must_use]
    pub const fn has(self, key: &GameKey) -> bool {
        self.has_opening(key.opening)
    }

    /// The part's opening with this place among its openings, from 0.
    #[must_use]
    pub const fn opening(self, place: u32) -> u32 {
        self.shard + self.shards * place
    }

    /// The place of one of its openings among them, from 0.
    #[must_use]
    pub const fn place(self, opening: u32) -> u32 {
        opening / self.shards
    }

    /// How many of a pairing's openings it has.
    #[must_use]
    pub const fn openings(self, pairing: &Pairing) -> u32 {
        pairing.openings.saturating_sub(self.shard).div_ceil(self.shards)
    }

    /// How many games of the plan it has.
    #[must_use]
    pub fn games(self, plan: &Plan) -> u64 {
        let of_pairing =
            |pairing: &Pairing| u64::from(self.openings(pairing)) * pairing.whites().len() as u64;
        plan.variants.len() as u64 * plan.pairings.iter().map(of_pairing).sum::<u64>()
    }
}

/// `the whole study`, or `shard 3 of 8`, where shards are counted from 0.
impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_whole() {
            write!(out, "the whole study")
        } else {
            write!(out, "shard {} of {}", self.shard, self.shards)
        }
    }
}

/// Numbers as a list of ranges, as schedulers take it: `0,3-5`.
#[must_use]
pub fn ranges(sorted: &[u32]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for run in sorted.chunk_by(|one, next| one + 1 == *next) {
        match run {
            [one] => texts.push(one.to_string()),
            [first, .., last] => texts.push(format!("{first}-{last}")),
            [] => {}
        }
    }
    texts.join(",")
}

#[cfg(test)]
mod tests {
    use super::{NoSuchPart, Part, SHARDS_MAX, ranges};
    use crate::study::Pairing;

    #[test]
    fn every_opening_is_in_one_shard() {
        let player = "random".parse().expect("a player");
        for openings in 1..40 {
            let pairing = Pairing { players: [player, player], openings };
            for shards in 1..20 {
                let mut seen: Vec<u32> = Vec::new();
                for shard in 0..shards {
                    let part = Part::new(shard, shards).expect("a shard");
                    let own: Vec<u32> =
                        (0..part.openings(&pairing)).map(|place| part.opening(place)).collect();
                    assert!(own.iter().all(|&opening| part.has_opening(opening)));
                    assert!((0..).zip(&own).all(|(place, &opening)| part.place(opening) == place));
                    seen.extend(own);
                }
                seen.sort_unstable();
                assert_eq!(seen, (0..openings).collect::<Vec<_>>(), "{shards} shards");
            }
        }
    }

    #[test]
    fn shards_that_do_not_exist_are_refused() {
        assert_eq!(Part::new(8, 8), Err(NoSuchPart::Shard { shard: 8, shards: 8 }));
        assert_eq!(Part::new(0, 0), Err(NoSuchPart::Shards(0)));
        assert!(Part::new(0, SHARDS_MAX + 1).is_err());
        assert_eq!(Part::new(0, 1), Ok(Part::WHOLE));
    }

    #[test]
    fn ranges_are_short() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[4]), "4");
        assert_eq!(ranges(&[0, 3, 4, 5, 7, 8]), "0,3-5,7-8");
    }
}
