//! The shape of the board: which squares are playable, and which square is next to which.

use super::{Side, Square};

/// Which squares of the rectangle are playable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Squares {
    /// All of them.
    All,
    /// Those of a1's colour.
    Dark,
}

/// Files by ranks, and which of their squares are playable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardSize {
    /// Number of files, 4 to 16.
    pub files: u8,
    /// Number of ranks, 4 to 16.
    pub ranks: u8,
    /// The playable squares.
    pub squares: Squares,
}

/// One of the eight ways to leave a square, as White sees them.
///
/// The first four move to higher bit numbers, the last four to lower ones, and axis `i` is
/// opposite to axis `i ^ 4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// Toward higher ranks.
    North,
    /// Toward higher ranks and files.
    NorthEast,
    /// Toward higher files.
    East,
    /// Toward higher ranks and lower files.
    NorthWest,
    /// Toward lower ranks.
    South,
    /// Toward lower ranks and files.
    SouthWest,
    /// Toward lower files.
    West,
    /// Toward lower ranks and higher files.
    SouthEast,
}

impl Axis {
    /// All axes, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::NorthWest,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::SouthEast,
    ];

    /// The number, for use as an array index.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The step in files and ranks between two adjacent squares of a full board.
    #[must_use]
    pub const fn unit(self) -> (i8, i8) {
        match self {
            Self::North => (0, 1),
            Self::NorthEast => (1, 1),
            Self::East => (1, 0),
            Self::NorthWest => (-1, 1),
            Self::South => (0, -1),
            Self::SouthWest => (-1, -1),
            Self::West => (-1, 0),
            Self::SouthEast => (1, -1),
        }
    }
}

/// The board's squares and their neighbours.
///
/// On a full board the bit number of a square is `rank * files + file`. On a dark board it is half
/// of that number on a board with an odd number of files (one more, if need be), so that every
/// axis is one fixed shift on every board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Geometry {
    size: BoardSize,
}

impl Geometry {
    /// The geometry of a board of this size.
    #[must_use]
    pub const fn new(size: BoardSize) -> Self {
        Self { size }
    }

    /// The size it was made from.
    #[must_use]
    pub const fn size(&self) -> BoardSize {
        self.size
    }

    /// The square at a file and a rank (both from 0), if it is on the board and playable.
    #[must_use]
    pub fn square(&self, file: i8, rank: i8) -> Option<Square> {
        let (file, rank) = (u8::try_from(file).ok()?, u8::try_from(rank).ok()?);
        if file >= self.size.files || rank >= self.size.ranks {
            return None;
        }
        let (file, rank) = (u16::from(file), u16::from(rank));
        let number = match self.size.squares {
            Squares::All => rank * u16::from(self.size.files) + file,
            Squares::Dark if (file + rank) % 2 == 1 => return None,
            Squares::Dark => (rank * self.row_of_dark() + file) / 2,
        };
        u8::try_from(number).ok().filter(|&number| number < 128).map(Square)
    }

    /// File and rank of a square, both from 0.
    #[must_use]
    pub fn file_and_rank(&self, square: Square) -> (u8, u8) {
        let number = u16::from(square.0);
        let (file, rank) = match self.size.squares {
            Squares::All => {
                (number % u16::from(self.size.files), number / u16::from(self.size.files))
            }
            Squares::Dark => {
                let row = self.row_of_dark();
                // An odd rank starts half a row up; of the two numbers that halve to this one,
                // the playable one has file and rank of one colour.
                let (file, rank) = (2 * number % row, 2 * number / row);
                if (file + rank) % 2 == 0 {
                    (file, rank)
                } else {
                    ((2 * number + 1) % row, (2 * number + 1) / row)
                }
            }
        };
        let narrow = |value: u16| u8::try_from(value).expect("a file or rank is below 16");
        (narrow(file), narrow(rank))
    }

    /// Every playable square, by rising rank, then file.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let geometry = *self;
        (0..self.size.ranks)
            .flat_map(move |rank| (0..geometry.size.files).map(move |file| (file, rank)))
            .filter_map(move |(file, rank)| geometry.square(file.cast_signed(), rank.cast_signed()))
    }

    /// Rank of a square as its side counts them, from 0 at the side's own edge.
    #[must_use]
    pub fn own_rank(&self, square: Square, side: Side) -> u8 {
        let (_, rank) = self.file_and_rank(square);
        match side {
            Side::White => rank,
            Side::Black => self.size.ranks - 1 - rank,
        }
    }

    /// The nearest playable square on the line that leaves `square` along `axis`.
    #[must_use]
    pub fn neighbour(&self, square: Square, axis: Axis) -> Option<Square> {
        let (file, rank) = self.file_and_rank(square);
        let (files, ranks) = axis.unit();
        let reach = self.reach(axis);
        self.square(file.cast_signed() + reach * files, rank.cast_signed() + reach * ranks)
    }

    /// How many places the bit number rises (or falls, for the last four axes) along an axis.
    #[must_use]
    pub fn shift(&self, axis: Axis) -> u32 {
        let (files, ranks) = axis.unit();
        let row = match self.size.squares {
            Squares::All => i32::from(self.size.files),
            Squares::Dark => i32::from(self.row_of_dark()),
        };
        let full = i32::from(self.reach(axis)) * (i32::from(ranks) * row + i32::from(files));
        match self.size.squares {
            Squares::All => full.unsigned_abs(),
            Squares::Dark => full.unsigned_abs() / 2,
        }
    }

    /// The lowest number that is above every square's bit number.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.squares().map(|square| u32::from(square.0) + 1).max().unwrap_or(0)
    }

    /// Number of playable squares.
    #[must_use]
    pub fn square_count(&self) -> usize {
        self.squares().count()
    }

    /// Files or ranks between neighbours: two along the straight lines of a dark board, else one.
    fn reach(&self, axis: Axis) -> i8 {
        let (files, ranks) = axis.unit();
        match self.size.squares {
            Squares::Dark if files == 0 || ranks == 0 => 2,
            Squares::Dark | Squares::All => 1,
        }
    }

    /// The odd row length that a dark board's numbers are halves of.
    fn row_of_dark(&self) -> u16 {
        u16::from(self.size.files) | 1
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, BoardSize, Geometry, Squares};

    #[test]
    fn every_axis_is_one_fixed_shift_on_every_board() {
        for squares in [Squares::All, Squares::Dark] {
            for files in 4..=16 {
                for ranks in 4..=16 {
                    if u16::from(files) * u16::from(ranks) > 128 {
                        continue;
                    }
                    let geometry = Geometry::new(BoardSize { files, ranks, squares });
                    let mut seen = 0_u128;
                    for square in geometry.squares() {
                        assert_eq!(seen >> square.0 & 1, 0, "one number for two squares");
                        seen |= 1 << square.0;
                        let (file, rank) = geometry.file_and_rank(square);
                        assert_eq!(
                            geometry.square(file.cast_signed(), rank.cast_signed()),
                            Some(square)
                        );
                        for (number, axis) in Axis::ALL.into_iter().enumerate() {
                            let Some(next) = geometry.neighbour(square, axis) else { continue };
                            let up =
                                u32::from(next.0) == u32::from(square.0) + geometry.shift(axis);
                            let down =
                                u32::from(square.0) == u32::from(next.0) + geometry.shift(axis);
                            assert!(if number < 4 { up } else { down }, "{axis:?} of {square:?}");
                        }
                    }
                }
            }
        }
    }
}
