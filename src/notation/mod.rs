//! Texts of squares and positions. Knows no file and no way to play.

mod position;
mod square;

pub use position::{PositionError, PositionFault, parse_position, print_position};
pub use square::{SquareError, SquareNames};
