//! The catalog of flags: one row for each open question of the rules.
//!
//! Parser, checker, help, reference, schema and designs all read this table; nothing else lists
//! the flags. It never reads a file and never judges whether answers fit together.

mod choices;
mod flags;
mod sources;
mod value;

use super::Ruleset;

pub use choices::Closed;
pub use flags::FLAGS;
pub use sources::{SOURCES, Source, source};
pub use value::Value;

/// One open question of the rules: a row of [`FLAGS`].
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// The dotted key in variant files: `man.step`.
    pub key: &'static str,
    /// The question that it answers, ending in a question mark.
    pub question: &'static str,
    /// The shape of an answer.
    pub shape: Shape,
    /// The words that an answer may use, each with its meaning; for numbers only the special ones.
    pub choices: &'static [Choice],
    /// Answers worth comparing, the default first. For [`Shape::Bool`] and [`Shape::OneOf`] these
    /// are all answers there are.
    pub settings: &'static [Value],
    /// Who gives which answer.
    pub voices: &'static [Voice],
    /// Whether the sources of Keny leave the question open or disagree about it.
    pub open: bool,
    /// When the flag cannot change anything, in words; empty when it always can.
    pub dormant_when: &'static str,
    dormant: fn(&Ruleset) -> Option<&'static str>,
    get: fn(&Ruleset) -> Value,
    put: fn(&mut Ruleset, &Value) -> Option<()>,
}

/// The shape of a flag's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `true` or `false`.
    Bool,
    /// Exactly one of the choices.
    OneOf,
    /// Any of the choices, none twice, their order without meaning.
    SetOf,
    /// Any of the choices, none twice, in the order of their weight.
    ListOf,
    /// A whole number of `min` to `max`, or 0 where `zero` allows it.
    Number {
        /// The least number.
        min: u32,
        /// The greatest number.
        max: u32,
        /// Whether 0 is allowed though it is below `min`; the choices say what it means.
        zero: bool,
    },
    /// `unlimited`, or a whole number of 1 to `max`.
    Chain {
        /// The greatest number.
        max: u32,
    },
    /// A list of ranks, each 1 to `max`, none twice, their order without meaning.
    Ranks {
        /// The farthest rank of any board.
        max: u32,
    },
    /// A position text, or `none`.
    Position,
}

impl Shape {
    /// Whether a value, where it is a number, lies within the shape's limits.
    fn allows_number(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Number { min, max, zero }, Value::Integer(number)) => {
                (min..=max).contains(number) || zero && *number == 0
            }
            (Self::Chain { max }, Value::Integer(number)) => (1..=max).contains(number),
            (
                Self::Bool
                | Self::OneOf
                | Self::SetOf
                | Self::ListOf
                | Self::Number { .. }
                | Self::Chain { .. }
                | Self::Ranks { .. }
                | Self::Position,
                Value::Bool(_)
                | Value::Integer(_)
                | Value::Word(_)
                | Value::Words(_)
                | Value::Integers(_)
                | Value::Position(_),
            ) => true,
        }
    }
}

/// One word of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The word as it stands in variant files.
    pub word: &'static str,
    /// What it means, in one line.
    pub meaning: &'static str,
}

/// Who gives one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Voice {
    /// The answer, as a value or in a few words.
    pub says: &'static str,
    /// Ids of sources on Keny, keys of [`SOURCES`].
    pub sources: &'static [&'static str],
    /// Kin games that have this rule, in words; empty for none.
    pub kin: &'static str,
}

