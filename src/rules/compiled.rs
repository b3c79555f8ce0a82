//! A ruleset turned into masks and tables, once, before play. Never plays itself.

use super::ruleset::{
    Chain, Direction, Directions, Filter, Kinds, Priority, PromotionRule, Removal, Ruleset,
};
use crate::board::{Axis, Geometry, Placement, Side, Square, SquareSet};

/// A set of [`Axis`] numbers, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AxisSet(pub(super) u8);

impl AxisSet {
    /// North, east, south and west: Keny's leaps.
    pub(super) const STRAIGHT: Self = Self(0b0101_0101);
    /// North, east and west: White's straight men.
    pub(super) const NORTH_AND_SIDEWAYS: Self = Self(0b0100_0101);
    /// South, east and west: Black's straight men.
    pub(super) const SOUTH_AND_SIDEWAYS: Self = Self(0b0101_0100);
    /// The four diagonals.
    pub(super) const DIAGONAL: Self = Self(0b1010_1010);
    /// White's diagonal men.
    pub(super) const NORTH_DIAGONALS: Self = Self(0b0000_1010);
    /// Black's diagonal men.
    pub(super) const SOUTH_DIAGONALS: Self = Self(0b1010_0000);

    /// The axes of these directions, as `side` sees them.
    fn of(directions: Directions, side: Side) -> Self {
        let mut bits = 0;
        for direction in directions.iter() {
            bits |= match direction {
                Direction::Forward => Self::one(Axis::North),
                Direction::Backward => Self::one(Axis::South),
                Direction::Sideways => Self::one(Axis::East) | Self::one(Axis::West),
                Direction::DiagonalForward => {
                    Self::one(Axis::NorthEast) | Self::one(Axis::NorthWest)
                }
                Direction::DiagonalBackward => {
                    Self::one(Axis::SouthEast) | Self::one(Axis::SouthWest)
                }
            };
        }
        match side {
            Side::White => Self(bits),
            Side::Black => Self(Self::mirrored(bits)),
        }
    }

    const fn one(axis: Axis) -> u8 {
        1 << axis.index()
    }

    /// North and south exchanged; the sets are symmetric from left to right, so a half turn does it.
    const fn mirrored(bits: u8) -> u8 {
        bits.rotate_left(4)
    }

    /// The axis numbers in the set, rising.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let axis = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(axis)
        })
    }
}

/// Runs the block once for each axis in the set, with its number as a constant.
macro_rules! each_axis {
    ($axes:expr, $axis:ident => $body:block) => {{
        let axes: u8 = $axes.0;
        each_axis!(@one axes, $axis, 0, $body);
        each_axis!(@one axes, $axis, 1, $body);
        each_axis!(@one axes, $axis, 2, $body);
        each_axis!(@one axes, $axis, 3, $body);
        each_axis!(@one axes, $axis, 4, $body);
        each_axis!(@one axes, $axis, 5, $body);
        each_axis!(@one axes, $axis, 6, $body);
        each_axis!(@one axes, $axis, 7, $body);
    }};
    (@one $axes:ident, $axis:ident, $number:literal, $body:block) => {
        if $axes & (1 << $number) != 0 {
            let $axis: usize = $number;
            $body
        }
    };
}
pub(super) use each_axis;

/// How far each axis moves the bit number of a square: what shifts need to know of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shifts(pub(super) [u32; 8]);

impl Shifts {
    /// All squares of a board of 8 files.
    pub(super) const FULL_8: Self = Self::of([8, 9, 1, 7]);
    /// The dark squares of a board of 8 files.
    pub(super) const DARK_8: Self = Self::of([9, 5, 1, 4]);
    /// The dark squares of a board of 10 files.
    pub(super) const DARK_10: Self = Self::of([11, 6, 1, 5]);

    /// The first four axes move up, the last four as far down.
    const fn of(up: [u32; 4]) -> Self {
        let [north, north_east, east, north_west] = up;
        Self([north, north_east, east, north_west, north, north_east, east, north_west])
    }

    /// The set moved along the axis; all of its squares must have room there.
    #[inline(always)]
    fn moved<S: SquareSet>(&self, axis: usize, set: S, places: u32) -> S {
        let amount = places * self.0[axis];
        if axis < 4 { set.up(amount) } else { set.down(amount) }
    }
}

/// A set of axes on a board: what loops over all men at once run along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) axes: AxisSet,
    shifts: Shifts,
}

impl Lines {
    #[inline(always)]
    pub(super) const fn new(axes: AxisSet, shifts: Shifts) -> Self {
        Self { axes, shifts }
    }

    /// Every square of the set moved along the axis; all of them must have room there.
    #[inline(always)]
    pub(super) fn step<S: SquareSet>(&self, axis: usize, set: S) -> S {
        self.shifts.moved(axis, set, 1)
    }

