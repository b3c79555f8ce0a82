//! Plays what is missing of a plan, or of one part of it, on several threads, into a store.
//!
//! Each game depends only on its key and the plan, so the rows are the same for any number of
//! threads and after any interruption. Games go to the store as they end, one transaction for all
//! that came in the meantime; what was reported as done is in the store. With a rule to stop early
//! the same holds look by look (see `study::course`).

mod slices;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::course::Course;
use super::opening::{Line, Model, OpeningSource, Start};
use super::part::Part;
use super::plan::Plan;
use super::play::Table;
use super::relevance::comparable;
use super::store::{Done, Store, StoreError};
use crate::board::SquareSet;
use crate::record::{GameKey, Record};
use crate::rules::{Choices, Engine, Game, Rules};
use crate::with_rules;

use slices::{Slice, Slices};

/// Openings that a thread plays in a row on one variant and pairing.
const SLICE: u32 = 16;
/// How long games gather before they are written, so that a slow disk is not asked for each.
const GATHER: Duration = Duration::from_millis(20);
/// How long nobody looks whether the run shall stop while no game ends.
const GLANCE: Duration = Duration::from_millis(50);

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
    /// Games of the store's part of the plan, without those that its rule to stop early has spared
    /// so far.
    pub total: u64,
    /// Plies of the games played by this run.
    pub plies: u64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Games in the store.
    pub done: u64,
    /// Games of the store's part of the plan, without those that its rule to stop early has spared.
    pub total: u64,
    /// Games that the rule has spared.
    pub spared: u64,
    /// Games played by this run.
    pub played: u64,
    /// Plies of the games played by this run.
    pub plies: u64,
}

impl Summary {
    /// Whether every game of the store's part of the plan is in the store, but those that its rule
    /// has spared.
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

/// Plays the games of the store's part of its plan that the store lacks, until all are played or
/// `stop` is set. Then it returns at once, whatever the players are thinking about: games that have
/// not ended are left out, and are played again when the run goes on. The threads of those games
/// end with the next turn, or with the process.
///
/// Only a run of the whole plan obeys its rule to stop early; a shard plays all its games. Games
/// that a store holds though the rule would have spared them (a shard had played them) are kept.
///
/// `report` is called on the calling thread, at the start and after each transaction.
///
/// # Panics
/// When a player panics.
///
/// # Errors
/// When the store cannot be written or the threads cannot be started.
pub fn run(
    store: &mut Store,
    settings: Settings,
    stop: &AtomicBool,
    mut report: impl FnMut(Progress),
) -> Result<Summary, RunError> {
    let (plan, part, done) = (store.plan().clone(), store.part(), store.done()?);
    let all = part.games(&plan);
    let mut progress = Progress { done: done.count(), total: all, plies: 0 };
    let before = progress.done;
    report(progress);
    let rule = plan.stopping.filter(|_| part.is_whole());
    let mut course = rule.map(|rule| Course::new(&plan, rule));
    let mut openings = match &course {
        Some(course) => course.next(),
        None => (before < all).then(|| all_openings(&plan, part)),
    };
    let task = Arc::new(Task::new(&plan, part, done));
    while let Some(ranges) = openings.take().filter(|_| !stop.load(Ordering::Relaxed)) {
        play_missing(&task, ranges, store, settings, stop, |batch| {
            progress.done += batch.len() as u64;
            progress.plies += batch.iter().map(|record| u64::from(record.plies)).sum::<u64>();
            report(progress);
        })?;
        // A run that was stopped looks when it goes on, at all games of these openings.
        if let Some(course) = course.as_mut().filter(|_| !stop.load(Ordering::Relaxed)) {
            course.look(store, &task.done)?;
            progress.total = all - course.spared();
            report(progress);
            openings = course.next();
        }
    }
    let Progress { done, total, plies } = progress;
    Ok(Summary { done, total, spared: all - total, played: done - before, plies })
}

/// All of the part's openings of each variant and pairing, as places among them.
fn all_openings(plan: &Plan, part: Part) -> Vec<Range<u32>> {
    let openings = |_| plan.pairings.iter().map(|pairing| 0..part.openings(pairing));
    plan.variants.iter().flat_map(openings).collect()
}

/// Plays the games of some openings that the store lacks, until all are played or `stop` is set.
fn play_missing(
    task: &Arc<Task>,
    ranges: Vec<Range<u32>>,
    store: &mut Store,
    settings: Settings,
    stop: &AtomicBool,
    written: impl FnMut(&[Record]),
) -> Result<(), RunError> {
    let work = Arc::new(Work {
        task: Arc::clone(task),
        slices: Slices::new(task.plan.pairings.len(), ranges, SLICE),
        stop: AtomicBool::new(false),
    });
    let (sender, receiver) = sync_channel(settings.batch_max);
    let players = Players::start(&work, &sender, settings.threads)?;
    // When the players have dropped theirs, no game will come any more.
    drop(sender);
    let result = write_all(&receiver, store, settings.batch_max, stop, written);
    drop(receiver);
    players.end();
    Ok(result?)
}

/// The threads that play. They own what they need: a thread that thinks about a turn is not waited
/// for when the run is stopped.
struct Players {
    work: Arc<Work>,
    threads: Vec<JoinHandle<()>>,
}

impl Players {
    fn start(
        work: &Arc<Work>,
        sender: &SyncSender<Record>,
        threads: usize,
    ) -> Result<Self, RunError> {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let wanted = if threads == 0 { cores() } else { threads };
        let mut players = Self { work: Arc::clone(work), threads: Vec::new() };
        for _ in 0..wanted {
            let (work, sender) = (Arc::clone(work), sender.clone());
            let writer = std::thread::current();
            let name = std::thread::Builder::new().name("player".to_owned());
            let play = move || {
                work.play_slices(&sender);
                // There may be nothing more to wait for.
                drop(sender);
                writer.unpark();
            };
            match name.spawn(play) {
                Ok(thread) => players.threads.push(thread),
                Err(error) => {
                    players.end();
                    return Err(RunError::Threads { threads: wanted, reason: error.to_string() });
                }
            }
        }
        Ok(players)
    }

