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
#[derive(Clone, Debug, Default)]
pub struct PerftMemory<S> {
    /// One for each ply.
    plies: Vec<Scratch<S>>,
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
                let (depth, plies) = (depth as usize, &mut memory.plies);
                plies.resize_with(plies.len().max(depth), Scratch::default);
                self.perft_turns(placement, side, &mut plies[..depth])
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

    /// Plays what the generator shows as it shows it: to keep lists takes longer.
    fn perft_turns(
        &self,
        placement: &Placement<S>,
        side: Side,
        plies: &mut [Scratch<S>],
    ) -> Result<u64, TooManyTurns> {
        let (scratch, mut deeper) = match plies {
            [] => return Ok(1),
            [last] => return self.count_with(placement, side, last),
            [scratch, deeper @ ..] => (scratch, deeper),
        };
        let (mut count, mut outcome) = (0, Ok(()));
        self.visit_turns(placement, side, scratch, |turn| {
            let after = placement.after(side, &turn);
            let replies = match deeper {
                [last] => self.count_with(&after, side.other(), last),
                _ => self.perft_turns(&after, side.other(), deeper),
            };
            match replies {
                Ok(replies) => count += replies,
                Err(too_many) => {
                    outcome = Err(too_many);
                    // The rest is not played any more.
                    deeper = &mut [];
                }
            }
        })?;
        outcome.map(|()| count)
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
