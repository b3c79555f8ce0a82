//! Each variant against the first: differences with interval and adjusted p, paired by opening
//! where the openings are equal. Computes no statistic itself.

use super::cells::{scaled, single, sums};
use crate::stats::interval::Share;
use crate::stats::multiple::{Correction, adjust_column};
use crate::stats::paired::{self, PairedShares};
use crate::stats::proportions::TwoShares;
use crate::stats::ratio::paired_ratio_difference;
use crate::stats::{Confidence, Estimate, Interval, Known, Missing, real};
use crate::study::metrics::{Formula, Metric, Quantity, Unit};

/// The metrics that are compared, by key, in the order of tables.
pub const CONTRASTS: [&str; 8] = [
    "first-player-score",
    "draws",
    "plies",
    "branching",
    "forced",
    "taken",
    "hopping",
    "promotions",
];

/// What a difference was found over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// So many openings, played on both variants.
    Paired(u64),
    /// So many units of this variant, and of the first, each with openings of its own.
    Independent(u64, u64),
}

/// How a difference was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContrastMethod {
    /// Student's t over openings, of the difference of two ratios.
    PairedT,
    /// Tango's interval, McNemar's exact p.
    PairedShares,
    /// Welch's t of the difference of two ratios.
    Welch,
    /// Newcombe's interval; p of the pooled z test, or Fisher's where counts are small.
    TwoShares,
    /// The interval that a rule to stop early looks at, and the p that goes with it.
    Anytime,
}

impl ContrastMethod {
    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PairedT => "paired-t",
            Self::PairedShares => "tango-mcnemar",
            Self::Welch => "welch-t",
            Self::TwoShares => "newcombe-z",
            Self::Anytime => "anytime",
        }
    }
}

/// The difference of a metric between a variant and the study's first: this minus first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrast {
    /// The metric.
    pub metric: &'static Metric,
    /// The variant's number in the study.
    pub variant: usize,
    /// What it was found over.
    pub sample: Sample,
    /// The difference, in the metric's unit.
    pub difference: Known<f64>,
    /// Its interval.
    pub interval: Known<Interval>,
    /// Two-sided p of "there is no difference".
    pub p: Known<f64>,
    /// That p, adjusted over the pairing's family by Holm's method.
    pub p_adjusted: Option<f64>,
    /// Correlation of both variants over openings; nothing where they were not paired.
    pub correlation: Option<Known<f64>>,
    /// How it was judged.
    pub method: ContrastMethod,
}

/// Two units with the same opening: this variant's and the first variant's.
type Pair<'a> = (&'a Unit, &'a Unit);

/// The differences of a variant from the first.
pub(super) fn contrasts(
    variant: usize,
    units: &[Unit],
    first: &[Unit],
    confidence: Confidence,
) -> Vec<Contrast> {
    let pairs = pair_up(units, first);
    // Openings that only a few games share say little about all games.
    let paired = 2 * pairs.len() >= units.len().min(first.len());
    CONTRASTS
        .iter()
        .filter_map(|key| Metric::find(key))
        .filter_map(|metric| match metric.formula {
            Formula::Ratio { top, bottom, scale, proportion } => {
                Some((metric, Ratio { top, bottom, scale, proportion }))
            }
            Formula::Quantile { .. }
            | Formula::Deviation { .. }
            | Formula::Balance
            | Formula::CensoredMedian
            | Formula::KingValue
            | Formula::LineEntropy
            | Formula::TopLine => None,
        })
        .map(|(metric, ratio)| {
            let judged = if paired {
                ratio.paired(&pairs, confidence)
            } else {
                ratio.independent(units, first, confidence)
            };
            let Judged { sample, difference, interval, p, correlation, method } = judged;
            let p_adjusted = None;
            Contrast {
                metric,
                variant,
                sample,
                difference,
                interval,
                p,
                p_adjusted,
                correlation,
                method,
            }
        })
        .collect()
}

/// Adjusts the p of one family; returns how many there are.
pub(super) fn adjust(contrasts: &mut [Contrast]) -> usize {
    let p: Vec<Option<f64>> = contrasts.iter().map(|contrast| contrast.p.ok()).collect();
    let (adjusted, size) = adjust_column(&p, Correction::Holm);
    for (contrast, adjusted) in contrasts.iter_mut().zip(adjusted) {
        contrast.p_adjusted = adjusted;
    }
    size
}

