//! The rules of play. Knows no file, clock, thread, random source or text format.

pub mod catalog;
mod compiled;
mod ending;
mod engine;
mod game;
mod generator;
mod hashing;
mod perft;
mod position;
mod ruleset;
mod turn;

pub use compiled::Rules;
pub use ending::{Ending, Outcome, Reason};
pub use engine::Engine;
pub use game::{Game, Stop};
pub use generator::{Choices, Scratch, TooManyTurns, Way};
pub use perft::{Counted, PerftMemory};
pub use position::Position;

pub use ruleset::{
    BlockedRule, BoardRules, CaptureRules, Chain, CountedTurns, CountingStart, Direction,
    Directions, DrawRules, EndRules, Filter, HopRules, Kinds, KingRules, Landing, ManRules,
    Notation, OnePieceRule, Priority, PromotionRule, PromotionRules, Removal, RepetitionResult,
    ResetEvent, ResetEvents, Ruleset, Setup, SetupRules,
};
pub use turn::Turn;
