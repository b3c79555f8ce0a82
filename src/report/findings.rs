//! What a study of a design found, in sentences that carry their numbers. Chooses and writes down
//! what the view holds; judges nothing anew and says nothing that the numbers do not.

mod readings;
mod relevance;
mod strength;

use super::contrast::Sample;
use super::effects::{Basis, DesignView, Effect};
use super::number::{Style, chance, count};
use super::tables::unit_of;
use super::view::{PairingView, View, clean};
use crate::player::{Budget, PlayerSpec, ROSTER};
use crate::stats::{Interval, Known, real_len};
use crate::study::design::DesignKind;
use crate::study::metrics::Metric;

/// The most effects that a sentence names.
const NAMED: usize = 3;

/// A sentence, or two, about one question.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is about: the key of a metric, or `relevance`, `interactions`, `variance`,
    /// `strength`, `largest`, `best-balanced`, `most-decisive`, `unfinished`.
    pub topic: &'static str,
    /// The sentences.
    pub text: String,
    /// The numbers in them.
    pub evidence: Vec<Evidence>,
}

/// A number of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// What it is of: an answer, two flags, a variant.
    pub subject: String,
    /// The pairing.
    pub pairing: String,
    /// The metric's key.
    pub metric: &'static str,
    /// The number, in the metric's unit.
    pub value: Known<f64>,
    /// Its interval.
    pub interval: Known<Interval>,
    /// What it was found over: openings, units, games.
    pub n: u64,
    /// The adjusted p, where there was a test.
    pub p_adjusted: Option<f64>,
}

/// How large an effect on a metric may be and still count as none.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Margin {
    metric: &'static Metric,
    /// In the metric's unit.
    margin: f64,
}

/// Shares may differ by two points of 100.
const MARGIN_SHARE: f64 = 0.02;
/// Means may differ by this part of the base's.
const MARGIN_PART: f64 = 0.05;

/// The findings of a study; none without a design.
pub(super) fn findings(view: &View) -> Vec<Finding> {
    let Some(main) = first_of(view, true) else { return Vec::new() };
    let strongest = strongest(&view.pairings);
    let mut found = Vec::new();
    found.extend(relevance::hardly_ever(view, strongest));
    for (key, what) in [
        ("first-player-score", "Balance"),
        ("draws", "Draws"),
        ("plies", "Length"),
        ("branching", "Choice"),
        ("taken", "Captures"),
    ] {
        found.extend(changed(view, main, strongest, key, what));
    }
    if let Some(factorial) = first_of(view, false) {
        found.extend(interactions(view, factorial, strongest));
        found.extend(variance(view, factorial, strongest));
    }
    found.extend(readings::best_balanced(view, strongest));
    found.extend(readings::most_decisive(view, strongest));
    found.extend(readings::unfinished(view, strongest));
    found.extend(strength::largest(view, main));
    found.extend(strength::turned(view, main));
    found
}

/// The design that single changes are told from, one at a time if there is one; or the first of
/// combinations.
fn first_of(view: &View, single: bool) -> Option<&DesignView> {
    let is_single = |design: &&DesignView| design.design.kind == DesignKind::OneAtATime;
    let mut designs = view.designs.iter();
    if single {
        return designs.find(is_single).or(view.designs.first());
    }
    designs.find(|design| !is_single(design))
}

/// The pairing of the strongest players.
fn strongest(pairings: &[PairingView]) -> usize {
    by_strength(pairings).last().copied().unwrap_or_default()
}

/// The numbers of the pairings, the weakest players first: by the kind of the weaker one, then by
/// its budget; of equals the earlier first.
fn by_strength(pairings: &[PairingView]) -> Vec<usize> {
    let rank = |player: &String| -> (usize, u64) {
        let kind = ROSTER
            .iter()
            .position(|row| player.split(':').next() == Some(row.name))
            .unwrap_or_default();
        let budget = match player.parse::<PlayerSpec>() {
            Ok(PlayerSpec::AlphaBeta { budget, .. }) => match budget {
                Budget::Depth(depth) => depth.into(),
                Budget::Nodes(nodes) => nodes,
            },
            Ok(PlayerSpec::Mcts { playouts, .. }) => u64::from(playouts),
            Ok(PlayerSpec::Random | PlayerSpec::Greedy { .. }) | Err(_) => 0,
        };
        (kind, budget)
    };
    let weaker = |pairing: &PairingView| pairing.players.iter().map(rank).min();
    let mut order: Vec<usize> = (0..pairings.len()).collect();
    order.sort_by_key(|&number| weaker(&pairings[number]));
    order
}

