//! `keny explain`: the resolved rules in plain English, and where each answer comes from.

use super::args::ExplainArgs;
use super::exit::{Exit, Failure, Outcome};
use super::output::{Output, Style};
use super::sentences::{heading, sentence};
use super::wrap::wrap;
use super::{input, rules};
use crate::player::{Count, Trained};
use crate::report::number;
use crate::rules::catalog::{self, FLAGS, Flag};
use crate::variant::{self, Origin, Variant, value_text};

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
    output.line(&output.styled(Style::Bold, "What it is worth, learned by self-play"))?;
    match variant::learned(&variant.ruleset) {
        Some(trained) => tell_values(&trained, output)?,
        None => {
            let text = format!(
                "nothing was learned for these rules yet: `keny train {}` does it; until then \
                 players judge by the same generic values under all rules",
                args.variant
            );
            output.write(&wrap("  ", "  ", &text))?;
        }
    }
    output.line("")?;
    rules::print_sources(FLAGS, output)?;
    Ok(Exit::Done)
}

/// Prints what was learned: of a king, of men by rank, and of each count.
pub(super) fn tell_values(trained: &Trained, output: &mut Output) -> Result<(), Failure> {
    let men = |hundredths: i32| format!("{:.2}", f64::from(hundredths) / 100.0);
    let king = trained.king_worth.map_or_else(
        || "too few kings came up to say what one is worth".to_owned(),
        |worth| {
            format!(
                "a king is worth {} men: where only men, kings and the move are counted, one \
                 king more changes the chances of winning as much as that many men more",
                men(worth)
            )
        },
    );
    let text = format!(
        "{king} (from {} quiet positions of {} games)",
        number::count(trained.positions),
        number::count(trained.games)
    );
    output.write(&wrap("  ", "  ", &text))?;
    let weights = &trained.weights;
    let ranks: Vec<String> = weights
        .man
        .iter()
        .map(|row| men(row.iter().sum::<i32>() / i32::try_from(row.len()).unwrap_or(1).max(1)))
        .collect();
    // No man stands on the last rank.
    let ranks = ranks[..ranks.len() - 1].join(", ");
    let parts = format!("beside other things, in men: a man from its first rank on {ranks}");
    output.write(&wrap("  ", "    ", &parts))?;
    let rings: Vec<String> = weights.king.iter().map(|&value| men(value)).collect();
    output.write(&wrap(
        "  ",
        "    ",
        &format!("a king from the edge inward {}", rings.join(", ")),
    ))?;
    for count in Count::ALL {
        let value = weights.counts[count as usize];
        output.line(&format!("  {:+.2} {}", f64::from(value) / 100.0, count.meaning()))?;
    }
    Ok(())
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
