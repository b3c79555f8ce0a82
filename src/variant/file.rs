//! A variant file as it is written: every value optional, each with its place.
//!
//! It judges one value at a time; whether answers fit together is for `validate`.

use std::borrow::Cow;

use super::problems::{Problem, Problems, Spot};
use super::suggest::{nearest, one_of, shown};
use super::table::{Entry, Located, Node, Raw, Table, out_of_range, unknown_key};
use crate::rules::catalog::{self, FLAGS, Flag, Shape, Value};

/// The keys that stand before the first table.
pub const HEADER_KEYS: [&str; 4] = ["name", "summary", "sources", "extends"];

/// A variant file as it is written.
#[derive(Clone, Debug, Default)]
pub struct VariantFile {
    /// The title.
    pub name: Option<Located<String>>,
    /// What it is, in a sentence or two.
    pub summary: Option<Located<String>>,
    /// Where the rules come from.
    pub sources: Vec<String>,
    /// The variant whose answers hold where this file gives none.
    pub extends: Option<Located<String>>,
    /// The answers, in the order of the text.
    pub settings: Vec<Setting>,
    /// Keys of flags whose answers could not be read.
    pub broken: Vec<&'static str>,
}

/// One answer of a file.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The flag that it answers.
    pub flag: &'static Flag,
    /// The answer.
    pub answer: Answer,
    /// Where the key stands.
    pub key_spot: Option<Spot>,
    /// Where the value stands.
    pub spot: Option<Spot>,
    /// Where each item of a list of ranks stands, in the order of the text.
    pub items: Vec<(u32, Option<Spot>)>,
}

/// An answer as far as one file can tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A value.
    Value(Value),
    /// A position text, to be read when the board is known.
    Position(String),
}

impl VariantFile {
    /// Reads a file's tables.
    pub fn read(mut root: Table, problems: &mut Problems) -> Self {
        let mut file = Self {
            name: root.text("name", problems),
            summary: root.text("summary", problems),
            sources: root
                .texts("sources", problems)
                .map(|list| list.value.into_iter().map(|item| item.value).collect())
                .unwrap_or_default(),
            extends: root.text("extends", problems),
            ..Self::default()
        };
        for entry in root.entries {
            if catalog::tables().any(|table| table == entry.key) {
                let key = entry.key;
                if let Some(table) = entry.node.into_table(&key, problems) {
                    file.read_table(&key, table, problems);
                }
            } else {
                problems.push(unknown_at_root(&entry));
            }
        }
        file
    }

    /// Reads one table, whatever the path of the table that the variant stands in.
    fn read_table(&mut self, name: &str, table: Table, problems: &mut Problems) {
        for entry in table.entries {
            let Some(flag) = catalog::flag(&format!("{name}.{}", entry.key)) else {
                problems.push(unknown_in_table(name, &entry));
                continue;
            };
            let (key_spot, spot) = (entry.key_spot, entry.node.spot.clone());
            let mut items = Vec::new();
            match answer(flag, entry.node, &mut items, problems) {
                Some(answer) => {
                    self.settings.push(Setting { flag, answer, key_spot, spot, items });
                }
                None => self.broken.push(flag.key),
            }
        }
    }

    /// The file's answer to a flag, if it gives one.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.flag.key == key)
    }
}

/// The value of a node as an answer to a flag, or problems; a position text, which needs a board,
/// is no answer here.
pub fn read_value(flag: &'static Flag, node: Node, problems: &mut Problems) -> Option<Value> {
    let spot = node.spot.clone();
    match answer(flag, node, &mut Vec::new(), problems)? {
        Answer::Value(value) => Some(value),
        Answer::Position(_) => {
            let message = format!("a position cannot be a level of `{}`", flag.key);
            problems.push(Problem::error(message).at(spot.as_ref(), "expected `none`"));
            None
        }
    }
}

