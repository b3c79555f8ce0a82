//! Two works measured in turn, round by round, so that a machine whose speed drifts drifts for both.

const ROUNDS: usize = 5;

/// The lowest, the median and the highest ratio of two speeds, in units of work a second each.
pub(crate) fn ratios(mut ours: impl FnMut() -> f64, mut theirs: impl FnMut() -> f64) -> [f64; 3] {
    let mut ratios = [(); ROUNDS].map(|()| {
        let theirs = theirs();
        ours() / theirs
    });
    ratios.sort_by(f64::total_cmp);
    [ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]]
}
