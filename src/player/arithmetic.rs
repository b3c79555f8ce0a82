//! Elementary functions whose last bit is the same on every machine.
//!
//! The standard library hands these to the platform, whose versions differ in the last bit; a
//! player's choice must not. Built from additions, multiplications and divisions alone, which
//! IEEE 754 fixes. Never the place for anything that speed depends on.

/// Natural logarithm of 2, in two parts whose multiples by small integers are exact.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// The exponential function, within a few units of the last place; 0 below -700.
#[must_use]
pub fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let x = x.min(700.0);
    let doublings = (x / std::f64::consts::LN_2).round();
    let rest = (x - doublings * LN_2_HIGH) - doublings * LN_2_LOW;
    // Taylor's series, |rest| < 0.35: the fifteenth term is below 1e-18.
    let mut sum = 1.0;
    for n in (1..=15).rev() {
        sum = 1.0 + sum * rest / f64::from(n);
    }
    sum * power_of_two(doublings)
}

/// The natural logarithm of a positive, normal number, within a few units of the last place.
#[must_use]
pub fn ln(x: f64) -> f64 {
    debug_assert!(x.is_normal() && x > 0.0, "the logarithm of {x}");
    let bits = x.to_bits();
    let mut exponent = i32::try_from(bits >> 52).expect("eleven bits") - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | (1023 << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    // The series of the inverse hyperbolic tangent, |s| < 0.172.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let mut sum = 0.0;
    for n in (0..=11).rev() {
        sum = sum * s * s + 1.0 / f64::from(2 * n + 1);
    }
    let exponent = f64::from(exponent);
    exponent * LN_2_HIGH + (2.0 * s * sum + exponent * LN_2_LOW)
}

/// The logistic function: 1 / (1 + e^-x).
#[must_use]
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

#[expect(clippy::cast_possible_truncation, reason = "a whole number between -1010 and 1010")]
fn power_of_two(exponent: f64) -> f64 {
    let biased = exponent as i64 + 1023;
    f64::from_bits(u64::try_from(biased).expect("the argument is above -700") << 52)
}

#[cfg(test)]
mod tests {
    use super::{exp, ln, logistic};

    #[test]
    fn agrees_with_the_platform_to_a_few_units() {
        for step in -6_900..=6_900 {
            let x = f64::from(step) / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-14, "exp {x}");
            let y = x.exp();
            assert!((ln(y) - y.ln()).abs() <= 1e-15 * y.ln().abs().max(1.0), "ln {y}");
        }
        assert!(exp(-800.0).abs() < f64::MIN_POSITIVE);
        assert!((logistic(0.0) - 0.5).abs() < 1e-16);
    }
}
