//! The order in which the openings of a part of a plan are handed to threads. Plays nothing.

use std::ops::Range;
use std::sync::Mutex;

/// A few openings of one variant and pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    pub(super) variant: u32,
    pub(super) pairing: u32,
    /// The place of the first opening among the part's.
    pub(super) first: u32,
}

/// The slices of some openings of each variant and pairing, each handed out once: by openings first,
/// so that an interrupted run has about as many games of each variant.
#[derive(Debug)]
pub(super) struct Slices {
    pairings: u32,
    /// Places of openings, for each variant and then each pairing; they begin at multiples of
    /// `length`.
    ranges: Vec<Range<u32>>,
    /// Openings of a slice.
    length: u32,
    next: Mutex<Next>,
}

/// Which cell of the ranges comes next, and with which first opening.
#[derive(Debug)]
struct Next {
    cell: usize,
    first: u32,
}

impl Slices {
    pub(super) fn new(pairings: usize, ranges: Vec<Range<u32>>, length: u32) -> Self {
        let first = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let pairings = u32::try_from(pairings).expect("a plan has few pairings");
        Self { pairings, ranges, length, next: Mutex::new(Next { cell: 0, first }) }
    }

    /// The next slice; nothing after the last one.
    pub(super) fn next(&self) -> Option<Slice> {
        let most = self.ranges.iter().map(|range| range.end).max()?;
        let mut next = self.next.lock().expect("no thread fails while it takes a slice");
        while next.first < most {
            let Next { cell, first } = *next;
            next.cell += 1;
            if next.cell == self.ranges.len() {
                *next = Next { cell: 0, first: first + self.length };
            }
            if self.ranges[cell].contains(&first) {
                let cell = u32::try_from(cell).expect("a plan has few variants and pairings");
                let (variant, pairing) = (cell / self.pairings, cell % self.pairings);
                return Some(Slice { variant, pairing, first });
            }
        }
        None
    }
}
