//! One test binary; each module tests one subject, on data in `tests/data` where there is any.

mod battery;
mod cli;
mod cluster;
mod committed;
mod effects;
mod explosive;
mod fuzz;
mod judged;
mod killed;
mod ladder;
mod layers;
mod limits;
mod notation;
mod outside;
mod perft;
mod players;
mod readme;
mod reference;
mod report;
mod stats;
mod stored;
mod study;
mod turkish_oracle;
mod variants;
mod variants_fuzz;
mod witness;
