//! The rules reference `variants/README.md`, made from the catalog and the shipped variants.
//!
//! It returns text and writes no file. What is no list of flags stands in `reference/*.md`.

use std::fmt::Write;

use super::{Variant, load, value_text};
use crate::rules::Ruleset;
use crate::rules::catalog::{self, FLAGS, Flag, SOURCES, Shape, Voice};

use super::library;

/// The whole reference as Markdown.
#[must_use]
pub fn reference() -> String {
    let mut text = String::from(
        "<!-- Made from the catalog of flags; do not edit. \
         `KENY_BLESS=1 cargo test generated` writes it anew. -->\n\n",
    );
    text.push_str(include_str!("reference/head.md"));
    text.push_str(&shipped());
    text.push_str(&overview());
    for table in catalog::tables() {
        write!(text, "## `[{table}]`\n\n").expect("a string takes all text");
        for flag in catalog::flags_of(table) {
            text.push_str(&section(flag));
        }
    }
    text.push_str(include_str!("reference/tail.md"));
    text.push_str("## Sources\n\n| id | source |\n|---|---|\n");
    for source in SOURCES {
        writeln!(text, "| {} | {} |", source.id, cell(source.citation))
            .expect("a string takes all text");
    }
    text
}

/// The answers of a variant that differ from Keny after Sokolov, dormant ones left out.
#[must_use]
pub fn differences(ruleset: &Ruleset) -> Vec<(&'static Flag, String)> {
    FLAGS
        .iter()
        .filter(|flag| flag.live(ruleset) && flag.get(ruleset) != flag.default_value())
        .map(|flag| (flag, value_text(&flag.get(ruleset), ruleset)))
        .collect()
}

/// The answers that a flag takes, in words: "`true` or `false`".
#[must_use]
pub fn allowed(flag: &Flag) -> String {
    match flag.shape {
        Shape::Bool => "`true` or `false`".to_owned(),
        Shape::OneOf => "one of the choices".to_owned(),
        Shape::SetOf => "a list of choices, none twice; their order means nothing".to_owned(),
        Shape::ListOf => "a list of choices, none twice, the weightiest first".to_owned(),
        Shape::Number { min, max, zero: false } => format!("a whole number of {min} to {max}"),
        Shape::Number { min, max, zero: true } => {
            format!("0, or a whole number of {min} to {max}")
        }
        Shape::Chain { max } => format!("`\"unlimited\"`, or a whole number of 1 to {max}"),
        Shape::Ranks { .. } => "a list of ranks, none twice; their order means nothing".to_owned(),
        Shape::Position => "a position text, or `\"none\"`".to_owned(),
    }
}

/// One voice in words: "also backward: WP, RU; Turkish draughts".
#[must_use]
pub fn voice_text(voice: &Voice) -> String {
    let sources = voice.sources.join(", ");
    let who = match (sources.is_empty(), voice.kin.is_empty()) {
        (false, false) => format!("{sources}; {}", voice.kin),
        (_, true) => sources,
        (true, false) => voice.kin.to_owned(),
    };
    format!("{}: {who}", voice.says)
}

fn shipped() -> String {
    let mut text = String::from(
        "## The shipped variants\n\nThey are built into the program and found by name from any \
         folder.\n\n| name | what it is | extends | fingerprint |\n|---|---|---|---|\n",
    );
    for name in library::NAMES {
        let Variant { name: title, summary, extends, ruleset, .. } =
            load(name).expect("the tests load every shipped variant");
        let parent = extends.map_or_else(String::new, |parent| format!("`{parent}`"));
        let print = super::fingerprint(&ruleset);
        writeln!(
            text,
            "| [`{name}`]({name}.toml) | **{}.** {} | {parent} | `{print}` |",
            cell(&title),
            cell(&summary)
        )
        .expect("a string takes all text");
    }
    text.push('\n');
    text
}

fn overview() -> String {
    let mut text = String::from(
        "## All flags\n\nA flag is **open** where the sources on Keny disagree or say nothing.\n\n\
         | flag | question | default | open |\n|---|---|---|---|\n",
    );
    for flag in FLAGS {
        let open = if flag.open { "open" } else { "" };
        writeln!(
            text,
            "| [`{}`](#{}) | {} | `{}` | {open} |",
            flag.key,
            flag.key.replace('.', ""),
            cell(flag.question),
            flag.default_value()
        )
        .expect("a string takes all text");
    }
    text.push('\n');
    text
}

fn section(flag: &Flag) -> String {
    let mut text = format!("### `{}`\n\n{}\n\n", flag.key, flag.question);
    let mut lines = vec![
        format!("- **Answer**: {}", allowed(flag)),
        format!("- **Default**: `{}`", flag.default_value()),
    ];
    if !flag.choices.is_empty() {
        lines.push("- **Choices**".to_owned());
        let choices = flag.choices.iter();
        lines.extend(choices.map(|choice| format!("  - `{}`: {}", choice.word, choice.meaning)));
    }
    if flag.voices.is_empty() {
        lines.push("- **Who says so**: no source; left open, or a matter of form".to_owned());
    } else {
        lines.push("- **Who says so**".to_owned());
        lines.extend(flag.voices.iter().map(|voice| format!("  - {}", voice_text(voice))));
    }
    if !flag.dormant_when.is_empty() {
        lines.push(format!("- **Dormant when** {}", flag.dormant_when));
    }
    text.push_str(&lines.join("\n"));
    text.push('\n');
    text.push('\n');
    text
}

/// A text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
