//! The rule by which a study stops early: what it looks at, when, and the intervals that allow it.
//! Plays nothing; [`mod@super::run`] obeys it.
//!
//! The intervals are anytime-valid: with the stated chance they hold at all looks together, however
//! often one looks and whenever one stops. The games of one opening count as one unit, whose copies
//! count once.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::board::Side;
use crate::record::Record;
use crate::rules::Outcome;
use crate::stats::interval::Share;
use crate::stats::sequential::{UNIT_SIGMA, anytime_radius, anytime_share, best_rho};
use crate::stats::{Confidence, Interval, Known, Missing, real};

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

/// Openings before the first look, and between two looks at least.
const LOOK: u32 = 64;
/// Looks lie at multiples of this, so that threads take openings in whole slices.
const STEP: u32 = 16;
/// Openings that no rule needs.
const UNITS_MAX: u64 = 1 << 40;

/// The openings after which a pairing is looked at: 64, 128, … and, from 512 on, each an eighth
/// more than the one before; the last is the number of openings itself.
#[must_use]
pub fn looks(openings: u32) -> Vec<u32> {
    let mut looks = Vec::new();
    let mut now = 0_u32;
    while now < openings {
        let more = (now / 8).next_multiple_of(STEP).max(LOOK);
        now = now.saturating_add(more).min(openings);
        looks.push(now);
    }
    looks
}

/// What the games of one opening brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitOutcome {
    /// Games that ended on the board.
    pub finished: u32,
    /// Twice the points of the side that moves first, over those games.
    pub first_half_points: u32,
    /// Draws among them.
    pub draws: u32,
}

impl UnitOutcome {
    /// What the games of one opening brought, where `first` moves first.
    #[must_use]
    pub fn of(unit: &[Record], first: Side) -> Self {
        let mut sum = Self::default();
        for outcome in unit.iter().filter_map(Record::outcome) {
            let half_points = match (outcome, first) {
                (Outcome::White, Side::White) | (Outcome::Black, Side::Black) => 2,
                (Outcome::Draw, Side::White | Side::Black) => 1,
                (Outcome::White, Side::Black) | (Outcome::Black, Side::White) => 0,
            };
            sum.finished += 1;
            sum.first_half_points += half_points;
            sum.draws += u32::from(outcome == Outcome::Draw);
        }
        sum
    }
}

/// What the units of one variant and pairing brought together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes {
    games_of_unit: u32,
    units: u64,
    finished: u64,
    first_half_points: u64,
    draws: u64,
}

impl Outcomes {
    /// Nothing yet, for units of one game, or of two.
    #[must_use]
    pub const fn new(games_of_unit: u32) -> Self {
        Self { games_of_unit, units: 0, finished: 0, first_half_points: 0, draws: 0 }
    }

    /// Sums that were made elsewhere: units with a finished game, finished games, half points of
    /// the first side, draws.
    #[must_use]
    pub const fn of_sums(
        games_of_unit: u32,
        units: u64,
        finished: u64,
        first_half_points: u64,
        draws: u64,
    ) -> Self {
        Self { games_of_unit, units, finished, first_half_points, draws }
    }

    /// Adds a unit; one without a finished game says nothing.
    pub fn add(&mut self, unit: UnitOutcome) {
        self.units += u64::from(unit.finished > 0);
        self.finished += u64::from(unit.finished);
        self.first_half_points += u64::from(unit.first_half_points);
        self.draws += u64::from(unit.draws);
    }

    /// Units with a finished game.
    #[must_use]
    pub const fn units(&self) -> u64 {
        self.units
    }

    /// The interval of a number that may be looked at after every unit.
    ///
    /// The share of draws among independent games: the beta-binomial mixture. Otherwise the sum of
    /// `top − r · games` over units is a martingale at the true ratio r with steps in a range as
    /// wide as a unit has games, whence a sub-Gaussian bound; `n_best` says at how many units it
    /// shall be narrowest.
    ///
    /// # Errors
    /// [`Missing::Empty`] without a finished game.
    pub fn interval(
        &self,
        metric: StopMetric,
        n_best: u64,
        confidence: Confidence,
    ) -> Known<Interval> {
        if self.finished == 0 {
            return Err(Missing::Empty);
        }
        let top = match metric {
            StopMetric::FirstPlayerScore => real(self.first_half_points) / 2.0,
            StopMetric::Draws if self.games_of_unit == 1 => {
                return anytime_share(Share { count: self.draws, n: self.finished }, confidence);
            }
            StopMetric::Draws => real(self.draws),
        };
        let sigma = UNIT_SIGMA * f64::from(self.games_of_unit);
        let radius = anytime_radius(self.units, sigma, best_rho(n_best, confidence)?, confidence)?;
        let games = real(self.finished);
        Interval::around(top / games, radius * real(self.units) / games)?.clamped(0.0, 1.0)
    }
}

/// Outcomes in which copies of a unit count once.
#[derive(Clone, Debug)]
pub(super) struct Distinct {
    pub(super) outcomes: Outcomes,
    seen: BTreeSet<u64>,
}

