//! Studies: what is to be played, playing it, and keeping what was played.
//!
//! A study file ([`mod@file`]) is resolved into a [`plan`], which a [`mod@run`] plays game by game into a
//! [`store`]. Only this floor knows threads; nothing here reads a clock or prints.

pub mod adjudication;
mod course;
pub mod design;
pub mod file;
pub mod forecast;
pub mod merge;
pub mod metrics;
mod opening;
pub mod part;
pub mod plan;
mod play;
pub mod relevance;
pub mod run;
mod seeds;
pub mod stopping;
pub mod store;
pub mod thinking;

pub use course::{StoppedPlay, stopped_play};
pub use part::Part;
pub use plan::{Pairing, Plan, PlanHash, PlannedVariant};
pub use run::{Progress, RunError, Settings, Summary, run};
pub use store::{Store, StoreError};
