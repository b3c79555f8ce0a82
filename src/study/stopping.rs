//! The rule by which a study stops early: what it looks at, and how exactly it must be known. The
//! rule's data and its text in a store; [`super::run`] obeys it.

use std::fmt;
use std::str::FromStr;

/// Play on a variant and pairing stops when the interval of a number is narrow enough.
///
/// The intervals are anytime-valid at the level of all reports: they hold at all looks together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopRule {
    /// The number.
    pub metric: StopMetric,
    /// Whether it is the number's difference to the plan's first variant.
    pub difference: bool,
    /// How far the interval may reach to each side of its middle.
    pub half_width: HalfWidth,
}

/// A number that a rule may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StopMetric {
    /// The score of the side that moves first, over finished games.
    FirstPlayerScore,
    /// The share of draws of finished games.
    Draws,
}

impl StopMetric {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::FirstPlayerScore, Self::Draws];
    /// The words of study files, which are the keys of the metrics.
    pub const WORDS: [&str; 2] = ["first-player-score", "draws"];

    /// The key of the metric, which is the word in study files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::FirstPlayerScore => Self::WORDS[0],
            Self::Draws => Self::WORDS[1],
        }
    }
}

/// A half-width of a share, in ten-thousandths: 200 are 0.02, or 2 points of 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HalfWidth(u32);

impl HalfWidth {
    /// The least, 0.0001.
    pub const MIN: Self = Self(1);
    /// The greatest, 0.5.
    pub const MAX: Self = Self(5000);

    /// So many ten-thousandths, of 1 to 5000.
    #[must_use]
    pub fn new(ten_thousandths: u32) -> Option<Self> {
        (Self::MIN.0..=Self::MAX.0).contains(&ten_thousandths).then_some(Self(ten_thousandths))
    }

    /// As a share.
    #[must_use]
    pub fn share(self) -> f64 {
        f64::from(self.0) / 10_000.0
    }
}

/// As a share with all its decimals: `0.0200`.
impl fmt::Display for HalfWidth {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "0.{:04}", self.0)
    }
}

/// The text in plans and stores: `draws 0.0200`, `first-player-score-difference 0.0150`.
impl fmt::Display for StopRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let difference = if self.difference { DIFFERENCE } else { "" };
        write!(out, "{}{difference} {}", self.metric.key(), self.half_width)
    }
}

const DIFFERENCE: &str = "-difference";

/// A text that is no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a rule to stop is written as `draws 0.0200`")]
pub struct NotAStopRule;

impl FromStr for StopRule {
    type Err = NotAStopRule;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, width) = text.split_once(' ').ok_or(NotAStopRule)?;
        let (key, difference) =
            name.strip_suffix(DIFFERENCE).map_or((name, false), |key| (key, true));
        let metric = StopMetric::ALL.into_iter().find(|metric| metric.key() == key);
        let digits = width.strip_prefix("0.").filter(|digits| digits.len() == 4);
        let number = digits.and_then(|digits| digits.parse().ok()).and_then(HalfWidth::new);
        let (metric, half_width) = metric.zip(number).ok_or(NotAStopRule)?;
        Ok(Self { metric, difference, half_width })
    }
}