    /// Tells all to end; hands on the panic of one that has failed.
    fn end(self) {
        self.work.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.into_iter().filter(JoinHandle::is_finished) {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    }
}

/// Writes games until no thread plays any more, or all that have ended when `stop` is set.
fn write_all(
    receiver: &Receiver<Record>,
    store: &mut Store,
    batch_max: usize,
    stop: &AtomicBool,
    mut written: impl FnMut(&[Record]),
) -> Result<(), StoreError> {
    let mut batch = Vec::new();
    let mut crowded = false;
    loop {
        let stopped = stop.load(Ordering::Relaxed);
        match receiver.recv_timeout(GLANCE) {
            Ok(first) => batch.push(first),
            Err(RecvTimeoutError::Timeout) if stopped => return Ok(()),
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if !crowded {
            std::thread::park_timeout(GATHER);
        }
        batch.extend(receiver.try_iter().take(batch_max - 1));
        // The store takes neighbours faster.
        batch.sort_by_key(|record: &Record| record.key);
        store.add(&batch)?;
        written(&batch);
        crowded = batch.len() > batch_max / 2;
        batch.clear();
        if stopped {
            return Ok(());
        }
    }
}

/// What is to be played, and by which rules.
struct Task {
    plan: Plan,
    part: Part,
    done: Done,
    engines: Vec<Engine>,
}

impl Task {
    fn new(plan: &Plan, part: Part, done: Done) -> Self {
        let engines = plan.variants.iter().map(|variant| Engine::new(&variant.ruleset)).collect();
        Self { plan: plan.clone(), part, done, engines }
    }
}

/// What the threads share.
struct Work {
    task: Arc<Task>,
    slices: Slices,
    /// Set when nobody wants more games.
    stop: AtomicBool,
}

/// The first variant's lines of the openings that a thread plays.
#[derive(Default)]
struct Lines {
    first: Option<u32>,
    lines: Vec<Line>,
}

impl Work {
    /// One thread's work: slice after slice, until none is left or nobody wants more.
    fn play_slices(&self, sender: &SyncSender<Record>) {
        let mut lines = Lines::default();
        while let Some(slice) = self.slices.next() {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let keys = self.missing(slice);
            if keys.is_empty() {
                continue;
            }
            if slice.variant > 0 && lines.first != Some(slice.first) {
                lines = with_rules!(&self.task.engines[0], rules => self.lines(rules, slice.first));
            }
            let engine = &self.task.engines[slice.variant as usize];
            let sent = with_rules!(engine, rules => {
                self.play_slice(rules, slice, &keys, &lines, sender)
            });
            if !sent {
                return;
            }
        }
    }

    /// The games of a slice that the store lacks.
    fn missing(&self, slice: Slice) -> Vec<GameKey> {
        let Slice { variant, pairing, first } = slice;
        let pair = &self.task.plan.pairings[pairing as usize];
        let places = first..self.task.part.openings(pair).min(first + SLICE);
        let key = |opening| {
            pair.whites().iter().map(move |&white| GameKey { variant, pairing, opening, white })
        };
        let keys = places.flat_map(|place| key(self.task.part.opening(place)));
        keys.filter(|key| !self.task.done.contains(&self.task.plan, key)).collect()
    }

    fn lines<S: SquareSet>(&self, rules: &Rules<S>, first: u32) -> Lines {
        let openings = OpeningSource::of(&self.task.plan);
        let (mut game, mut choices, mut turns) = (Game::new(rules), Choices::new(), Vec::new());
        let mut start = Start { rules, game: &mut game, choices: &mut choices, turns: &mut turns };
        let lines = (first..first + SLICE)
            .map(|place| openings.line(self.task.part.opening(place), &mut start));
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
    ) -> bool {
        let pairing = &self.task.plan.pairings[slice.pairing as usize];
        let follows = comparable(&self.task.plan.variants[0].ruleset, rules.ruleset()).is_ok();
        let mut table = Table::new(rules, &self.task.plan, slice.variant, pairing);
        for &key in keys {
            let model = if slice.variant == 0 {
                Model::Itself
            } else if follows {
                let place = self.task.part.place(key.opening);
                Model::Line(&lines.lines[(place - slice.first) as usize])
            } else {
                Model::Unlike
            };
            let Some(record) = table.play(key, model, &self.stop) else { return false };
            if sender.send(record).is_err() {
                return false;
            }
        }
        true
    }
}
