//! `keny diff`: the flags in which two variants differ.

use tabled::builder::Builder;
use tabled::settings::Style as TableStyle;

use super::args::DiffArgs;
use super::exit::{Exit, Failure, Outcome};
use super::input;
use super::output::Output;
use super::wrap::wrap;
use crate::rules::catalog::{FLAGS, Flag};
use crate::variant::{Variant, value_text};

/// Prints the differences of two variants.
pub(super) fn run(args: &DiffArgs, output: &mut Output) -> Outcome {
    let variants = [input::variant(&args.a, output)?, input::variant(&args.b, output)?];
    let differs = |flag: &&Flag| flag.get(&variants[0].ruleset) != flag.get(&variants[1].ruleset);
    let live = |flag: &&Flag| variants.iter().any(|variant| flag.live(&variant.ruleset));
    let (telling, silent): (Vec<&Flag>, Vec<&Flag>) = FLAGS.iter().filter(differs).partition(live);
    print_table(&telling, &variants, output)?;
    let same = variants[0].fingerprint() == variants[1].fingerprint();
    match (same, silent.is_empty()) {
        (true, true) => output.line("the same rules: no flag differs")?,
        (true, false) => output.line("the same rules: only flags without effect differ")?,
        (false, _) => {}
    }
    if !silent.is_empty() {
        if !same {
            output.line("")?;
        }
        output.line("without effect in both:")?;
        print_table(&silent, &variants, output)?;
    }
    Ok(Exit::Done)
}

fn print_table(
    flags: &[&Flag],
    variants: &[Variant; 2],
    output: &mut Output,
) -> Result<(), Failure> {
    if flags.is_empty() {
        return Ok(());
    }
    let answers: Vec<[String; 2]> = flags.iter().map(|flag| answers(flag, variants)).collect();
    let widest = answers.iter().flatten().map(|text| text.chars().count()).max().unwrap_or(0);
    if widest > 45 {
        // Too wide for a table: position texts, mostly.
        for (flag, answers) in flags.iter().zip(&answers) {
            output.line(flag.key)?;
            for (variant, answer) in variants.iter().zip(answers) {
                output.write(&wrap(&format!("  {}: ", variant.id), "    ", answer))?;
            }
        }
        return Ok(());
    }
    let mut table = Builder::default();
    table.push_record(["flag", &variants[0].id, &variants[1].id]);
    for (flag, [a, b]) in flags.iter().zip(&answers) {
        table.push_record([flag.key, a, b]);
    }
    let table = table.build().with(TableStyle::blank()).to_string();
    for line in table.lines() {
        output.line(line.trim_end())?;
    }
    Ok(())
}

/// Both answers; one that has no effect stands in parentheses.
fn answers(flag: &Flag, variants: &[Variant; 2]) -> [String; 2] {
    let live = |variant: &Variant| flag.live(&variant.ruleset);
    let any = variants.iter().any(live);
    [0, 1].map(|index| {
        let variant = &variants[index];
        let text = value_text(&flag.get(&variant.ruleset), &variant.ruleset);
        if any && !live(variant) { format!("({text})") } else { text }
    })
}
