//! One number of a variant with its interval, its n and how they were found. Chooses which
//! function of [`crate::stats`] judges which metric; computes no interval itself.

use super::view::Unit;
use crate::stats::histogram::Histogram;
use crate::stats::interval::Share;
use crate::stats::ratio::RatioSums;
use crate::stats::score::Wdl;
use crate::stats::{Confidence, Estimate, Interval, Known, Missing};
use crate::study::metrics::{self, Distribution, Formula, Measured, Metric, Quantity, fitted};

/// How an interval was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Wilson's interval of a share of independent games.
    Wilson,
    /// Wilson's interval with the units of observation for n, where all of them agree.
    WilsonOfUnits,
    /// The normal interval of a score, cut to 0 and 1; Wilson's where all games scored the same.
    Score,
    /// Student's t over units of observation, with the linearised variance of a ratio.
    RatioT,
    /// Two observations whose ranks bracket the quantile.
    OrderStatistics,
    /// Both ends of the score's interval, transformed.
    OfScore,
    /// Fieller's interval of a ratio of two coefficients of a logistic regression, the errors
    /// clustered by unit of observation.
    LogisticRatio,
    /// Where the interval of a survival curve holds one half.
    KaplanMeier,
    /// The normal interval of an entropy with Miller's correction.
    Entropy,
    /// The interval that a rule to stop early looks at: it holds at all looks together.
    Anytime,
    /// The number describes the games that were played; it has no interval.
    Descriptive,
}

impl Method {
    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wilson => "wilson",
            Self::WilsonOfUnits => "wilson-of-units",
            Self::Score => "score-normal",
            Self::RatioT => "ratio-t",
            Self::OrderStatistics => "order-statistics",
            Self::OfScore => "of-score",
            Self::LogisticRatio => "logistic-fieller",
            Self::KaplanMeier => "kaplan-meier",
            Self::Entropy => "entropy-miller",
            Self::Anytime => "anytime",
            Self::Descriptive => "descriptive",
        }
    }
}

/// A number of a variant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The value, in the metric's unit.
    pub value: Known<f64>,
    /// Its interval; nothing where the method is [`Method::Descriptive`].
    pub interval: Option<Known<Interval>>,
    /// What it is a share or a mean of: games, turns, promotions, …
    pub n: u64,
    /// Units of observation with something in the denominator.
    pub units: u64,
    /// How the interval was found.
    pub method: Method,
}

/// The sums of a ratio over the units that have something in its denominator.
pub(super) fn sums(units: &[metrics::Unit], top: Quantity, bottom: Quantity) -> RatioSums {
    let mut sums = RatioSums::default();
    for unit in units.iter().filter(|unit| unit.numbers[bottom] > 0) {
        sums.add(unit.numbers[top], unit.numbers[bottom]);
    }
    sums
}

/// Whether each unit gives at most one observation, so that observations are independent.
pub(super) fn single(units: &[metrics::Unit], bottom: Quantity) -> bool {
    units.iter().all(|unit| unit.numbers[bottom] <= 1)
}

/// The number of a metric, judged.
pub(super) fn cell(
    metric: &Metric,
    measured: &Measured,
    unit: Unit,
    confidence: Confidence,
) -> Cell {
    let (tally, units) = (&measured.tally, measured.units.as_slice());
    let (value, n) = (metric.value(tally), metric.n(tally));
    let judged = |method, units, interval| Cell { value, interval, n, units, method };
    match metric.formula {
        Formula::Ratio { top: Quantity::FirstHalfPoints, .. } => {
            let (interval, method, units) = score(measured, unit, confidence);
            judged(method, units, Some(interval))
        }
        Formula::Balance => {
            let (interval, _, units) = score(measured, unit, confidence);
            judged(Method::OfScore, units, Some(interval.and_then(balance)))
        }
        Formula::Ratio { top, bottom, scale, proportion } => {
            let sums = sums(units, top, bottom);
            if proportion && single(units, bottom) {
                let share = Share { count: tally.sum(top), n };
                return judged(Method::Wilson, sums.games(), Some(share.wilson(confidence)));
            }
            let interval = sums.estimate(confidence).and_then(|estimate| {
                interval_of(&scaled(estimate, scale))?.clamped(0.0, f64::INFINITY)
            });
            if !proportion {
                return judged(Method::RatioT, sums.games(), Some(interval));
            }
            let (interval, method) = proportion_of(interval, tally.sum(top), n, &sums, confidence);
            judged(method, sums.games(), Some(interval))
        }
        Formula::Quantile { of, p } => {
            let histogram = tally.distribution(of);
            // Positions of one game, and the games of one pair, are not independent.
            if unit == Unit::Pair || !once_a_game(of) {
                return judged(Method::Descriptive, tally.units(), None);
            }
            let interval = histogram.quantile_interval(p, confidence);
            judged(Method::OrderStatistics, histogram.n(), Some(interval))
        }
        Formula::Deviation { .. } => judged(Method::Descriptive, tally.units(), None),
        Formula::KingValue => {
            let ratio = fitted::king_value(tally.leads(), confidence);
            let interval = ratio.and_then(|ratio| ratio.interval);
            judged(Method::LogisticRatio, tally.leads().units(), Some(interval))
        }
        // The games of one pair share their opening.
        Formula::CensoredMedian | Formula::LineEntropy | Formula::TopLine if unit == Unit::Pair => {
            judged(Method::Descriptive, tally.units(), None)
        }
        Formula::CensoredMedian => {
            let median = fitted::censored_median(tally, confidence);
            judged(Method::KaplanMeier, n, Some(median.and_then(|median| median.interval)))
        }
        Formula::LineEntropy => {
            let entropy = fitted::openings(tally, confidence).map(|found| found.entropy);
            let interval = entropy.and_then(|entropy| interval_of(&entropy));
            let interval = interval.and_then(|ends| ends.clamped(0.0, f64::INFINITY));
            judged(Method::Entropy, n, Some(interval))
        }
        Formula::TopLine => {
            let top = fitted::openings(tally, confidence).map(|found| found.top);
            judged(Method::Wilson, n, Some(top.and_then(|top| top.wilson(confidence))))
        }
    }
}

