//! `keny`: a rule-variant explorer for the draughts game Keny and its kin.
//!
//! The floors, each importing only from those below it:
//! [`limits`] · [`board`] · [`rules`] · [`player`], [`notation`], [`record`] · [`variant`], [`stats`] ·
//! [`study`], [`report`] · [`cli`].

pub mod board;
pub mod cli;
pub mod limits;
pub mod notation;
pub mod player;
pub mod record;
pub mod report;
pub mod rules;
pub mod stats;
pub mod study;
pub mod variant;
