//! The statistics against values of other programs, exact identities and simulated games.

mod coverage;
mod published;
mod sampling;
mod vectors;
