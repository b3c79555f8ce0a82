//! What the parts of a position are worth, as plain numbers of one ruleset.
//!
//! Never looks at a position: [`super::Evaluation`] compiles these numbers and does.

use crate::board::Geometry;
use crate::rules::{Directions, Ruleset};

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
    /// Each step that a man can make.
    pub steps: i32,
    /// Each short hop that a man can make.
    pub hops: i32,
    /// Each free square next to a king, along the axes of its moves.
    pub king_room: i32,
    /// Each piece that an enemy man can take by one jump.
    pub threatened: i32,
    /// Each pair of own pieces side by side, on neighbouring files.
    pub beside: i32,
    /// Each man with no enemy before it on its own file.
    pub free_file: i32,
    /// To be on the move.
    pub tempo: i32,
}

impl Weights {
    /// The ruleset's shape with every value 0.
    #[must_use]
    pub fn zero(ruleset: &Ruleset) -> Self {
        let board = &ruleset.board;
        let files = usize::from(board.files.div_ceil(2));
        let rings = usize::from(board.files.min(board.ranks).div_ceil(2));
        Self {
            man: vec![vec![0; files]; usize::from(board.ranks)],
            king: vec![0; rings],
            steps: 0,
            hops: 0,
            king_room: 0,
            threatened: 0,
            beside: 0,
            free_file: 0,
            tempo: 0,
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
    /// 2, room for a king 3, a piece in danger -30, a free file 8, and the move 5.
    #[must_use]
    pub fn generic(ruleset: &Ruleset) -> Self {
        let mut weights = Self::material(ruleset);
        for (rank, row) in weights.man.iter_mut().enumerate() {
            let advance = 2 * i32::try_from(rank).expect("at most 16 ranks");
            row.iter_mut().for_each(|value| *value += advance);
        }
        weights.steps = 2;
        weights.hops = 2;
        weights.king_room = 3;
        weights.threatened = -30;
        weights.free_file = 8;
        weights.tempo = 5;
        weights
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
