//! The games of a training: the searching player against itself, and the positions kept of them.

use rayon::prelude::*;

use super::super::alphabeta::AlphaBeta;
use super::super::evaluation::Evaluation;
use super::super::roster::Budget;
use super::super::sampling::Sampling;
use super::super::{Player, Rng, Weights};
use super::TrainingPlan;
use super::features::Columns;
use crate::board::SquareSet;
use crate::rules::{Choices, Game, Outcome, Rules};

/// Plies after which a game is left unfinished.
const PLIES_MAX: u32 = 300;

/// One quiet position in this many is kept.
const KEPT_ONE_IN: usize = 3;

/// Games whose mean length says how many make a round.
const PILOT_GAMES: u32 = 100;

/// Positions of finished games, with the outcomes of these.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    columns: usize,
    /// The features of each position, one after the other.
    pub(super) rows: Vec<i16>,
    /// For each position: 2 if White won, 1 for a draw, 0 if Black won.
    pub(super) results: Vec<u8>,
    /// For each column, the sum of its absolute values: how often a man stood there.
    pub(super) stood: Vec<u64>,
    pub(super) games: u64,
    pub(super) unfinished: u64,
}

impl Sample {
    pub(super) fn new(columns: usize) -> Self {
        Self {
            columns,
            rows: Vec::new(),
            results: Vec::new(),
            stood: vec![0; columns],
            games: 0,
            unfinished: 0,
        }
    }

    /// The features of a number of positions at once, with their results.
    pub(super) fn chunks(
        &self,
        positions: usize,
    ) -> impl IndexedParallelIterator<Item = Chunk<'_>> {
        self.rows
            .par_chunks(positions * self.columns)
            .zip(self.results.par_chunks(positions))
            .map(|(rows, results)| Chunk { rows, results })
    }

    fn add(&mut self, played: Played) {
        self.games += 1;
        let Some(outcome) = played.outcome else {
            self.unfinished += 1;
            return;
        };
        let result = match outcome {
            Outcome::White => 2,
            Outcome::Draw => 1,
            Outcome::Black => 0,
        };
        for row in played.rows.chunks(self.columns) {
            self.results.push(result);
            for (stood, value) in self.stood.iter_mut().zip(row) {
                *stood += u64::from(value.unsigned_abs());
            }
        }
        self.rows.extend_from_slice(&played.rows);
    }
}

/// Some positions of a sample.
pub(super) struct Chunk<'a> {
    pub(super) rows: &'a [i16],
    pub(super) results: &'a [u8],
}

/// One game of the training.
struct Played {
    rows: Vec<i16>,
    plies: u32,
    outcome: Option<Outcome>,
}

/// Plays a round with these weights and adds its positions to the sample.
pub(super) fn play_round<S: SquareSet>(
    rules: &Rules<S>,
    plan: &TrainingPlan,
    round: u32,
    weights: &Weights,
    columns: &Columns,
    sample: &mut Sample,
) {
    let evaluation = Evaluation::new(rules, weights);
    let new_table = || Table::new(rules, plan, weights, columns, &evaluation);
    let play = |numbers: std::ops::Range<u32>| -> Vec<Played> {
        numbers
            .into_par_iter()
            .map_init(new_table, |table, number| {
                table.play(&format!("keny training 1\n{}\n{round}\n{number}", plan.seed))
            })
            .collect()
    };
    let pilot = play(0..PILOT_GAMES);
    let plies: u32 = pilot.iter().map(|game| game.plies).sum();
    pilot.into_iter().for_each(|game| sample.add(game));
    let mean = (plies / PILOT_GAMES).max(1);
    let games = plan.plies_a_round / mean;
    play(PILOT_GAMES..games.max(PILOT_GAMES)).into_iter().for_each(|game| sample.add(game));
}

/// Where one thread plays its games.
struct Table<'a, S> {
    rules: &'a Rules<S>,
    columns: &'a Columns,
    evaluation: &'a Evaluation<S>,
    player: AlphaBeta<S>,
    game: Game<S>,
    choices: Choices<S>,
}

impl<'a, S: SquareSet> Table<'a, S> {
    fn new(
        rules: &'a Rules<S>,
        plan: &TrainingPlan,
        weights: &Weights,
        columns: &'a Columns,
        evaluation: &'a Evaluation<S>,
    ) -> Self {
        let sampling = Sampling { epsilon: plan.epsilon, ..Sampling::default() };
        let budget = Budget::Nodes(plan.nodes);
        Self {
            rules,
            columns,
            evaluation,
            player: AlphaBeta::new(rules, budget, weights, sampling, 0),
            game: Game::new(rules),
            choices: Choices::new(),
        }
    }

    /// Plays the game of this description: random turns first, then the player on both sides.
    fn play(&mut self, description: &str) -> Played {
        let rules = self.rules;
        let mut rng = Rng::from_bytes(description.as_bytes());
        self.player.restart(rng.bits());
        self.game.restart(rules.start_position());
        let opening = 2 + u32::try_from(rng.below(13)).expect("below 13");
        let mut played = Played { rows: Vec::new(), plies: 0, outcome: None };
        loop {
            if let Some(stop) = self.game.choices(rules, &mut self.choices) {
                played.outcome = stop.ending().map(|ending| ending.outcome);
                break;
            }
            if self.game.plies() >= PLIES_MAX {
                break;
            }
            let in_opening = self.game.plies() < opening;
            let position = self.game.position();
            if !in_opening
                && rng.below(KEPT_ONE_IN) == 0
                && !rules.has_capture(&position.placement, position.side)
            {
                let (placement, side) = (&position.placement, position.side);
                let length = played.rows.len();
                played.rows.resize(length + self.columns.len(), 0);
                let row = &mut played.rows[length..];
                self.columns.of_position(self.evaluation, placement, side, row);
            }
            let index = if in_opening {
                rng.below(self.choices.len())
            } else {
                self.player.choose(rules, &self.game, &self.choices)
            };
            self.game.play(rules, &self.choices.get(rules, index));
        }
        played.plies = self.game.plies();
        played
    }
}
