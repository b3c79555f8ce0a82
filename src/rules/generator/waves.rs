//! Jump chains that have taken the same, held together: to where a piece can come next depends on what
//! it has taken, and not on its way.

use crate::board::SquareSet;
use crate::limits::JUMPS_MAX;

/// All chains of one piece with the same past: the squares to which they have led.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wave<S> {
    pub(super) squares: S,
    pub(super) past: Past<S>,
}

impl<S: SquareSet> Wave<S> {
    /// No chains.
    const NONE: Self = Self::first(S::EMPTY, Nature::Man);

    /// Before the first jump.
    #[inline]
    pub(super) const fn first(squares: S, nature: Nature) -> Self {
        let past = Past { taken: S::EMPTY, kings_in_order: S::EMPTY, nature, barred: FREE };
        Self { squares, past }
    }
}

/// What tells waves apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past<S> {
    pub(super) taken: S,
    /// Which jumps took a king, the first jump in the highest bit; empty where that decides nothing.
    pub(super) kings_in_order: S,
    pub(super) nature: Nature,
    /// The number of the axis along which a king may not jump next, or [`FREE`].
    pub(super) barred: u8,
}

/// No axis is barred.
pub(super) const FREE: u8 = 8;

impl<S: SquareSet> PartialEq for Past<S> {
    /// Looks first at what differs most.
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.taken == other.taken
            && self.kings_in_order == other.kings_in_order
            && self.nature == other.nature
            && self.barred == other.barred
    }
}

/// What has become of the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    /// A man that has not been promised a crown.
    Man,
    /// A man that is crowned when the turn ends.
    Touched,
    /// A king, from the start or crowned on the way.
    King,
    /// Crowned, with the turn at its end.
    Crowned,
}

/// The waves of one jump and of the next. Reused from position to position, it stops allocating.
#[derive(Clone, Debug)]
pub(super) struct Waves<S> {
    /// Those of the present jump, and room.
    pub(super) now: Vec<Wave<S>>,
    /// Those of the next jump.
    pub(super) next: Front<S>,
    /// Of those of the present jump the kings that go on, on the squares from which they can; and room.
    pub(super) flying: Vec<Wave<S>>,
    /// Jumps that may still be followed in this position.
    pub(super) jumps_left: u32,
}

impl<S: SquareSet> Default for Waves<S> {
    fn default() -> Self {
        Self { now: Vec::new(), next: Front::default(), flying: Vec::new(), jumps_left: 0 }
    }
}

impl<S: SquareSet> Waves<S> {
    /// Turns to another position.
    #[inline]
    pub(super) fn restart(&mut self) {
        self.jumps_left = JUMPS_MAX;
        // What a search that was given up has left.
        self.next.clear();
    }

    /// Goes on to the next waves; how many there are.
    #[inline]
    pub(super) fn go_on(&mut self) -> usize {
        let waves = self.next.len;
        if waves > 0 {
            std::mem::swap(&mut self.now, &mut self.next.waves);
            if self.flying.len() < waves {
                self.flying.resize(self.now.len(), Wave::NONE);
            }
            self.next.clear();
        }
        waves
    }
}

/// A growing set of waves, no two with the same past.
#[derive(Clone, Debug, Default)]
pub(super) struct Front<S> {
    /// The waves, and room for more.
    waves: Vec<Wave<S>>,
    /// How many waves there are.
    len: usize,
    /// An open hash table by what the waves have taken: each slot has the number of a wave, counted
    /// from one, or zero. It holds nothing else and is often emptied, so it can be smaller and simpler
    /// than one for everything.
    slots: Vec<u16>,
    /// How many of the slots are in use, a power of two: few until the waves are many.
    in_use: usize,
}

// There are no more waves than jumps; those of one wave, at most one for each square and axis, are
// counted only when they are added.
const _: () = assert!(JUMPS_MAX + 8 * 128 < u16::MAX as u32);

/// Slots of a few waves.
const SLOTS: usize = 32;

