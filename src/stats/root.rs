//! Zeros of functions of one variable and places of their maxima.
//! Never guesses: without a change of sign there is no root.

/// Steps after which a search stops; bisection alone needs fewer for doubles.
const STEPS_MAX: usize = 300;

/// A zero of `f` between `low` and `high`, or `None` if the signs at the ends agree.
///
/// Source: R. P. Brent, *Algorithms for Minimization without Derivatives*, 1973, chapter 4.
pub fn find_root(low: f64, high: f64, f: impl Fn(f64) -> f64) -> Option<f64> {
    let (mut a, mut b) = (low, high);
    let (mut fa, mut fb) = (f(a), f(b));
    if fa.is_nan() || fb.is_nan() || fa * fb > 0.0 {
        return None;
    }
    let (mut c, mut fc) = (a, fa);
    let mut step = b - a;
    let mut step_before = step;
    for _ in 0..STEPS_MAX {
        if fc.abs() < fb.abs() {
            (a, b, c) = (b, c, b);
            (fa, fb, fc) = (fb, fc, fb);
        }
        let tolerance = 2.0 * f64::EPSILON * b.abs() + f64::MIN_POSITIVE;
        let middle = (c - b) / 2.0;
        if middle.abs() <= tolerance || fb == 0.0 {
            return Some(b);
        }
        let try_step = if step_before.abs() >= tolerance && fa.abs() > fb.abs() {
            interpolate((a, fa), (b, fb), (c, fc), middle, tolerance, step_before)
        } else {
            None
        };
        (step_before, step) = try_step.map_or((middle, middle), |next| (step, next));
        (a, fa) = (b, fb);
        b += if step.abs() > tolerance { step } else { tolerance.copysign(middle) };
        fb = f(b);
        if (fb > 0.0) == (fc > 0.0) {
            (c, fc) = (a, fa);
            step = b - a;
            step_before = step;
        }
    }
    Some(b)
}

/// The step of inverse quadratic or linear interpolation, if it is safe to take.
fn interpolate(
    (a, fa): (f64, f64),
    (b, fb): (f64, f64),
    (c, fc): (f64, f64),
    middle: f64,
    tolerance: f64,
    step_before: f64,
) -> Option<f64> {
    let s = fb / fa;
    let (mut p, mut q) = if (a - c).abs() <= 0.0 {
        (2.0 * middle * s, 1.0 - s)
    } else {
        let (q, r) = (fa / fc, fb / fc);
        let p = s * (2.0 * middle * q * (q - r) - (b - a) * (r - 1.0));
        (p, (q - 1.0) * (r - 1.0) * (s - 1.0))
    };
    if p > 0.0 {
        q = -q;
    } else {
        p = -p;
    }
    let safe = 2.0 * p < (3.0 * middle * q - (tolerance * q).abs()).min((step_before * q).abs());
    safe.then(|| p / q)
}

/// The largest value of `f` on `[low, high]`: the best of `cells + 1` grid points, then golden
/// section in the two cells around it. Finds the global maximum when the grid separates peaks.
pub fn maximum(low: f64, high: f64, cells: u32, f: impl Fn(f64) -> f64) -> f64 {
    let width = (high - low) / f64::from(cells);
    let at = |i: u32| low + width * f64::from(i);
    let (mut best, mut best_at) = (f64::NEG_INFINITY, 0);
    for i in 0..=cells {
        let value = f(at(i));
        if value > best {
            (best, best_at) = (value, i);
        }
    }
    let (mut a, mut b) = (at(best_at.saturating_sub(1)), at((best_at + 1).min(cells)));
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..80 {
        let (left, right) = (b - golden * (b - a), a + golden * (b - a));
        let (value_left, value_right) = (f(left), f(right));
        best = best.max(value_left).max(value_right);
        if value_left < value_right {
            a = left;
        } else {
            b = right;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_found_to_the_last_digits() {
        let root = find_root(0.0, 2.0, |x| x * x - 2.0).expect("the signs differ");
        assert!((root - 2.0_f64.sqrt()).abs() < 1e-15);
        let steep = find_root(0.0, 1.0, |x| (x - 1e-9).powi(3)).expect("the signs differ");
        assert!((steep - 1e-9).abs() < 1e-13);
        assert_eq!(find_root(1.0, 2.0, |x| x), None);
    }

    #[test]
    fn the_higher_of_two_peaks_is_found() {
        let f =
            |x: f64| (-(x - 0.2).powi(2) * 400.0).exp() + 1.1 * (-(x - 0.7).powi(2) * 400.0).exp();
        assert!((maximum(0.0, 1.0, 50, f) - 1.1).abs() < 1e-12);
    }
}
