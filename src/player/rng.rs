//! The random source of players: a fixed generator whose values never change between releases.
//!
//! Never reads the clock or the machine; equal seeds give equal values everywhere.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// xoshiro256++ (Blackman and Vigna 2019) with unbiased draws of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator of this seed, whose state splitmix64 fills.
    #[must_use]
    #[inline]
    pub fn from_seed(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The generator of a description: its state is the description's blake3 hash.
    #[must_use]
    pub fn from_bytes(description: &[u8]) -> Self {
        Self(Xoshiro256PlusPlus::from_seed(*blake3::hash(description).as_bytes()))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `bound - 1`, each equally likely (Lemire 2019).
    ///
    /// # Panics
    /// When `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "no number is below 0");
        let wide_bound = bound as u64;
        let (mut high, mut low) = multiplied(self.bits(), wide_bound);
        if low < wide_bound {
            let biased = wide_bound.wrapping_neg() % wide_bound;
            while low < biased {
                (high, low) = multiplied(self.bits(), wide_bound);
            }
        }
        usize::try_from(high).expect("below a bound that is a usize")
    }

    /// A number from 0 up to, but not, 1, in steps of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        const STEPS: f64 = (1_u64 << 53) as f64;
        (self.bits() >> 11) as f64 / STEPS
    }

    /// Puts the items in a random order, each order equally likely (Fisher and Yates 1938).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// High and low word of a product.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "splits a product into its two words")]
const fn multiplied(a: u64, b: u64) -> (u64, u64) {
    let product = a as u128 * b as u128;
    ((product >> 64) as u64, product as u64)
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_values_of_a_seed_never_change() {
        // The state that splitmix64 makes of seed 0 is known, and so is the first value from it.
        let mix = |z: u64| {
            let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        let state: Vec<u64> =
            (1..=4_u64).map(|n| mix(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
        let first = state[0].wrapping_add(state[3]).rotate_left(23).wrapping_add(state[0]);
        assert_eq!(Rng::from_seed(0).bits(), first);
        assert_ne!(Rng::from_bytes(b"a").bits(), Rng::from_bytes(b"b").bits());
    }

    #[test]
    fn draws_below_a_bound_are_even() {
        let mut rng = Rng::from_seed(7);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        // 10,000 expected, standard deviation 93.
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        assert_eq!(rng.below(1), 0);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&rng.unit())));
    }

    #[test]
    fn a_shuffle_keeps_the_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Rng::from_seed(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
