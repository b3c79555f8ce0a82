//! What a rule to stop early does to the numbers that it looks at: they get the anytime-valid
//! intervals that allowed the stop. Other numbers keep theirs, and the report says so.

use super::cells::{Method, balance};
use super::contrast::{ContrastMethod, adjust};
use super::number::count;
use super::view::{PairingView, Row, View};
use crate::stats::Known;
use crate::study::stopping::{LEVEL, Outcomes, StopRule};
use crate::study::{Plan, StoppedPlay};

/// A rule to stop early, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The rule.
    pub rule: StopRule,
    /// Where it stopped play before the last opening, in the order of variants, then of pairings.
    pub plays: Vec<StoppedPlay>,
}

/// Plays that stopped early that are told one by one.
const PLAYS_TOLD: usize = 12;

impl Stopped {
    /// Games that need not be played because of it.
    #[must_use]
    pub fn games_spared(&self) -> u64 {
        self.plays.iter().map(|play| play.games_spared).sum()
    }

    /// Which plays stopped early, and when, in words; nothing if none did.
    pub(super) fn told(&self, view: &View) -> Option<String> {
        let told = self.plays.iter().take(PLAYS_TOLD).map(|play| {
            format!(
                "`{}` by {} after {} openings",
                view.variants[play.variant as usize].name,
                view.pairings[play.pairing as usize].name,
                count(play.openings.into())
            )
        });
        let told: Vec<String> = told.collect();
        let rest = match self.plays.len() - told.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!told.is_empty()).then(|| format!("stopped early: {}{rest}", told.join(", ")))
    }
}

/// Puts the intervals of the plan's rule, if it has one, into the numbers of its metric.
pub(super) fn govern(
    plan: &Plan,
    pairings: &mut [PairingView],
    plays: Vec<StoppedPlay>,
) -> Option<Stopped> {
    let rule = plan.stopping?;
    for (pairing, view) in plan.pairings.iter().zip(pairings) {
        let games_of_unit = u32::try_from(pairing.whites().len()).unwrap_or(u32::MAX);
        let outcomes: Vec<Outcomes> =
            view.rows.iter().map(|row| outcomes(row, games_of_unit)).collect();
        if rule.difference {
            govern_contrasts(rule, &outcomes, view);
        } else {
            for (row, ours) in view.rows.iter_mut().zip(&outcomes) {
                govern_cells(rule, ours, row);
            }
        }
    }
    Some(Stopped { rule, plays })
}

/// The sums behind a row's numbers, which are whole.
fn outcomes(row: &Row, games_of_unit: u32) -> Outcomes {
    let (score, draws) = (row.cell("first-player-score"), row.cell("draws"));
    let sum = |value: Known<f64>, scale: f64| whole(value.unwrap_or(0.0) * scale);
    let games = crate::stats::real(score.n);
    Outcomes::of_sums(
        games_of_unit,
        score.units,
        score.n,
        sum(score.value, 2.0 * games),
        sum(draws.value, crate::stats::real(draws.n)),
    )
}

/// The nearest whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count of games or half points, far below 2^53"
)]
fn whole(value: f64) -> u64 {
    value.round() as u64
}

fn govern_cells(rule: StopRule, ours: &Outcomes, row: &mut Row) {
    let interval = rule.interval(ours, ours, LEVEL);
    for (key, interval) in [(rule.metric.key(), interval), ("balance", interval.and_then(balance))]
    {
        if key == "balance" && rule.metric.key() != "first-player-score" {
            continue;
        }
        let cell = row.cell_mut(key);
        cell.interval = Some(interval);
        cell.method = Method::Anytime;
    }
}

fn govern_contrasts(rule: StopRule, outcomes: &[Outcomes], view: &mut PairingView) {
    let Some(first) = outcomes.first() else { return };
    for contrast in &mut view.contrasts {
        if contrast.metric.key == rule.metric.key() {
            let ours = &outcomes[contrast.variant];
            contrast.interval = rule.interval(ours, first, LEVEL);
            contrast.p = rule.p_value(ours, first);
            contrast.method = ContrastMethod::Anytime;
        }
    }
    view.family = adjust(&mut view.contrasts);
}
