//! Random numbers for simulated games, with fixed seeds.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A generator that gives the same numbers in every run.
pub(super) struct Sampler(Xoshiro256PlusPlus);

impl Sampler {
    pub(super) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Uniform strictly between 0 and 1.
    pub(super) fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    pub(super) fn chance(&mut self, p: f64) -> bool {
        self.uniform() < p
    }

    pub(super) fn normal(&mut self) -> f64 {
        keny::stats::distribution::normal_quantile(self.uniform())
    }

    /// The index of an outcome with these chances.
    pub(super) fn outcome(&mut self, chances: &[f64]) -> usize {
        let mut left = self.uniform();
        for (at, chance) in chances.iter().enumerate() {
            if left < *chance {
                return at;
            }
            left -= chance;
        }
        chances.len() - 1
    }

    /// Counts of `n` outcomes with these chances.
    pub(super) fn counts<const K: usize>(&mut self, n: usize, chances: [f64; K]) -> [u64; K] {
        let mut counts = [0; K];
        for _ in 0..n {
            counts[self.outcome(&chances)] += 1;
        }
        counts
    }

    /// A whole number with a rounded normal distribution, cut to 0..=500.
    pub(super) fn length(&mut self, mean: f64, deviation: f64) -> usize {
        let wanted = mean + deviation * self.normal();
        (0..500_u16).find(|k| f64::from(*k) + 0.5 > wanted).unwrap_or(500).into()
    }
}

/// The share of `runs` simulations in which `event` happens.
pub(super) fn rate(runs: u32, seed: u64, mut event: impl FnMut(&mut Sampler) -> bool) -> f64 {
    let mut sampler = Sampler::new(seed);
    let hits = (0..runs).filter(|_| event(&mut sampler)).count();
    keny::stats::real_len(hits) / f64::from(runs)
}
