//! Plays one game of a plan. Knows no thread and no store; the same key gives the same record.

use std::sync::atomic::{AtomicBool, Ordering};

use super::adjudication::Judge;
use super::metrics::KingValue;
use super::opening::{Model, OpeningSource, Start};
use super::plan::{Pairing, Plan};
use super::seeds::Seeds;
use crate::board::{Side, SquareSet};
use crate::player::{Player, build_with};
use crate::record::{GameKey, Record, Seat, push_index};
use crate::rules::{Choices, Ending, Game, Outcome, Reason, Rules, Stop};

/// Two players at a board, reused from game to game of one variant and pairing.
pub(super) struct Table<'a, S: SquareSet> {
    rules: &'a Rules<S>,
    plan: &'a Plan,
    openings: OpeningSource,
    seeds: Seeds,
    /// By seat.
    players: [Box<dyn Player<S> + Send>; 2],
    game: Game<S>,
    choices: Choices<S>,
    turns: Vec<u8>,
    judge: Option<Judge>,
}

impl<'a, S: SquareSet> Table<'a, S> {
    /// A table for one variant and pairing of a plan.
    pub(super) fn new(
        rules: &'a Rules<S>,
        plan: &'a Plan,
        variant: u32,
        pairing: &Pairing,
    ) -> Self {
        let trained = plan.variants[variant as usize].weights.as_ref();
        let learned = trained.map(|trained| &trained.weights);
        Self {
            rules,
            plan,
            openings: OpeningSource::of(plan),
            seeds: Seeds::of_games(plan.seed, pairing),
            players: Seat::ALL.map(|seat| build_with(pairing.player(seat), rules, learned, 0)),
            game: Game::new(rules),
            choices: Choices::new(),
            turns: Vec::new(),
            judge: plan
                .adjudication
                .map(|rule| Judge::new(rule, KingValue::of(&plan.variants[variant as usize]))),
        }
    }

    /// Plays the game; nothing if `halt` was set before it ended.
    pub(super) fn play(
        &mut self,
        key: GameKey,
        model: Model<'_>,
        halt: &AtomicBool,
    ) -> Option<Record> {
        let (rules, game, choices) = (self.rules, &mut self.game, &mut self.choices);
        let turns = &mut self.turns;
        let mut start = Start { rules, game, choices, turns };
        let (opening_shared, mut stop) = self.openings.play(key.opening, model, &mut start);
        let seed = self.seeds.game(key.opening, key.white);
        // Any two different numbers will do: a player spreads its own over all its state.
        for (player, seed) in self.players.iter_mut().zip([seed, !seed]) {
            player.restart(seed);
        }
        if let Some(judge) = &mut self.judge {
            judge.restart();
        }
        // A position with too many turns leaves a game as unfinished as the cap does.
        while stop.is_none() && self.game.plies() < self.plan.plies_max {
            if halt.load(Ordering::Relaxed) {
                return None;
            }
            let seat = match self.game.position().side {
                Side::White => key.white,
                Side::Black => key.white.other(),
            };
            let player = &mut self.players[seat.index()];
            let index = player.choose(self.rules, &self.game, &self.choices);
            push_index(&mut self.turns, index);
            let turn = self.choices.get(self.rules, index);
            self.game.play(self.rules, &turn);
            stop = self.game.choices(self.rules, &mut self.choices).or_else(|| {
                let winner = self.judge.as_mut()?.look(&self.game.position().placement)?;
                let outcome = Outcome::win(winner);
                Some(Stop::Ended(Ending { outcome, reason: Reason::Adjudicated }))
            });
        }
        let (plies, turns) = (self.game.plies(), self.turns.clone());
        let end = stop.and_then(Stop::ending);
        Some(Record { key, seed, end, plies, opening_shared, turns })
    }
}