impl Flag {
    /// The table that it stands in: `man` of `man.step`.
    #[must_use]
    pub fn table(&self) -> &'static str {
        self.key.split_once('.').map_or(self.key, |(table, _)| table)
    }

    /// The key within its table: `step` of `man.step`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.key.split_once('.').map_or(self.key, |(_, name)| name)
    }

    /// The answer of a ruleset.
    #[must_use]
    pub fn get(&self, ruleset: &Ruleset) -> Value {
        (self.get)(ruleset)
    }

    /// Puts an answer into a ruleset.
    ///
    /// # Errors
    /// When the value is not an answer to this flag; the ruleset is then unchanged.
    pub fn put(&self, ruleset: &mut Ruleset, value: &Value) -> Result<(), NotAnAnswer> {
        let mut changed = *ruleset;
        self.shape
            .allows_number(value)
            .then(|| (self.put)(&mut changed, value))
            .flatten()
            .ok_or_else(|| NotAnAnswer { key: self.key, value: value.clone() })?;
        *ruleset = changed;
        Ok(())
    }

    /// The answer of Keny after Sokolov.
    #[must_use]
    pub fn default_value(&self) -> Value {
        self.get(&Ruleset::default())
    }

    /// Whether the flag can change anything under the other answers of this ruleset.
    #[must_use]
    pub fn live(&self, ruleset: &Ruleset) -> bool {
        self.dormant(ruleset).is_none()
    }

    /// Why the flag cannot change anything under the other answers of this ruleset, if so.
    #[must_use]
    pub fn dormant(&self, ruleset: &Ruleset) -> Option<&'static str> {
        (self.dormant)(ruleset)
    }

    /// This ruleset with each other answer of [`Flag::settings`] in turn.
    ///
    /// The results may be impossible (camps that overlap); the caller has them checked.
    pub fn alternatives(&self, ruleset: &Ruleset) -> impl Iterator<Item = (Value, Ruleset)> {
        let (flag, ruleset) = (*self, *ruleset);
        let current = flag.get(&ruleset);
        flag.settings.iter().filter(move |&value| *value != current).map(move |value| {
            let mut other = ruleset;
            flag.put(&mut other, value).expect("the catalog's own settings are answers");
            (value.clone(), other)
        })
    }
}

/// A value that is no answer to a flag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{value}` is not an answer to `{key}`")]
pub struct NotAnAnswer {
    /// The flag's key.
    pub key: &'static str,
    /// The value.
    pub value: Value,
}

/// The flag with this dotted key.
#[must_use]
pub fn flag(key: &str) -> Option<&'static Flag> {
    FLAGS.iter().find(|flag| flag.key == key)
}

/// The tables of a variant file, in the order of the catalog.
pub fn tables() -> impl Iterator<Item = &'static str> {
    let mut last = "";
    FLAGS.iter().map(Flag::table).filter(move |&table| {
        let new = table != last;
        last = table;
        new
    })
}

/// The flags of one table, in the order of the catalog; none when there is no such table.
pub fn flags_of(table: &str) -> impl Iterator<Item = &'static Flag> {
    FLAGS.iter().filter(move |flag| flag.table() == table)
}

#[cfg(test)]
mod tests {
    use super::{FLAGS, Shape, Value, flag, source};
    use crate::rules::Ruleset;

    #[test]
    fn every_row_is_consistent() {
        for (index, row) in FLAGS.iter().enumerate() {
            assert!(FLAGS[..index].iter().all(|other| other.key != row.key), "{} twice", row.key);
            assert_eq!(format!("{}.{}", row.table(), row.name()), row.key);
            assert!(row.question.ends_with('?'), "{}", row.key);
            assert_eq!(row.settings.first(), Some(&row.default_value()), "{}", row.key);
            assert_eq!(flag(row.key).map(|found| found.key), Some(row.key));
            for voice in row.voices {
                for id in voice.sources {
                    assert!(source(id).is_some(), "{}: no source {id}", row.key);
                }
            }
        }
    }

    #[test]
    fn what_is_put_is_what_is_got() {
        for row in FLAGS {
            for value in row.settings {
                let mut ruleset = Ruleset::default();
                row.put(&mut ruleset, value).expect("a setting is an answer");
                assert_eq!(row.get(&ruleset), *value, "{}", row.key);
                for other in FLAGS.iter().filter(|other| other.key != row.key) {
                    assert_eq!(
                        other.get(&ruleset),
                        other.default_value(),
                        "{} also changes {}",
                        row.key,
                        other.key
                    );
                }
            }
        }
    }

    #[test]
    fn closed_questions_list_every_answer() {
        for row in FLAGS {
            match row.shape {
                Shape::Bool => assert_eq!(row.settings.len(), 2, "{}", row.key),
                Shape::OneOf => {
                    let words: Vec<Value> =
                        row.choices.iter().map(|choice| Value::Word(choice.word)).collect();
                    for value in row.settings {
                        assert!(words.contains(value), "{}", row.key);
                    }
                    assert_eq!(words.len(), row.settings.len(), "{}", row.key);
                }
                Shape::SetOf
                | Shape::ListOf
                | Shape::Number { .. }
                | Shape::Chain { .. }
                | Shape::Ranks { .. }
                | Shape::Position => {}
            }
        }
    }

    #[test]
    fn a_wrong_value_is_refused_and_changes_nothing() {
        let wrong = Value::Word("no such word");
        for row in FLAGS {
            let mut ruleset = Ruleset::default();
            assert!(row.put(&mut ruleset, &wrong).is_err(), "{}", row.key);
            assert_eq!(ruleset, Ruleset::default());
        }
    }
}
