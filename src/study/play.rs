//! Plays one game of a plan. Knows no thread and no store; the same key gives the same record.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::adjudication::Judge;
use super::metrics::KingValue;
use super::opening::{Model, OpeningSource, Start};
use super::plan::{Pairing, Plan};
use super::seeds::Seeds;
use crate::board::{Side, SquareSet};
use crate::player::{Player, build_with};
use crate::record::{GameKey, Record, Seat, push_index};
use crate::rules::{Choices, Ending, Game, Outcome, Reason, Rules, Stop};

/// A clock that says how long the calling thread has worked; only differences are read.
pub type Clock = fn() -> Duration;

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
    /// Adds up how long each seat thinks, where that is wanted.
    clock: Option<Clock>,
    spent: [Spent; 2],
}

/// What a player has spent on its turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Games that it played.
    pub games: u64,
    /// Turns that it chose.
    pub turns: u64,
    /// Positions that it searched, or playouts: [`Player::looked_at`].
    pub looked_at: u64,
    /// How long it thought.
    pub time: Duration,
}

impl Spent {
    /// Adds what was spent in other games.
    pub fn add(&mut self, other: Self) {
        self.games += other.games;
        self.turns += other.turns;
        self.looked_at += other.looked_at;
        self.time += other.time;
    }
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
            clock: None,
            spent: [Spent::default(); 2],
        }
    }

    /// Adds up from now on what each seat spends.
    pub(super) fn set_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// What each seat has spent in the games that were played to their end.
    pub(super) const fn spent(&self) -> [Spent; 2] {
        self.spent
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
        let mut spent = [Spent { games: 1, ..Spent::default() }; 2];
        // A position with too many turns leaves a game as unfinished as the cap does.
        while stop.is_none() && self.game.plies() < self.plan.plies_max {
            if halt.load(Ordering::Relaxed) {
                return None;
            }
            let seat = match self.game.position().side {
                Side::White => key.white,
                Side::Black => key.white.other(),
            };
            let (player, spent) = (&mut self.players[seat.index()], &mut spent[seat.index()]);
            let begun = self.clock.map(|clock| clock());
            let index = player.choose(self.rules, &self.game, &self.choices);
            if let Some((clock, begun)) = self.clock.zip(begun) {
                spent.time += clock().saturating_sub(begun);
            }
            spent.turns += 1;
            push_index(&mut self.turns, index);
            let turn = self.choices.get(self.rules, index);
            self.game.play(self.rules, &turn);
            stop = self.game.choices(self.rules, &mut self.choices).or_else(|| {
                let winner = self.judge.as_mut()?.look(&self.game.position().placement)?;
                let outcome = Outcome::win(winner);
                Some(Stop::Ended(Ending { outcome, reason: Reason::Adjudicated }))
            });
        }
        for ((sum, game), player) in self.spent.iter_mut().zip(spent).zip(&self.players) {
            sum.add(Spent { looked_at: player.looked_at(), ..game });
        }
        let (plies, turns) = (self.game.plies(), self.turns.clone());
        let end = stop.and_then(Stop::ending);
        Some(Record { key, seed, end, plies, opening_shared, turns })
    }
}
