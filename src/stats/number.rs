//! What a judged number is: a value, an interval, or the reason why there is none.
//! Never prints and never holds NaN, infinity or an interval without width.

use thiserror::Error;

use super::distribution::normal_quantile;

/// Why a number does not exist. Its text stands behind "n/a" in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Error)]
pub enum Missing {
    /// Nothing was observed.
    #[error("no observations")]
    Empty,
    /// A spread needs two observations.
    #[error("one observation has no spread")]
    Single,
    /// All observations are equal, so the spread is zero and says nothing about the error.
    #[error("all observations are equal: no spread to judge by")]
    NoSpread,
    /// The value lies above every bound (all games won).
    #[error("unbounded above")]
    UnboundedAbove,
    /// The value lies below every bound (all games lost).
    #[error("unbounded below")]
    UnboundedBelow,
    /// The data are compatible with any value of the scale.
    #[error("the observations do not bound it")]
    Unbounded,
    /// A count in a denominator is zero.
    #[error("a cell it divides by is empty")]
    EmptyCell,
    /// The term is a combination of earlier terms of the model.
    #[error("not estimable: fixed by the other terms")]
    Aliased,
    /// The players fall into groups that never met.
    #[error("not estimable: no chain of games connects the players")]
    Unconnected,
    /// The likelihood has no maximum at finite coefficients.
    #[error("not estimable: the outcomes are separated")]
    Separated,
    /// An iteration stopped at its limit.
    #[error("the fit did not converge")]
    NotConverged,
    /// More than half of the observations are censored at that point.
    #[error("too many unfinished observations")]
    Censored,
    /// The value has an interval that is no inversion of a test.
    #[error("no test: judge by the interval")]
    Untested,
    /// Two series that should be paired have different lengths, or a table is ragged.
    #[error("the shapes of the data differ")]
    Shape,
    /// An argument lies outside its range.
    #[error("an argument is out of range")]
    Range,
}

impl Missing {
    /// The text of a table cell: `n/a (reason)`.
    #[must_use]
    pub fn cell(self) -> String {
        format!("n/a ({self})")
    }
}

/// A number that exists, or the reason why it does not.
pub type Known<T> = Result<T, Missing>;

/// A confidence level strictly between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Confidence(f64);

impl Confidence {
    /// 90 %: the interval that goes with an equivalence test at 5 %.
    pub const P90: Self = Self(0.90);
    /// 95 %: the default everywhere.
    pub const P95: Self = Self(0.95);
    /// 99 %.
    pub const P99: Self = Self(0.99);

    /// The level, if it lies strictly between 0 and 1.
    #[must_use]
    pub fn new(level: f64) -> Option<Self> {
        (level > 0.0 && level < 1.0).then_some(Self(level))
    }

    /// The level as a fraction.
    #[must_use]
    pub fn level(self) -> f64 {
        self.0
    }

    /// The chance to miss, both sides together: 1 − level.
    #[must_use]
    pub fn alpha(self) -> f64 {
        1.0 - self.0
    }

    /// The two-sided standard normal quantile (1.96 at 95 %).
    #[must_use]
    pub fn z(self) -> f64 {
        -normal_quantile(self.alpha() / 2.0)
    }

    /// The level each of `parts` intervals needs so that all hold together (Bonferroni).
    #[must_use]
    pub fn shared_by(self, parts: usize) -> Self {
        Self(1.0 - self.alpha() / real_len(parts.max(1)))
    }
}

/// A closed interval of finite numbers with `low < high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    low: f64,
    high: f64,
}

impl Interval {
    /// The interval from `low` to `high`.
    ///
    /// # Errors
    /// [`Missing::NoSpread`] without width, [`Missing::Unbounded`] if an end is not finite.
    pub fn new(low: f64, high: f64) -> Known<Self> {
        if !low.is_finite() || !high.is_finite() {
            Err(Missing::Unbounded)
        } else if low < high {
            Ok(Self { low, high })
        } else {
            Err(Missing::NoSpread)
        }
    }

    /// The interval `centre ± half`.
    ///
    /// # Errors
    /// As [`Interval::new`].
    pub fn around(centre: f64, half: f64) -> Known<Self> {
        Self::new(centre - half, centre + half)
    }

    /// The lower end.
    #[must_use]
    pub fn low(self) -> f64 {
        self.low
    }

    /// The upper end.
    #[must_use]
    pub fn high(self) -> f64 {
        self.high
    }

    /// Half the width.
    #[must_use]
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether `value` lies in it, ends included.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The part inside `[floor, ceiling]`.
    ///
    /// # Errors
    /// [`Missing::NoSpread`] if no width is left.
    pub fn clamped(self, floor: f64, ceiling: f64) -> Known<Self> {
        Self::new(self.low.clamp(floor, ceiling), self.high.clamp(floor, ceiling))
    }

    /// Both ends under an increasing function.
    ///
    /// # Errors
    /// As [`Interval::new`].
    pub fn map(self, increasing: impl Fn(f64) -> f64) -> Known<Self> {
        Self::new(increasing(self.low), increasing(self.high))
    }
}

/// How a value was judged against 0: interval, test statistic and two-sided p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// The confidence interval.
    pub interval: Interval,
    /// The value over its standard error: t, or z where `df` is `None`.
    pub statistic: f64,
    /// Degrees of freedom of t; `None` for the normal distribution.
    pub df: Option<f64>,
    /// Two-sided p of "the true value is 0".
    pub p: f64,
}

/// A value with its standard error, judged against 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error; 0 where all observations are equal.
    pub standard_error: f64,
    /// Units of observation behind it.
    pub n: u64,
    /// Interval and test, or why there are none.
    pub judgement: Known<Judgement>,
}

impl Estimate {
    /// Judges a value by the normal distribution.
    #[must_use]
    pub fn normal(value: f64, standard_error: f64, n: u64, confidence: Confidence) -> Self {
        let half = confidence.z() * standard_error;
        let judgement = Interval::around(value, half).map(|interval| {
            let statistic = value / standard_error;
            let p = super::distribution::normal_tails(statistic);
            Judgement { interval, statistic, df: None, p }
        });
        Self { value, standard_error, n, judgement }
    }

    /// Judges a value by Student's t with `df` degrees of freedom.
    #[must_use]
    pub fn student(
        value: f64,
        standard_error: f64,
        n: u64,
        df: f64,
        confidence: Confidence,
    ) -> Self {
        let judgement = if df > 0.0 {
            let half = super::distribution::t_quantile_tails(confidence.alpha(), df);
            Interval::around(value, half * standard_error).map(|interval| {
                let statistic = value / standard_error;
                let p = super::distribution::t_tails(statistic, df);
                Judgement { interval, statistic, df: Some(df), p }
            })
        } else {
            Err(Missing::Single)
        };
        Self { value, standard_error, n, judgement }
    }
}

/// A count as a real number; exact below 2^53.
#[must_use]
pub fn real(count: u64) -> f64 {
    count as f64
}

/// A length as a real number; exact below 2^53.
#[must_use]
pub fn real_len(length: usize) -> f64 {
    length as f64
}

/// The least whole number that is not below `value`; 0 below zero, `u64::MAX` beyond its range.
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, which is what is wanted")]
#[must_use]
pub(super) fn whole_up(value: f64) -> u64 {
    value.ceil() as u64
}
