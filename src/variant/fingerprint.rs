//! A short, stable name for what a ruleset plays: a hash of its live flags.
//!
//! Comments, the order of keys, `extends` and dormant flags do not change it. The hashed text
//! begins with a version, so that a later change of the form cannot pass for the same.

use std::fmt;
use std::str::FromStr;

use super::show::value_text;
use crate::rules::Ruleset;
use crate::rules::catalog::FLAGS;

/// The first line of the hashed text.
const VERSION: &str = "keny ruleset 1";

/// The first 64 bits of the BLAKE3 hash of a ruleset's [`canonical_text`], written as 16
/// hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u64);

/// The fingerprint of a ruleset.
#[must_use]
pub fn fingerprint(ruleset: &Ruleset) -> Fingerprint {
    let hash = blake3::hash(canonical_text(ruleset).as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    Fingerprint(u64::from_be_bytes(first))
}

/// The text that is hashed: a version line, then `key = value` for each live flag, in the order
/// of the catalog, each line with a line end.
///
/// Sets stand in the order of the catalog and positions in letters, so that equal rules have equal
/// texts.
#[must_use]
pub fn canonical_text(ruleset: &Ruleset) -> String {
    let mut text = format!("{VERSION}\n");
    for flag in FLAGS.iter().filter(|flag| flag.live(ruleset)) {
        let value = value_text(&flag.get(ruleset), ruleset);
        text.push_str(&format!("{} = {value}\n", flag.key));
    }
    text
}

/// The ruleset with every dormant flag at its default, as [`canonical_text`] reads back.
///
/// It has the same turns, but those of two rulesets with one fingerprint may be listed in another
/// order where their dormant flags differ; what counts turns by their order needs this form.
#[must_use]
pub fn live_only(ruleset: &Ruleset) -> Ruleset {
    let mut plain = *ruleset;
    for flag in FLAGS.iter().filter(|flag| !flag.live(ruleset)) {
        let mut changed = plain;
        // Ranks beside a position would take its place.
        if flag.put(&mut changed, &flag.default_value()).is_ok() && !flag.live(&changed) {
            plain = changed;
        }
    }
    plain
}

impl Fingerprint {
    /// The bits, for stores of numbers.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:016x}", self.0)
    }
}

/// A text that is no fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a fingerprint is 16 hexadecimal digits, not `{0}`")]
pub struct NotAFingerprint(String);

impl FromStr for Fingerprint {
    type Err = NotAFingerprint;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits =
            text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let bits = if digits { u64::from_str_radix(text, 16).ok() } else { None };
        bits.map(Self).ok_or_else(|| NotAFingerprint(super::suggest::shown(text)))
    }
}
