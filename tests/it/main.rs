//! One test binary; each module tests one subject, on data in `tests/data` where there is any.

mod players;
mod reference;
mod stats;
mod variants;
mod variants_fuzz;

mod layers;
mod perft;
mod study;
