//! The line under search: the positions that lead to it, and what their past may still bring.
//!
//! A position's value depends on its past in two ways only: the count of quiet turns may reach its
//! limit, and an earlier position may come up once too often. A line knows how many plies ahead
//! neither can happen ([`Line::past`]), which is what makes a transposition table safe to use.

use crate::board::{Kind, Placement, Side, SquareSet};
use crate::rules::{Direction, Ending, Game, Position, Rules, Turn};

/// One position of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<S> {
    pub(super) position: Position<S>,
    /// The hash of pieces and side to move.
    pub(super) hash: u64,
    /// How many of the positions before this one could come up again.
    recurring: u32,
    /// How often this position has come up, this time included.
    occurrences: u32,
}

/// What the past of a position can do within some number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Past {
    /// Nothing: every past gives the same value.
    Silent,
    /// Something: only pasts of the same mark give the same value.
    Speaks(u32),
}

/// Positions from the last one that can come up again to the one under search.
#[derive(Clone, Debug)]
pub(super) struct Line<S> {
    steps: Vec<Step<S>>,
    /// The index of the position in which the search began.
    root: usize,
    /// Occurrences that end a game; 0 is off.
    repetition: u32,
    quiet_plies_max: Option<u32>,
    /// The least number of plies from a position back to itself.
    cycle: u32,
    /// Whether men never go back, so that a man's step to another rank cannot be undone.
    men_advance_only: bool,
    /// For each square, its rank.
    ranks: Box<[u8]>,
}

impl<S: SquareSet> Line<S> {
    /// A line under these rules, without a position yet.
    pub(super) fn new(rules: &Rules<S>) -> Self {
        let ruleset = rules.ruleset();
        let man = &ruleset.man;
        let backward = [Direction::Backward, Direction::DiagonalBackward];
        let retreats = backward.iter().any(|&direction| {
            man.step.contains(direction)
                || (!man.hop_over.is_empty() && man.hop.contains(direction))
        });
        let mut ranks = vec![0; S::BITS as usize];
        for square in rules.geometry().squares() {
            ranks[square.index()] = rules.geometry().file_and_rank(square).1;
        }
        Self {
            steps: Vec::new(),
            root: 0,
            repetition: u32::from(ruleset.draw.repetition),
            quiet_plies_max: rules.quiet_plies_max().map(u32::from),
            // Both sides must leave and come back, unless a turn may change nothing.
            cycle: if ruleset.hop.return_to_start { 2 } else { 4 },
            men_advance_only: !retreats,
            ranks: ranks.into_boxed_slice(),
        }
    }

    /// Begins at the game's position, with those before it that could come up again.
    pub(super) fn restart(&mut self, game: &Game<S>) {
        self.steps.clear();
        let present = *game.position();
        let earlier = match game.history().split_last() {
            Some((_, earlier)) => earlier,
            None => &[],
        };
        let earlier = self.still_reachable(earlier, &present.placement);
        let mut side =
            if earlier.len().is_multiple_of(2) { present.side } else { present.side.other() };
        for &(hash, placement) in earlier {
            self.append(Position::new(placement, side), hash, self.deepest());
            side = side.other();
        }
        self.append(present, game.hash(), self.deepest());
        self.root = self.steps.len() - 1;
    }

    /// The position under search.
    #[inline]
    pub(super) fn top(&self) -> &Step<S> {
        self.steps.last().expect("a line begins with the root")
    }

    /// Plies from the root.
    #[inline]
    pub(super) fn ply(&self) -> usize {
        self.steps.len() - 1 - self.root
    }

    /// Plays a turn that the generator made for the top position.
    #[inline]
    pub(super) fn push(&mut self, rules: &Rules<S>, turn: &Turn<S>) {
        let top = self.top();
        let hash = top.position.placement.hash_after(top.hash, top.position.side, turn);
        let position = rules.after(&top.position, turn);
        if self.repetition == 0 {
            self.steps.push(Step { position, hash, recurring: 0, occurrences: 1 });
            return;
        }
        let recurring = if self.is_final(turn) { 0 } else { top.recurring + 1 };
        self.append(position, hash, recurring);
    }

