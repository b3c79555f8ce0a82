//! Intervals and bounds that may be looked at while the games are played.
//! Never the place for fixed-n intervals: those are wrong under peeking.

use super::distribution::{ln_beta, normal_density, normal_tails};
use super::interval::Share;
use super::number::{Confidence, Interval, Known, Missing, real};
use super::root::find_root;

/// Standard deviation that bounds every variable in [0, 1] in the sub-Gaussian sense.
pub const UNIT_SIGMA: f64 = 0.5;

/// The mixing parameter that makes the radius about least at `n_best` observations.
///
/// # Errors
/// [`Missing::Range`] for `n_best` 0.
///
/// Source: I. Waudby-Smith, D. Arbour, R. Sinha, E. Kennedy, A. Ramdas, Annals of Statistics 52
/// (2024) 2613, appendix on tuning.
pub fn best_rho(n_best: u64, confidence: Confidence) -> Known<f64> {
    if n_best == 0 {
        return Err(Missing::Range);
    }
    let log = -2.0 * confidence.alpha().ln();
    Ok(((log + (log + 1.0).ln()) / real(n_best)).sqrt())
}

/// The radius around the running mean of `n` independent values with sub-Gaussian parameter
/// `sigma` (for values in [0, 1]: [`UNIT_SIGMA`]) that holds at all times together.
///
/// # Errors
/// [`Missing::Empty`] without observations, [`Missing::Range`] unless `sigma` and `rho` are
/// positive.
///
/// Source: normal mixture of H. Robbins, Annals of Mathematical Statistics 41 (1970) 1397; S. Howard,
/// A. Ramdas, J. McAuliffe, J. Sekhon, Annals of Statistics 49 (2021) 1055.
pub fn anytime_radius(n: u64, sigma: f64, rho: f64, confidence: Confidence) -> Known<f64> {
    if n == 0 {
        return Err(Missing::Empty);
    }
    if !(sigma > 0.0 && rho > 0.0) {
        return Err(Missing::Range);
    }
    let n = real(n);
    let grown = n * rho * rho + 1.0;
    let log = (grown.sqrt() / confidence.alpha()).ln();
    Ok(sigma * (2.0 * grown / (n * n * rho * rho) * log).sqrt())
}

/// The interval of a share that may be looked at after every game.
///
/// # Errors
/// [`Missing::Empty`] without observations, [`Missing::Range`] if the count exceeds them.
///
/// Source: beta-binomial mixture with uniform prior, H. Robbins 1970.
pub fn anytime_share(share: Share, confidence: Confidence) -> Known<Interval> {
    let value = share.value()?;
    let (x, n) = (real(share.count), real(share.n));
    let marginal = ln_beta(x + 1.0, n - x + 1.0);
    let limit = -confidence.alpha().ln();
    let excess = |p: f64| {
        let hit = if share.count > 0 { x * p.ln() } else { 0.0 };
        let miss = if share.count < share.n { (n - x) * (-p).ln_1p() } else { 0.0 };
        marginal - hit - miss - limit
    };
    let (floor, ceiling) = (1e-300, 1.0 - f64::EPSILON / 2.0);
    let low = if share.count == 0 { None } else { find_root(floor, value, excess) };
    let high = if share.count == share.n { None } else { find_root(value, ceiling, excess) };
    Interval::new(low.unwrap_or(0.0), high.unwrap_or(1.0))
}

/// Shape of the bounds of a group-sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupBounds {
    /// The same bound of |z| at every look.
    Pocock,
    /// Bounds that fall with the square root of the looks: late looks count most.
    OBrienFleming,
}

impl GroupBounds {
    /// The bound of |z| at look `look` of `looks`, given the constant.
    #[must_use]
    pub fn at(self, constant: f64, look: u32, looks: u32) -> f64 {
        match self {
            Self::Pocock => constant,
            Self::OBrienFleming => constant * (f64::from(looks) / f64::from(look)).sqrt(),
        }
    }

    /// The constant that keeps the error of `looks` equally spaced looks together at alpha.
    ///
    /// # Errors
    /// [`Missing::Range`] for no look or more than 100.
    ///
    /// Sources: S. Pocock, Biometrika 64 (1977) 191; P. O'Brien, T. Fleming, Biometrics 35 (1979)
    /// 549; integration of P. Armitage, C. McPherson, B. Rowe, JRSS A 132 (1969) 235.
    pub fn constant(self, looks: u32, confidence: Confidence) -> Known<f64> {
        if looks == 0 || looks > 100 {
            return Err(Missing::Range);
        }
        let nodes = gauss_legendre(NODES);
        let alpha = confidence.alpha();
        let error = |c: f64| 1.0 - self.chance_inside(c, looks, &nodes) - alpha;
        find_root(0.5, 10.0, error).ok_or(Missing::NotConverged)
    }

    /// The chance that the sum of `looks` standard normal steps stays inside all bounds.
    fn chance_inside(self, constant: f64, looks: u32, nodes: &[(f64, f64)]) -> f64 {
        let edge = |look: u32| self.at(constant, look, looks) * f64::from(look).sqrt();
        let scaled = |half: f64| -> Vec<(f64, f64)> {
            nodes.iter().map(|(x, w)| (x * half, w * half)).collect()
        };
        let mut points = scaled(edge(1));
        let mut density: Vec<f64> = points.iter().map(|(x, _)| normal_density(*x)).collect();
        for look in 2..=looks {
            let next = scaled(edge(look));
            density = next
                .iter()
                .map(|(y, _)| {
                    points
                        .iter()
                        .zip(&density)
                        .map(|((x, w), d)| w * d * normal_density(y - x))
                        .sum()
                })
                .collect();
            points = next;
        }
        if looks == 1 {
            return 1.0 - normal_tails(constant);
        }
        points.iter().zip(&density).map(|((_, w), d)| w * d).sum()
    }
}

/// Nodes of the quadrature: the integrand is a product of unit normal densities.
const NODES: u32 = 96;

/// Nodes and weights of the Gauss-Legendre rule on [−1, 1].
///
/// Source: Press et al., *Numerical Recipes*, 4.6.
fn gauss_legendre(n: u32) -> Vec<(f64, f64)> {
    (0..n)
        .map(|i| {
            let mut x = (std::f64::consts::PI * (f64::from(i) + 0.75) / (f64::from(n) + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..50 {
                let (mut now, mut before) = (1.0, 0.0);
                for k in 1..=n {
                    let k = f64::from(k);
                    (now, before) = (((2.0 * k - 1.0) * x * now - (k - 1.0) * before) / k, now);
                }
                slope = f64::from(n) * (x * now - before) / (x * x - 1.0);
                let step = now / slope;
                x -= step;
                if step.abs() < 1e-15 {
                    break;
                }
            }
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}