/// The margin of a metric, by the base's value or, without a base, by the mean of all runs.
fn margin(design: &DesignView, pairing: &PairingView, metric: &'static Metric) -> Option<Margin> {
    if Style::of(metric) == Style::PERCENT {
        return Some(Margin { metric, margin: MARGIN_SHARE });
    }
    let value = |variant: u32| pairing.rows.get(variant as usize)?.cell(metric.key).value.ok();
    let base = design.design.base_variant().and_then(value).or_else(|| {
        let values: Vec<f64> = design.design.variants().into_iter().filter_map(value).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / real_len(values.len()))
    })?;
    (base > 0.0).then_some(Margin { metric, margin: MARGIN_PART * base })
}

/// Whether an effect is shown to be smaller than a margin, at 5 %.
fn equivalent(effect: &Effect, margin: Margin) -> bool {
    effect.interval_90.is_ok_and(|i| -margin.margin < i.low() && i.high() < margin.margin)
}

fn margin_words(margin: Margin) -> String {
    let style = Style::of(margin.metric);
    if style == Style::PERCENT {
        format!("{:.0} points", style.shown(margin.margin))
    } else {
        format!(
            "{:.0} % ({} {})",
            100.0 * MARGIN_PART,
            style.value(Ok(margin.margin)),
            margin.metric.unit
        )
    }
}

/// The n of an effect.
const fn n_of(effect: &Effect) -> u64 {
    match effect.basis {
        Basis::Two(Sample::Paired(n)) | Basis::Openings(n) | Basis::Units(n) => n,
        Basis::Two(Sample::Independent(this, _)) => this,
    }
}

fn n_words(effect: &Effect) -> String {
    match effect.basis {
        Basis::Two(Sample::Paired(n)) | Basis::Openings(n) => format!("n = {} openings", count(n)),
        Basis::Units(n) => format!("n = {} units", count(n)),
        Basis::Two(Sample::Independent(this, base)) => {
            format!("n = {} and {} units", count(this), count(base))
        }
    }
}

/// `effect [interval], n, p`.
fn told(effect: &Effect) -> String {
    let style = Style::of(effect.metric);
    let p = match effect.p_adjusted {
        Some(p) if p < 0.001 => "p Holm < 0.001".to_owned(),
        p => format!("p Holm {}", chance(p)),
    };
    format!("{} ({}, {p})", style.difference(effect.value, effect.interval), n_words(effect))
}

fn evidence(design: &DesignView, pairing: &PairingView, effect: &Effect) -> Evidence {
    Evidence {
        subject: design.term_name(effect.term),
        pairing: pairing.name.clone(),
        metric: effect.metric.key,
        value: effect.value,
        interval: effect.interval,
        n: n_of(effect),
        p_adjusted: effect.p_adjusted,
    }
}

/// The largest first.
fn by_size(effects: &mut [&Effect]) {
    let size = |effect: &Effect| effect.value.map_or(-1.0, f64::abs);
    effects.sort_by(|a, b| size(b).total_cmp(&size(a)));
}

fn level(view: &View) -> String {
    format!("{:.0} %", 100.0 * view.confidence.level())
}

fn answers(n: usize) -> String {
    if n == 1 { "one answer".to_owned() } else { format!("{n} answers") }
}

/// Which answers change a metric, which make no difference, and of which nothing can be said.
fn changed(
    view: &View,
    design: &DesignView,
    pairing: usize,
    key: &str,
    what: &str,
) -> Option<Finding> {
    let (effects, players) = (&design.pairings[pairing], &view.pairings[pairing]);
    let metric = Metric::find(key)?;
    let known: Vec<&Effect> =
        effects.main.iter().filter(|e| e.metric.key == key && e.value.is_ok()).collect();
    if known.is_empty() {
        return None;
    }
    let margin = margin(design, players, metric)?;
    let mut clear: Vec<&Effect> = known.iter().copied().filter(|e| e.clear()).collect();
    by_size(&mut clear);
    let none: Vec<&Effect> =
        known.iter().copied().filter(|e| !e.clear() && equivalent(e, margin)).collect();
    let open = known.len() - clear.len() - none.len();
    let how = match design.design.kind {
        DesignKind::OneAtATime => "one at a time",
        DesignKind::Full | DesignKind::Fractional { .. } | DesignKind::Sample { .. } => {
            "averaged over the other flags"
        }
    };
    let subject = match key {
        "first-player-score" => "the first-player score (50 % is balance)",
        "draws" => "the share of draws",
        "plies" => "the length in plies",
        "branching" => "the number of legal turns",
        _ => metric.definition,
    };
    let of = format!("of {} against `{}` {how}", answers(known.len()), clean(&design.design.base));
    let unit = if Style::of(metric) == Style::PERCENT { " points" } else { "" };
    let mut text = match clear.len() {
        0 => {
            let most = known.iter().max_by_key(|effect| n_of(effect));
            let n = most.map_or_else(String::new, |effect| n_words(effect));
            format!(
                "{what}: {} under {}, none clearly changes {subject} (p Holm above 0.05, {n})",
                of, players.name
            )
        }
        n => {
            let named: Vec<String> = clear
                .iter()
                .take(NAMED)
                .map(|effect| format!("`{}` {}", design.term_name(effect.term), told(effect)))
                .collect();
            format!(
                "{what}: {} under {}, {n} change{} {subject}; {} (in{unit_in}, {} intervals): {}",
                of,
                players.name,
                if n == 1 { "s" } else { "" },
                if n > 1 { "the largest" } else { "it is" },
                level(view),
                named.join("; "),
                unit_in =
                    if unit.is_empty() { format!(" {}", metric.unit) } else { unit.to_owned() },
            )
        }
    };
    text.push_str(&format!(
        ". {} to change it by less than {} (equivalence test at 5 %, each on its own); {}.",
        match none.len() {
            0 => "None is shown".to_owned(),
            1 => "One is shown".to_owned(),
            n => format!("{n} are shown"),
        },
        margin_words(margin),
        match open {
            0 => "there is no other".to_owned(),
            1 => "of the other one the games do not tell".to_owned(),
            n => format!("of the other {n} the games do not tell"),
        }
    ));
    let evidence = clear.iter().take(NAMED).map(|effect| evidence(design, players, effect));
    Some(Finding { topic: metric.key, text, evidence: evidence.collect() })
}

