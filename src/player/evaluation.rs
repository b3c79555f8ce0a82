//! The static value of a position, from [`Weights`] compiled for one ruleset.
//!
//! Two parts: what each piece is worth where it stands, kept up to date turn by turn; and counts
//! over the whole board, made when a value is asked for. Never looks ahead.

use super::weights::{Count, Weights, file_class, ring};
use crate::board::{Axis, Kind, Placement, Side, SquareSet};
use crate::rules::{Direction, Directions, Rules, Turn};

/// Weights compiled for one ruleset.
#[derive(Clone, Debug)]
pub struct Evaluation<S> {
    /// The worth of a piece for its own side: by side, kind and square.
    worth: [[Box<[i32]>; 2]; 2],
    can: [S; 8],
    shifts: [u32; 8],
    sides: [SideAxes; 2],
    /// The values of the counts, tempo aside; `None` where all are 0.
    counts: Option<[i32; Count::ALL.len()]>,
    tempo: i32,
}

/// The axes of one side's men: sets of axis numbers, one bit each.
#[derive(Clone, Copy, Debug)]
struct SideAxes {
    man_step: u8,
    man_hop: u8,
    man_capture: u8,
    forward: usize,
}

/// Values stay within this, so that no static value can be taken for a win.
const VALUE_MAX: i32 = 500_000;

impl<S: SquareSet> Evaluation<S> {
    /// Compiles weights for these rules.
    ///
    /// # Panics
    /// When the weights have not the shape of the rules' board ([`Weights::fits`]).
    #[must_use]
    pub fn new(rules: &Rules<S>, weights: &Weights) -> Self {
        let (ruleset, geometry) = (rules.ruleset(), rules.geometry());
        assert!(weights.fits(ruleset), "the weights are for a board of another size");
        let mut worth = [(); 2].map(|()| [(); 2].map(|()| vec![0; S::BITS as usize]));
        let mut can = [S::EMPTY; 8];
        for square in geometry.squares() {
            let (file, rank) = geometry.file_and_rank(square);
            for side in Side::ALL {
                let own_rank = usize::from(geometry.own_rank(square, side));
                let of_side = &mut worth[side.index()];
                of_side[Kind::Man as usize][square.index()] =
                    weights.man[own_rank][file_class(geometry, file)];
                of_side[Kind::King as usize][square.index()] =
                    weights.king[ring(geometry, file, rank)];
            }
            for (number, axis) in Axis::ALL.into_iter().enumerate() {
                if geometry.neighbour(square, axis).is_some() {
                    can[number] |= S::single(square);
                }
            }
        }
        let mut counts = weights.counts;
        let tempo = std::mem::take(&mut counts[Count::Tempo as usize]);
        // What cannot be is not counted.
        if ruleset.man.hop_over.is_empty() {
            counts[Count::Hops as usize] = 0;
        }
        Self {
            worth: worth.map(|of_side| of_side.map(Vec::into_boxed_slice)),
            can,
            shifts: Axis::ALL.map(|axis| geometry.shift(axis)),
            sides: Side::ALL.map(|side| SideAxes {
                man_step: axes(ruleset.man.step, side),
                man_hop: axes(ruleset.man.hop, side),
                man_capture: axes(ruleset.man.capture, side),
                forward: turned(Axis::North, side).index(),
            }),
            counts: counts.iter().any(|&value| value != 0).then_some(counts),
            tempo,
        }
    }

    /// The value of a position for the side to move, in hundredths of a man.
    #[must_use]
    pub fn value(&self, placement: &Placement<S>, side: Side) -> i32 {
        self.value_with(placement, side, self.pieces(placement))
    }

    /// What the pieces are worth where they stand, White's minus Black's.
    #[must_use]
    pub fn pieces(&self, placement: &Placement<S>) -> i32 {
        let sum = |side: Side, set: S, kind: Kind| -> i32 {
            set.squares()
                .map(|square| self.worth[side.index()][kind as usize][square.index()])
                .sum()
        };
        let of = |side| {
            sum(side, placement.men(side), Kind::Man) + sum(side, placement.kings(side), Kind::King)
        };
        of(Side::White) - of(Side::Black)
    }

    /// [`Self::pieces`] after a turn of `side`, from that before it.
    #[inline]
    #[must_use]
    pub fn pieces_after(
        &self,
        pieces: i32,
        placement: &Placement<S>,
        side: Side,
        turn: &Turn<S>,
    ) -> i32 {
        let own = &self.worth[side.index()];
        let enemy = &self.worth[side.other().index()];
        let mut gain = own[turn.becomes() as usize][turn.to.index()]
            - own[turn.moved() as usize][turn.from.index()];
        for square in turn.taken.squares() {
            gain += enemy[usize::from(placement.kings.contains(square))][square.index()];
        }
        match side {
            Side::White => pieces + gain,
            Side::Black => pieces - gain,
        }
    }

