//! Variety: choices that are not always the best one, drawn from the player's seed.
//!
//! Never judges turns itself; it draws from the scores that a player has found.

use super::Rng;
use super::arithmetic::{exp, ln};
use super::roster::Thousandths;

/// How a player strays from its best turn; nothing strays by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sampling {
    /// The chance of a uniformly random turn instead of a considered one.
    pub epsilon: Thousandths,
    /// How freely turns that seem less good are chosen; 0 is never.
    ///
    /// For players with scores, in men: a turn that seems one `temperature` worse than the best is
    /// chosen e times less often. For players with visits, a turn is as likely as its share of the
    /// visits to the power of one by `temperature`.
    pub temperature: Thousandths,
}

/// A turn this many temperatures below the best (a chance of one in 1,100) is never drawn.
const DEPTH_IN_TEMPERATURES: i32 = 7;

impl Sampling {
    /// A uniformly random index, in the share of cases that `epsilon` says.
    pub(super) fn stray(&self, rng: &mut Rng, count: usize) -> Option<usize> {
        let strays =
            self.epsilon != Thousandths::ZERO && rng.below(1000) < self.epsilon.get() as usize;
        strays.then(|| rng.below(count))
    }

    /// How far below the best score (in hundredths of a man) a turn may be and still be drawn.
    pub(super) fn margin(&self) -> i32 {
        let hundredths = i32::try_from(self.temperature.get() / 10).unwrap_or(i32::MAX);
        hundredths.saturating_mul(DEPTH_IN_TEMPERATURES)
    }

    /// An index drawn by scores in hundredths of a man; equal best ones are equally likely when
    /// the temperature is 0. `scores` must not be empty.
    pub(super) fn draw_by_score(&self, rng: &mut Rng, scores: &[i32]) -> usize {
        let best = *scores.iter().max().expect("at least one turn");
        let margin = self.margin();
        let scale = f64::from(self.temperature.get().max(1)) / 10.0;
        let weights = scores.iter().map(|&score| {
            let below = best.saturating_sub(score);
            match below {
                0 => 1.0,
                _ if below > margin => 0.0,
                _ => exp(-f64::from(below) / scale),
            }
        });
        draw(rng, weights)
    }

    /// An index drawn by visits; the most visited (the first of them) when the temperature is 0.
    pub(super) fn draw_by_visits(&self, rng: &mut Rng, visits: &[u32]) -> usize {
        let most = *visits.iter().max().expect("at least one turn");
        if self.temperature == Thousandths::ZERO || most == 0 {
            return visits.iter().position(|&count| count == most).expect("the largest is there");
        }
        let power = 1000.0 / f64::from(self.temperature.get());
        let weights = visits.iter().map(|&count| {
            if count == 0 { 0.0 } else { exp(power * ln(f64::from(count) / f64::from(most))) }
        });
        draw(rng, weights)
    }
}

/// An index with a chance in proportion to its weight. Some weight must be above 0.
fn draw(rng: &mut Rng, weights: impl Iterator<Item = f64> + Clone) -> usize {
    let mut left = rng.unit() * weights.clone().sum::<f64>();
    let mut last = 0;
    for (index, weight) in weights.enumerate() {
        if weight > 0.0 {
            last = index;
            if left < weight {
                break;
            }
            left -= weight;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::{Rng, Sampling, Thousandths};

    fn counts(draws: impl Fn(&mut Rng) -> usize) -> [u32; 3] {
        let mut rng = Rng::from_seed(1);
        let mut counts = [0; 3];
        for _ in 0..10_000 {
            counts[draws(&mut rng)] += 1;
        }
        counts
    }

    #[test]
    fn a_cold_player_takes_one_of_the_best() {
        let cold = Sampling::default();
        let drawn = counts(|rng| cold.draw_by_score(rng, &[5, 7, 7]));
        assert_eq!(drawn[0], 0);
        assert!(drawn[1] > 4_700 && drawn[2] > 4_700, "{drawn:?}");
        assert_eq!(counts(|rng| cold.draw_by_visits(rng, &[3, 9, 9])), [0, 10_000, 0]);
    }

    #[test]
    fn warmth_draws_in_proportion() {
        let one_man = Sampling { temperature: Thousandths::new(1000), ..Sampling::default() };
        // Weights 1, e^-1 and nothing: 7,311 and 2,689.
        let drawn = counts(|rng| one_man.draw_by_score(rng, &[100, 0, -700]));
        assert!((7_150..7_470).contains(&drawn[0]) && drawn[2] == 0, "{drawn:?}");
        // In proportion to the visits themselves.
        let drawn = counts(|rng| one_man.draw_by_visits(rng, &[1, 0, 3]));
        assert!((2_370..2_630).contains(&drawn[0]) && drawn[1] == 0, "{drawn:?}");
    }

    #[test]
    fn strays_as_often_as_epsilon_says() {
        let sampling = Sampling { epsilon: Thousandths::new(100), ..Sampling::default() };
        let mut rng = Rng::from_seed(2);
        let strays = (0..10_000).filter(|_| sampling.stray(&mut rng, 5).is_some()).count();
        assert!((910..1_090).contains(&strays), "{strays}");
        assert_eq!(Sampling::default().stray(&mut rng, 5), None);
    }
}
