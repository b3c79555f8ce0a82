//! Looks at one game of the base with the eyes of other rulesets. Sums nothing over games.

use super::turns_alike;
use crate::board::{Placement, Side, SquareSet};
use crate::notation::{TurnTexts, print_position};
use crate::record::{GameKey, Record, ReplayError, Replayer};
use crate::rules::{Ending, Game, Rules, Ruleset, Scratch, Turn};

/// The most turns that an example lists for each ruleset.
pub const LISTED_MAX: usize = 12;

/// A position in which the turns differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The game in which it came up.
    pub key: GameKey,
    /// The ply that is to be played, from 1.
    pub ply: u32,
    /// The position as a text.
    pub position: String,
    /// How many turns are legal under both rulesets.
    pub both: usize,
    /// The turns that are legal under the base alone.
    pub only_base: OnlyUnderOne,
    /// The turns that are legal under the other ruleset alone.
    pub only_other: OnlyUnderOne,
}

/// The turns of a position that are legal under one of two rulesets alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnlyUnderOne {
    /// How many.
    pub count: usize,
    /// Their texts, [`LISTED_MAX`] at most; where both rulesets have a turn of that text, which
    /// then differ in what becomes of the piece, with `(crowned)` or `(not crowned)` after it.
    pub texts: Vec<String>,
}

/// A ruleset that looks at games of the base.
#[derive(Clone, Debug)]
pub(super) struct Other<S> {
    rules: Rules<S>,
    turns_alike: bool,
}

/// What one ruleset saw in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Positions in which a turn was played.
    pub(super) positions: u32,
    /// Those of them in which the turns differ.
    pub(super) differing: u32,
    /// The ply, from 1, of the first of these.
    pub(super) first_ply: Option<u32>,
    /// Pieces on the board then.
    pub(super) pieces: u32,
    /// Plies played when the ends first differed.
    pub(super) first_ending: Option<u32>,
}

impl<S> Other<S> {
    /// Whether no turn can differ from the base's.
    pub(super) const fn turns_alike(&self) -> bool {
        self.turns_alike
    }
}

impl<S: SquareSet> Other<S> {
    /// A ruleset that is comparable with the base.
    pub(super) fn new(base: &Rules<S>, ruleset: &Ruleset) -> Self {
        let turns_alike = turns_alike(base.ruleset(), ruleset);
        Self { rules: Rules::new(ruleset), turns_alike }
    }

    /// The position before a ply of a game, with what is legal there under one ruleset alone.
    pub(super) fn example(&self, base: &Rules<S>, game: &Record, ply: u32) -> Option<Example> {
        let mut example = None;
        let mut replayer = Replayer::new(base);
        let replayed = replayer.replay(game, |step| {
            if step.ply == ply {
                let (placement, side) = (&step.position.placement, step.position.side);
                example = Some(self.example_at(base, placement, side, (game.key, ply)));
            }
        });
        replayed.ok()?;
        example
    }

    fn example_at(
        &self,
        base: &Rules<S>,
        placement: &Placement<S>,
        side: Side,
        (key, ply): (GameKey, u32),
    ) -> Example {
        let [of_base, of_other] = [base, &self.rules].map(|rules| {
            let mut turns = Vec::new();
            rules.turns(placement, side, &mut turns).expect("both were listed to be compared");
            turns
        });
        // Squares are written as the base writes them.
        let texts = TurnTexts::new(&base.ruleset().board);
        let only = |turns: &[Turn<S>], rules: &Rules<S>, against: &[Turn<S>]| {
            let alone: Vec<Turn<S>> = turns
                .iter()
                .filter(|turn| !against.iter().any(|other| other.same_as(turn)))
                .copied()
                .collect();
            let text = |turn: &Turn<S>| {
                let text = texts.print(rules, placement, side, turn);
                let twin = against.iter().any(|other| {
                    (other.from, other.to, other.taken) == (turn.from, turn.to, turn.taken)
                });
                match (twin, turn.promotes()) {
                    (false, _) => text,
                    (true, true) => format!("{text} (crowned)"),
                    (true, false) => format!("{text} (not crowned)"),
                }
            };
            let texts = alone.iter().take(LISTED_MAX).map(text).collect();
            OnlyUnderOne { count: alone.len(), texts }
        };
        let only_base = only(&of_base, base, &of_other);
        Example {
            key,
            ply,
            position: print_position(side, placement, &base.ruleset().board),
            both: of_base.len() - only_base.count,
            only_base,
            only_other: only(&of_other, &self.rules, &of_base),
        }
    }
}

/// Looks at games of the base; reused from game to game, it stops allocating.
#[derive(Debug)]
pub(super) struct Watch<'a, S> {
    base: &'a Rules<S>,
    replayer: Replayer<'a, S>,
    base_turns: BaseTurns<S>,
    watchers: Vec<Watcher<'a, S>>,
}

