//! Sums over units of observation, in whole numbers, so that their order cannot matter. Judges
//! nothing, and keeps no game.

use std::collections::{BTreeMap, BTreeSet};

use super::catalog::{Formula, METRICS};
use super::fitted::Leads;
use super::numbers::{GameNumbers, Numbers, Quantity};
use crate::stats::histogram::Histogram;

/// First turns that are compared to say how varied games begin.
const LINE_PLIES: usize = 4;

/// Something of which the whole distribution is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Distribution {
    /// Plies of each finished game.
    Plies,
    /// Plies of each unfinished game: where its length is censored.
    UnfinishedPlies,
    /// Ply of the first capture of each game that has one.
    FirstCapture,
    /// Ply of the first crowning of each game that has one.
    FirstKing,
    /// Legal turns of each position in which a turn was played.
    Branching,
    /// Pieces taken by each turn that takes something.
    Chain,
    /// Most pieces taken by one turn, of each game.
    LongestChain,
    /// Lead changes of each game.
    LeadChanges,
    /// Decision point of each decisive game, in thousandths of its length.
    Decision,
    /// Half points of the first seat in each unit of two finished games: 0, 1, 2, 3, 4 are
    /// LL, LD, DD or WL, WD, WW.
    PairHalfPoints,
}

impl Distribution {
    /// All distributions.
    pub const ALL: [Self; 10] = [
        Self::Plies,
        Self::UnfinishedPlies,
        Self::FirstCapture,
        Self::FirstKing,
        Self::Branching,
        Self::Chain,
        Self::LongestChain,
        Self::LeadChanges,
        Self::Decision,
        Self::PairHalfPoints,
    ];
}

/// Sums for a ratio of two quantities: enough for its value and for the variance between units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatioSums {
    /// Units with something in the denominator.
    pub n: u64,
    /// Sum of the numerator.
    pub top: u64,
    /// Sum of the denominator.
    pub bottom: u64,
    /// Sum of the squared numerator.
    pub top_squared: u128,
    /// Sum of the product.
    pub top_bottom: u128,
    /// Sum of the squared denominator.
    pub bottom_squared: u128,
}

impl RatioSums {
    fn add(&mut self, top: u64, bottom: u64) {
        let (wide_top, wide_bottom) = (u128::from(top), u128::from(bottom));
        self.n += u64::from(bottom > 0);
        self.top += top;
        self.bottom += bottom;
        self.top_squared += wide_top * wide_top;
        self.top_bottom += wide_top * wide_bottom;
        self.bottom_squared += wide_bottom * wide_bottom;
    }
}

/// Sums over the units of one variant and pairing; units with the same turns count once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    units: u64,
    units_repeated: u64,
    numbers: Numbers,
    /// By the place of the metric in the catalog; empty sums where it is no ratio.
    ratios: Vec<RatioSums>,
    /// By the place of the distribution in `Distribution::ALL`.
    distributions: [Histogram; Distribution::ALL.len()],
    seen: BTreeSet<u64>,
    /// How many games begin with these first turns, by a hash of them.
    lines: BTreeMap<u64, u64>,
    leads: Leads,
}

impl Tally {
    /// Adds a unit with the stored turns of its games, and returns its sums; nothing if a unit
    /// with the same turns was added before, which is only counted as repeated.
    pub fn add(&mut self, turns: &[&[u8]], games: &[GameNumbers]) -> Option<Numbers> {
        for game in turns {
            *self.lines.entry(hash_of(&[first_turns(game)])).or_default() += 1;
        }
        if !self.seen.insert(hash_of(turns)) {
            self.units_repeated += 1;
            return None;
        }
        self.units += 1;
        let mut numbers = Numbers::default();
        for game in games {
            numbers += &game.numbers;
            self.add_game(game);
            let points = game.numbers[Quantity::FirstHalfPoints];
            self.leads.add(self.units, points, &game.leads);
        }
        if games.len() == 2 && numbers[Quantity::Finished] == 2 {
            self.count(Distribution::PairHalfPoints, numbers[Quantity::SeatHalfPoints]);
        }
        self.ratios.resize(METRICS.len(), RatioSums::default());
        for (sums, metric) in self.ratios.iter_mut().zip(METRICS) {
            if let Formula::Ratio { top, bottom, .. } = metric.formula {
                sums.add(numbers[top], numbers[bottom]);
            }
        }
        self.numbers += &numbers;
        Some(numbers)
    }

    fn add_game(&mut self, game: &GameNumbers) {
        let numbers = &game.numbers;
        let plies = if numbers[Quantity::Finished] == 1 {
            Distribution::Plies
        } else {
            Distribution::UnfinishedPlies
        };
        self.count(plies, numbers[Quantity::Turns]);
        for (distribution, ply) in [
            (Distribution::FirstCapture, game.first_capture),
            (Distribution::FirstKing, game.first_king),
        ] {
            if let Some(ply) = ply {
                self.count(distribution, ply.into());
            }
        }
        self.count(Distribution::LongestChain, game.longest_chain as u64);
        self.count(Distribution::LeadChanges, numbers[Quantity::LeadChanges]);
        if numbers[Quantity::DecisiveWithTurns] == 1 {
            self.count(Distribution::Decision, numbers[Quantity::DecisionThousandths]);
        }
        for (distribution, values) in
            [(Distribution::Branching, &game.branching), (Distribution::Chain, &game.chains)]
        {
            for &value in values {
                self.distributions[distribution as usize].add(value);
            }
        }
    }

    fn count(&mut self, distribution: Distribution, value: u64) {
        let value = usize::try_from(value).expect("a number of one game fits in memory");
        self.distributions[distribution as usize].add(value);
    }

    /// Units counted.
    #[must_use]
    pub const fn units(&self) -> u64 {
        self.units
    }

    /// Units left out because their turns are those of a counted one.
    #[must_use]
    pub const fn units_repeated(&self) -> u64 {
        self.units_repeated
    }

    /// How many games begin with each line of first turns, repeated units among them.
    #[must_use]
    pub fn lines(&self) -> Vec<u64> {
        self.lines.values().copied().collect()
    }

    /// Sampled positions with their outcomes.
    #[must_use]
    pub const fn leads(&self) -> &Leads {
        &self.leads
    }

    /// The sum of a quantity over the counted units.
    #[must_use]
    pub fn sum(&self, quantity: Quantity) -> u64 {
        self.numbers[quantity]
    }

    /// The sums of a metric of the catalog that is a ratio; empty sums for any other.
    #[must_use]
    pub fn ratio(&self, key: &str) -> RatioSums {
        let place = METRICS.iter().position(|metric| metric.key == key);
        place.and_then(|place| self.ratios.get(place)).copied().unwrap_or_default()
    }

    /// A distribution over the counted units.
    #[must_use]
    pub const fn distribution(&self, distribution: Distribution) -> &Histogram {
        &self.distributions[distribution as usize]
    }
}

/// The stored first [`LINE_PLIES`] turns of a game.
fn first_turns(turns: &[u8]) -> &[u8] {
    let mut ends = turns.iter().enumerate().filter(|(_, byte)| **byte & 0x80 == 0);
    let last = ends.nth(LINE_PLIES - 1);
    last.map_or(turns, |(at, _)| &turns[..=at])
}

/// A hash of the stored turns of the games of a unit.
pub(in crate::study) fn hash_of(turns: &[&[u8]]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for game in turns {
        hasher.update(&(game.len() as u64).to_le_bytes());
        hasher.update(game);
    }
    crate::study::plan::first_bits(&hasher.finalize())
}