    /// Every square of the set moved two places along the axis; all of them must have room there.
    #[inline(always)]
    pub(super) fn leap<S: SquareSet>(&self, axis: usize, set: S) -> S {
        self.shifts.moved(axis, set, 2)
    }
}

/// Lines as the inner loops take them, marked where they are common ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub(super) axes: AxisSet,
    pub(super) known: Known,
}

/// Defines the common lines, and the macro that makes them constants.
macro_rules! known_lines {
    ($($name:ident: $axes:ident on $shifts:ident,)*) => {
        /// Common axes on common boards.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Known {
            $($name,)*
            Other,
        }

        impl Course {
            fn of(axes: AxisSet, shifts: Shifts) -> Self {
                let known = match (axes, shifts) {
                    $((AxisSet::$axes, Shifts::$shifts) => Known::$name,)*
                    _ => Known::Other,
                };
                Self { axes, known }
            }
        }
    };
}

known_lines! {
    FullStraight: STRAIGHT on FULL_8,
    FullNorth: NORTH_AND_SIDEWAYS on FULL_8,
    FullSouth: SOUTH_AND_SIDEWAYS on FULL_8,
    DarkDiagonal: DIAGONAL on DARK_8,
    DarkNorth: NORTH_DIAGONALS on DARK_8,
    DarkSouth: SOUTH_DIAGONALS on DARK_8,
    WideDiagonal: DIAGONAL on DARK_10,
    WideNorth: NORTH_DIAGONALS on DARK_10,
    WideSouth: SOUTH_DIAGONALS on DARK_10,
}

/// Evaluates the expression with the lines as a constant where axes and board are common ones, so
/// that loops over them have no question left in them.
macro_rules! with_known_lines {
    ($rules:expr, $course:expr, $lines:ident => $body:expr) => {
        with_known_lines!(@among $rules, $course, $lines => $body;
            FullStraight STRAIGHT FULL_8, FullNorth NORTH_AND_SIDEWAYS FULL_8,
            FullSouth SOUTH_AND_SIDEWAYS FULL_8, DarkDiagonal DIAGONAL DARK_8,
            DarkNorth NORTH_DIAGONALS DARK_8, DarkSouth SOUTH_DIAGONALS DARK_8,
            WideDiagonal DIAGONAL DARK_10, WideNorth NORTH_DIAGONALS DARK_10,
            WideSouth SOUTH_DIAGONALS DARK_10)
    };
    (@among $rules:expr, $course:expr, $lines:ident => $body:expr;
     $($name:ident $axes:ident $shifts:ident),*) => {
        match $course.known {
            $(Known::$name => {
                let $lines = Lines::new(AxisSet::$axes, Shifts::$shifts);
                $body
            })*
            Known::Other => {
                let $lines = Lines::new($course.axes, $rules.shifts);
                $body
            }
        }
    };
}
pub(super) use with_known_lines;

/// What one side's pieces may do, as axes on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideTables<S> {
    pub(super) man_step: Course,
    pub(super) man_capture: Course,
    pub(super) man_hop: Course,
    pub(super) king_move: AxisSet,
    pub(super) king_capture: AxisSet,
    pub(super) king_hop: AxisSet,
    /// For each axis: the squares from which a king's jump along it has room on the board (one that
    /// flies jumps over the next square at least); none where the rules do not allow the axis.
    pub(super) king_room: [S; 8],
    /// The rank where this side's men are crowned.
    pub(super) far_rank: S,
}

/// How much each filter of the capture priority weighs in a chain's key.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weights {
    pub(super) pieces: u32,
    pub(super) by_king: u32,
    pub(super) kings: u32,
}

/// When a longer chain of one piece goes before a shorter one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LongerFirst {
    /// The priority does not ask for length.
    #[default]
    Never,
    /// Where no kings can be taken.
    OfEqualKings,
    /// Whatever either takes.
    Always,
}

/// The capture priority as weights: filters before `king-first`, that filter, filters after it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PriorityTable {
    pub(super) before: Weights,
    pub(super) king_first: bool,
    pub(super) after: Weights,
    /// Whether the kings among the taken matter.
    pub(super) counts_kings: bool,
    /// When a longer chain of one piece goes before a shorter one.
    pub(super) longer_first: LongerFirst,
}

