//! The rules of play. Knows no file, clock, thread, random source or text format.

mod ruleset;

pub use ruleset::{
    BlockedRule, BoardRules, CaptureRules, Chain, CountedTurns, CountingStart, Direction,
    Directions, DrawRules, EndRules, Filter, HopRules, Kinds, KingRules, Landing, ManRules,
    Notation, OnePieceRule, Priority, PromotionRule, PromotionRules, Removal, RepetitionResult,
    ResetEvent, ResetEvents, Ruleset, Setup, SetupRules,
};
