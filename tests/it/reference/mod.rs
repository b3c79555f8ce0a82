//! A second, slow reading of the rules: the judge of the engine.
//!
//! It shares no code with the engine: an array of cells, one recursion over the jumps of a turn,
//! no set of squares, no table made beforehand. Of the library it knows only the plain answers of
//! a ruleset (and sides and kinds). It is never fast and never used outside the tests.

mod catalog;
mod cells;
mod game;
mod jumps;
mod library;
mod perft;
pub(crate) mod random;
mod rules_json;
mod turns;
mod vectors;

pub(crate) use catalog::flags;
pub(crate) use cells::{Cells, Position, Spot, square_name};
pub(crate) use game::{Game, Outcome};
pub(crate) use library::variant;
pub(crate) use rules_json::{ruleset as read_rules, set as set_flag};
pub(crate) use turns::{Class, Turn, legal_turns, play};
pub(crate) use vectors::{prepared_games, prepared_positions};
