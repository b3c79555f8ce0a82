//! The tables about what the flags of a design do. Draws nothing and computes nothing.

mod side_by_side;

use std::collections::BTreeSet;

use super::super::contrast::Sample;
use super::super::effects::{
    Basis, DesignView, EFFECTS, Effect, EffectMethod, PairingEffects, Shares,
};
use super::super::number::{NONE, Style, chance, count};
use super::super::view::{PairingView, View, clean};
use super::{Picture, Reasons, Section, Table, TableCell, TableRow, level, metric, unit_of, whole};
use crate::study::design::{Design, DesignKind, Why};

/// The most interactions of one metric that are shown.
const INTERACTIONS_SHOWN: usize = 8;
/// The most combinations left out that are told one by one.
const LEFT_OUT_TOLD: usize = 40;

/// The sections about one design.
pub(super) fn sections(view: &View, number: usize) -> Vec<Section> {
    let design = &view.designs[number];
    let mut sections = vec![about(view, number)];
    for (pairing, effects) in design.pairings.iter().enumerate() {
        let paired = &view.pairings[pairing];
        let mut tables = vec![main_table(view, design, paired, effects)];
        tables.extend(interaction_table(view, design, paired, effects));
        tables.extend(shares_table(view, design, paired, effects));
        tables.retain(|table| !table.rows.is_empty());
        sections.push(Section {
            heading: format!("{}: effects under {}", title(view, number), paired.name),
            intro: judged_by(design, paired),
            warnings: stopped(view).into_iter().chain(effects.warnings.iter().cloned()).collect(),
            tables,
            picture: Picture::Effects { design: number, pairing },
            drawings: Vec::new(),
        });
    }
    sections.extend(side_by_side::section(view, number));
    sections
}

/// The name of a design: its kind, with its number where there are several.
fn title(view: &View, number: usize) -> String {
    let kind = match view.designs[number].design.kind {
        DesignKind::OneAtATime => "One flag at a time",
        DesignKind::Full => "Full design",
        DesignKind::Fractional { .. } => "Fractional design",
        DesignKind::Sample { .. } => "Sampled design",
    };
    let same = |other: &DesignView| {
        std::mem::discriminant(&other.design.kind)
            == std::mem::discriminant(&view.designs[number].design.kind)
    };
    if view.designs.iter().filter(|other| same(other)).count() == 1 {
        return kind.to_owned();
    }
    format!("{kind} {}", 1 + view.designs[..number].iter().filter(|other| same(other)).count())
}

/// What was varied, what cannot be told apart, and what was left out.
fn about(view: &View, number: usize) -> Section {
    let design = &view.designs[number].design;
    let runs = design.runs.len();
    let distinct = design.variants().len();
    let mut intro = match design.kind {
        DesignKind::OneAtATime => format!(
            "Each answer of {} flags against the base `{}`, one at a time, all others as in the \
             base: {} rulesets.",
            design.factors.len(),
            clean(&design.base),
            count(distinct as u64)
        ),
        DesignKind::Full => format!(
            "All combinations of {} flags, all others as in `{}`: {} rulesets.",
            design.factors.len(),
            clean(&design.base),
            count(runs as u64)
        ),
        DesignKind::Fractional { resolution } => format!(
            "{} combinations of {} flags with two levels each, a fraction of resolution {}; all \
             others as in `{}`.",
            count(runs as u64),
            design.factors.len(),
            roman(resolution),
            clean(&design.base)
        ),
        DesignKind::Sample { seed } => format!(
            "A random, balanced sample of {} combinations of {} flags (seed {seed}), all others as \
             in `{}`.",
            count(runs as u64),
            design.factors.len(),
            clean(&design.base)
        ),
    };
    if distinct < runs && design.kind != DesignKind::OneAtATime {
        intro.push_str(&format!(
            " Some have the same rules, because a flag has no effect there: {} were played.",
            count(distinct as u64)
        ));
    }
    let invalid = design.left_out.iter().filter(|out| matches!(out.why, Why::Invalid(_))).count();
    if invalid > 0 {
        intro.push_str(&format!(
            " {} cannot be played and {} left out, so that effects are found by least squares.",
            count(invalid as u64),
            if invalid == 1 { "is" } else { "are" }
        ));
    }
    let mut tables = vec![factor_table(design)];
    tables.extend(alias_table(design));
    tables.extend(left_out_table(design));
    Section {
        heading: title(view, number),
        intro,
        warnings: Vec::new(),
        tables,
        picture: Picture::None,
        drawings: Vec::new(),
    }
}

fn roman(resolution: u8) -> &'static str {
    match resolution {
        0..=3 => "III",
        4 => "IV",
        5 => "V",
        6 => "VI",
        7 => "VII",
        8.. => "VIII or more",
    }
}

