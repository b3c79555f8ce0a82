//! Numbers of a tally that are no simple sums: the value of a king, lengths with unfinished games,
//! the variety of openings. The formulas themselves are [`crate::stats`].

use std::collections::BTreeMap;

use super::numbers::Lead;
use super::tally::{Distribution, Tally};
use crate::stats::diversity::{Diversity, diversity};
use crate::stats::linear::{Design, Errors, Ratio};
use crate::stats::logistic::{Trials, logistic};
use crate::stats::survival::{MedianLength, median};
use crate::stats::{Confidence, Known, Missing};

/// The most games of a tally from which the value of a king is fitted.
const GAMES_MAX: u64 = 2_000;

/// Sampled positions of finished games with their outcomes, for the value of a king.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leads {
    games: u64,
    /// The number of the unit, the lead, the half points of the first side, and how many samples
    /// of the unit are like that.
    rows: Vec<(u64, Lead, u8, u32)>,
}

impl Leads {
    /// Adds the samples of a game of the unit with this number; samples of games beyond the first
    /// 2,000 are left out.
    pub fn add(&mut self, unit: u64, half_points: u64, leads: &[Lead]) {
        let Ok(half_points) = u8::try_from(half_points) else { return };
        if leads.is_empty() || self.games >= GAMES_MAX {
            return;
        }
        self.games += 1;
        let mut counts: BTreeMap<Lead, u32> = BTreeMap::new();
        for lead in leads {
            *counts.entry(*lead).or_default() += 1;
        }
        self.rows.extend(counts.into_iter().map(|(lead, n)| (unit, lead, half_points, n)));
    }

    /// Games with samples.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Units with samples.
    #[must_use]
    pub fn units(&self) -> u64 {
        let mut units = 0;
        let mut last = None;
        for (unit, ..) in &self.rows {
            units += u64::from(last != Some(unit));
            last = Some(unit);
        }
        units
    }
}

/// What a king is worth in men: the first side's points as a logistic function of how many more
/// men and kings it has, the errors clustered by unit, so that samples of one game are no
/// independent observations.
///
/// # Errors
/// [`Missing::Empty`] without samples, [`Missing::Aliased`] where no sample has a lead in men or
/// none in kings, [`Missing::Separated`] where leads tell every outcome.
pub fn king_value(leads: &Leads, confidence: Confidence) -> Known<Ratio> {
    if leads.rows.is_empty() {
        return Err(Missing::Empty);
    }
    let mut design = Design::new(["first move", "men", "kings"]);
    let (mut outcomes, mut clusters) = (Vec::new(), Vec::new());
    for &(unit, lead, half_points, n) in &leads.rows {
        design.push(vec![1.0, f64::from(lead.men), f64::from(lead.kings)])?;
        let trials = f64::from(n);
        outcomes.push(Trials { successes: trials * f64::from(half_points) / 2.0, trials });
        clusters.push(unit);
    }
    let fit = logistic(&design, &outcomes, Errors::Clustered(&clusters), confidence)?;
    fit.coefficients.ratio("kings", "men")
}

/// The median length of all games, unfinished ones cut off at their last ply.
///
/// # Errors
/// As [`median`].
pub fn censored_median(tally: &Tally, confidence: Confidence) -> Known<MedianLength> {
    let of = |distribution| tally.distribution(distribution);
    median(of(Distribution::Plies), of(Distribution::UnfinishedPlies), confidence)
}

/// How varied the first turns of games are.
///
/// # Errors
/// As [`diversity`].
pub fn openings(tally: &Tally, confidence: Confidence) -> Known<Diversity> {
    diversity(&tally.lines(), confidence)
}
