//! Plays what is missing of a plan, on several threads, into a store.
//!
//! Each game depends only on its key and the plan, so the rows are the same for any number of
//! threads and after any interruption. Games go to the store as they end, one transaction for all
//! that came in the meantime; what was reported as done is in the store. With a rule to stop early
//! the same holds look by look (see `course`).

mod course;

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use course::Course;

use super::opening::{Line, Model, OpeningSource, Start};
use super::plan::Plan;
use super::play::Table;
use super::relevance::comparable;
use super::store::{Done, Store, StoreError};
use crate::board::SquareSet;
use crate::record::{GameKey, Record};
use crate::rules::{Choices, Engine, Game, Rules};
use crate::with_rules;

/// Openings that a thread plays in a row on one variant and pairing.
const SLICE: u32 = 16;
/// How long games gather before they are written, so that a slow disk is not asked for each.
const GATHER: Duration = Duration::from_millis(20);

/// How a run goes about its work; nothing of it changes the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Threads that play; 0 is one for each core.
    pub threads: usize,
    /// The most games of one transaction, and the most that wait for one; at least 1.
    pub batch_max: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { threads: 0, batch_max: 8192 }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Games in the store.
    pub done: u64,
    /// Games of the plan, without those that its rule to stop early has spared so far.
    pub total: u64,
    /// Plies of the games played by this run.
    pub plies: u64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Games in the store.
    pub done: u64,
    /// Games of the plan, without those that its rule to stop early has spared.
    pub total: u64,
    /// Games that the rule has spared.
    pub spared: u64,
    /// Games played by this run.
    pub played: u64,
    /// Plies of the games played by this run.
    pub plies: u64,
}

impl Summary {
    /// Whether every game of the plan is in the store, but those that its rule has spared.
    #[must_use]
    pub const fn complete(&self) -> bool {
        self.done == self.total
    }
}

/// Why a run could not go on; what was reported as done is in the store.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

/// Plays the games of the store's plan that the store lacks, until all are played or `stop` is
/// set. Then games that have not ended are left out; they are played again when the run goes on.
///
/// `report` is called on the calling thread, at the start and after each transaction.
///
/// # Errors
/// When the store cannot be written or the threads cannot be started.
pub fn run(
    store: &mut Store,
    settings: Settings,
    stop: &AtomicBool,
    mut report: impl FnMut(Progress),
) -> Result<Summary, RunError> {
    let Settings { threads, batch_max } = settings;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::Threads { threads, reason: error.to_string() })?;
    let plan = store.plan().clone();
    let done = store.done()?;
    let all = plan.games_total();
    let mut progress = Progress { done: done.count(), total: all, plies: 0 };
    let before = progress.done;
    report(progress);
    let engines: Vec<Engine> =
        plan.variants.iter().map(|variant| Engine::new(&variant.ruleset)).collect();
    let mut course = plan.stopping.map(|rule| Course::new(&plan, rule));
    let mut openings = match &course {
        Some(course) => course.next(),
        None => (before < all).then(|| all_openings(&plan)),
    };
    while let Some(ranges) = openings.take().filter(|_| !stop.load(Ordering::Relaxed)) {
        let work = Work::new(&plan, &done, &engines, &ranges);
        play_missing(&pool, &work, store, batch_max, stop, |batch: &[Record]| {
            progress.done += batch.len() as u64;
            progress.plies += batch.iter().map(|record| u64::from(record.plies)).sum::<u64>();
            report(progress);
        })?;
        // A run that was stopped looks when it goes on, at all games of these openings.
        if let Some(course) = course.as_mut().filter(|_| !stop.load(Ordering::Relaxed)) {
            course.look(store)?;
            progress.total = all - course.spared(&plan);
            report(progress);
            openings = course.next();
        }
    }
    let Progress { done, total, plies } = progress;
    Ok(Summary { done, total, spared: all - total, played: done - before, plies })
}

/// All openings of each variant and pairing.
fn all_openings(plan: &Plan) -> Vec<Range<u32>> {
    let openings = |_| plan.pairings.iter().map(|pairing| 0..pairing.openings);
    plan.variants.iter().flat_map(openings).collect()
}

/// Plays the games of some openings that the store lacks, until all are played or `stop` is set.
fn play_missing(
    pool: &rayon::ThreadPool,
    work: &Work<'_>,
    store: &mut Store,
    batch_max: usize,
    stop: &AtomicBool,
    written: impl FnMut(&[Record]),
) -> Result<(), StoreError> {
    // Set when the store fails, so that nobody plays for nothing.
    let failed = AtomicBool::new(false);
    let (sender, receiver) = sync_channel(batch_max);
    pool.in_place_scope(|scope| {
        let failed = &failed;
        scope.spawn_broadcast(move |_, _| {
            work.play_slices(&sender, [stop, failed]);
        });
        write_all(receiver, store, batch_max, written)
            .inspect_err(|_| failed.store(true, Ordering::Relaxed))
    })
}

