//! A flag's answer as plain data, and its form in variant files.

use std::borrow::Cow;
use std::fmt;

use crate::board::Placement;

/// A flag's answer as plain data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Integer(u32),
    /// One word of the flag's choices.
    Word(&'static str),
    /// Words of the flag's choices; of a set in the order of the catalog, of a list in its own.
    Words(Cow<'static, [&'static str]>),
    /// Numbers, rising.
    Integers(Cow<'static, [u32]>),
    /// The pieces of a start position, or none.
    Position(Option<Placement<u128>>),
}

impl Value {
    /// A list of words.
    #[must_use]
    pub const fn words(words: &'static [&'static str]) -> Self {
        Self::Words(Cow::Borrowed(words))
    }

    /// A list of numbers.
    #[must_use]
    pub const fn integers(numbers: &'static [u32]) -> Self {
        Self::Integers(Cow::Borrowed(numbers))
    }
}

/// The value as TOML writes it; a position, which needs the names of squares, as a remark.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(out, "{value}"),
            Self::Integer(value) => write!(out, "{value}"),
            Self::Word(word) => write!(out, "\"{word}\""),
            Self::Words(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                write!(out, "[{}]", words.join(", "))
            }
            Self::Integers(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
                write!(out, "[{}]", numbers.join(", "))
            }
            Self::Position(None) => out.write_str("\"none\""),
            Self::Position(Some(placement)) => {
                let count = placement.occupied().count_ones();
                write!(out, "a position of {count} pieces")
            }
        }
    }
}

impl fmt::Display for super::Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.id, self.citation)
    }
}
