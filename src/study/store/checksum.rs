//! The checksum of a stored game, which tells bits that changed on the disk. Guards against accidents,
//! not against people.

use crate::record::Record;
use crate::rules::Outcome;

/// The first 64 bits of the BLAKE3 hash of all that is stored of the game.
pub(super) fn of(record: &Record) -> i64 {
    let key = &record.key;
    let mut hasher = blake3::Hasher::new();
    for number in [key.variant, key.pairing, key.opening, record.plies] {
        hasher.update(&number.to_le_bytes());
    }
    hasher.update(&[key.white as u8, u8::from(record.opening_shared)]);
    hasher.update(&record.seed.to_le_bytes());
    for name in [record.outcome().map_or("", Outcome::name), record.reason_name()] {
        hasher.update(name.as_bytes());
        // No name has such a byte, so no two games give the same bytes.
        hasher.update(&[0]);
    }
    hasher.update(&record.turns);
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    i64::from_be_bytes(first)
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::record::{GameKey, Record, Seat};

    #[test]
    fn every_field_counts() {
        let key = GameKey { variant: 1, pairing: 2, opening: 3, white: Seat::First };
        let record =
            Record { key, seed: 4, end: None, plies: 5, opening_shared: true, turns: vec![6, 7] };
        let mut others = vec![record.clone(); 8];
        others[0].key.variant = 0;
        others[1].key.pairing = 0;
        others[2].key.opening = 0;
        others[3].key.white = Seat::Second;
        others[4].seed = 0;
        others[5].plies = 0;
        others[6].opening_shared = false;
        others[7].turns = vec![6];
        for (number, other) in others.iter().enumerate() {
            assert_ne!(of(&record), of(other), "field {number}");
        }
        // Stored games depend on it.
        assert_eq!(of(&record), -4_723_091_157_412_496_972);
    }
}
