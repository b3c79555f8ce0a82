//! Tables of a TOML or JSON text, every key and value with its place, and getters that collect
//! problems instead of stopping at the first.
//!
//! It knows nothing of rules: variant files and study files are both read with it.

use std::ops::RangeInclusive;

use toml::de::{DeTable, DeValue};

use super::problems::{FileId, PROBLEMS_MAX, Problem, Problems, Spot};
use super::suggest::{nearest, one_of, shown};

/// A value and where it stands; JSON has no places.
#[derive(Clone, Debug, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub spot: Option<Spot>,
}

/// A value as it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A whole number that does not fit, as it is written.
    Huge(String),
    /// A number with a fraction, as it is written.
    Float(String),
    /// A text.
    Text(String),
    /// A date or a time, as it is written.
    Date(String),
    /// JSON's `null`.
    Null,
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Table),
}

/// A value as it is written, and where.
pub type Node = Located<Raw>;

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key within its table.
    pub key: String,
    /// Where the key stands.
    pub key_spot: Option<Spot>,
    /// The value.
    pub node: Node,
}

/// A table; getters take its entries out, [`Table::finish`] reports those nobody asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The dotted path from the root, empty for the root itself.
    pub path: String,
    /// The entries not yet taken, in the order of the text.
    pub entries: Vec<Entry>,
}

impl Node {
    /// What stands there, for a message: `"yes", a text`.
    #[must_use]
    pub fn found(&self) -> String {
        match &self.value {
            Raw::Bool(value) => value.to_string(),
            Raw::Integer(value) => format!("the number {value}"),
            Raw::Huge(text) | Raw::Float(text) => format!("the number {}", shown(text)),
            Raw::Text(text) => format!("the text \"{}\"", shown(text)),
            Raw::Date(text) => format!("the date {}", shown(text)),
            Raw::Null => "null".to_owned(),
            Raw::List(_) => "a list".to_owned(),
            Raw::Table(_) => "a table".to_owned(),
        }
    }

    /// The problem that something else stands here than what is allowed.
    #[must_use]
    pub fn unfit(&self, key: &str, allowed: &str) -> Problem {
        Problem::error(format!("`{key}` cannot be {}", self.found()))
            .at(self.spot.as_ref(), format!("expected {allowed}"))
    }

    /// The text, or a problem.
    pub fn into_text(self, key: &str, problems: &mut Problems) -> Option<Located<String>> {
        if let Raw::Text(value) = self.value {
            return Some(Located { value, spot: self.spot });
        }
        problems.push(self.unfit(key, "a text in quotes"));
        None
    }

    /// The list, or a problem.
    pub fn into_list(self, key: &str, problems: &mut Problems) -> Option<Located<Vec<Self>>> {
        if let Raw::List(value) = self.value {
            return Some(Located { value, spot: self.spot });
        }
        problems.push(self.unfit(key, "a list in square brackets"));
        None
    }

    /// The table, or a problem.
    pub fn into_table(self, key: &str, problems: &mut Problems) -> Option<Table> {
        if let Raw::Table(table) = self.value {
            return Some(table);
        }
        problems.push(self.unfit(key, "a table"));
        None
    }

    /// The truth value, or a problem.
    pub fn into_bool(self, key: &str, problems: &mut Problems) -> Option<Located<bool>> {
        if let Raw::Bool(value) = self.value {
            return Some(Located { value, spot: self.spot });
        }
        problems.push(self.unfit(key, "`true` or `false`"));
        None
    }

    /// The whole number within limits, or a problem.
    pub fn into_integer(
        self,
        key: &str,
        min: i64,
        max: i64,
        problems: &mut Problems,
    ) -> Option<Located<i64>> {
        let problem = match self.value {
            Raw::Integer(value) if (min..=max).contains(&value) => {
                return Some(Located { value, spot: self.spot });
            }
            Raw::Integer(_) | Raw::Huge(_) => out_of_range(&self, key, &format!("{min} to {max}")),
            Raw::Bool(_)
            | Raw::Float(_)
            | Raw::Text(_)
            | Raw::Date(_)
            | Raw::Null
            | Raw::List(_)
            | Raw::Table(_) => self.unfit(key, &format!("a whole number of {min} to {max}")),
        };
        problems.push(problem);
        None
    }