impl Distinct {
    pub(super) const fn new(games_of_unit: u32) -> Self {
        Self { outcomes: Outcomes::new(games_of_unit), seen: BTreeSet::new() }
    }

    /// Adds the games of one opening; whether no other has the same turns.
    pub(super) fn add(&mut self, unit: &[Record], first: Side) -> bool {
        let turns: Vec<&[u8]> = unit.iter().map(|record| record.turns.as_slice()).collect();
        let new = self.seen.insert(super::metrics::hash_of(&turns));
        if new {
            self.outcomes.add(UnitOutcome::of(unit, first));
        }
        new
    }
}

impl StopRule {
    /// The least number of units, all of whose games end, that makes the interval of a score narrow
    /// enough; that of a share of draws needs fewer.
    #[must_use]
    pub fn units_needed(self, confidence: Confidence) -> u64 {
        let (wanted, confidence) = self.marginal(confidence);
        let narrow = |n: u64| {
            let rho = best_rho(n, confidence);
            let radius = rho.and_then(|rho| anytime_radius(n, UNIT_SIGMA, rho, confidence));
            radius.is_ok_and(|radius| radius <= wanted)
        };
        let mut high = 1;
        while !narrow(high) && high < UNITS_MAX {
            high *= 2;
        }
        let mut low = high / 2;
        while low + 1 < high {
            let middle = low.midpoint(high);
            if narrow(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }

    /// What each variant's own number must be known to, so that the rule holds, and its level: a
    /// difference takes the intervals of both, which hold together.
    fn marginal(self, confidence: Confidence) -> (f64, Confidence) {
        let width = self.half_width.share();
        if self.difference { (width / 2.0, confidence.shared_by(2)) } else { (width, confidence) }
    }

    /// The interval of a variant's own number, which may be looked at at any time, at any level.
    ///
    /// # Errors
    /// [`Missing::Empty`] without a finished game.
    pub fn own_interval(self, ours: &Outcomes, confidence: Confidence) -> Known<Interval> {
        ours.interval(self.metric, self.units_needed(Confidence::P95), confidence)
    }

    /// The interval that the rule looks at; `first` are the outcomes of the plan's first variant.
    ///
    /// # Errors
    /// [`Missing::Empty`] without a finished game.
    pub fn interval(
        self,
        ours: &Outcomes,
        first: &Outcomes,
        confidence: Confidence,
    ) -> Known<Interval> {
        let (_, level) = self.marginal(confidence);
        let ours = self.own_interval(ours, level)?;
        if !self.difference {
            return Ok(ours);
        }
        let first = self.own_interval(first, level)?;
        Interval::new(ours.low() - first.high(), ours.high() - first.low())
    }

    /// The chance of so large a difference without one, however often one looked: the least level
    /// of significance whose interval leaves 0 out. Only of a rule about a difference.
    ///
    /// # Errors
    /// As [`Self::interval`]; [`Missing::Range`] for a rule about no difference.
    pub fn p_value(self, ours: &Outcomes, first: &Outcomes) -> Known<f64> {
        if !self.difference {
            return Err(Missing::Range);
        }
        least_level(|confidence| self.interval(ours, first, confidence))
    }

    /// Whether the number is known well enough.
    #[must_use]
    pub fn is_met(self, ours: &Outcomes, first: &Outcomes) -> bool {
        self.interval(ours, first, LEVEL)
            .is_ok_and(|interval| interval.half_width() <= self.half_width.share())
    }

    /// The rule in a sentence for a reader.
    #[must_use]
    pub fn sentence(self) -> String {
        let number = match self.metric {
            StopMetric::FirstPlayerScore => "first-player score",
            StopMetric::Draws => "share of draws",
        };
        let of = if self.difference {
            format!("the difference of the {number} to that of the first variant")
        } else {
            format!("the {number}")
        };
        format!(
            "play on a variant and pairing stops at the first look at which the anytime-valid 95 % \
             interval of {of} reaches at most {:.2} points to each side of its middle; looks are \
             after 64, 128, … openings, from 512 on each after an eighth more",
            100.0 * self.half_width.share()
        )
    }
}

/// The least level of significance at which an interval leaves 0 out: the p of "it is 0", where the
/// interval may be had at any level.
///
/// # Errors
/// Those of the interval.
pub fn least_level(interval: impl Fn(Confidence) -> Known<Interval>) -> Known<f64> {
    interval(Confidence::P95)?;
    let outside = |log: f64| {
        let interval = Confidence::new(1.0 - log.exp()).map(&interval);
        interval.is_some_and(|interval| interval.is_ok_and(|interval| !interval.contains(0.0)))
    };
    // From the least chance that a level of confidence can have, to 1.
    let (mut low, mut high) = (LOG_P_MIN, 0.0);
    if outside(low) {
        return Ok(low.exp());
    }
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if outside(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high.exp())
}

/// The level of the intervals that a rule looks at.
pub const LEVEL: Confidence = Confidence::P95;
/// ln of the least p that is told apart from 0.
const LOG_P_MIN: f64 = -34.0;
