//! The transposition table: what a search has found out about positions, by their hash.
//!
//! # Why a hit never changes a result by history
//!
//! A stored score is used only for the same position, at the same remaining depth, and under a past
//! that can do the same within that depth (the mark of [`Past`]). By the argument told at
//! [`super::line::Line::past`], the score of such a search is a function of these three, so the
//! score found in the table is the one that a search would find. The best turn of an entry is used
//! under any past and depth, since it only says what to try first.

use super::line::Past;

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    AtLeast,
    /// The score is at most this.
    AtMost,
}

/// One result of a search.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    score: i32,
    /// The mark of the past, 0 for one that is silent.
    mark: u32,
    /// The best turn, as its place in the generator's order.
    best: u16,
    depth: u8,
    bound: Bound,
    /// The search that stored it; 0 for an empty entry.
    search: u32,
}

const EMPTY: Entry =
    Entry { hash: 0, score: 0, mark: 0, best: 0, depth: 0, bound: Bound::Exact, search: 0 };

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// The turn to try first.
    pub(super) best: Option<u16>,
    /// The score from the view of the side to move, counted from this position.
    pub(super) score: Option<(i32, Bound)>,
}

/// A table of a fixed number of entries, in buckets of two.
#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    mask: u64,
    search: u32,
}

impl Table {
    /// A table of `entries` places, rounded up to a power of two.
    pub(super) fn new(entries: usize) -> Self {
        let count = entries.next_power_of_two().max(2);
        Self { entries: vec![EMPTY; count], mask: (count / 2 - 1) as u64, search: 0 }
    }

    /// Forgets everything, at no cost: what older searches stored counts as absent.
    pub(super) fn begin_search(&mut self) {
        match self.search.checked_add(1) {
            Some(next) => self.search = next,
            None => {
                self.entries.fill(EMPTY);
                self.search = 1;
            }
        }
    }

    /// What is known of a position for a search of this depth under this past.
    #[inline]
    pub(super) fn look_up(&self, hash: u64, depth: u8, past: Past) -> Known {
        let place = self.place(hash);
        let mut known = Known::default();
        for entry in &self.entries[place..place + 2] {
            if entry.search != self.search || entry.hash != hash {
                continue;
            }
            known.best = known.best.or(Some(entry.best));
            if entry.depth == depth && entry.mark == mark(past) {
                known = Known { best: Some(entry.best), score: Some((entry.score, entry.bound)) };
            }
        }
        known
    }

    /// Keeps a result: in the place of an older one of the same position, else of the one that
    /// took the least work.
    #[inline]
    pub(super) fn store(
        &mut self,
        hash: u64,
        depth: u8,
        past: Past,
        score: (i32, Bound),
        best: u16,
    ) {
        let place = self.place(hash);
        let search = self.search;
        let [first, second] = &mut self.entries[place..place + 2] else {
            unreachable!("a bucket has two entries");
        };
        // The first entry of a bucket keeps deep results, the second the latest.
        let takes_first = first.search != search || first.hash == hash || depth >= first.depth;
        let entry = if takes_first {
            if first.search == search && first.hash != hash {
                *second = *first;
            }
            first
        } else {
            second
        };
        *entry =
            Entry { hash, score: score.0, mark: mark(past), best, depth, bound: score.1, search };
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        usize::try_from(hash & self.mask).expect("below the number of buckets") * 2
    }
}

#[inline]
const fn mark(past: Past) -> u32 {
    match past {
        Past::Silent => 0,
        Past::Speaks(mark) => mark,
    }
}
