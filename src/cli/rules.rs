//! `keny rules`: the catalog of open questions, with choices and sources.

use std::collections::BTreeSet;

use super::args::RulesArgs;
use super::exit::{Exit, Failure, Outcome};
use super::output::{Output, Style};
use super::sentences::heading;
use super::wrap::wrap;
use crate::rules::catalog::{self, FLAGS, Flag, SOURCES};
use crate::variant::reference::{allowed, voice_text};
use crate::variant::suggest::{nearest, one_of, shown};

/// Prints all flags, those of a table, or one.
pub(super) fn run(args: &RulesArgs, output: &mut Output) -> Outcome {
    let Some(key) = &args.key else {
        for table in catalog::tables() {
            print_table(table, output)?;
        }
        print_sources(FLAGS, output)?;
        return Ok(Exit::Done);
    };
    if let Some(flag) = catalog::flag(key) {
        print_flag(flag, output)?;
        output.line("")?;
        print_sources([flag], output)?;
        return Ok(Exit::Done);
    }
    let flags: Vec<&Flag> = catalog::flags_of(key).collect();
    if flags.is_empty() {
        return Err(unknown(key));
    }
    print_table(key, output)?;
    print_sources(flags, output)?;
    Ok(Exit::Done)
}

fn unknown(key: &str) -> Failure {
    let short = FLAGS.iter().filter(|flag| flag.name() == key).map(|flag| flag.key);
    let short: Vec<&str> = short.collect();
    let known = || FLAGS.iter().map(|flag| flag.key).chain(catalog::tables());
    let meant = if short.is_empty() {
        nearest(key, known()).map(|meant| format!("; did you mean `{meant}`?"))
    } else {
        Some(format!("; did you mean {}?", one_of(short)))
    };
    let help = meant.unwrap_or_else(|| format!("; the tables are {}", one_of(catalog::tables())));
    Failure::say(Exit::Usage, format!("no flag or table is named `{}`{help}", shown(key)))
}

fn print_table(table: &str, output: &mut Output) -> Result<(), Failure> {
    output.line(&output.styled(Style::Bold, &format!("[{table}] {}", heading(table))))?;
    output.line("")?;
    for flag in catalog::flags_of(table) {
        print_flag(flag, output)?;
        output.line("")?;
    }
    Ok(())
}

fn print_flag(flag: &Flag, output: &mut Output) -> Result<(), Failure> {
    let open = if flag.open { " (open)" } else { "" };
    output.line(&output.styled(Style::Bold, &format!("{}{open}", flag.key)))?;
    output.write(&wrap("  ", "  ", flag.question))?;
    output.write(&wrap("  answer: ", "    ", &allowed(flag)))?;
    output.write(&wrap("  default: ", "    ", &flag.default_value().to_string()))?;
    for choice in flag.choices {
        output.write(&wrap("    ", "        ", &format!("{}: {}", choice.word, choice.meaning)))?;
    }
    for voice in flag.voices {
        output.write(&wrap("  says ", "      ", &voice_text(voice)))?;
    }
    if !flag.dormant_when.is_empty() {
        output.write(&wrap("  ", "    ", &format!("no effect when {}", flag.dormant_when)))?;
    }
    Ok(())
}

/// What the ids of the flags' sources stand for.
pub(super) fn print_sources<'a>(
    flags: impl IntoIterator<Item = &'a Flag>,
    output: &mut Output,
) -> Result<(), Failure> {
    let ids: BTreeSet<&str> = flags
        .into_iter()
        .flat_map(|flag| flag.voices)
        .flat_map(|voice| voice.sources)
        .copied()
        .collect();
    if ids.is_empty() {
        return Ok(());
    }
    output.line(&output.styled(Style::Bold, "Sources"))?;
    for source in SOURCES.iter().filter(|source| ids.contains(source.id)) {
        output.write(&wrap("  ", "      ", &source.to_string()))?;
    }
    Ok(())
}

/// Who says what about a flag, in one sentence; empty when nobody says anything.
pub(super) fn voices(flag: &Flag) -> String {
    flag.voices.iter().map(voice_text).collect::<Vec<_>>().join(" / ")
}
