//! Perft: the number of turn sequences of a given length, the yardstick of move generators.
//!
//! Counts what pieces can do: like the published tables it ignores draws by counting, repetition
//! or one piece each. A sequence ends early only where a side has no legal turn.

use super::compiled::Rules;
use super::generator::{Scratch, TooManyTurns};
use super::turn::Turn;
use crate::board::{Placement, Side, SquareSet};

/// What counts as one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Distinct turns: start, end, taken set and final kind.
    Turns,
    /// Each path of a capture apart (see [`Rules::capture_ways`]), quiet turns as before.
    Paths,
}

/// The memory that a perft needs. Reused from one to the next, it stops allocating.
#[derive(Clone, Debug)]
pub struct PerftMemory<S> {
    /// A list of turns for each ply.
    lists: Vec<Vec<Turn<S>>>,
    scratch: Scratch<S>,
}

impl<S: SquareSet> Default for PerftMemory<S> {
    fn default() -> Self {
        Self { lists: Vec::new(), scratch: Scratch::default() }
    }
}

impl<S: SquareSet> Rules<S> {
    /// The number of turn sequences of `depth` plies.
    ///
    /// # Errors
    /// When a position on the way has too many turns.
    pub fn perft(
        &self,
        placement: &Placement<S>,
        side: Side,
        depth: u32,
        counted: Counted,
    ) -> Result<u64, TooManyTurns> {
        self.perft_in(&mut PerftMemory::default(), placement, side, depth, counted)
    }

    /// The same as [`Self::perft`], for those who count often.
    ///
    /// # Errors
    /// When a position on the way has too many turns.
    pub fn perft_in(
        &self,
        memory: &mut PerftMemory<S>,
        placement: &Placement<S>,
        side: Side,
        depth: u32,
        counted: Counted,
    ) -> Result<u64, TooManyTurns> {
        match counted {
            Counted::Turns => {
                let PerftMemory { lists, scratch } = memory;
                lists.resize_with(lists.len().max(depth as usize), Vec::new);
                self.perft_turns(placement, side, depth, lists, scratch)
            }
            Counted::Paths => self.perft_paths(placement, side, depth),
        }
    }

    /// The first turns, each with the number of sequences of `depth` plies that begin with it.
    ///
    /// With [`Counted::Paths`] a turn stands once for each path. Nothing for depth 0.
    ///
    /// # Errors
    /// When they are too many.
    pub fn first_turns(
        &self,
        placement: &Placement<S>,
        side: Side,
        counted: Counted,
    ) -> Result<Vec<Turn<S>>, TooManyTurns> {
        let mut turns = Vec::new();
        self.turns(placement, side, &mut turns)?;
        if counted == Counted::Paths {
            turns.retain(|turn| !turn.captures());
            turns.extend(self.capture_ways(placement, side)?);
        }
        Ok(turns)
    }

    fn perft_turns(
        &self,
        placement: &Placement<S>,
        side: Side,
        depth: u32,
        lists: &mut [Vec<Turn<S>>],
        scratch: &mut Scratch<S>,
    ) -> Result<u64, TooManyTurns> {
        match depth {
            0 => Ok(1),
            1 => self.count_with(placement, side, scratch),
            _ => {
                let (turns, deeper) = lists.split_first_mut().expect("one list a ply");
                self.list_turns(placement, side, scratch, turns)?;
                let mut count = 0;
                for turn in turns.iter() {
                    let after = placement.after(side, turn);
                    count += self.perft_turns(&after, side.other(), depth - 1, deeper, scratch)?;
                }
                Ok(count)
            }
        }
    }

    fn perft_paths(
        &self,
        placement: &Placement<S>,
        side: Side,
        depth: u32,
    ) -> Result<u64, TooManyTurns> {
        if depth == 0 {
            return Ok(1);
        }
        let turns = self.first_turns(placement, side, Counted::Paths)?;
        if depth == 1 {
            return Ok(turns.len() as u64);
        }
        let mut count = 0;
        for turn in &turns {
            let after = placement.after(side, turn);
            count += self.perft_paths(&after, side.other(), depth - 1)?;
        }
        Ok(count)
    }
}