/// The interval of the first-player score, its method, and the units behind it.
fn score(
    measured: &Measured,
    unit: Unit,
    confidence: Confidence,
) -> (Known<Interval>, Method, u64) {
    let sum = |quantity| measured.tally.sum(quantity);
    match unit {
        Unit::Game => {
            let games = Wdl {
                wins: sum(Quantity::FirstWins),
                draws: sum(Quantity::Draws),
                losses: sum(Quantity::FirstLosses),
            };
            let interval = games.score().and_then(|score| score.interval(confidence));
            (interval, Method::Score, games.n())
        }
        Unit::Pair => {
            let sums = sums(&measured.units, Quantity::FirstHalfPoints, Quantity::Finished);
            let interval = sums
                .estimate(confidence)
                .and_then(|estimate| interval_of(&scaled(estimate, 0.5))?.clamped(0.0, 1.0));
            let points = sum(Quantity::FirstHalfPoints);
            let most = 2 * sum(Quantity::Finished);
            let (interval, method) = proportion_of(interval, points, most, &sums, confidence);
            (interval, method, sums.games())
        }
    }
}

/// A share whose numerator and denominator are summed over units: Wilson's interval where each unit
/// gives one observation, else t over units.
pub(super) fn share_cell(sums: &RatioSums, confidence: Confidence) -> Cell {
    let whole = |sum: u128| u64::try_from(sum).unwrap_or(u64::MAX);
    let (count, n, units) = (whole(sums.numerator()), whole(sums.denominator()), sums.games());
    let (value, judged) = (sums.value(), |interval, method| (Some(interval), method));
    let (interval, method) = if n == units {
        judged(Share { count, n }.wilson(confidence), Method::Wilson)
    } else {
        let interval = sums.estimate(confidence).and_then(|estimate| interval_of(&estimate));
        let (interval, method) = proportion_of(interval, count, n, sums, confidence);
        judged(interval, method)
    };
    Cell { value, interval, n, units, method }
}

/// The median of a number that each game has at most once.
pub(super) fn median_cell(of: &Histogram, unit: Unit, confidence: Confidence) -> Cell {
    let n = of.n();
    let (interval, method) = match unit {
        Unit::Game => (Some(of.quantile_interval(0.5, confidence)), Method::OrderStatistics),
        // The games of one pair are not independent.
        Unit::Pair => (None, Method::Descriptive),
    };
    Cell { value: of.median(), interval, n, units: n, method }
}

/// The interval of a clustered proportion: cut to 1, and Wilson's over units where all of them
/// have it or none.
fn proportion_of(
    interval: Known<Interval>,
    count: u64,
    n: u64,
    sums: &RatioSums,
    confidence: Confidence,
) -> (Known<Interval>, Method) {
    let units = sums.games();
    match interval {
        Err(Missing::NoSpread | Missing::Single) if n > 0 && (count == 0 || count == n) => {
            let share = Share { count: if count == 0 { 0 } else { units }, n: units };
            (share.wilson(confidence), Method::WilsonOfUnits)
        }
        Ok(_) | Err(_) => {
            (interval.and_then(|interval| interval.clamped(0.0, 1.0)), Method::RatioT)
        }
    }
}

/// The interval of 1 − |2s − 1| for the interval of s.
pub(super) fn balance(score: Interval) -> Known<Interval> {
    let of = |score: f64| 1.0 - (2.0 * score - 1.0).abs();
    let (low, high) = (of(score.low()), of(score.high()));
    let top = if score.contains(0.5) { 1.0 } else { low.max(high) };
    Interval::new(low.min(high), top)
}

/// Whether a distribution has at most one value of each game.
const fn once_a_game(of: Distribution) -> bool {
    match of {
        Distribution::Plies
        | Distribution::UnfinishedPlies
        | Distribution::FirstCapture
        | Distribution::FirstKing
        | Distribution::LongestChain
        | Distribution::LeadChanges
        | Distribution::Decision
        | Distribution::PairHalfPoints => true,
        Distribution::Branching | Distribution::Chain => false,
    }
}

/// An estimate in a unit `scale` times as small.
pub(super) fn scaled(estimate: Estimate, scale: f64) -> Estimate {
    let judgement = estimate.judgement.and_then(|mut judgement| {
        judgement.interval = judgement.interval.map(|end| end * scale)?;
        Ok(judgement)
    });
    let (value, standard_error) = (estimate.value * scale, estimate.standard_error * scale);
    Estimate { value, standard_error, judgement, n: estimate.n }
}

fn interval_of(estimate: &Estimate) -> Known<Interval> {
    Ok(estimate.judgement?.interval)
}
