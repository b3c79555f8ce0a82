//! Openings: a few random turns at the start of a game, the same for every variant of a plan.
//!
//! Opening number `n` is a line of random turns under the plan's first variant. Another variant
//! with the same board and the same start plays the same turns as long as they are legal there;
//! from the first that is not, its turns are drawn by the same random numbers, each number scaled
//! to the count of legal turns. A line that ends the game is drawn again, with other numbers; where
//! [`ATTEMPTS_MAX`] lines in a row end the game, it starts without an opening.

use super::plan::Plan;
use super::seeds::Seeds;
use crate::board::{Square, SquareSet};
use crate::player::Rng;
use crate::record::push_index;
use crate::rules::{Choices, Game, Rules, Stop, Turn};

/// How many lines are drawn before a game starts without an opening.
pub(super) const ATTEMPTS_MAX: u32 = 100;

/// The random numbers of one attempt at one opening.
///
/// They know the study's seed and the opening's number, neither the rules nor the players.
struct Numbers(Rng);

impl Numbers {
    fn new(seeds: Seeds, opening: u32, attempt: u32) -> Self {
        Self(Rng::from_seed(seeds.opening(opening, attempt)))
    }

    /// The next number, scaled to the numbers below `count`; a count of legal turns is so far
    /// below 2^64 that the bias of scaling cannot be seen.
    fn below(&mut self, count: usize) -> usize {
        let scaled = u128::from(self.0.bits()) * count as u128;
        usize::try_from(scaled >> 64).expect("below `count`, which is a usize")
    }
}

/// A turn of the first variant, in a form that another variant can look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineTurn {
    from: Square,
    to: Square,
    taken: u128,
    promotes: bool,
}

impl LineTurn {
    fn of<S: SquareSet>(turn: &Turn<S>) -> Self {
        let taken = turn.taken.to_bits();
        Self { from: turn.from, to: turn.to, taken, promotes: turn.promotes() }
    }
}

/// An opening as the first variant plays it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    turns: Vec<LineTurn>,
    /// The attempt that gave it.
    attempt: u32,
}

/// How a variant's opening has to do with that of the plan's first variant.
#[derive(Clone, Copy, Debug)]
pub(super) enum Model<'a> {
    /// It is the first variant.
    Itself,
    /// It follows the first variant's line.
    Line(&'a Line),
    /// It has another board or start, so no line of the first variant means anything to it.
    Unlike,
}

/// What openings are drawn from.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpeningSource {
    seeds: Seeds,
    plies: u32,
}

/// A game in its opening: what is played on, with the turns so far.
pub(super) struct Start<'a, S> {
    pub(super) rules: &'a Rules<S>,
    pub(super) game: &'a mut Game<S>,
    pub(super) choices: &'a mut Choices<S>,
    /// The turns as records store them.
    pub(super) turns: &'a mut Vec<u8>,
}

impl<S: SquareSet> Start<'_, S> {
    fn restart(&mut self) -> Option<Stop> {
        self.turns.clear();
        self.game.restart(self.rules.start_position());
        self.game.choices(self.rules, self.choices)
    }

    fn play(&mut self, index: usize) -> Option<Stop> {
        let turn = self.choices.get(self.rules, index);
        push_index(self.turns, index);
        self.game.play(self.rules, &turn);
        self.game.choices(self.rules, self.choices)
    }

    fn find(&self, wanted: &LineTurn) -> Option<usize> {
        (0..self.choices.len())
            .find(|&index| LineTurn::of(&self.choices.get(self.rules, index)) == *wanted)
    }
}

impl OpeningSource {
    pub(super) fn of(plan: &Plan) -> Self {
        Self { seeds: Seeds::of_openings(plan.seed), plies: plan.opening_plies }
    }

    /// The opening as the first variant plays it.
    pub(super) fn line<S: SquareSet>(&self, opening: u32, start: &mut Start<'_, S>) -> Line {
        let mut turns = Vec::new();
        for attempt in 0..ATTEMPTS_MAX {
            let mut stop = start.restart();
            if stop.is_some() {
                // No turn can be drawn, whatever the numbers; to find that out may take long.
                break;
            }
            let mut numbers = Numbers::new(self.seeds, opening, attempt);
            turns.clear();
            while stop.is_none() && start.game.plies() < self.plies {
                let index = numbers.below(start.choices.len());
                turns.push(LineTurn::of(&start.choices.get(start.rules, index)));
                stop = start.play(index);
            }
            if stop.is_none() {
                return Line { turns, attempt };
            }
        }
        Line { turns: Vec::new(), attempt: ATTEMPTS_MAX }
    }

    /// Plays the opening; whether all its turns are those of the first variant, and why the game
    /// cannot go on, if it is over before its first turn.
    pub(super) fn play<S: SquareSet>(
        &self,
        opening: u32,
        model: Model<'_>,
        start: &mut Start<'_, S>,
    ) -> (bool, Option<Stop>) {
        let line = match model {
            Model::Line(line) => Some(line),
            Model::Itself | Model::Unlike => None,
        };
        let itself = matches!(model, Model::Itself);
        let first = line.map_or(0, |line| line.attempt);
        for attempt in first..ATTEMPTS_MAX {
            let mut stop = start.restart();
            if stop.is_some() {
                break;
            }
            let mut numbers = Numbers::new(self.seeds, opening, attempt);
            let mut follows = line.filter(|_| attempt == first);
            while stop.is_none() && start.game.plies() < self.plies {
                let drawn = numbers.below(start.choices.len());
                let ply = start.game.plies() as usize;
                let found = follows.and_then(|line| start.find(&line.turns[ply]));
                if found.is_none() {
                    follows = None;
                }
                stop = start.play(found.unwrap_or(drawn));
            }
            if stop.is_none() {
                return (itself || follows.is_some(), None);
            }
        }
        let stop = start.restart();
        (itself || line.is_some_and(|line| line.turns.is_empty()), stop)
    }
}