/// Which flags change each other's effect.
fn interactions(view: &View, design: &DesignView, pairing: usize) -> Option<Finding> {
    let (effects, players) = (&design.pairings[pairing], &view.pairings[pairing]);
    let tested: Vec<&Effect> = effects.interactions.iter().filter(|e| e.p.is_ok()).collect();
    if tested.is_empty() {
        return None;
    }
    let mut clear: Vec<&Effect> = tested.iter().copied().filter(|e| e.clear()).collect();
    // The most certain of each metric, in the order of metrics.
    let p = |effect: &Effect| effect.p.unwrap_or(1.0);
    clear.sort_by(|a, b| p(a).total_cmp(&p(b)));
    let mut named: Vec<&Effect> = Vec::new();
    for effect in &clear {
        if named.len() < NAMED && named.iter().all(|known| known.metric.key != effect.metric.key) {
            named.push(effect);
        }
    }
    let text = if clear.is_empty() {
        format!(
            "Interactions: none of {} two-way interactions under {} is clear (p Holm above 0.05); \
             that is no proof that the flags add up.",
            tested.len(),
            players.name
        )
    } else {
        let told: Vec<String> = named
            .iter()
            .map(|effect| {
                format!(
                    "{} `{}` {}",
                    unit_of(effect.metric),
                    design.term_name(effect.term),
                    told(effect)
                )
            })
            .collect();
        let sums = if design.design.aliases.is_empty() {
            ""
        } else {
            "; each is the sum of those that the rulesets cannot tell apart"
        };
        format!(
            "Interactions: {} of {} two-way interactions under {} {} clear, so that these answers \
             cannot be chosen one by one{sums}; {} (half of what one answer changes in the effect \
             of the other, {} intervals): {}.",
            clear.len(),
            tested.len(),
            players.name,
            if clear.len() == 1 { "is" } else { "are" },
            if clear.len() == 1 { "it is" } else { "the surest" },
            level(view),
            told.join("; ")
        )
    };
    let evidence = named.iter().map(|effect| evidence(design, players, effect)).collect();
    Some(Finding { topic: "interactions", text, evidence })
}

/// Which flags the differences between rulesets come from.
fn variance(view: &View, design: &DesignView, pairing: usize) -> Option<Finding> {
    let (effects, players) = (&design.pairings[pairing], &view.pairings[pairing]);
    let mut parts = Vec::new();
    let mut evidence = Vec::new();
    let mut rulesets = 0;
    for key in ["first-player-score", "draws", "plies", "branching"] {
        let shares = effects.shares.iter().find(|shares| shares.metric.key == key)?;
        let Ok(factors) = &shares.shares else { continue };
        let (factor, most) =
            factors.iter().enumerate().max_by(|a, b| a.1.shapley.total_cmp(&b.1.shapley))?;
        // Without an interval it is nothing but noise.
        if most.shapley_interval.is_err() {
            continue;
        }
        rulesets = shares.runs;
        let flag = clean(&design.design.factors[factor].flag);
        parts.push(format!(
            "{}: `{flag}` {} %",
            shares.metric.name,
            Style::PERCENT.with_interval(Ok(most.shapley), most.shapley_interval)
        ));
        evidence.push(Evidence {
            subject: flag,
            pairing: players.name.clone(),
            metric: shares.metric.key,
            value: Ok(most.shapley),
            interval: most.shapley_interval,
            n: shares.runs as u64,
            p_adjusted: None,
        });
    }
    if parts.is_empty() {
        return None;
    }
    let text = format!(
        "Weight: the largest part of the variance between {rulesets} rulesets under {} (Shapley, \
         sampling variance taken off, {} intervals), by metric: {}.",
        players.name,
        level(view),
        parts.join("; ")
    );
    Some(Finding { topic: "variance", text, evidence })
}
