//! The statistics against values of other programs, exact identities and simulated games.

mod published;
mod vectors;