impl PriorityTable {
    fn of(priority: Priority) -> Self {
        let mut table = Self::default();
        for (index, filter) in priority.iter().enumerate() {
            // Counts stay below 128, so each filter has a byte; earlier filters take higher bytes.
            let weight = 1 << (24 - 8 * index);
            let weights = if table.king_first { &mut table.after } else { &mut table.before };
            let kings_before = table.counts_kings;
            table.counts_kings |= match filter {
                Filter::MostKings | Filter::KingFirst => true,
                Filter::MostPieces | Filter::ByKing => false,
            };
            table.longer_first = table.longer_first.max(match filter {
                Filter::MostPieces if !kings_before => LongerFirst::Always,
                Filter::MostPieces | Filter::KingFirst => LongerFirst::OfEqualKings,
                Filter::MostKings | Filter::ByKing => LongerFirst::Never,
            });
            match filter {
                Filter::MostPieces => weights.pieces = weight,
                Filter::ByKing => weights.by_king = weight,
                Filter::MostKings => weights.kings = weight,
                Filter::KingFirst => table.king_first = true,
            }
        }
        table
    }
}

/// A ruleset compiled for boards that fit the word `S`.
#[derive(Clone, Debug)]
pub struct Rules<S> {
    ruleset: Ruleset,
    geometry: Geometry,
    start: Placement<S>,
    /// For each axis: the squares that have a neighbour along it.
    pub(super) can: [S; 8],
    /// For each axis: the squares that have two neighbours in a row along it.
    pub(super) can_leap: [S; 8],
    /// For each axis: how far the bit number moves.
    pub(super) shifts: Shifts,
    /// For each square and axis: the neighbour alone, or nothing.
    neighbours: Box<[[S; 8]; 128]>,
    /// For each square and axis: the second square on the line that leaves the square, or nothing.
    seconds: Box<[[S; 8]; 128]>,
    /// For each square and axis: all squares on the line that leaves the square.
    rays: Box<[[S; 8]; 128]>,
    sides: [SideTables<S>; 2],
    pub(super) priority: PriorityTable,
    /// All squares when taken pieces leave at once, none when they stay until the turn ends.
    pub(super) leaves_at_once: S,
    /// Kinds of own piece that a man, and a king, may hop.
    pub(super) hopped_by: [Kinds; 2],
    /// The most hops that a turn may have; without limit the highest number.
    pub(super) hops_max: u32,
    /// Whether hopping men stay men until they end: what a plain flood fill can follow.
    pub(super) plain_hops: bool,
    /// Whether the hops of several men can be followed at once: plain hops without limit that never
    /// count as a pass.
    pub(super) hops_abreast: bool,
    /// Whether a king may not turn back between two jumps (and could).
    pub(super) no_reversal: bool,
}

/// The longest line on which [`SquareSet::DOUBLINGS`] reach from a king to what it jumps: between
/// them are three squares fewer.
const fn longest_line<S: SquareSet>() -> u8 {
    2 + (1 << S::DOUBLINGS)
}

impl<S: SquareSet> Rules<S> {
    /// Whether the board fits the word: its squares, and its lines.
    #[must_use]
    pub(super) fn fit(ruleset: &Ruleset) -> bool {
        let board = &ruleset.board;
        board.geometry().bits() <= S::BITS && board.files.max(board.ranks) <= longest_line::<S>()
    }

    /// Compiles a valid ruleset.
    ///
    /// # Panics
    /// When the board does not fit the word; [`super::Engine::new`] chooses the right one.
    #[must_use]
    pub fn new(ruleset: &Ruleset) -> Self {
        let geometry = ruleset.board.geometry();
        assert!(Self::fit(ruleset), "the board does not fit the word");
        let shifts = Shifts(Axis::ALL.map(|axis| geometry.shift(axis)));
        let plain_hops = match ruleset.promotion.in_hop {
            PromotionRule::Stop | PromotionRule::OnlyIfEndsThere => true,
            PromotionRule::ContinueAsKing | PromotionRule::ContinueAsMan => false,
        };
        let mut rules = Self {
            ruleset: *ruleset,
            geometry,
            start: ruleset.start().cast(),
            can: [S::EMPTY; 8],
            can_leap: [S::EMPTY; 8],
            shifts,
            neighbours: Box::new([[S::EMPTY; 8]; 128]),
            seconds: Box::new([[S::EMPTY; 8]; 128]),
            rays: Box::new([[S::EMPTY; 8]; 128]),
            sides: Side::ALL.map(|side| Self::side_tables(ruleset, shifts, side)),
            priority: PriorityTable::of(ruleset.capture.priority),
            leaves_at_once: match ruleset.capture.removal {
                Removal::Immediate => S::FULL,
                Removal::EndOfTurn => S::EMPTY,
            },
            hopped_by: [ruleset.man.hop_over, ruleset.king.hop_over],
            hops_max: match ruleset.hop.chain {
                Chain::Unlimited => u32::MAX,
                Chain::AtMost(most) => most.into(),
            },
            plain_hops,
            hops_abreast: plain_hops
                && ruleset.hop.chain == Chain::Unlimited
                && !ruleset.hop.return_to_start,
            no_reversal: ruleset.king.flying
                && !ruleset.king.reversal
                && ruleset.capture.removal == Removal::Immediate,
        };
        for square in geometry.squares() {
            for (number, axis) in Axis::ALL.into_iter().enumerate() {
                let mut at = square;
                while let Some(next) = geometry.neighbour(at, axis) {
                    if at == square {
                        rules.can[number] |= S::single(square);
                        if let Some(second) = geometry.neighbour(next, axis) {
                            rules.can_leap[number] |= S::single(square);
                            rules.seconds[square.index()][number] = S::single(second);
                        }
                        rules.neighbours[square.index()][number] = S::single(next);
                    }
                    rules.rays[square.index()][number] |= S::single(next);
                    at = next;
                }
            }
        }
        for side in Side::ALL {
            let tables = &mut rules.sides[side.index()];
            let room = if ruleset.king.flying { &rules.can } else { &rules.can_leap };
            for axis in tables.king_capture.iter() {
                tables.king_room[axis] = room[axis];
            }
        }
        rules
    }