    /// Takes the last turn back.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.steps.pop();
        debug_assert!(self.steps.len() > self.root, "the root stays");
    }

    /// The ending at the top, given whether the side to move has a legal turn.
    #[inline]
    pub(super) fn judge(&self, rules: &Rules<S>, has_turn: bool) -> Option<Ending> {
        let top = self.top();
        rules.judge(&top.position, has_turn, top.occurrences)
    }

    /// Whether the past ends the game at the top, unless the board has ended it already.
    #[inline]
    pub(super) fn past_ends(&self) -> bool {
        let top = self.top();
        self.quiet_plies_max.is_some_and(|most| u32::from(top.position.quiet_plies) >= most)
            || (self.repetition > 0 && top.occurrences >= self.repetition)
    }

    /// What the past can do in a search of `depth` plies and captures beyond them.
    ///
    /// The count of quiet turns matters where it can reach its limit: it rises by at most one a
    /// ply, and not at all by captures. An earlier position p matters where it can come up often enough: b plies
    /// away at least (so many pieces stand elsewhere) and then once in each cycle; with k
    /// occurrences so far, where k + 1 + (depth - b) / cycle reaches the limit. The mark of such a
    /// past holds everything that matters within the depth, and the depth itself.
    #[inline]
    pub(super) fn past(&self, depth: u32) -> Past {
        let mut mark = 0_u64;
        let top = self.top();
        if let Some(most) = self.quiet_plies_max {
            let count = u32::from(top.position.quiet_plies);
            if count + depth >= most {
                mark = mixed(u64::from(count) << 1 | u64::from(top.position.captured));
            }
        }
        if self.repetition > 0 {
            mark = mark.wrapping_add(self.recurring_mark(depth));
        }
        if mark == 0 {
            Past::Silent
        } else {
            Past::Speaks(folded(mixed(mark ^ u64::from(depth))) | 1)
        }
    }

    fn recurring_mark(&self, depth: u32) -> u64 {
        let top = self.top();
        let last = self.steps.len() - 1;
        let mut mark = 0_u64;
        for step in &self.steps[last - top.recurring as usize..last] {
            let missing = self.repetition.saturating_sub(step.occurrences + 1);
            let away = plies_away(&top.position, &step.position.placement, step.position.side);
            if away + missing * self.cycle <= depth {
                mark = mark.wrapping_add(mixed(step.hash ^ u64::from(step.occurrences)));
            }
        }
        mark
    }

    /// The last of these positions, from the first on whose men stand on the same ranks as now;
    /// all of them where men can go back.
    fn still_reachable<'a>(
        &self,
        earlier: &'a [(u64, Placement<S>)],
        present: &Placement<S>,
    ) -> &'a [(u64, Placement<S>)] {
        if !self.men_advance_only {
            return earlier;
        }
        let sums = |placement: &Placement<S>| {
            Side::ALL.map(|side| {
                let ranks = placement.men(side).squares().map(|man| self.ranks[man.index()]);
                ranks.map(u32::from).sum::<u32>()
            })
        };
        let now = sums(present);
        let first = earlier.partition_point(|(_, placement)| sums(placement) != now);
        &earlier[first..]
    }

    /// Whether no position before this turn can come up again.
    #[inline]
    fn is_final(&self, turn: &Turn<S>) -> bool {
        turn.captures()
            || turn.promotes()
            || (self.men_advance_only
                && turn.moved() == Kind::Man
                && self.ranks[turn.from.index()] != self.ranks[turn.to.index()])
    }

    /// How many positions stand before the next one to be appended.
    fn deepest(&self) -> u32 {
        u32::try_from(self.steps.len()).expect("a game is shorter than 2^32 plies")
    }

    #[inline]
    fn append(&mut self, position: Position<S>, hash: u64, recurring: u32) {
        let next = self.steps.len();
        let mut occurrences = 1;
        if recurring >= self.cycle {
            let earlier = &self.steps[next - recurring as usize..next];
            let same = earlier
                .iter()
                .rev()
                .find(|step| step.hash == hash && step.position.placement == position.placement);
            occurrences += same.map_or(0, |step| step.occurrences);
        }
        self.steps.push(Step { position, hash, recurring, occurrences });
    }
}

/// The least number of plies from a position to an earlier one, by the pieces that stand elsewhere.
#[inline]
fn plies_away<S: SquareSet>(from: &Position<S>, to: &Placement<S>, side_then: Side) -> u32 {
    let elsewhere = |side: Side| from.placement.of(side).minus(to.of(side)).len();
    let (mover, other) = (elsewhere(from.side), elsewhere(from.side.other()));
    let least = (2 * mover).saturating_sub(1).max(2 * other);
    // Sides alternate: an even number of plies leads to the same side.
    least + ((least % 2) ^ u32::from(side_then != from.side))
}

/// The finaliser of splitmix64 (Steele, Lea, Flood 2014), never 0 for what it is used with.
#[inline]
const fn mixed(value: u64) -> u64 {
    let z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) | 1
}

/// The high half of a word.
#[inline]
const fn folded(value: u64) -> u32 {
    (value >> 32) as u32
}
