//! Large studies: how long their reports take.

use keny::report;
use keny::study::design::DesignKind;

use super::{Flags, design, played};

/// A study of a thousand rulesets is reported in under ten seconds, in all formats together. A
/// machine under load may be slower, so it is asked for by name:
/// `cargo test --release -- --ignored a_thousand_rulesets`.
#[test]
#[ignore = "measures time"]
#[expect(clippy::print_stdout, reason = "the time is the result")]
#[expect(clippy::disallowed_methods, reason = "it measures time")]
fn a_thousand_rulesets() {
    const FLAGS: Flags = &[
        ("capture.mandatory", &["true", "false"]),
        ("hop.chain", &["\"unlimited\"", "1", "2", "3"]),
        ("king.flying", &["true", "false"]),
        ("draw.quiet_turns", &["20", "40", "60", "80"]),
        ("end.one_piece_each", &["\"play-on\"", "\"draw\""]),
        (
            "man.capture",
            &["[\"forward\", \"sideways\", \"backward\"]", "[\"forward\", \"sideways\"]"],
        ),
        ("king.landing", &["\"any\"", "\"nearest\""]),
        ("draw.repetition", &["0", "3"]),
        ("king.reversal", &["true", "false"]),
    ];
    let mut state: u32 = 1;
    let mut below = |n: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        u8::try_from((state >> 16) as usize % n).expect("few levels")
    };
    let mut runs = vec![vec![0; FLAGS.len()]];
    runs.extend((1..4000).map(|_| FLAGS.iter().map(|(_, of)| below(of.len())).collect()));
    runs.sort();
    runs.dedup();
    let runs: Vec<&[u8]> = runs.iter().map(Vec::as_slice).collect();
    let pairings = [("random", "random", 40), ("greedy", "greedy", 10)];
    let (_folder, store) = played(design(DesignKind::Sample { seed: 1 }, FLAGS, &runs), &pairings);
    let start = std::time::Instant::now();
    let view = report::view(&store).expect("a view");
    let texts = crate::report::formats(&view);
    let seconds = start.elapsed().as_secs_f64();
    let rulesets = store.plan().variants.len();
    println!("{rulesets} rulesets, all formats: {seconds:.1} s");
    for (name, text) in &texts {
        println!("{name}: {} kB, {} lines", text.len() / 1000, text.lines().count());
    }
    assert!(rulesets >= 1000, "{rulesets}");
    assert!(seconds < 10.0, "{seconds:.1} s");
}
