//! What a rule to stop early does to the numbers that it looks at: they, their differences and the
//! effects on them get anytime-valid intervals, as those that allowed the stop. Other numbers keep
//! theirs, and the report says so.

use super::cells::{Method, balance};
use super::contrast::{Contrast, ContrastMethod, Sample};
use super::number::count;
use super::view::{Row, View};
use crate::stats::{Confidence, Interval, Known};
use crate::study::metrics::Metric;
use crate::study::stopping::{LEVEL, Outcomes, StopMetric, StopRule, least_level};
use crate::study::{Pairing, Plan, StoppedPlay};

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

/// What the rule looked at under one pairing: the outcomes of each variant.
pub(super) struct Watched {
    rule: StopRule,
    outcomes: Vec<Outcomes>,
}

impl Watched {
    /// The outcomes behind these rows, one a variant; nothing without a rule.
    pub(super) fn of(plan: &Plan, pairing: &Pairing, rows: &[Row]) -> Option<Self> {
        let rule = plan.stopping?;
        let games_of_unit = u32::try_from(pairing.whites().len()).unwrap_or(u32::MAX);
        let outcomes = rows.iter().map(|row| outcomes(row, games_of_unit)).collect();
        Some(Self { rule, outcomes })
    }

    /// Whether the rule looked at this metric, or at one that is made of it.
    pub(super) fn is_of(&self, metric: &Metric) -> bool {
        metric.key == self.rule.metric.key()
            || (metric.key == "balance" && self.rule.metric == StopMetric::FirstPlayerScore)
    }

    /// Puts the intervals that may be looked at at any time into the numbers of the rule's metric.
    pub(super) fn govern_cells(&self, rows: &mut [Row]) {
        for row in rows {
            let interval = self.own(row.variant, LEVEL);
            let made =
                [(self.rule.metric.key(), interval), ("balance", interval.and_then(balance))];
            for (key, interval) in made {
                if key != "balance" || self.rule.metric == StopMetric::FirstPlayerScore {
                    let cell = row.cell_mut(key);
                    cell.interval = Some(interval);
                    cell.method = Method::Anytime;
                }
            }
        }
    }

    /// The same for the differences from a variant: each is that of two numbers of which each is
    /// over all its own games, however many those became.
    pub(super) fn govern_contrast(
        &self,
        contrast: &mut Contrast,
        rows: &[Row],
        base: usize,
        confidence: Confidence,
    ) {
        let key = self.rule.metric.key();
        if contrast.metric.key != key {
            return;
        }
        let [ours, first] = [contrast.variant, base].map(|variant| rows[variant].cell(key));
        let sum = [(1.0, contrast.variant), (-1.0, base)];
        contrast.sample = Sample::Independent(ours.n, first.n);
        contrast.difference = ours.value.and_then(|value| Ok(value - first.value?));
        contrast.interval = self.sum(contrast.metric, &sum, confidence);
        contrast.p = self.p_value(contrast.metric, &sum);
        contrast.correlation = None;
        contrast.method = ContrastMethod::Anytime;
    }

    /// The interval of a weighted sum over variants of the rule's metric, or of the balance: it
    /// holds at all looks at all of them together, because the intervals of the variants do
    /// (Bonferroni), whether they share openings or not.
    ///
    /// # Errors
    /// Without a finished game of a variant that counts; [`Missing::Range`] where no end is left.
    pub(super) fn sum(
        &self,
        metric: &Metric,
        weights: &[(f64, usize)],
        confidence: Confidence,
    ) -> Known<Interval> {
        let weights = weights.iter().filter(|(weight, _)| weight.abs() > 0.0);
        let level = confidence.shared_by(weights.clone().count());
        let (mut low, mut high) = (0.0, 0.0);
        for &(weight, variant) in weights {
            let mut own = self.own(variant, level)?;
            if metric.key == "balance" {
                own = balance(own)?;
            }
            let ends = [weight * own.low(), weight * own.high()];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        Interval::new(low, high)
    }

    /// The least level of significance at which the sum's interval leaves 0 out.
    pub(super) fn p_value(&self, metric: &Metric, weights: &[(f64, usize)]) -> Known<f64> {
        least_level(|confidence| self.sum(metric, weights, confidence))
    }

    fn own(&self, variant: usize, confidence: Confidence) -> Known<Interval> {
        self.rule.own_interval(&self.outcomes[variant], confidence)
    }
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
