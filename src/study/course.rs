//! The course of a run with a rule to stop early: which openings of which variant and pairing are
//! played next, looked at batch by batch in a fixed order, so that the games that are played do not
//! depend on threads or interruptions; and where the rule stops play by the games that a store
//! holds. Plays nothing.

use std::ops::Range;

use crate::board::Side;
use crate::record::{GameKey, Record};
use crate::study::plan::Plan;
use crate::study::stopping::{Distinct, StopRule, looks};
use crate::study::store::{Done, Store, StoreError};

/// One variant and pairing on which a rule stopped play before its last opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoppedPlay {
    /// The number of the variant.
    pub variant: u32,
    /// The number of the pairing.
    pub pairing: u32,
    /// The openings that were looked at when play stopped.
    pub openings: u32,
    /// Games of later openings that were not played.
    pub games_spared: u64,
}

/// Where the rule of a store's plan, if it has one, stops play by the games that the store holds,
/// which are `done`: in the order of variants, then of pairings. As far as the looks go whose games
/// are all there.
///
/// # Errors
/// When the store cannot be read.
pub fn stopped_play(store: &Store, done: &Done) -> Result<Vec<StoppedPlay>, StoreError> {
    let plan = store.plan();
    let Some(rule) = plan.stopping else { return Ok(Vec::new()) };
    let mut course = Course::new(plan, rule);
    while course.next().is_some_and(|ranges| course.holds(plan, done, &ranges)) {
        course.look(store, done)?;
    }
    Ok(course.stopped())
}

/// Where a run with a rule stands.
#[derive(Debug)]
pub(super) struct Course {
    rule: StopRule,
    /// The looks of each pairing.
    looks: Vec<Vec<u32>>,
    /// By variant, then by pairing.
    cells: Vec<Cell>,
    /// Looks that have been taken.
    taken: usize,
}

/// One variant and pairing.
#[derive(Debug)]
struct Cell {
    variant: u32,
    pairing: usize,
    first: Side,
    /// Openings looked at.
    seen: u32,
    /// Whether the rule has stopped it.
    stopped: bool,
    /// Games of openings not looked at that the store has not; counted once play has stopped.
    spared: Option<u64>,
    sums: Distinct,
}

impl Course {
    /// The course of a plan that has a rule, before its first look.
    pub(super) fn new(plan: &Plan, rule: StopRule) -> Self {
        let cells = (0..).zip(&plan.variants).flat_map(|(variant, planned)| {
            plan.pairings.iter().enumerate().map(move |(pairing, pair)| Cell {
                variant,
                pairing,
                first: planned.ruleset.setup.first,
                seen: 0,
                stopped: false,
                spared: None,
                sums: Distinct::new(if pair.is_self() { 1 } else { 2 }),
            })
        });
        let cells = cells.collect();
        let looks = plan.pairings.iter().map(|pairing| looks(pairing.openings)).collect();
        Self { rule, looks, cells, taken: 0 }
    }

    /// The openings to be played before the next look, by variant, then by pairing: empty ranges
    /// where play has stopped. Nothing when all play has.
    pub(super) fn next(&self) -> Option<Vec<Range<u32>>> {
        let ranges = self.cells.iter().map(|cell| {
            let look = self.looks[cell.pairing].get(self.taken);
            let to = look.copied().filter(|_| !cell.stopped).unwrap_or(cell.seen);
            cell.seen..to
        });
        let ranges: Vec<Range<u32>> = ranges.collect();
        ranges.iter().any(|range| !range.is_empty()).then_some(ranges)
    }

    /// Whether all games of those openings are done.
    fn holds(&self, plan: &Plan, done: &Done, ranges: &[Range<u32>]) -> bool {
        let mut cells = self.cells.iter().zip(ranges);
        cells.all(|(cell, range)| {
            cell.keys(plan, range.clone()).all(|key| done.contains(plan, &key))
        })
    }

    /// Looks at the games of those openings, all of which the store has by now, and decides where
    /// play stops. Games of later openings that are not `done` are spared there.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn look(&mut self, store: &Store, done: &Done) -> Result<(), StoreError> {
        let Some(ranges) = self.next() else { return Ok(()) };
        for (cell, range) in self.cells.iter_mut().zip(ranges) {
            cell.read(store, &range)?;
        }
        self.taken += 1;
        let pairings = self.looks.len();
        for number in 0..self.cells.len() {
            let pairing = self.cells[number].pairing;
            let ours = &self.cells[number].sums.outcomes;
            let first = &self.cells[pairing].sums.outcomes;
            // The first variant's difference to itself is no number.
            let is_first = self.rule.difference && number < pairings;
            let met = !is_first && self.rule.is_met(ours, first);
            self.cells[number].stopped |= met;
        }
        if self.rule.difference {
            self.stop_first();
        }
        let plan = store.plan();
        for cell in self.cells.iter_mut().filter(|cell| cell.stopped && cell.spared.is_none()) {
            let rest = cell.seen..plan.pairings[cell.pairing].openings;
            let lacking = cell.keys(plan, rest).filter(|key| !done.contains(plan, key));
            cell.spared = Some(lacking.count() as u64);
        }
        Ok(())
    }

    /// Under a rule about differences the first variant is played as long as another is.
    fn stop_first(&mut self) {
        let (firsts, others) = self.cells.split_at_mut(self.looks.len());
        for first in firsts {
            let mut same = others.iter().filter(|other| other.pairing == first.pairing);
            first.stopped = same.all(|other| other.stopped);
        }
    }

    /// Games that the rule has spared so far.
    pub(super) fn spared(&self) -> u64 {
        self.cells.iter().filter_map(|cell| cell.spared).sum()
    }

    /// Where it has stopped play that would have gone on.
    fn stopped(&self) -> Vec<StoppedPlay> {
        let stopped = self.cells.iter().filter_map(|cell| {
            let games_spared = cell.spared.filter(|games| *games > 0)?;
            let pairing = u32::try_from(cell.pairing).expect("a plan has few pairings");
            Some(StoppedPlay { variant: cell.variant, pairing, openings: cell.seen, games_spared })
        });
        stopped.collect()
    }
}

impl Cell {
    /// The games of some openings.
    fn keys(&self, plan: &Plan, openings: Range<u32>) -> impl Iterator<Item = GameKey> {
        let variant = self.variant;
        let pairing = u32::try_from(self.pairing).expect("a plan has few pairings");
        let whites = plan.pairings[self.pairing].whites();
        openings.flat_map(move |opening| {
            whites.iter().map(move |&white| GameKey { variant, pairing, opening, white })
        })
    }

    fn read(&mut self, store: &Store, range: &Range<u32>) -> Result<(), StoreError> {
        let pairing = u32::try_from(self.pairing).expect("a plan has few pairings");
        let mut unit: Vec<Record> = Vec::new();
        if !range.is_empty() {
            for game in store.games_from(self.variant, pairing, range.start) {
                let game = game?;
                if game.key.opening >= range.end {
                    break;
                }
                if unit.first().is_some_and(|first| first.key.opening != game.key.opening) {
                    self.sums.add(&unit, self.first);
                    unit.clear();
                }
                unit.push(game);
            }
        }
        if !unit.is_empty() {
            self.sums.add(&unit, self.first);
        }
        self.seen = range.end;
        Ok(())
    }
}