/// The value of a node as an answer to a flag, or problems.
fn answer(
    flag: &'static Flag,
    node: Node,
    items: &mut Vec<(u32, Option<Spot>)>,
    problems: &mut Problems,
) -> Option<Answer> {
    let value = match flag.shape {
        Shape::Bool => Value::Bool(node.into_bool(flag.key, problems)?.value),
        Shape::OneOf => {
            let words: Vec<&'static str> = flag.choices.iter().map(|choice| choice.word).collect();
            Value::Word(node.into_word(flag.key, &words, problems)?.value)
        }
        Shape::SetOf => {
            let mut words = words(flag, node, problems)?;
            let place = |word: &str| flag.choices.iter().position(|choice| choice.word == word);
            words.sort_by_key(|word| place(word));
            Value::Words(Cow::Owned(words))
        }
        Shape::ListOf => Value::Words(Cow::Owned(words(flag, node, problems)?)),
        Shape::Number { min, max, zero } => {
            Value::Integer(number(flag, node, (min, max, zero), problems)?)
        }
        Shape::Chain { max } => chain(flag, node, max, problems)?,
        Shape::Ranks { max } => ranks(flag, node, max, items, problems)?,
        Shape::Position => {
            let text = node.into_text(flag.key, problems)?.value;
            if text == "none" {
                Value::Position(None)
            } else {
                return Some(Answer::Position(text));
            }
        }
    };
    Some(Answer::Value(value))
}

fn words(flag: &Flag, node: Node, problems: &mut Problems) -> Option<Vec<&'static str>> {
    let allowed: Vec<&'static str> = flag.choices.iter().map(|choice| choice.word).collect();
    if !matches!(node.value, Raw::List(_)) {
        let mut problem =
            node.unfit(flag.key, &format!("a list of {}", one_of(allowed.iter().copied())));
        if let Raw::Text(text) = &node.value
            && allowed.contains(&text.as_str())
        {
            problem = problem.with_help(format!("did you mean `[\"{text}\"]`?"));
        }
        problems.push(problem);
        return None;
    }
    let mut found: Vec<(&'static str, Option<Spot>)> = Vec::new();
    let mut sound = true;
    for item in node.into_list(flag.key, problems)?.value {
        let Some(word) = item.into_word(flag.key, &allowed, problems) else {
            sound = false;
            continue;
        };
        if let Some((_, first)) = found.iter().find(|(other, _)| *other == word.value) {
            problems.push(twice(flag.key, word.value, first.as_ref(), word.spot.as_ref()));
            sound = false;
        } else {
            found.push((word.value, word.spot));
        }
    }
    sound.then(|| found.into_iter().map(|(word, _)| word).collect())
}

fn twice(key: &str, item: &str, first: Option<&Spot>, second: Option<&Spot>) -> Problem {
    Problem::error(format!("`{key}` lists `{item}` twice"))
        .at(second, "")
        .with_context(first, "first here")
        .with_help("each may stand there once")
}

fn number(
    flag: &Flag,
    node: Node,
    (min, max, zero): (u32, u32, bool),
    problems: &mut Problems,
) -> Option<u32> {
    let allowed = match (zero, flag.choices) {
        (true, [special, ..]) if min == 1 => {
            format!("a whole number of 0 to {max} (0 = {})", special.meaning)
        }
        (true, [special, ..]) => {
            format!("0 ({}), or a whole number of {min} to {max}", special.meaning)
        }
        (_, _) => format!("a whole number of {min} to {max}"),
    };
    let problem = match node.value {
        Raw::Integer(value) => {
            let fit = u32::try_from(value)
                .ok()
                .filter(|value| (min..=max).contains(value) || zero && *value == 0);
            if fit.is_some() {
                return fit;
            }
            out_of_range(&node, flag.key, &allowed)
        }
        Raw::Huge(_) => out_of_range(&node, flag.key, &allowed),
        Raw::Bool(_)
        | Raw::Float(_)
        | Raw::Text(_)
        | Raw::Date(_)
        | Raw::Null
        | Raw::List(_)
        | Raw::Table(_) => node.unfit(flag.key, &allowed),
    };
    problems.push(problem);
    None
}

fn chain(flag: &Flag, node: Node, max: u32, problems: &mut Problems) -> Option<Value> {
    let word = flag.choices.first().map_or("", |choice| choice.word);
    let allowed = format!("`\"{word}\"`, or a whole number of 1 to {max}");
    let problem = match &node.value {
        Raw::Integer(value) => match u32::try_from(*value) {
            Ok(value) if (1..=max).contains(&value) => return Some(Value::Integer(value)),
            Ok(_) | Err(_) => out_of_range(&node, flag.key, &allowed),
        },
        Raw::Huge(_) => out_of_range(&node, flag.key, &allowed),
        Raw::Text(text) if text == word => return Some(Value::Word(word)),
        Raw::Text(text) => {
            let problem = Problem::error(format!("`{}` has no choice `{}`", flag.key, shown(text)))
                .at(node.spot.as_ref(), format!("expected {allowed}"));
            match nearest(text, [word]) {
                Some(word) => problem.with_help(format!("did you mean `{word}`?")),
                None => problem,
            }
        }
        Raw::Bool(_) | Raw::Float(_) | Raw::Date(_) | Raw::Null | Raw::List(_) | Raw::Table(_) => {
            node.unfit(flag.key, &allowed)
        }
    };
    problems.push(problem);
    None
}

