//! From a design as the study says it to its runs: combinations are judged, named, and given their
//! variants. Reads no table.

use std::collections::BTreeMap;

use super::{Draft, Kind, Varied};
use crate::rules::Ruleset;
use crate::rules::catalog::Value;
use crate::stats::fraction::{FACTORS_MAX, Fraction, alias_sets_of_runs};
use crate::study::design::runs::{self, Levels};
use crate::study::design::{Design, DesignKind, Effect, Factor, Generator, LeftOut, Run, Why};
use crate::study::file::VARIANTS_MAX;
use crate::study::plan::PlannedVariant;
use crate::variant::problems::{Problem, Problems, Spot};
use crate::variant::{Fingerprint, Severity, fingerprint, validate, value_text};

/// The most changes that a variant's name spells out.
const CHANGES_NAMED: usize = 2;

impl Draft {
    fn counts(&self) -> Vec<u8> {
        let count = |one: &Varied| u8::try_from(one.values.len()).expect("at most LEVELS_MAX + 1");
        self.factors.iter().map(count).collect()
    }

    fn ruleset(&self, levels: &[u8]) -> Ruleset {
        let mut ruleset = self.base;
        for (varied, &level) in self.factors.iter().zip(levels) {
            if level > 0 {
                let value = &varied.values[usize::from(level)];
                varied.flag.put(&mut ruleset, value).expect("its values were read as answers");
            }
        }
        ruleset
    }

    /// `keny+capture.mandatory=false`; with many changes the number of the run, `keny #17`.
    fn name(&self, levels: &[u8], mark: &str, number: usize) -> String {
        let changes = || self.factors.iter().zip(levels).filter(|(_, level)| **level > 0);
        if changes().count() > CHANGES_NAMED {
            return format!("{} #{mark}{number}", self.base_name);
        }
        let mut name = self.base_name.clone();
        for (varied, &level) in changes() {
            let value = short(&varied.values[usize::from(level)]);
            name.push_str(&format!("+{}={value}", varied.flag.key));
        }
        name
    }
}

/// A value without quotes and brackets.
fn short(value: &Value) -> String {
    let list = |items: Vec<String>| {
        if items.is_empty() { "nothing".to_owned() } else { items.join(",") }
    };
    match value {
        Value::Word(word) => (*word).to_owned(),
        Value::Words(words) => list(words.iter().map(|word| (*word).to_owned()).collect()),
        Value::Integers(numbers) => list(numbers.iter().map(u32::to_string).collect()),
        Value::Position(None) => "none".to_owned(),
        Value::Bool(_) | Value::Integer(_) | Value::Position(Some(_)) => value.to_string(),
    }
}

/// Why a ruleset cannot be played, if so.
fn fault(ruleset: &Ruleset) -> Option<String> {
    let faults = validate::faults(ruleset);
    faults.into_iter().find(|fault| fault.severity == Severity::Error).map(|fault| fault.message)
}

/// The combinations that the kind plays, with the fraction where it is one.
fn combinations(draft: &Draft, problems: &mut Problems) -> Option<(Vec<Levels>, Option<Fraction>)> {
    let (counts, spot) = (draft.counts(), draft.spot.as_ref());
    let all = runs::combinations(&counts);
    match draft.kind {
        Kind::OneAtATime => Some((runs::one_at_a_time(&counts), None)),
        Kind::Full if all > VARIANTS_MAX as u128 => {
            let message = format!("the full design has {all} combinations");
            problems.push(
                Problem::error(message)
                    .at(spot, format!("expected at most {VARIANTS_MAX}"))
                    .with_help("take `kind = \"fractional\"` or `\"sample\"`, or fewer flags"),
            );
            None
        }
        Kind::Full => Some((runs::full(&counts), None)),
        Kind::Fractional(resolution) => {
            let fraction = runs::fraction(draft.factors.len(), resolution);
            let fraction = fraction.expect("1 to FACTORS_MAX flags always have a fraction");
            Some((runs::fraction_runs(&fraction), Some(fraction)))
        }
        Kind::Sample { size, .. } if size as u128 > all => {
            let message = format!("a sample of {size} is more than all {all} combinations");
            let help = "take `kind = \"full\"`, or a smaller `size`";
            problems.push(Problem::error(message).at(spot, "").with_help(help));
            None
        }
        Kind::Sample { size, seed } => {
            let print = |levels: &[u8]| {
                let ruleset = draft.ruleset(levels);
                fault(&ruleset).is_none().then(|| fingerprint(&ruleset).to_bits())
            };
            Some((runs::sample(&counts, size, seed, print), None))
        }
    }
}

