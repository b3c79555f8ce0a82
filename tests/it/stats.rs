//! The statistics against values of other programs, exact identities and simulated games.

mod blocks;
mod coverage;
mod designs;
mod models;
mod published;
mod rates;
mod sampling;
mod small;
mod vectors;