    /// One of the allowed words, or a problem with the likely meaning.
    pub fn into_word<'a>(
        self,
        key: &str,
        allowed: &[&'a str],
        problems: &mut Problems,
    ) -> Option<Located<&'a str>> {
        let Raw::Text(text) = &self.value else {
            problems.push(self.unfit(key, &one_of(allowed.iter().copied())));
            return None;
        };
        if let Some(value) = allowed.iter().find(|word| *word == text) {
            return Some(Located { value, spot: self.spot });
        }
        let mut problem = Problem::error(format!("`{key}` has no choice `{}`", shown(text)))
            .at(self.spot.as_ref(), format!("expected {}", one_of(allowed.iter().copied())));
        if let Some(word) = nearest(text, allowed.iter().copied()) {
            problem = problem.with_help(format!("did you mean `{word}`?"));
        }
        problems.push(problem);
        None
    }
}

/// The problem that a number is outside its limits.
#[must_use]
pub fn out_of_range(node: &Node, key: &str, allowed: &str) -> Problem {
    let found = match &node.value {
        Raw::Integer(value) => value.to_string(),
        Raw::Huge(text) => shown(text),
        Raw::Bool(_)
        | Raw::Float(_)
        | Raw::Text(_)
        | Raw::Date(_)
        | Raw::Null
        | Raw::List(_)
        | Raw::Table(_) => node.found(),
    };
    Problem::error(format!("`{key}` is out of range: {found}"))
        .at(node.spot.as_ref(), format!("expected {allowed}"))
}

impl Table {
    /// The tables of a TOML text.
    ///
    /// Syntax errors become problems; what could be read beside them is returned, with the lines
    /// that they stand on, whose values are not to be trusted.
    pub fn from_toml(
        file: FileId,
        text: &str,
        problems: &mut Problems,
    ) -> (Self, Vec<RangeInclusive<usize>>) {
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut lines = Vec::new();
        for (index, error) in errors.into_iter().enumerate() {
            let spot = error.span().map(|span| Spot { file, span });
            // Finding a line reads the text up to it: done only for errors that are drawn.
            let drawn = spot.as_ref().filter(|_| index < PROBLEMS_MAX);
            if let Some(spot) = drawn {
                let last = Spot { file, span: spot.span.end..spot.span.end };
                lines.push(problems.line_of(spot)..=problems.line_of(&last));
            }
            let message = syntax_message(error.message().trim(), drawn, problems);
            problems.push(Problem::error(message).at(spot.as_ref(), ""));
        }
        (table_of(file, root.get_ref(), String::new()), lines)
    }

    /// The tables of a JSON object; nothing when the value is no object.
    #[must_use]
    pub fn from_json(value: &serde_json::Value) -> Option<Self> {
        let object = value.as_object()?;
        let entries = object.iter().map(|(key, value)| Entry {
            key: key.clone(),
            key_spot: None,
            node: node_of_json(value, key),
        });
        Some(Self { path: String::new(), entries: entries.collect() })
    }

    /// The dotted path of a key in this table.
    #[must_use]
    pub fn path_of(&self, key: &str) -> String {
        join(&self.path, key)
    }

    /// Takes an entry out.
    pub fn take(&mut self, key: &str) -> Option<Entry> {
        let index = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(index))
    }

    /// Tells of each key that the table lacks but needs, at the key whose value it is.
    pub fn need(&self, keys: &[&str], at: Option<&Spot>, help: &str, problems: &mut Problems) {
        for key in keys {
            if !self.entries.iter().any(|entry| entry.key == *key) {
                problems.push(
                    Problem::error(format!("`{}` needs its `{key}`", self.path))
                        .at(at, "")
                        .with_help(help),
                );
            }
        }
    }

    /// Takes a text out.
    pub fn text(&mut self, key: &str, problems: &mut Problems) -> Option<Located<String>> {
        self.take(key)?.node.into_text(&self.path_of(key), problems)
    }

    /// Takes a list of texts out; wrong items are reported and left out.
    pub fn texts(
        &mut self,
        key: &str,
        problems: &mut Problems,
    ) -> Option<Located<Vec<Located<String>>>> {
        let path = self.path_of(key);
        let list = self.take(key)?.node.into_list(&path, problems)?;
        let items = list.value.into_iter().filter_map(|node| node.into_text(&path, problems));
        Some(Located { value: items.collect(), spot: list.spot })
    }

    /// Takes a truth value out.
    pub fn bool(&mut self, key: &str, problems: &mut Problems) -> Option<Located<bool>> {
        self.take(key)?.node.into_bool(&self.path_of(key), problems)
    }

    /// Takes a whole number within limits out.
    pub fn integer(
        &mut self,
        key: &str,
        min: i64,
        max: i64,
        problems: &mut Problems,
    ) -> Option<Located<i64>> {
        self.take(key)?.node.into_integer(&self.path_of(key), min, max, problems)
    }

    /// Takes one of the allowed words out.
    pub fn word<'a>(
        &mut self,
        key: &str,
        allowed: &[&'a str],
        problems: &mut Problems,
    ) -> Option<Located<&'a str>> {
        self.take(key)?.node.into_word(&self.path_of(key), allowed, problems)
    }

    /// Takes a list out.
    pub fn list(&mut self, key: &str, problems: &mut Problems) -> Option<Located<Vec<Node>>> {
        self.take(key)?.node.into_list(&self.path_of(key), problems)
    }

    /// Takes a table out.
    pub fn table(&mut self, key: &str, problems: &mut Problems) -> Option<Self> {
        self.take(key)?.node.into_table(&self.path_of(key), problems)
    }

    /// Reports every entry that is still there as unknown, with the likely meaning.
    pub fn finish(self, known: &[&str], problems: &mut Problems) {
        for entry in &self.entries {
            problems.push(unknown_key(&self.path, entry, known));
        }
    }
}

