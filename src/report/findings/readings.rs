//! Sentences about whole readings: the best balanced, the most decisive, those that do not end.

use super::{Evidence, Finding, level};
use crate::report::effects::Step;
use crate::report::number::{Style, count};
use crate::report::unfinished::Unfinished;
use crate::report::view::{PairingView, Row, View, clean};
use crate::stats::{Interval, Known, Missing};
use crate::study::design::DesignKind;

/// The largest share of unfinished games of a reading that may be called the best of something.
const UNFINISHED_MAX: f64 = 0.05;

fn interval(row: &Row, key: &str) -> Known<Interval> {
    row.cell(key).interval.unwrap_or(Err(Missing::Empty))
}

/// A reading with a value of a metric and its interval.
type Candidate<'a> = (&'a Row, f64, Interval);

/// The readings of which nearly all games end, with a value and an interval of this metric.
fn candidates<'a>(pairing: &'a PairingView, key: &str) -> Vec<Candidate<'a>> {
    let ends = |row: &&Row| row.cell("unfinished").value.is_ok_and(|x| x <= UNFINISHED_MAX);
    let rows = pairing.rows.iter().filter(ends);
    rows.filter_map(|row| Some((row, row.cell(key).value.ok()?, interval(row, key).ok()?)))
        .collect()
}

fn evidence_of(view: &View, pairing: &PairingView, row: &Row, key: &'static str) -> Evidence {
    let cell = row.cell(key);
    Evidence {
        subject: view.variants[row.variant].name.clone(),
        pairing: pairing.name.clone(),
        metric: key,
        value: cell.value,
        interval: interval(row, key),
        n: cell.n,
        p_adjusted: None,
    }
}

fn share(row: &Row, key: &str) -> String {
    Style::PERCENT.with_interval(row.cell(key).value, interval(row, key))
}

/// The name of a variant, with its answers where a design numbers its rulesets.
pub(super) fn named(view: &View, variant: usize) -> String {
    let name = &view.variants[variant].name;
    let answers = view.designs.iter().filter(|of| of.design.kind != DesignKind::OneAtATime);
    let answers = answers.filter_map(|of| {
        let run = of.design.runs.iter().find(|run| run.variant as usize == variant)?;
        let steps = run.levels.iter().enumerate().filter(|(_, level)| **level > 0);
        let steps: Vec<String> = steps
            .map(|(factor, &level)| of.step_name(Step { factor, level: level.into() }))
            .collect();
        let base = &of.design.base;
        Some(if steps.is_empty() {
            format!("as `{}`", clean(base))
        } else {
            format!("`{}` with `{}`", clean(base), steps.join("`, `"))
        })
    });
    match answers.into_iter().next().filter(|_| name.contains('#')) {
        Some(answers) => format!("`{name}` ({answers})"),
        None => format!("`{name}`"),
    }
}

fn others(n: usize) -> String {
    match n {
        0 => "no other reading's interval reaches it".to_owned(),
        1 => "one other reading is not told apart from it (the intervals overlap)".to_owned(),
        n => format!(
            "{} other readings are not told apart from it (the intervals overlap)",
            count(n as u64)
        ),
    }
}

/// The candidate of the largest value, and how many others have intervals that reach its own.
fn largest<'a>(all: &[Candidate<'a>]) -> Option<(Candidate<'a>, usize)> {
    let best = *all.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let near =
        all.iter().filter(|one| one.0.variant != best.0.variant && one.2.high() >= best.2.low());
    Some((best, near.count()))
}

/// The reading whose first-player score is nearest to one half.
pub(super) fn best_balanced(view: &View, number: usize) -> Option<Finding> {
    let pairing = view.pairings.get(number)?;
    let all = candidates(pairing, "balance");
    let ((best, value, ends), near) = largest(&all)?;
    let text = format!(
        "Best balanced reading: {}, under {}, with a balance of {value:.3} [{:.3}, {:.3}] and a \
         first-player score of {} % (n = {} finished games, {} intervals); {}.",
        named(view, best.variant),
        pairing.name,
        ends.low(),
        ends.high(),
        share(best, "first-player-score"),
        count(best.cell("balance").n),
        level(view),
        others(near)
    );
    let evidence = ["balance", "first-player-score"];
    let evidence = evidence.map(|key| evidence_of(view, pairing, best, key)).to_vec();
    Some(Finding { topic: "best-balanced", text, evidence })
}

/// The reading with the most decisive games, among those whose score is not told apart from one
/// half.
pub(super) fn most_decisive(view: &View, number: usize) -> Option<Finding> {
    let pairing = view.pairings.get(number)?;
    let even = |row: &Row| interval(row, "first-player-score").is_ok_and(|i| i.contains(0.5));
    let mut all = candidates(pairing, "decisive");
    all.retain(|(row, _, _)| even(row));
    let ((best, _, _), near) = largest(&all)?;
    let text = format!(
        "Most decisive among the {} readings whose first-player score is not told apart from 50 % \
         under {}: {}, with {} % of finished games decided and a score of {} % (n = {}, {} \
         intervals); {}.",
        count(all.len() as u64),
        pairing.name,
        named(view, best.variant),
        share(best, "decisive"),
        share(best, "first-player-score"),
        count(best.cell("decisive").n),
        level(view),
        others(near)
    );
    let evidence = ["decisive", "first-player-score"];
    let evidence = evidence.map(|key| evidence_of(view, pairing, best, key)).to_vec();
    Some(Finding { topic: "most-decisive", text, evidence })
}

/// The readings of which many games do not end.
pub(super) fn unfinished(view: &View, number: usize) -> Option<Finding> {
    let pairing = view.pairings.get(number)?;
    let known =
        pairing.rows.iter().filter_map(|row| Some((row, row.cell("unfinished").value.ok()?)));
    let known: Vec<(&Row, f64)> = known.collect();
    let (most, value) = *known.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let many = known.iter().filter(|(_, share)| *share > UNFINISHED_MAX).count();
    let cut = Unfinished::sum(pairing.rows.iter().map(|row| row.unfinished));
    let (which, at) = match cut {
        Unfinished { given_up: 0, .. } => (
            format!("reach the ply cap of {}", view.plies_max),
            format!(" at {} plies", view.plies_max),
        ),
        Unfinished { capped, given_up } => {
            let by = format!(
                "by the ply cap of {} ({}) or by a position with too many turns to list ({})",
                view.plies_max,
                count(capped),
                count(given_up)
            );
            (format!("have no end, {by}"), format!(", {by}"))
        }
    };
    let text = if many == 0 {
        format!(
            "Endings: under {} at most {:.1} % of the games of a reading {} ({}, {} %, n = {}, {} \
             interval).",
            pairing.name,
            100.0 * value,
            which,
            named(view, most.variant),
            share(most, "unfinished"),
            count(most.cell("unfinished").n),
            level(view)
        )
    } else {
        format!(
            "Endings: under {} {many} of {} readings {} more than {:.0} % of {} games \
             unfinished{}, the most {} with {} % (n = {}, {} interval).",
            pairing.name,
            known.len(),
            if many == 1 { "leaves" } else { "leave" },
            100.0 * UNFINISHED_MAX,
            if many == 1 { "its" } else { "their" },
            at,
            named(view, most.variant),
            share(most, "unfinished"),
            count(most.cell("unfinished").n),
            level(view)
        )
    };
    let evidence = vec![evidence_of(view, pairing, most, "unfinished")];
    Some(Finding { topic: "unfinished", text, evidence })
}
