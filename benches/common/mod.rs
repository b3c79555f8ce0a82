//! What the benchmarks share: time, variants, and how to print.

use std::hint::black_box;
use std::time::Instant;

use keny::rules::Engine;
use keny::variant;

#[expect(clippy::print_stdout, reason = "a benchmark prints its result")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}

/// The units of work that `work` returns, for each second that it took.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub(crate) fn rate(work: impl FnOnce() -> u64) -> f64 {
    let begun = Instant::now();
    let units = black_box(work());
    units as f64 / begun.elapsed().as_secs_f64()
}

pub(crate) fn engine(name: &str) -> Engine {
    Engine::new(&variant::load(name).expect("a shipped variant").ruleset)
}