/// The design of a draft; adds the variants that the plan lacks.
pub(super) fn resolve(
    draft: &Draft,
    mark: &str,
    variants: &mut Vec<PlannedVariant>,
    problems: &mut Problems,
) -> Option<Design> {
    let (combinations, fraction) = combinations(draft, problems)?;
    let numbers = (0..).zip(variants.iter());
    let mut known: BTreeMap<Fingerprint, u32> = BTreeMap::new();
    for (number, variant) in numbers {
        known.entry(variant.fingerprint).or_insert(number);
    }
    let (mut played, mut left_out) = (Vec::new(), Vec::new());
    for (place, levels) in (1..).zip(combinations) {
        let (ruleset, name) = (draft.ruleset(&levels), draft.name(&levels, mark, place));
        if let Some(message) = fault(&ruleset) {
            left_out.push(LeftOut { name, levels, why: Why::Invalid(message) });
            continue;
        }
        let fingerprint = fingerprint(&ruleset);
        let variant = *known.entry(fingerprint).or_insert_with(|| {
            let name = unique(&name, variants);
            variants.push(PlannedVariant { name, ruleset, fingerprint, weights: None });
            u32::try_from(variants.len() - 1).expect("at most VARIANTS_MAX a design")
        });
        let other = &variants[variant as usize].name;
        let changes = levels.iter().any(|&level| level > 0);
        if changes && *other != name && !other.starts_with(&format!("{name} (")) {
            let why = Why::EqualTo(other.clone());
            left_out.push(LeftOut { name, levels: levels.clone(), why });
        }
        played.push(Run { levels, variant });
    }
    let design = finished(draft, played, left_out, fraction.as_ref());
    warn(draft, &design, problems);
    Some(design)
}

/// The name, with a number if another variant has it.
fn unique(name: &str, variants: &[PlannedVariant]) -> String {
    let taken = |name: &str| variants.iter().any(|variant| variant.name == name);
    if !taken(name) {
        return name.to_owned();
    }
    let mut numbered = (2_u32..).map(|number| format!("{name} ({number})"));
    numbered.find(|name| !taken(name)).expect("there are more numbers than variants")
}

fn finished(
    draft: &Draft,
    runs: Vec<Run>,
    left_out: Vec<LeftOut>,
    fraction: Option<&Fraction>,
) -> Design {
    let whole = left_out.iter().all(|out| matches!(out.why, Why::EqualTo(_)));
    let kind = match draft.kind {
        Kind::OneAtATime => DesignKind::OneAtATime,
        Kind::Full => DesignKind::Full,
        Kind::Fractional(_) => {
            // A fraction of all combinations has no word; its effects are aliased with none.
            let length = fraction.and_then(Fraction::resolution);
            let length = length.unwrap_or(FACTORS_MAX + 1);
            DesignKind::Fractional { resolution: u8::try_from(length).unwrap_or(u8::MAX) }
        }
        Kind::Sample { seed, .. } => DesignKind::Sample { seed },
    };
    let factors: Vec<Factor> = draft
        .factors
        .iter()
        .map(|varied| Factor {
            flag: varied.flag.key.to_owned(),
            levels: varied.values.iter().map(|value| value_text(value, &draft.base)).collect(),
        })
        .collect();
    let aliases = match (fraction, draft.kind) {
        (Some(fraction), _) if whole => {
            fraction.alias_sets(2).into_iter().filter(|set| set.len() > 1).collect()
        }
        (_, Kind::OneAtATime) => Vec::new(),
        (_, Kind::Full) if whole => Vec::new(),
        (_, Kind::Full | Kind::Fractional(_) | Kind::Sample { .. }) => {
            aliases_of(&runs, &draft.counts())
        }
    };
    let generators = fraction.map_or(&[][..], Fraction::generators);
    let free = draft.factors.len() - generators.len();
    Design {
        kind,
        base: draft.base_name.clone(),
        factors,
        runs,
        generators: (free..)
            .zip(generators)
            .filter_map(|(factor, &set)| {
                let factor = u8::try_from(factor).ok()?;
                Some(Generator { factor, product_of: effect(set) })
            })
            .collect(),
        aliases: aliases.into_iter().map(|set| set.into_iter().map(effect).collect()).collect(),
        orthogonal: whole && matches!(draft.kind, Kind::Full | Kind::Fractional(_)),
        left_out,
    }
}

