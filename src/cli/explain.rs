//! `keny explain`: the resolved rules in plain English, and where each answer comes from.

use super::args::ExplainArgs;
use super::exit::{Exit, Failure, Outcome};
use super::output::{Output, Style};
use super::sentences::{heading, sentence};
use super::wrap::wrap;
use super::{input, rules};
use crate::rules::catalog::{self, FLAGS, Flag};
use crate::variant::{Origin, Variant, value_text};

/// Prints one variant.
pub(super) fn run(args: &ExplainArgs, output: &mut Output) -> Outcome {
    let variant = input::variant(&args.variant, output)?;
    output.line(&output.styled(Style::Bold, &variant.name))?;
    output.write(&wrap("", "", &variant.summary))?;
    output.line(&format!("Fingerprint: {}", variant.fingerprint()))?;
    for source in &variant.sources {
        output.write(&wrap("Source: ", "  ", source))?;
    }
    for table in catalog::tables() {
        let live: Vec<&Flag> =
            catalog::flags_of(table).filter(|flag| flag.live(&variant.ruleset)).collect();
        let told: Vec<(&Flag, String)> = live
            .into_iter()
            .filter_map(|flag| Some((flag, sentence(flag.key, &variant.ruleset)?)))
            .collect();
        if told.is_empty() {
            continue;
        }
        output.line("")?;
        output.line(&output.styled(Style::Bold, heading(table)))?;
        for (flag, text) in told {
            output.write(&wrap("  ", "  ", &text))?;
            let mut remarks = wrap("      ", "        ", &origin(flag, &variant));
            if !flag.voices.is_empty() {
                remarks.push_str(&wrap("      who says what: ", "        ", &rules::voices(flag)));
            }
            output.line(&output.styled(Style::Dim, remarks.trim_end()))?;
        }
    }
    tell_dormant(&variant, output)?;
    output.line("")?;
    rules::print_sources(FLAGS, output)?;
    Ok(Exit::Done)
}

/// "man.step = [...], the default".
fn origin(flag: &Flag, variant: &Variant) -> String {
    let value = value_text(&flag.get(&variant.ruleset), &variant.ruleset);
    let place = match variant.provenance.of(flag.key) {
        Origin::Default => "the default".to_owned(),
        Origin::File { name, line: 0 } => format!("from {name}"),
        Origin::File { name, line } => format!("from {name}, line {line}"),
    };
    format!("{} = {value}, {place}", flag.key)
}

fn tell_dormant(variant: &Variant, output: &mut Output) -> Result<(), Failure> {
    let dormant: Vec<(&Flag, &str)> =
        FLAGS.iter().filter_map(|flag| Some((flag, flag.dormant(&variant.ruleset)?))).collect();
    if dormant.is_empty() {
        return Ok(());
    }
    output.line("")?;
    output.line(&output.styled(Style::Bold, "Without effect here"))?;
    for (flag, reason) in dormant {
        output.write(&wrap("  ", "      ", &format!("{}: {reason}", flag.key)))?;
    }
    Ok(())
}