/// Writes games until no thread plays any more. Takes the receiver, because threads that wait to
/// send give up only when it is gone.
#[expect(clippy::needless_pass_by_value, reason = "dropped at the end on purpose")]
fn write_all(
    receiver: Receiver<Record>,
    store: &mut Store,
    batch_max: usize,
    mut written: impl FnMut(&[Record]),
) -> Result<(), StoreError> {
    let mut batch = Vec::new();
    let mut crowded = false;
    while let Ok(first) = receiver.recv() {
        if !crowded {
            std::thread::sleep(GATHER);
        }
        batch.push(first);
        batch.extend(receiver.try_iter().take(batch_max - 1));
        // The store takes neighbours faster.
        batch.sort_by_key(|record: &Record| record.key);
        store.add(&batch)?;
        written(&batch);
        crowded = batch.len() > batch_max / 2;
        batch.clear();
    }
    Ok(())
}

/// A few openings of one variant and pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slice {
    variant: u32,
    pairing: u32,
    first: u32,
}

/// The slices of some openings of each variant and pairing: by openings first, so that an
/// interrupted run has about as many games of each variant. Ranges begin at multiples of [`SLICE`].
fn slices<'a>(plan: &'a Plan, ranges: &'a [Range<u32>]) -> impl Iterator<Item = Slice> + 'a {
    let first = ranges.iter().map(|range| range.start).min().unwrap_or(0);
    let most = ranges.iter().map(|range| range.end).max().unwrap_or(0);
    (first..most).step_by(SLICE as usize).flat_map(move |first| {
        let cells = (0..).zip(&plan.variants).flat_map(move |(variant, _)| {
            (0..).zip(&plan.pairings).map(move |(pairing, _)| Slice { variant, pairing, first })
        });
        cells.zip(ranges).filter(move |(_, range)| range.contains(&first)).map(|(slice, _)| slice)
    })
}

/// What the threads share.
struct Work<'a> {
    plan: &'a Plan,
    done: &'a Done,
    engines: &'a [Engine],
    slices: Mutex<Box<dyn Iterator<Item = Slice> + Send + 'a>>,
}

/// The first variant's lines of the openings that a thread plays.
#[derive(Default)]
struct Lines {
    first: Option<u32>,
    lines: Vec<Line>,
}

impl<'a> Work<'a> {
    fn new(
        plan: &'a Plan,
        done: &'a Done,
        engines: &'a [Engine],
        ranges: &'a [Range<u32>],
    ) -> Self {
        Self { plan, done, engines, slices: Mutex::new(Box::new(slices(plan, ranges))) }
    }

    fn next(&self) -> Option<Slice> {
        self.slices.lock().expect("no thread fails while it takes a slice").next()
    }

    /// One thread's work: slice after slice, until none is left or a flag is set.
    fn play_slices(&self, sender: &SyncSender<Record>, flags: [&AtomicBool; 2]) {
        let mut lines = Lines::default();
        while let Some(slice) = self.next() {
            if flags.iter().any(|flag| flag.load(Ordering::Relaxed)) {
                return;
            }
            let keys = self.missing(slice);
            if keys.is_empty() {
                continue;
            }
            if slice.variant > 0 && lines.first != Some(slice.first) {
                lines = with_rules!(&self.engines[0], rules => self.lines(rules, slice.first));
            }
            let engine = &self.engines[slice.variant as usize];
            let sent = with_rules!(engine, rules => {
                self.play_slice(rules, slice, &keys, &lines, sender, flags[0])
            });
            if !sent {
                return;
            }
        }
    }

    /// The games of a slice that the store lacks.
    fn missing(&self, slice: Slice) -> Vec<GameKey> {
        let Slice { variant, pairing, first } = slice;
        let pair = &self.plan.pairings[pairing as usize];
        let openings = first..pair.openings.min(first + SLICE);
        let key = |opening| {
            pair.whites().iter().map(move |&white| GameKey { variant, pairing, opening, white })
        };
        openings.flat_map(key).filter(|key| !self.done.contains(self.plan, key)).collect()
    }

    fn lines<S: SquareSet>(&self, rules: &Rules<S>, first: u32) -> Lines {
        let openings = OpeningSource::of(self.plan);
        let (mut game, mut choices, mut turns) = (Game::new(rules), Choices::new(), Vec::new());
        let mut start = Start { rules, game: &mut game, choices: &mut choices, turns: &mut turns };
        let lines = (first..first + SLICE).map(|opening| openings.line(opening, &mut start));
        Lines { first: Some(first), lines: lines.collect() }
    }

    /// Plays and sends the games; whether somebody takes them.
    fn play_slice<S: SquareSet>(
        &self,
        rules: &Rules<S>,
        slice: Slice,
        keys: &[GameKey],
        lines: &Lines,
        sender: &SyncSender<Record>,
        stop: &AtomicBool,
    ) -> bool {
        let pairing = &self.plan.pairings[slice.pairing as usize];
        let follows = comparable(&self.plan.variants[0].ruleset, rules.ruleset()).is_ok();
        let mut table = Table::new(rules, self.plan, slice.variant, pairing);
        for &key in keys {
            let model = if slice.variant == 0 {
                Model::Itself
            } else if follows {
                Model::Line(&lines.lines[(key.opening - slice.first) as usize])
            } else {
                Model::Unlike
            };
            let Some(record) = table.play(key, model, stop) else { return true };
            if sender.send(record).is_err() {
                return false;
            }
        }
        true
    }
}