/// The problem that a table has no such key, with the likely meaning or all that is known.
#[must_use]
pub fn unknown_key(table: &str, entry: &Entry, known: &[&str]) -> Problem {
    let whose = if table.is_empty() { String::new() } else { format!(" in the table `{table}`") };
    let what = match entry.node.value {
        Raw::Table(_) if table.is_empty() => "table",
        Raw::Table(_)
        | Raw::Bool(_)
        | Raw::Integer(_)
        | Raw::Huge(_)
        | Raw::Float(_)
        | Raw::Text(_)
        | Raw::Date(_)
        | Raw::Null
        | Raw::List(_) => "key",
    };
    let problem = Problem::error(format!("unknown {what} `{}`{whose}", shown(&entry.key)))
        .at(entry.key_spot.as_ref(), "");
    match nearest(&entry.key, known.iter().copied()) {
        Some(word) => problem.with_help(format!("did you mean `{word}`?")),
        None if known.is_empty() => problem,
        None => problem.with_help(format!("expected {}", one_of(known.iter().copied()))),
    }
}

/// What the parser says, with the key that stands twice and in our words where they are clearer.
fn syntax_message(said: &str, spot: Option<&Spot>, problems: &Problems) -> String {
    if said == "duplicate key" {
        let key = spot.map_or("", |spot| problems.text_at(spot));
        return format!("duplicate key `{}`: it stands there already", shown(key));
    }
    if said.starts_with("cannot recurse") {
        return "not valid TOML: lists or tables lie too deep in one another".to_owned();
    }
    format!("not valid TOML: {said}")
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn table_of(file: FileId, table: &DeTable<'_>, path: String) -> Table {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            key_spot: Some(Spot { file, span: key.span() }),
            node: node_of(file, value, &join(&path, key.get_ref())),
        })
        .collect();
    // The parser sorts by key; problems are told in the order of the text.
    entries.sort_by_key(|entry| entry.key_spot.as_ref().map(|spot| spot.span.start));
    Table { path, entries }
}

fn node_of(file: FileId, value: &toml::Spanned<DeValue<'_>>, path: &str) -> Node {
    let raw = match value.get_ref() {
        DeValue::String(text) => Raw::Text(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| Raw::Huge(number.to_string()), Raw::Integer),
        DeValue::Float(number) => Raw::Float(number.to_string()),
        DeValue::Boolean(value) => Raw::Bool(*value),
        DeValue::Datetime(date) => Raw::Date(date.to_string()),
        DeValue::Array(items) => {
            Raw::List(items.iter().map(|item| node_of(file, item, path)).collect())
        }
        DeValue::Table(table) => Raw::Table(table_of(file, table, path.to_owned())),
    };
    Located { value: raw, spot: Some(Spot { file, span: value.span() }) }
}

fn node_of_json(value: &serde_json::Value, path: &str) -> Node {
    let raw = match value {
        serde_json::Value::Null => Raw::Null,
        serde_json::Value::Bool(value) => Raw::Bool(*value),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(value) => Raw::Integer(value),
            None if number.is_u64() => Raw::Huge(number.to_string()),
            None => Raw::Float(number.to_string()),
        },
        serde_json::Value::String(text) => Raw::Text(text.clone()),
        serde_json::Value::Array(items) => {
            Raw::List(items.iter().map(|item| node_of_json(item, path)).collect())
        }
        serde_json::Value::Object(object) => {
            let entries = object.iter().map(|(key, value)| Entry {
                key: key.clone(),
                key_spot: None,
                node: node_of_json(value, &join(path, key)),
            });
            Raw::Table(Table { path: path.to_owned(), entries: entries.collect() })
        }
    };
    Located { value: raw, spot: None }
}