fn ranks(
    flag: &Flag,
    node: Node,
    max: u32,
    items: &mut Vec<(u32, Option<Spot>)>,
    problems: &mut Problems,
) -> Option<Value> {
    if !matches!(node.value, Raw::List(_)) {
        problems.push(node.unfit(flag.key, &format!("a list of ranks, each 1 to {max}")));
        return None;
    }
    let mut sound = true;
    for item in node.into_list(flag.key, problems)?.value {
        let Some(rank) = item.into_integer(flag.key, 1, max.into(), problems) else {
            sound = false;
            continue;
        };
        let value = u32::try_from(rank.value).expect("it lies within 1 to max, a u32");
        if let Some((_, first)) = items.iter().find(|(other, _)| *other == value) {
            let (first, second) = (first.as_ref(), rank.spot.as_ref());
            problems.push(twice(flag.key, &value.to_string(), first, second));
            sound = false;
        } else {
            items.push((value, rank.spot));
        }
    }
    let mut ranks: Vec<u32> = items.iter().map(|&(rank, _)| rank).collect();
    ranks.sort_unstable();
    sound.then_some(Value::Integers(Cow::Owned(ranks)))
}

fn unknown_at_root(entry: &Entry) -> Problem {
    let homes: Vec<&str> =
        FLAGS.iter().filter(|flag| flag.name() == entry.key).map(Flag::table).collect();
    if !homes.is_empty() {
        return misplaced("unknown key", entry, &homes);
    }
    if let Some((table, name)) = entry.key.split_once('.')
        && catalog::flag(&entry.key).is_some()
    {
        return Problem::error(format!("unknown key `{}`", entry.key))
            .at(entry.key_spot.as_ref(), "")
            .with_help(format!("`{name}` is a key in the table `{table}`"));
    }
    // A slip may make a key of a table's name; only what is like nothing gets the short list.
    let all: Vec<&str> = HEADER_KEYS.into_iter().chain(catalog::tables()).collect();
    let fit: Vec<&str> = match entry.node.value {
        _ if nearest(&entry.key, all.iter().copied()).is_some() => all,
        Raw::Table(_) => catalog::tables().collect(),
        Raw::Bool(_)
        | Raw::Integer(_)
        | Raw::Huge(_)
        | Raw::Float(_)
        | Raw::Text(_)
        | Raw::Date(_)
        | Raw::Null
        | Raw::List(_) => HEADER_KEYS.to_vec(),
    };
    unknown_key("", entry, &fit)
}

fn unknown_in_table(table: &str, entry: &Entry) -> Problem {
    let homes: Vec<&str> =
        FLAGS.iter().filter(|flag| flag.name() == entry.key).map(Flag::table).collect();
    let title = |what: &str| {
        Problem::error(format!("{what} `{}` in the table `{table}`", shown(&entry.key)))
            .at(entry.key_spot.as_ref(), "")
    };
    if HEADER_KEYS.contains(&entry.key.as_str()) {
        return title("unknown key")
            .with_help(format!("`{}` stands above the first table", entry.key));
    }
    if !homes.is_empty() {
        let homes = one_of(homes.iter().copied());
        return title("unknown key")
            .with_help(format!("`{}` belongs in the table {homes}", entry.key));
    }
    let known: Vec<&str> = catalog::flags_of(table).map(Flag::name).collect();
    unknown_key(table, entry, &known)
}

fn misplaced(what: &str, entry: &Entry, homes: &[&str]) -> Problem {
    Problem::error(format!("{what} `{}` above the first table", entry.key))
        .at(entry.key_spot.as_ref(), "")
        .with_help(format!(
            "`{}` belongs in the table {}",
            entry.key,
            one_of(homes.iter().copied())
        ))
}