/// Both lists are in the order of openings.
fn pair_up<'a>(units: &'a [Unit], first: &'a [Unit]) -> Vec<Pair<'a>> {
    let mut others = first.iter().peekable();
    units
        .iter()
        .filter(|unit| unit.opening_shared)
        .filter_map(|unit| {
            while others.next_if(|other| other.opening < unit.opening).is_some() {}
            others.next_if(|other| other.opening == unit.opening).map(|other| (unit, other))
        })
        .collect()
}

/// A metric that is a ratio of two quantities.
#[derive(Clone, Copy)]
struct Ratio {
    top: Quantity,
    bottom: Quantity,
    scale: f64,
    proportion: bool,
}

/// A difference without its place in the study.
struct Judged {
    sample: Sample,
    difference: Known<f64>,
    interval: Known<Interval>,
    p: Known<f64>,
    correlation: Option<Known<f64>>,
    method: ContrastMethod,
}

impl Ratio {
    fn of(self, unit: &Unit) -> (u64, u64) {
        (unit.numbers[self.top], unit.numbers[self.bottom])
    }

    /// Over the openings where both variants have something in the denominator.
    fn paired(self, pairs: &[Pair<'_>], confidence: Confidence) -> Judged {
        let both: Vec<((u64, u64), (u64, u64))> = pairs
            .iter()
            .map(|(unit, first)| (self.of(unit), self.of(first)))
            .filter(|((_, bottom), (_, first_bottom))| *bottom > 0 && *first_bottom > 0)
            .collect();
        let (ours, firsts): (Vec<_>, Vec<_>) = both.into_iter().unzip();
        let sample = Sample::Paired(ours.len() as u64);
        let values = |series: &[(u64, u64)]| -> Vec<f64> {
            series.iter().map(|&(top, bottom)| real(top) / real(bottom)).collect()
        };
        let correlation = Some(paired::correlation(&values(&ours), &values(&firsts)));
        let one_each = ours.iter().chain(&firsts).all(|&(_, bottom)| bottom == 1);
        if self.proportion && one_each {
            let has = |series: &[(u64, u64)]| -> Vec<bool> {
                series.iter().map(|&(top, _)| top == 1).collect()
            };
            let shares = PairedShares::tally(&has(&ours), &has(&firsts));
            return Judged {
                sample,
                difference: shares.and_then(PairedShares::difference),
                interval: shares.and_then(|shares| shares.tango(confidence)),
                p: shares.and_then(PairedShares::mcnemar_exact),
                correlation,
                method: ContrastMethod::PairedShares,
            };
        }
        let estimate = paired_ratio_difference(&ours, &firsts, confidence);
        self.judged(estimate, sample, correlation, ContrastMethod::PairedT)
    }

    fn independent(self, units: &[Unit], first: &[Unit], confidence: Confidence) -> Judged {
        let [ours, firsts] = [units, first].map(|units| sums(units, self.top, self.bottom));
        let sample = Sample::Independent(ours.games(), firsts.games());
        if self.proportion && [units, first].iter().all(|units| single(units, self.bottom)) {
            let share = |units: &[Unit]| {
                let count = |quantity| units.iter().map(|unit| unit.numbers[quantity]).sum();
                Share { count: count(self.top), n: count(self.bottom) }
            };
            let shares = TwoShares { a: share(units), b: share(first) };
            return Judged {
                sample,
                difference: shares.difference(),
                interval: shares.newcombe(confidence),
                p: shares.p_value().map(|(p, _)| p),
                correlation: None,
                method: ContrastMethod::TwoShares,
            };
        }
        let estimate = ours.difference(&firsts, confidence);
        self.judged(estimate, sample, None, ContrastMethod::Welch)
    }

    fn judged(
        self,
        estimate: Known<Estimate>,
        sample: Sample,
        correlation: Option<Known<f64>>,
        method: ContrastMethod,
    ) -> Judged {
        let estimate = estimate.map(|estimate| scaled(estimate, self.scale));
        let judgement = estimate.and_then(|estimate| estimate.judgement);
        Judged {
            sample,
            difference: estimate.map(|estimate| estimate.value),
            interval: judgement.map(|judgement| judgement.interval),
            p: judgement.map(|judgement| judgement.p),
            correlation,
            method,
        }
    }
}

impl Contrast {
    /// Why something of it is missing.
    #[must_use]
    pub fn missing(&self) -> Option<Missing> {
        self.difference.err().or(self.interval.err()).or(self.p.err())
    }
}