impl<S: SquareSet> Front<S> {
    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Drops all waves.
    #[inline]
    pub(super) fn clear(&mut self) {
        if self.len > 0 {
            self.len = 0;
            if let Some(few) = self.slots.first_chunk_mut::<SLOTS>() {
                *few = [0; SLOTS];
            }
            if self.in_use > SLOTS {
                self.slots[SLOTS..self.in_use].fill(0);
                self.in_use = SLOTS;
            }
        }
    }

    /// Lets so many waves be added.
    #[inline(always)]
    pub(super) fn for_more(&mut self, more: usize) -> Adding<'_, S> {
        let most = self.len + more;
        if self.in_use < 2 * most || self.waves.len() <= most {
            self.grow(most);
        }
        let shift = (self.in_use as u64).leading_zeros() + 1;
        let slots = &mut self.slots[..self.in_use];
        Adding { waves: &mut self.waves, len: &mut self.len, slots, shift }
    }

    /// Makes slots enough for twice so many waves, and room for them.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, most: usize) {
        let slots = (4 * most).next_power_of_two().max(SLOTS);
        self.slots.resize(self.slots.len().max(slots), 0);
        if self.waves.len() <= slots / 2 {
            self.waves.resize(slots / 2 + 1, Wave::NONE);
        }
        if slots > self.in_use {
            self.slots[..self.in_use].fill(0);
            self.in_use = slots;
            let shift = (slots as u64).leading_zeros() + 1;
            for number in 0..self.len {
                let mut slot = first_slot(self.waves[number].past.taken, shift);
                while self.slots[slot] != 0 {
                    slot = (slot + 1) & (slots - 1);
                }
                self.slots[slot] = u16::try_from(number + 1).expect("fewer than 2^16 waves");
            }
        }
    }
}

/// The first slot in which a wave may be that has taken these pieces.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "half after half; few bits are left")]
fn first_slot<S: SquareSet>(taken: S, shift: u32) -> usize {
    let taken = taken.to_bits();
    let folded = (taken >> 64) as u64 ^ taken as u64;
    // The highest bits of a product depend on all bits of its factors.
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize
}

/// Adds waves to a front that has slots and room for them.
pub(super) struct Adding<'a, S> {
    waves: &'a mut [Wave<S>],
    len: &'a mut usize,
    slots: &'a mut [u16],
    shift: u32,
}

impl<S: SquareSet> Adding<'_, S> {
    /// Adds a wave, or its squares to the one with its past.
    ///
    /// Whether it is new is hard to foresee, so it is not asked: the room behind the last wave takes
    /// its past, and its slot says where its squares go.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer waves than 2^16")]
    pub(super) fn add(&mut self, wave: Wave<S>) {
        let last = *self.len;
        self.waves[last] = Wave { squares: S::EMPTY, past: wave.past };
        let mut slot = first_slot(wave.past.taken, self.shift);
        loop {
            let held = usize::from(self.slots[slot]);
            let number = if held == 0 { last } else { held - 1 };
            let other = &mut self.waves[number];
            if other.past == wave.past {
                other.squares |= wave.squares;
                self.slots[slot] = (number + 1) as u16;
                *self.len += usize::from(held == 0);
                return;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FREE, Front, Nature, Past, Wave};

    /// Few pasts or many, some of them differing in one field alone, most of them added again.
    #[test]
    fn a_front_holds_each_past_once_in_the_order_of_its_first_wave() {
        let mut front = Front::<u64>::default();
        for pasts in [1, 3, 20, 700, 5, 5_000] {
            front.clear();
            let mut plain: Vec<Wave<u64>> = Vec::new();
            for number in 0..3 * pasts {
                let name = (number * 7) % pasts;
                let past = Past {
                    taken: name / 4,
                    kings_in_order: name & 1,
                    nature: if name & 2 == 0 { Nature::King } else { Nature::Touched },
                    barred: FREE,
                };
                let wave = Wave { squares: 1 << (number % 64), past };
                front.for_more(1).add(wave);
                match plain.iter_mut().find(|other| other.past == past) {
                    Some(other) => other.squares |= wave.squares,
                    None => plain.push(wave),
                }
            }
            assert_eq!(front.len, plain.len());
            for (found, wave) in front.waves.iter().zip(&plain) {
                assert!(found.past == wave.past, "{found:?} {wave:?}");
                assert_eq!(found.squares, wave.squares);
            }
        }
    }
}
