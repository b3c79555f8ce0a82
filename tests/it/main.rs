//! One test binary; each module tests one subject, on data in `tests/data` where there is any.

mod reference;
mod stats;
mod cli;
mod notation;
mod variants;
mod variants_fuzz;

mod layers;
mod perft;
