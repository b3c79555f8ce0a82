//! What is measured in games, computed by replaying stored ones, so that an old run can be
//! reported anew. Judges nothing: intervals and tests are [`crate::stats`].
//!
//! [`measure`] replays the games of one variant and pairing into a [`Tally`] of whole numbers; a
//! [`catalog::Metric`] says what one number of it means. The unit of observation is the opening:
//! one game of a player against itself, or two games of two players with sides swapped. A unit
//! whose games have the same turns as those of another is counted once.

pub mod catalog;
pub mod fitted;
mod meter;
mod numbers;
mod tally;

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::plan::PlannedVariant;
use super::store::{Store, StoreError};
use crate::board::SquareSet;
use crate::record::{GameKey, Record, ReplayError};
use crate::rules::{Engine, Outcome, Rules};
use crate::variant::learned;
use crate::with_rules;

pub use catalog::{Formula, Group, METRICS, Metric};
pub use meter::Meter;
pub use numbers::{GameNumbers, Lead, Numbers, Quantity};
pub use tally::{Distribution, RatioSums, Tally};

pub(super) use tally::hash_of;

/// Units that are replayed at once.
const CHUNK: usize = 512;

/// What a king is worth in men where material is compared, in thousandths of a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KingValue(pub u32);

/// Three men: a convention that holds until a value is fitted to games of the variant.
impl Default for KingValue {
    fn default() -> Self {
        Self(3000)
    }
}

impl KingValue {
    /// What was learned for a variant, by the plan or as it is shipped: the worth of a king where
    /// nothing but men, kings and the move is looked at; the convention where nothing was.
    #[must_use]
    pub fn of(variant: &PlannedVariant) -> Self {
        let worth = match &variant.weights {
            Some(trained) => trained.king_worth,
            None => learned(&variant.ruleset).and_then(|trained| trained.king_worth),
        };
        // In hundredths of a man; a king that is worth less than nothing counts as nothing.
        let thousandths = worth.map(|worth| worth.max(0).unsigned_abs().saturating_mul(10));
        thousandths.map_or_else(Self::default, Self)
    }
}

/// How games are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What a king is worth.
    pub king_value: KingValue,
    /// Whether the numbers of each unit are kept, for comparisons paired by opening.
    pub keep_units: bool,
    /// Threads that replay; 0 takes those that the process shares.
    pub threads: usize,
}

/// A unit of observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Number of the opening.
    pub opening: u32,
    /// Whether the opening is that of the plan's first variant, turn by turn, so that the unit may
    /// be paired with that variant's.
    pub opening_shared: bool,
    /// The sums over its games.
    pub numbers: Numbers,
    /// How its games ended: with White for the first seat, and for the second; nothing for a game
    /// that was not finished, or is not played.
    pub results: [Option<Outcome>; 2],
}

/// The games of one variant and pairing, measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// The sums.
    pub tally: Tally,
    /// Every unit that was counted, in the order of the openings; empty unless asked for.
    pub units: Vec<Unit>,
    /// Openings of which only a part of the games is stored; not counted.
    pub openings_incomplete: u64,
}

/// Why stored games cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The threads cannot be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// A game does not fit its rules.
    #[error(
        "`{}` is damaged: variant {}, pairing {}, opening {}: {error}",
        .path.display(), .key.variant, .key.pairing, .key.opening
    )]
    Replay {
        /// The store.
        path: PathBuf,
        /// The game.
        key: GameKey,
        /// What does not fit.
        error: ReplayError,
    },
}

/// Replays the stored games of one variant and pairing of the store's plan; the result does not
/// depend on the number of threads.
///
/// # Panics
/// When the plan has no such variant or pairing.
///
/// # Errors
/// When the store cannot be read, holds a game that does not fit its rules, or threads cannot be
/// started.
pub fn measure(
    store: &Store,
    variant: u32,
    pairing: u32,
    options: Options,
) -> Result<Measured, MeasureError> {
    let (plan, path) = (store.plan(), store.path());
    let engine = Engine::new(&plan.variants[variant as usize].ruleset);
    let games_of_unit = plan.pairings[pairing as usize].whites().len();
    let pool = pool(options.threads)?;
    let mut measured = Measured::default();
    let mut games = store.games(variant, pairing).peekable();
    let mut chunk: Vec<Vec<Record>> = Vec::new();
    loop {
        let mut unit: Vec<Record> = Vec::with_capacity(games_of_unit);
        while let Some(game) = games.next_if(|game| match (game, unit.first()) {
            (Ok(game), Some(first)) => game.key.opening == first.key.opening,
            (Ok(_) | Err(_), None) | (Err(_), Some(_)) => true,
        }) {
            unit.push(game?);
        }
        let ended = unit.is_empty();
        if unit.len() == games_of_unit {
            chunk.push(unit);
        } else if !ended {
            measured.openings_incomplete += 1;
        }
        if ended || chunk.len() == CHUNK {
            with_rules!(&engine, rules => {
                let mut work =
                    || measure_chunk(rules, path, &chunk, options, &mut measured);
                match &pool {
                    Some(pool) => pool.install(work)?,
                    None => work()?,
                }
            });
            chunk.clear();
        }
        if ended {
            return Ok(measured);
        }
    }
}

fn pool(threads: usize) -> Result<Option<rayon::ThreadPool>, MeasureError> {
    if threads == 0 {
        return Ok(None);
    }
    let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    built.map(Some).map_err(|error| MeasureError::Threads { threads, reason: error.to_string() })
}

/// Replays on all threads, adds in order.
fn measure_chunk<S: SquareSet>(
    rules: &Rules<S>,
    path: &Path,
    chunk: &[Vec<Record>],
    options: Options,
    measured: &mut Measured,
) -> Result<(), MeasureError> {
    let replayed: Vec<Result<Vec<GameNumbers>, MeasureError>> = chunk
        .par_iter()
        .map_init(
            || Meter::new(rules, options.king_value),
            |meter, unit| {
                let measure = |record: &Record| {
                    meter.measure(record).map_err(|error| MeasureError::Replay {
                        path: path.to_owned(),
                        key: record.key,
                        error,
                    })
                };
                unit.iter().map(measure).collect()
            },
        )
        .collect();
    for (unit, games) in chunk.iter().zip(replayed) {
        let games = games?;
        let turns: Vec<&[u8]> = unit.iter().map(|record| record.turns.as_slice()).collect();
        let counted = measured.tally.add(&turns, &games);
        if let Some(numbers) = counted.filter(|_| options.keep_units) {
            let opening_shared = unit.iter().all(|record| record.opening_shared);
            let opening = unit[0].key.opening;
            let mut results = [None; 2];
            for record in unit {
                results[record.key.white.index()] = record.outcome();
            }
            measured.units.push(Unit { opening, opening_shared, numbers, results });
        }
    }
    Ok(())
}
