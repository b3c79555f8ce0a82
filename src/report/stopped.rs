//! What a rule to stop early does to the numbers that it looks at: they get the anytime-valid
//! intervals that allowed the stop. Other numbers keep theirs, and the report says so.

use super::cells::{Method, balance};
use super::contrast::{ContrastMethod, adjust};
use super::view::{PairingView, Row};
use crate::stats::Known;
use crate::study::Plan;
use crate::study::stopping::{LEVEL, Outcomes, StopRule, looks};

/// A rule to stop early, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The rule.
    pub rule: StopRule,
    /// Games that need not be played because of it.
    pub games_spared: u64,
}

/// Puts the intervals of the plan's rule, if it has one, into the numbers of its metric.
pub(super) fn govern(plan: &Plan, pairings: &mut [PairingView]) -> Option<Stopped> {
    let rule = plan.stopping?;
    let mut games_spared = 0;
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
        games_spared +=
            spared(rule, pairing.openings, &view.rows, &outcomes) * u64::from(games_of_unit);
    }
    Some(Stopped { rule, games_spared })
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

/// Openings that need not be played: those after a look at which the rule held.
fn spared(rule: StopRule, openings: u32, rows: &[Row], outcomes: &[Outcomes]) -> u64 {
    let looks = looks(openings);
    let Some(first) = outcomes.first() else { return 0 };
    let met = |(row, ours): (&Row, &Outcomes)| {
        let at_look = looks.iter().any(|&look| u64::from(look) == row.openings);
        at_look && row.openings_incomplete == 0 && rule.is_met(ours, first)
    };
    let rest = |row: &Row| u64::from(openings).saturating_sub(row.openings);
    let own = usize::from(rule.difference);
    let others = rows.iter().zip(outcomes).skip(own);
    let all_met = rows.iter().zip(outcomes).skip(own).all(|pair| rest(pair.0) == 0 || met(pair));
    let spared: u64 = others.filter(|pair| met(*pair)).map(|(row, _)| rest(row)).sum();
    // The first variant is played as long as another needs it.
    let firsts = rows.first().filter(|_| rule.difference && all_met).map_or(0, rest);
    spared + firsts
}