    /// [`Self::value`], given what [`Self::pieces`] would say.
    #[inline]
    #[must_use]
    pub fn value_with(&self, placement: &Placement<S>, side: Side, pieces: i32) -> i32 {
        let mut value = pieces;
        if let Some(values) = &self.counts {
            value += self.counted(values, placement, Side::White);
            value -= self.counted(values, placement, Side::Black);
        }
        let for_mover = match side {
            Side::White => value,
            Side::Black => -value,
        };
        (for_mover + self.tempo).clamp(-VALUE_MAX, VALUE_MAX)
    }

    /// The counts of one side, weighed.
    #[inline]
    fn counted(
        &self,
        values: &[i32; Count::ALL.len()],
        placement: &Placement<S>,
        side: Side,
    ) -> i32 {
        let mut value = 0;
        for count in Count::ALL {
            if values[count as usize] != 0 {
                value += values[count as usize] * self.count(count, placement, side);
            }
        }
        value
    }

    /// One count of one side; tempo, which is no count over the board, is 0.
    #[inline(always)]
    pub(super) fn count(&self, count: Count, placement: &Placement<S>, side: Side) -> i32 {
        let axes = &self.sides[side.index()];
        let (men, kings) = (placement.men(side), placement.kings(side));
        let own = men | kings;
        let empty = !placement.occupied();
        let number = match count {
            Count::HasKing => u32::from(kings.any()),
            Count::Steps => over_axes(axes.man_step, |axis| (self.shift(axis, men) & empty).len()),
            Count::Hops => over_axes(axes.man_hop, |axis| {
                (self.shift(axis, self.shift(axis, men) & men) & empty).len()
            }),
            Count::Threatened => {
                let attackers = placement.men(side.other());
                let mut threats = S::EMPTY;
                over_axes(self.sides[side.other().index()].man_capture, |axis| {
                    threats |= self.shift(axis, attackers) & self.shift(axis ^ 4, empty);
                    0
                });
                (threats & own).len()
            }
            Count::Beside => self.pairs(Axis::East, own),
            Count::Behind => self.pairs(Axis::North, own),
            Count::Diagonal => self.pairs(Axis::NorthEast, own) + self.pairs(Axis::NorthWest, own),
            Count::FreeFile => {
                let enemy = placement.of(side.other());
                men.minus(self.spread(axes.forward ^ 4, enemy)).len()
            }
            Count::Tempo => 0,
        };
        number.cast_signed()
    }

    /// Neighbours along the axis that are both in the set.
    #[inline(always)]
    fn pairs(&self, axis: Axis, set: S) -> u32 {
        (self.shift(axis.index(), set) & set).len()
    }

    /// The squares that the set reaches along the axis, without end.
    #[inline]
    fn spread(&self, axis: usize, set: S) -> S {
        let (mut spread, mut edge) = (S::EMPTY, self.shift(axis, set));
        while edge.any() {
            spread |= edge;
            edge = self.shift(axis, edge);
        }
        spread
    }

    #[inline(always)]
    fn shift(&self, axis: usize, set: S) -> S {
        let set = set & self.can[axis];
        if axis < 4 { set.up(self.shifts[axis]) } else { set.down(self.shifts[axis]) }
    }
}

/// The sum over the axes of a set.
#[inline(always)]
fn over_axes(axes: u8, mut number: impl FnMut(usize) -> u32) -> u32 {
    let mut sum = 0;
    // The compiler unrolls this, so that each axis is a constant.
    for axis in 0..8 {
        if axes & (1 << axis) != 0 {
            sum += number(axis);
        }
    }
    sum
}

/// The axes of these directions, as `side` sees them.
fn axes(directions: Directions, side: Side) -> u8 {
    let axes = directions.iter().flat_map(|direction| match direction {
        Direction::Forward => [Axis::North; 2],
        Direction::Backward => [Axis::South; 2],
        Direction::Sideways => [Axis::East, Axis::West],
        Direction::DiagonalForward => [Axis::NorthEast, Axis::NorthWest],
        Direction::DiagonalBackward => [Axis::SouthEast, Axis::SouthWest],
    });
    axes.fold(0, |set, axis| set | 1 << turned(axis, side).index())
}

/// The axis as `side` sees it: a half turn for Black.
const fn turned(axis: Axis, side: Side) -> Axis {
    match side {
        Side::White => axis,
        Side::Black => Axis::ALL[axis.index() ^ 4],
    }
}