fn text_cell(text: impl Into<String>) -> TableCell {
    TableCell { text: text.into(), value: None }
}

fn factor_table(design: &Design) -> Table {
    let rows = design.factors.iter().map(|factor| {
        let levels: Vec<String> = factor.levels.iter().map(|level| clean(level)).collect();
        let base = levels[0].clone();
        TableRow {
            label: clean(&factor.flag),
            cells: vec![text_cell(base), text_cell(levels[1..].join("; "))],
        }
    });
    Table {
        title: "what is varied".to_owned(),
        caption: format!(
            "The flags and their levels. The first level is that of `{}`.",
            clean(&design.base)
        ),
        corner: "flag",
        heads: vec!["base".to_owned(), "other levels".to_owned()],
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

/// Sets of effects that the runs cannot tell apart.
fn alias_table(design: &Design) -> Option<Table> {
    if design.aliases.is_empty() {
        return None;
    }
    let rows = design.aliases.iter().filter_map(|set| {
        let (first, others) = set.split_first()?;
        let others: Vec<String> =
            others.iter().map(|effect| clean(&design.effect_name(effect))).collect();
        let label = clean(&design.effect_name(first));
        Some(TableRow { label, cells: vec![text_cell(others.join("; "))] })
    });
    let generators: Vec<String> = design
        .generators
        .iter()
        .map(|generator| {
            let product = design.effect_name(&generator.product_of);
            clean(&format!("{} = {product}", design.effect_name(&[generator.factor])))
        })
        .collect();
    let made = match generators.len() {
        0 => String::new(),
        _ => format!(" Generators: {}.", generators.join("; ")),
    };
    Some(Table {
        title: "aliases".to_owned(),
        caption: format!(
            "Effects of up to two flags that these rulesets cannot tell apart: what is reported \
             under the first name is the sum of all effects of the row. Main effects may also be \
             confused with interactions of three flags and more.{made}"
        ),
        corner: "effect",
        heads: vec!["is not told apart from".to_owned()],
        rows: rows.collect(),
        notes: Vec::new(),
    })
}

fn left_out_table(design: &Design) -> Option<Table> {
    if design.left_out.is_empty() {
        return None;
    }
    let rows = design.left_out.iter().take(LEFT_OUT_TOLD).map(|out| {
        let why = match &out.why {
            Why::Invalid(reason) => format!("cannot be played: {}", clean(reason)),
            Why::EqualTo(name) => format!("has the rules of {}", clean(name)),
        };
        TableRow { label: clean(&out.name), cells: vec![text_cell(why)] }
    });
    let more = design.left_out.len().saturating_sub(LEFT_OUT_TOLD);
    let notes = (more > 0).then(|| format!("and {} more", count(more as u64)));
    Some(Table {
        title: "not played as such".to_owned(),
        caption: "Combinations that cannot be played, or that have the rules of another."
            .to_owned(),
        corner: "combination",
        heads: vec!["why".to_owned()],
        rows: rows.collect(),
        notes: notes.into_iter().collect(),
    })
}

/// A warning where games were stopped by what they brought.
fn stopped(view: &View) -> Option<String> {
    let rule = &view.stopping.as_ref()?.rule;
    let key = rule.metric.key();
    Some(format!(
        "play stopped early by a rule on {}: the intervals and p of the effects on it hold however \
         often one looked, and are wide for that; shares of variance, plots of interactions and \
         effects on other metrics are judged as if the number of games had been fixed",
        metric(key).name
    ))
}

/// What the effects of a pairing are and how they were judged.
fn judged_by(design: &DesignView, pairing: &PairingView) -> String {
    let [first, second] = &pairing.players;
    let players = if first == second {
        format!("{first} plays both sides.")
    } else {
        format!("{first} and {second} play each opening with sides swapped.")
    };
    let how = match design.design.kind {
        DesignKind::OneAtATime => "An effect is the difference that one answer makes to the base.",
        DesignKind::Full | DesignKind::Fractional { .. } | DesignKind::Sample { .. } => {
            "An effect is the difference that one answer makes to the level of the base, averaged \
             over the levels of the other flags. An interaction is half of what the one flag \
             changes in the effect of the other."
        }
    };
    format!(
        "{players} {how} Draws are shares of finished games; decisive games change by as much \
             the other way."
    )
}

/// The blocks of a table: for each metric the effects that have a value, in the order given.
fn blocks<'a>(
    design: &DesignView,
    effects: &'a [Effect],
    reasons: &mut Reasons,
    choose: impl Fn(Vec<&'a Effect>) -> Vec<&'a Effect>,
) -> Vec<TableRow> {
    let mut rows = Vec::new();
    for key in EFFECTS {
        let of: Vec<&Effect> = effects.iter().filter(|effect| effect.metric.key == key).collect();
        if of.iter().all(|effect| effect.value.is_err()) {
            continue;
        }
        rows.push(TableRow { label: unit_of(metric(key)), cells: Vec::new() });
        for effect in choose(of) {
            let label = design.term_name(effect.term);
            let untested = effect.method == EffectMethod::Mover;
            let missing = effect.value.err().or(effect.interval.err());
            if let Some(missing) = missing.or(effect.p.err().filter(|_| !untested)) {
                reasons.add(missing, effect.metric.name, &label);
            }
            rows.push(TableRow { label, cells: effect_cells(effect) });
        }
    }
    rows
}

fn effect_cells(effect: &Effect) -> Vec<TableCell> {
    let style = Style::of(effect.metric);
    let n = match effect.basis {
        Basis::Two(Sample::Independent(this, base)) => TableCell {
            text: format!("{} / {}", count(this), count(base)),
            value: Some(crate::stats::real(this)),
        },
        Basis::Two(Sample::Paired(n)) | Basis::Openings(n) => whole(n),
        Basis::Units(0) => text_cell("-"),
        Basis::Units(n) => {
            TableCell { text: format!("{} units", count(n)), value: Some(crate::stats::real(n)) }
        }
    };
    let untested = effect.method == EffectMethod::Mover;
    let p = |p: Option<f64>| match p {
        None if untested => text_cell("-"),
        p => TableCell { text: chance(p), value: p },
    };
    vec![
        n,
        TableCell {
            text: style.difference(effect.value, effect.interval),
            value: effect.value.ok(),
        },
        p(effect.p.ok()),
        p(effect.p_adjusted),
    ]
}

fn effect_heads(first: &str) -> Vec<String> {
    ["n", first, "p", "p Holm"].map(str::to_owned).to_vec()
}

/// The largest first, those without a value last.
fn by_size(mut effects: Vec<&Effect>) -> Vec<&Effect> {
    let size = |effect: &Effect| effect.value.map_or(-1.0, f64::abs);
    effects.sort_by(|a, b| size(b).total_cmp(&size(a)));
    effects
}

/// Those with the least p, as many as are shown.
fn by_p(mut effects: Vec<&Effect>) -> Vec<&Effect> {
    effects = by_size(effects);
    effects.sort_by(|a, b| a.p.unwrap_or(1.0).total_cmp(&b.p.unwrap_or(1.0)));
    effects.truncate(INTERACTIONS_SHOWN);
    effects
}

fn main_table(
    view: &View,
    design: &DesignView,
    pairing: &PairingView,
    effects: &PairingEffects,
) -> Table {
    let mut reasons = Reasons::default();
    let rows = blocks(design, &effects.main, &mut reasons, by_size);
    let mut notes = reasons.notes();
    notes.extend(effects.notes.iter().cloned());
    Table {
        title: "main effects".to_owned(),
        caption: format!(
            "{}, effect of each answer against that of `{}`, the largest first. Unit: {}; n: {}. \
             {} in brackets, each on its own ({}); p two-sided; p Holm: adjusted over the {} main \
             effects of this table.",
            pairing.name,
            clean(&design.design.base),
            pairing.unit.name(),
            counted(&effects.main),
            level(view),
            methods(&effects.main),
            count(effects.family as u64)
        ),
        corner: "answer",
        heads: effect_heads("effect"),
        rows,
        notes,
    }
}

/// What the n of these effects counts.
fn counted(effects: &[Effect]) -> String {
    let mut words = BTreeSet::new();
    for effect in effects {
        words.insert(match effect.basis {
            Basis::Two(Sample::Paired(_)) => {
                "openings played on both and compared opening by opening"
            }
            Basis::Two(Sample::Independent(..)) => {
                "a / b: units of this one and of the base, each with openings of its own"
            }
            Basis::Openings(_) => "openings that the rulesets share",
            Basis::Units(0) => continue,
            Basis::Units(_) => "units of all rulesets together",
        });
    }
    words.into_iter().collect::<Vec<_>>().join("; ")
}

/// How these effects were judged.
fn methods(effects: &[Effect]) -> String {
    use super::super::contrast::ContrastMethod;
    let mut words = BTreeSet::new();
    for effect in effects.iter().filter(|effect| effect.value.is_ok()) {
        words.insert(match effect.method {
            EffectMethod::Single(ContrastMethod::PairedT) => "paired t",
            EffectMethod::Single(ContrastMethod::PairedShares) => "shares: Tango, p McNemar",
            EffectMethod::Single(ContrastMethod::Welch) => "Welch's t",
            EffectMethod::Single(ContrastMethod::TwoShares) => "shares: Newcombe, p pooled z",
            EffectMethod::Single(ContrastMethod::Anytime) => {
                "the rule to stop: anytime-valid, over all games of each ruleset"
            }
            EffectMethod::Openings => "t over whole openings",
            EffectMethod::Units => "t over units",
            EffectMethod::LeastSquares { openings: true, sampled: false } => {
                "least squares, t over whole openings"
            }
            EffectMethod::LeastSquares { openings: false, sampled: false } => {
                "least squares, t over units"
            }
            EffectMethod::LeastSquares { openings: true, sampled: true } => {
                "least squares, t over whole openings and rulesets"
            }
            EffectMethod::LeastSquares { openings: false, sampled: true } => {
                "least squares, t over units and rulesets"
            }
            EffectMethod::Anytime => {
                "the rule to stop: anytime-valid, over all games of each ruleset"
            }
            EffectMethod::Mover => "balance: from the intervals of the rulesets, no test",
        });
    }
    words.into_iter().collect::<Vec<_>>().join("; ")
}

fn interaction_table(
    view: &View,
    design: &DesignView,
    pairing: &PairingView,
    effects: &PairingEffects,
) -> Option<Table> {
    if effects.interactions.is_empty() {
        return None;
    }
    let mut reasons = Reasons::default();
    let tested: Vec<Effect> =
        effects.interactions.iter().filter(|effect| effect.p.is_ok()).copied().collect();
    let rows = blocks(design, &tested, &mut reasons, by_p);
    Some(Table {
        title: "two-way interactions".to_owned(),
        caption: format!(
            "{}, half of what the one flag changes in the effect of the other; of each metric the \
             {INTERACTIONS_SHOWN} with the least p, all are in interactions.csv. Unit: {}; n: {}. \
             {} in brackets, each on its own ({}); p two-sided; p Holm: adjusted over all {} \
             interactions of this pairing.",
            pairing.name,
            pairing.unit.name(),
            counted(&tested),
            level(view),
            methods(&tested),
            count(effects.family_interactions as u64)
        ),
        corner: "flags",
        heads: effect_heads("interaction"),
        rows,
        notes: reasons.notes(),
    })
}

/// The shares of variance of each factor, one block of rows a metric.
fn shares_table(
    view: &View,
    design: &DesignView,
    pairing: &PairingView,
    effects: &PairingEffects,
) -> Option<Table> {
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    for of in &effects.shares {
        match &of.shares {
            Ok(_) => rows.extend(share_rows(design, of)),
            Err(_) => notes.push(format!(
                "{}: {NONE}, nothing is left between the rulesets once the sampling variance is \
                 taken off",
                of.metric.name
            )),
        }
    }
    if rows.is_empty() && notes.is_empty() {
        return None;
    }
    let runs = effects.shares.iter().map(|of| of.runs).max().unwrap_or(0);
    Some(Table {
        title: "shares of variance".to_owned(),
        caption: format!(
            "{}, how much of the variance between the rulesets each flag accounts for, in %, after \
             the sampling variance was taken off: alone (Sobol, first order), with all its \
             interactions (Sobol, total), and with interactions divided equally (Shapley; adds up \
             to 100). Subject: the {} rulesets of the design. {} in brackets, each on its own \
             (jackknife over 20 groups of openings; [n/a] where a share is the same in all of \
             them).",
            pairing.name,
            count(runs as u64),
            level(view)
        ),
        corner: "flag",
        heads: ["alone %", "total %", "Shapley %"].map(str::to_owned).to_vec(),
        rows,
        notes,
    })
}

fn share_rows(design: &DesignView, of: &Shares) -> Vec<TableRow> {
    let Ok(shares) = &of.shares else { return Vec::new() };
    let deviation = Style::of(of.metric).value(of.deviation);
    let heading = format!("{}; sd between rulesets: {deviation}", unit_of(of.metric));
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&a, &b| shares[b].shapley.total_cmp(&shares[a].shapley));
    let rows = order.into_iter().map(|factor| {
        let cell = |share: f64, interval| TableCell {
            text: Style::PERCENT.with_interval(Ok(share), interval),
            value: Some(share),
        };
        let of = &shares[factor];
        TableRow {
            label: clean(&design.design.factors[factor].flag),
            cells: vec![
                cell(of.alone, of.alone_interval),
                cell(of.total, of.total_interval),
                cell(of.shapley, of.shapley_interval),
            ],
        }
    });
    std::iter::once(TableRow { label: heading, cells: Vec::new() }).chain(rows).collect()
}
