//! The sentence about questions that hardly ever come up. Counts nothing itself.

use super::readings::named;
use super::{Evidence, Finding, level};
use crate::report::cells::Cell;
use crate::report::effects::Step;
use crate::report::number::{Style, count};
use crate::report::relevance::RelevanceCells;
use crate::report::view::View;
use crate::stats::{Interval, Known, Missing};
use crate::study::design::DesignKind;

/// A question hardly ever comes up where fewer than this share of games are touched by it, even by
/// the upper ends of the intervals.
const HARDLY: f64 = 0.05;
/// The most answers that are named.
const NAMED: usize = 6;

/// An answer with the share of games that it touches: the larger of those in which legal turns
/// differ and those that end otherwise.
struct Touched<'a> {
    variant: usize,
    cell: &'a Cell,
    key: &'static str,
}

fn interval(cell: &Cell) -> Known<Interval> {
    cell.interval.unwrap_or(Err(Missing::Empty))
}

fn touched(variant: usize, cells: &RelevanceCells) -> Option<Touched<'_>> {
    let (turns, ends) = (cells.games.value.ok()?, cells.endings.value.ok()?);
    let (cell, key) = if turns >= ends {
        (&cells.games, "games-with-other-turns")
    } else {
        (&cells.endings, "games-that-end-otherwise")
    };
    Some(Touched { variant, cell, key })
}

/// The one answer by which a variant differs from the base that turns are compared with, if a
/// design says so.
fn answer(view: &View, variant: usize) -> Option<String> {
    let base = u32::try_from(view.relevance_base).ok()?;
    let single = view.designs.iter().filter(|of| {
        of.design.kind == DesignKind::OneAtATime && of.design.base_variant() == Some(base)
    });
    let mut steps = single.filter_map(|of| {
        let run = of.design.runs.iter().find(|run| run.variant as usize == variant)?;
        let factor = run.levels.iter().position(|&level| level > 0)?;
        Some(of.step_name(Step { factor, level: run.levels[factor].into() }))
    });
    steps.next().filter(|_| variant != view.relevance_base)
}

/// A variant in words: its answer, or its name.
fn reading(view: &View, variant: usize) -> String {
    answer(view, variant).map_or_else(|| named(view, variant), |answer| format!("`{answer}`"))
}

/// Whether the upper end of every interval is below the limit.
fn hardly(cells: &RelevanceCells) -> bool {
    let below = |cell: &Cell| match cell.interval {
        None => cell.value.is_ok_and(|value| value < HARDLY),
        Some(interval) => interval.is_ok_and(|interval| interval.high() < HARDLY),
    };
    below(&cells.games) && below(&cells.endings)
}

/// Which answers hardly ever change a legal turn or an end, and which do so most often.
pub(super) fn hardly_ever(view: &View, pairing: usize) -> Option<Finding> {
    let base = view.variants.get(view.relevance_base)?;
    // Where single answers were tried, the sentence is about these.
    let single = (0..view.variants.len()).any(|variant| answer(view, variant).is_some());
    let mut all: Vec<(Touched<'_>, bool)> = view
        .relevance
        .iter()
        .filter(|row| row.pairing == pairing && (!single || answer(view, row.variant).is_some()))
        .filter_map(|row| {
            let cells = row.found.as_ref().ok()?;
            Some((touched(row.variant, cells)?, hardly(cells)))
        })
        .collect();
    let size = |of: &Touched<'_>| of.cell.value.unwrap_or(0.0);
    all.sort_by(|a, b| size(&a.0).total_cmp(&size(&b.0)));
    let most = &all.last()?.0;
    let told = |of: &Touched<'_>| {
        let share = match of.cell.interval {
            None => Style::PERCENT.value(of.cell.value),
            Some(interval) => Style::PERCENT.with_interval(of.cell.value, interval),
        };
        format!("{} {share} % (n = {})", reading(view, of.variant), count(of.cell.n))
    };
    let rare: Vec<&Touched<'_>> =
        all.iter().filter(|(_, hardly)| *hardly).map(|(of, _)| of).collect();
    let told_rare: Vec<String> = rare.iter().take(NAMED).map(|of| told(of)).collect();
    let more = match rare.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let text = format!(
        "How often a question comes up: in games of `{}` under {}, {} of {} {} hardly ever \
         matter{}: surely fewer than {:.0} % of games have a legal turn or an end that differs{}{}\
         {more}; the most often {} ({} intervals).",
        base.name,
        view.pairings[pairing].name,
        rare.len(),
        all.len(),
        if single { "other answers" } else { "other rulesets" },
        if rare.len() == 1 { "s" } else { "" },
        100.0 * HARDLY,
        if told_rare.is_empty() { "" } else { ": " },
        told_rare.join("; "),
        told(most),
        level(view)
    );
    let evidence =
        rare.iter().copied().take(NAMED).chain(std::iter::once(most)).map(|of| Evidence {
            subject: view.variants[of.variant].name.clone(),
            pairing: view.pairings[pairing].name.clone(),
            metric: of.key,
            value: of.cell.value,
            interval: interval(of.cell),
            n: of.cell.n,
            p_adjusted: None,
        });
    Some(Finding { topic: "relevance", text, evidence: evidence.collect() })
}
