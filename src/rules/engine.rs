//! Compiled rules in the word that the board needs.

use super::compiled::Rules;
use super::ruleset::Ruleset;

/// Compiled rules, for a board that fits 64 bits or one that needs 128: one of more than 64 squares, or
/// with more than ten in a line.
///
/// Code that plays is generic over the word; [`crate::with_rules!`] enters it from here.
#[derive(Clone, Debug)]
pub enum Engine {
    /// The board fits one 64-bit word.
    Narrow(Box<Rules<u64>>),
    /// The board needs 128 bits.
    Wide(Box<Rules<u128>>),
}

impl Engine {
    /// Compiles a valid ruleset.
    #[must_use]
    pub fn new(ruleset: &Ruleset) -> Self {
        if Rules::<u64>::fit(ruleset) {
            Self::Narrow(Box::new(Rules::new(ruleset)))
        } else {
            Self::Wide(Box::new(Rules::new(ruleset)))
        }
    }

    /// The ruleset that was compiled.
    #[must_use]
    pub fn ruleset(&self) -> &Ruleset {
        crate::with_rules!(self, rules => rules.ruleset())
    }
}

/// Evaluates the expression with the [`Rules`] of an [`Engine`], whichever word they have.
#[macro_export]
macro_rules! with_rules {
    ($engine:expr, $rules:ident => $body:expr) => {
        match $engine {
            $crate::rules::Engine::Narrow($rules) => $body,
            $crate::rules::Engine::Wide($rules) => $body,
        }
    };
}