/// The base's turns in one position, in the generator's order, and sorted once that is asked for.
#[derive(Debug)]
struct BaseTurns<S> {
    turns: Vec<Turn<S>>,
    sorted: Vec<Turn<S>>,
}

/// One other ruleset at the board.
#[derive(Debug)]
struct Watcher<'a, S> {
    rules: &'a Rules<S>,
    turns_alike: bool,
    /// The same turns, with this ruleset's counters.
    game: Game<S>,
    turns: Vec<Turn<S>>,
    scratch: Scratch<S>,
    seen: Seen,
}

impl<'a, S: SquareSet> Watch<'a, S> {
    /// For games by the base and rulesets that are comparable with it.
    pub(super) fn new(base: &'a Rules<S>, others: &'a [Other<S>]) -> Self {
        let watchers = others.iter().map(|Other { rules, turns_alike }| Watcher {
            rules,
            turns_alike: *turns_alike,
            game: Game::new(rules),
            turns: Vec::new(),
            scratch: Scratch::default(),
            seen: Seen::default(),
        });
        let watchers = watchers.collect();
        let base_turns = BaseTurns { turns: Vec::new(), sorted: Vec::new() };
        Self { base, replayer: Replayer::new(base), base_turns, watchers }
    }

    /// What each of the other rulesets sees in the game.
    ///
    /// # Errors
    /// When the record does not fit the base's rules.
    pub(super) fn watch(&mut self, game: &Record) -> Result<Vec<Seen>, ReplayError> {
        let (base, watchers, base_turns) = (self.base, &mut self.watchers, &mut self.base_turns);
        watchers.iter_mut().for_each(Watcher::restart);
        self.replayer.replay(game, |step| {
            let placement = &step.position.placement;
            base_turns.sorted.clear();
            base.turns(placement, step.position.side, &mut base_turns.turns)
                .expect("a turn was played here, so there are not too many");
            for watcher in &mut *watchers {
                watcher.look(placement, step.position.side, base_turns, step.ply);
                watcher.play(&step.turn);
            }
        })?;
        let last = self.replayer.game().position();
        Ok(watchers
            .iter_mut()
            .map(|watcher| {
                watcher.end(&last.placement, last.side, game.end, game.plies);
                watcher.seen
            })
            .collect())
    }
}

impl<S: SquareSet> Watcher<'_, S> {
    fn restart(&mut self) {
        self.game.restart(self.rules.start_position());
        self.seen = Seen::default();
    }

    /// Compares the turns of a position in which the base's game goes on.
    fn look(&mut self, placement: &Placement<S>, side: Side, base: &mut BaseTurns<S>, ply: u32) {
        self.seen.positions += 1;
        let has_turn = if self.turns_alike {
            !base.turns.is_empty()
        } else if self
            .rules
            .list_turns(placement, side, &mut self.scratch, &mut self.turns)
            .is_err()
        {
            // Too many to list: there is nothing to compare, and the position does not count.
            self.seen.positions -= 1;
            true
        } else {
            if !base.same_as(&mut self.turns) {
                self.seen.differing += 1;
                if self.seen.first_ply.is_none() {
                    self.seen.first_ply = Some(ply);
                    self.seen.pieces = placement.occupied().len();
                }
            }
            !self.turns.is_empty()
        };
        if self.seen.first_ending.is_none() && self.game.judge(self.rules, has_turn).is_some() {
            self.seen.first_ending = Some(ply - 1);
        }
    }

    /// Plays on as long as it matters for the end.
    fn play(&mut self, turn: &Turn<S>) {
        if self.seen.first_ending.is_none() {
            self.game.play(self.rules, turn);
        }
    }

    /// Compares the ends after the last turn.
    fn end(&mut self, placement: &Placement<S>, side: Side, base: Option<Ending>, plies: u32) {
        if self.seen.first_ending.is_some() {
            return;
        }
        let has_turn = self.rules.has_turn(placement, side);
        let end = self.game.judge(self.rules, has_turn);
        if end.map(|end| end.outcome) != base.map(|end| end.outcome) {
            self.seen.first_ending = Some(plies);
        }
    }
}

impl<S: SquareSet> BaseTurns<S> {
    /// Whether a list of distinct turns has the same turns; it may be put in another order.
    fn same_as(&mut self, other: &mut [Turn<S>]) -> bool {
        if self.turns.len() != other.len() {
            return false;
        }
        let alike = |one: &[Turn<S>], other: &[Turn<S>]| {
            one.iter().zip(other).all(|(one, other)| one.same_as(other))
        };
        if alike(&self.turns, other) {
            return true;
        }
        let key = |turn: &Turn<S>| (turn.from, turn.to, turn.taken, turn.promotes());
        if self.sorted.is_empty() {
            self.sorted.extend_from_slice(&self.turns);
            self.sorted.sort_unstable_by_key(key);
        }
        other.sort_unstable_by_key(key);
        alike(&self.sorted, other)
    }
}