/// The alias sets of the runs themselves, where the levels are two and the flags not too many.
fn aliases_of(runs: &[Run], counts: &[u8]) -> Vec<Vec<u32>> {
    let factors = u32::try_from(counts.len()).unwrap_or(u32::MAX);
    if counts.iter().any(|&count| count != 2) {
        return Vec::new();
    }
    let bits = |run: &Run| {
        (0..).zip(&run.levels).map(|(factor, &level)| u32::from(level) << factor).sum::<u32>()
    };
    let bits: Vec<u32> =
        if factors > FACTORS_MAX { Vec::new() } else { runs.iter().map(bits).collect() };
    alias_sets_of_runs(&bits, factors, 2).unwrap_or_default()
}

fn effect(set: u32) -> Effect {
    (0..32).filter(|factor| set >> factor & 1 == 1).collect()
}

/// What of a design is probably not meant.
fn warn(draft: &Draft, design: &Design, problems: &mut Problems) {
    let mut warn = |message: String, spot: Option<&Spot>, help: &str| {
        problems.push(Problem::warning(message).at(spot, "").with_help(help));
    };
    let spot = draft.spot.as_ref();
    if design.variants().len() < 2 {
        let help = "`keny plan` lists the combinations and why they are left out";
        warn("the design has fewer than two different rulesets".to_owned(), spot, help);
    }
    let invalid = design.left_out.iter().filter(|out| matches!(out.why, Why::Invalid(_))).count();
    let all = design.runs.len() + invalid;
    match draft.kind {
        Kind::Fractional(_) | Kind::Full if invalid > 0 => warn(
            format!("{invalid} of {all} combinations cannot be played and are left out"),
            spot,
            "the design is no longer orthogonal: effects are found by least squares, and some may \
             not be told apart; `keny plan` lists them",
        ),
        Kind::Sample { .. } if invalid > 0 => warn(
            format!("{invalid} of {all} drawn combinations cannot be played and are left out"),
            spot,
            "the flags leave few combinations that can be played: take a smaller `size`",
        ),
        Kind::OneAtATime => {
            for (factor, varied) in draft.factors.iter().enumerate() {
                let own = |run: &&Run| run.levels[factor] > 0;
                let base = design.base_variant();
                let idle = design.runs.iter().filter(own).all(|run| Some(run.variant) == base);
                let changed = varied.values.get(1).and_then(|value| {
                    let mut ruleset = draft.base;
                    varied.flag.put(&mut ruleset, value).ok()?;
                    varied.flag.dormant(&ruleset)
                });
                if let (true, Some(reason)) = (idle, changed) {
                    let message = format!("`{}` changes nothing alone: {reason}", varied.flag.key);
                    warn(message, varied.spot.as_ref(), "take a base in which it is not dormant");
                }
            }
        }
        Kind::Full | Kind::Fractional(_) | Kind::Sample { .. } => {}
    }
}