    fn side_tables(ruleset: &Ruleset, shifts: Shifts, side: Side) -> SideTables<S> {
        let geometry = ruleset.board.geometry();
        let last = ruleset.board.ranks - 1;
        SideTables {
            man_step: Course::of(AxisSet::of(ruleset.man.step, side), shifts),
            man_capture: Course::of(AxisSet::of(ruleset.man.capture, side), shifts),
            man_hop: Course::of(AxisSet::of(ruleset.man.hop, side), shifts),
            king_move: AxisSet::of(ruleset.king.moves, side),
            king_capture: AxisSet::of(ruleset.king.capture, side),
            king_hop: AxisSet::of(ruleset.king.hop, side),
            king_room: [S::EMPTY; 8],
            far_rank: geometry
                .squares()
                .filter(|&square| geometry.own_rank(square, side) == last)
                .fold(S::EMPTY, |set, square| set | S::single(square)),
        }
    }

    /// The ruleset these tables were made from.
    #[must_use]
    pub const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The board's squares and their neighbours.
    #[must_use]
    pub const fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The pieces at the start.
    #[must_use]
    pub const fn start(&self) -> &Placement<S> {
        &self.start
    }

    /// The rank where the side's men are crowned.
    #[must_use]
    #[inline]
    pub const fn far_rank(&self, side: Side) -> S {
        self.sides[side.index()].far_rank
    }

    #[inline]
    pub(super) const fn tables(&self, side: Side) -> &SideTables<S> {
        &self.sides[side.index()]
    }

    /// Every square of the set that has a neighbour along the axis, moved there.
    #[inline(always)]
    pub(super) fn shift(&self, axis: usize, set: S) -> S {
        self.shifts.moved(axis, set & self.can[axis], 1)
    }

    /// The square from which a step along the axis led to `to`.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a shift is below 128")]
    pub(super) const fn origin(&self, axis: usize, to: Square) -> Square {
        let shift = self.shifts.0[axis] as u8;
        Square(if axis < 4 { to.0 - shift } else { to.0 + shift })
    }

    /// The neighbour along the axis alone, or nothing.
    #[inline]
    pub(super) fn neighbour(&self, axis: usize, square: Square) -> S {
        self.neighbours[square.index() % 128][axis]
    }

    /// The square two places along the axis alone, or nothing.
    #[inline]
    pub(super) fn second(&self, axis: usize, square: Square) -> S {
        self.seconds[square.index() % 128][axis]
    }

    /// What a piece on `from` leaps over and where it lands, each alone, if along the axis one of `over`
    /// stands beside it and one of `onto` lies behind.
    #[inline(always)]
    pub(super) fn leap(&self, axis: usize, from: Square, over: S, onto: S) -> Option<(S, S)> {
        let (mid, landing) = (self.neighbour(axis, from), self.second(axis, from));
        // One question, for its answer is easier to foresee than those of two.
        ((mid & over).any() & (landing & onto).any()).then_some((mid, landing))
    }

    /// The nearest occupied square on the line that leaves `square` along the axis, or nothing.
    #[inline]
    pub(super) fn first_on_ray(&self, axis: usize, square: Square, occupied: S) -> S {
        let blockers = self.rays[square.index() % 128][axis] & occupied;
        if axis < 4 { blockers.first_alone() } else { blockers.last_alone() }
    }

    /// The empty squares on the line up to the first occupied one.
    #[inline]
    pub(super) fn free_on_ray(&self, axis: usize, square: Square, occupied: S) -> S {
        let ray = self.rays[square.index() % 128][axis];
        let blockers = ray & occupied;
        // Both, for which of them is wanted is hard to foresee where the axis is no constant.
        let (below, above) = (blockers.below_first(), blockers.above_last());
        ray & if axis < 4 { below } else { above }
    }
}
