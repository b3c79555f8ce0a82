//! What the parts of a position are worth, as plain numbers of one ruleset.
//!
//! Never looks at a position: [`super::Evaluation`] compiles these numbers and does.

use crate::board::Geometry;
use crate::rules::{Directions, Ruleset};

/// A feature that is one number for each side, counted over the whole board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Count {
    /// Whether the side has a king.
    HasKing,
    /// Steps that its men can make.
    Steps,
    /// Short hops that its men can make over men.
    Hops,
    /// Its pieces that an enemy man can take by one jump.
    Threatened,
    /// Pairs of its pieces on neighbouring squares of one rank.
    Beside,
    /// Pairs of its pieces on neighbouring squares of one file.
    Behind,
    /// Pairs of its pieces on neighbouring squares of one diagonal.
    Diagonal,
    /// Its men with no enemy before them on their own file.
    FreeFile,
    /// Whether the side is on the move.
    Tempo,
}

impl Count {
    /// All of them, in the order of [`Weights::counts`].
    pub const ALL: [Self; 9] = [
        Self::HasKing,
        Self::Steps,
        Self::Hops,
        Self::Threatened,
        Self::Beside,
        Self::Behind,
        Self::Diagonal,
        Self::FreeFile,
        Self::Tempo,
    ];

    /// The name in files and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HasKing => "has-king",
            Self::Steps => "steps",
            Self::Hops => "hops",
            Self::Threatened => "threatened",
            Self::Beside => "beside",
            Self::Behind => "behind",
            Self::Diagonal => "diagonal",
            Self::FreeFile => "free-file",
            Self::Tempo => "tempo",
        }
    }

    /// What it counts, in a few words.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::HasKing => "having a king at all, beside the king itself",
            Self::Steps => "each step that a man can make",
            Self::Hops => "each hop that a man can make",
            Self::Threatened => "each piece that an enemy man can take",
            Self::Beside => "each pair of pieces side by side",
            Self::Behind => "each pair of pieces one behind the other",
            Self::Diagonal => "each pair of pieces on one diagonal",
            Self::FreeFile => "each man with no enemy before it on its file",
            Self::Tempo => "being on the move",
        }
    }
}

/// The value of each feature, in hundredths of a man, from the view of the side that has it.
///
/// Every feature exists in every ruleset, and each is counted as own minus enemy's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A man by its own rank (from 0 at its side's edge), then by the distance of its file from
    /// the nearer edge.
    pub man: Vec<Vec<i32>>,
    /// A king by the distance of its square from the nearest edge.
    pub king: Vec<i32>,
    /// Each [`Count`].
    pub counts: [i32; Count::ALL.len()],
    /// The value at which a side is expected to score e points for each one of the other's.
    pub odds: i32,
}

impl Weights {
    /// The most that a feature is worth either way, in hundredths of a man, so that no sum of
    /// values comes near that of a won game.
    pub const VALUE_MAX: i32 = 5_000;

    /// The ruleset's shape with every value 0, and odds of e for 1.2 men.
    #[must_use]
    pub fn zero(ruleset: &Ruleset) -> Self {
        let board = &ruleset.board;
        let files = usize::from(board.files.div_ceil(2));
        let rings = usize::from(board.files.min(board.ranks).div_ceil(2));
        Self {
            man: vec![vec![0; files]; usize::from(board.ranks)],
            king: vec![0; rings],
            counts: [0; Count::ALL.len()],
            odds: 120,
        }
    }

    /// Men and kings alone: a man is 100, a king as in [`Self::generic`].
    #[must_use]
    pub fn material(ruleset: &Ruleset) -> Self {
        let mut weights = Self::zero(ruleset);
        weights.man.iter_mut().flatten().for_each(|value| *value = 100);
        weights.king.fill(king_value(ruleset));
        weights
    }

    /// Values that serve every ruleset until better ones have been learned.
    ///
    /// A man is 100 and gains 2 with each rank; a king is 350 if it flies, else 160, and 50 more
    /// in each case if it also moves along diagonals on a full board; a step at hand is 2, a hop
    /// 2, a piece in danger -30, a free file 8, and the move 5.
    #[must_use]
    pub fn generic(ruleset: &Ruleset) -> Self {
        let mut weights = Self::material(ruleset);
        for (rank, row) in weights.man.iter_mut().enumerate() {
            let advance = 2 * i32::try_from(rank).expect("at most 16 ranks");
            row.iter_mut().for_each(|value| *value += advance);
        }
        for (count, value) in [
            (Count::Steps, 2),
            (Count::Hops, 2),
            (Count::Threatened, -30),
            (Count::FreeFile, 8),
            (Count::Tempo, 5),
        ] {
            weights.counts[count as usize] = value;
        }
        weights
    }

    /// All values of features, in the order of the fields.
    pub fn values(&self) -> impl Iterator<Item = i32> + '_ {
        self.man.iter().flatten().chain(&self.king).chain(&self.counts).copied()
    }

    /// Whether the numbers have the shape that the ruleset's board needs.
    #[must_use]
    pub fn fits(&self, ruleset: &Ruleset) -> bool {
        let shape = Self::zero(ruleset);
        self.man.len() == shape.man.len()
            && self.man.iter().zip(&shape.man).all(|(row, other)| row.len() == other.len())
            && self.king.len() == shape.king.len()
    }
}

fn king_value(ruleset: &Ruleset) -> i32 {
    let straight =
        ruleset.king.moves.iter().all(|direction| Directions::STRAIGHT.contains(direction));
    let all_ways = !straight && ruleset.king.moves.iter().any(|d| Directions::STRAIGHT.contains(d));
    let base = if ruleset.king.flying { 350 } else { 160 };
    base + if all_ways { 50 } else { 0 }
}

/// Distance of a file from the nearer edge.
pub(super) fn file_class(geometry: &Geometry, file: u8) -> usize {
    usize::from(file.min(geometry.size().files - 1 - file))
}

/// Distance of a square from the nearest edge.
pub(super) fn ring(geometry: &Geometry, file: u8, rank: u8) -> usize {
    let rank = rank.min(geometry.size().ranks - 1 - rank);
    file_class(geometry, file).min(usize::from(rank))
}
