//! The board: sides, pieces, squares and sets of squares, without any rule of play.

mod geometry;
mod piece;
mod placement;
mod side;
mod square;
mod square_set;

pub use geometry::{Axis, BoardSize, Geometry, Squares};
pub use piece::{Kind, Piece};
pub use placement::Placement;
pub use side::Side;
pub use square::Square;
pub use square_set::SquareSet;
