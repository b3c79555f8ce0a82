//! Texts of squares, positions, turns and games, and boards drawn as text. Knows no file.

mod diagram;
mod game;
mod pdn;
mod position;
mod square;
mod turn;

pub use diagram::{Diagram, Marks};
pub use game::{ReplayFault, Replayed, replay};
pub use pdn::{PdnError, PdnFault, PdnGame, PdnResult, PdnTurn, parse_games, print_game};
pub use position::{PositionError, PositionFault, parse_position, print_position};
pub use square::{SquareError, SquareNames};
pub use turn::{TurnError, TurnTexts};
