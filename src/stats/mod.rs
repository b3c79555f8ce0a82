//! Judging numbers: intervals, tests, corrections and designs. Knows nothing of games or files.

pub mod distribution;
pub mod exact;
pub mod histogram;
pub mod interval;
pub mod multiple;
mod number;
pub mod paired;
pub mod proportions;
pub mod root;
pub mod score;

pub use number::{Confidence, Estimate, Interval, Judgement, Known, Missing, real, real_len};
