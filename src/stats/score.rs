//! Scores of games and pairs: mean, error, Elo in three models, likelihood of superiority.
//! Never counts unfinished games and never takes the games of a pair for independent.

use super::distribution::{beta_cdf, normal_cdf};
use super::interval::{Share, wilson_real};
use super::number::{Confidence, Estimate, Interval, Known, Missing, real};
use super::paired::{Group, correlation, mean, sample_variance, welch_from};

/// Factor between normalised Elo and the score in standard deviations: 800 / ln 10.
pub const NELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// Finished games of one side, counted by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// Pairs (one opening, sides swapped) counted by the score of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pentanomial {
    /// Two losses; loss and draw; two draws or win and loss; win and draw; two wins.
    pub pairs: [u64; 5],
}

/// A mean score, from the distribution of the scores of its units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Units: games or pairs.
    pub n: u64,
    /// Games in a unit: 1 or 2.
    pub games_per_unit: u8,
    /// Mean score of a game, 0 to 1.
    pub value: f64,
    /// Variance of a unit's mean score, divisor n.
    pub variance: f64,
}

/// An Elo difference with both ends of its interval, each of which may not exist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloRange {
    /// The point estimate.
    pub value: Known<f64>,
    /// The lower end.
    pub low: Known<f64>,
    /// The upper end.
    pub high: Known<f64>,
}

impl EloRange {
    /// Half the distance of the ends; the range is not symmetric about the value.
    ///
    /// # Errors
    /// The reason why an end does not exist.
    pub fn half_width(self) -> Known<f64> {
        Ok((self.high? - self.low?) / 2.0)
    }
}

impl Wdl {
    /// Games finished.
    #[must_use]
    pub fn n(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The counts of both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// The same games seen from the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Counts from low to high: losses, draws, wins.
    #[must_use]
    pub fn low_to_high(self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// The share of wins.
    #[must_use]
    pub fn win_share(self) -> Share {
        Share { count: self.wins, n: self.n() }
    }

    /// The share of draws.
    #[must_use]
    pub fn draw_share(self) -> Share {
        Share { count: self.draws, n: self.n() }
    }

    /// The share of losses.
    #[must_use]
    pub fn loss_share(self) -> Share {
        Share { count: self.losses, n: self.n() }
    }

    /// The share of games that one side won.
    #[must_use]
    pub fn decisive_share(self) -> Share {
        Share { count: self.wins + self.losses, n: self.n() }
    }

    /// The mean score, unit = game.
    ///
    /// # Errors
    /// [`Missing::Empty`] without games.
    pub fn score(self) -> Known<Score> {
        Score::of_counts(&self.low_to_high(), 1)
    }

    /// Balance: 1 − |2·score − 1|, that is 1 − |wins − losses| / n.
    ///
    /// # Errors
    /// [`Missing::Empty`] without games.
    pub fn balance(self) -> Known<f64> {
        Ok(1.0 - (2.0 * self.score()?.value - 1.0).abs())
    }

    /// The chance that the true share of wins among decisive games is above one half, by the
    /// normal approximation.
    ///
    /// # Errors
    /// [`Missing::NoSpread`] without decisive games.
    ///
    /// Source: the formula of the program cutechess.
    pub fn superiority_decisive(self) -> Known<f64> {
        let (w, l) = (real(self.wins), real(self.losses));
        if w + l <= 0.0 { Err(Missing::NoSpread) } else { Ok(normal_cdf((w - l) / (w + l).sqrt())) }
    }

    /// The chance that the true share of wins among decisive games is above one half, under a
    /// uniform prior: from Beta(wins + 1, losses + 1).
    ///
    /// # Errors
    /// [`Missing::NoSpread`] without decisive games.
    pub fn superiority_exact(self) -> Known<f64> {
        if self.wins + self.losses == 0 {
            return Err(Missing::NoSpread);
        }
        // P(p > 1/2) with the roles of the parameters swapped keeps the digits of small chances.
        Ok(beta_cdf(real(self.losses) + 1.0, real(self.wins) + 1.0, 0.5))
    }

    /// Advantage and draw parameter of the BayesElo model from this side's counts.
    ///
    /// # Errors
    /// [`Missing::EmptyCell`] if wins or losses are 0, [`Missing::Range`] if there are no draws
    /// (draw parameter 0 or below is left to the caller), [`Missing::Empty`].
    ///
    /// Source: R. Coulom's BayesElo, a Rao-Kupper (1967) model on the base-10/400 scale.
    pub fn bayes_elo(self) -> Known<BayesElo> {
        if self.n() == 0 {
            return Err(Missing::Empty);
        }
        if self.wins == 0 || self.losses == 0 {
            return Err(Missing::EmptyCell);
        }
        let (w, l) = (real(self.wins) / real(self.n()), real(self.losses) / real(self.n()));
        let (logit_w, logit_l) = ((w / (1.0 - w)).log10(), (l / (1.0 - l)).log10());
        Ok(BayesElo { advantage: 200.0 * (logit_w - logit_l), draw: -200.0 * (logit_w + logit_l) })
    }

    /// The difference of two mean scores from independent games, `self − other`, with sample
    /// variances and the normal distribution.
    ///
    /// # Errors
    /// [`Missing::Empty`] or [`Missing::Single`] if one side has fewer than two games.
    pub fn score_difference(self, other: Self, confidence: Confidence) -> Known<Estimate> {
        let (a, b) = (self.score()?, other.score()?);
        let square = a.sample_variance()? / real(a.n) + b.sample_variance()? / real(b.n);
        let n = a.n + b.n;
        Ok(Estimate::normal(a.value - b.value, square.sqrt(), n, confidence))
    }

    /// As [`Wdl::score_difference`], judged by Welch's t: for small samples.
    ///
    /// # Errors
    /// As [`Wdl::score_difference`].
    pub fn score_difference_welch(self, other: Self, confidence: Confidence) -> Known<Estimate> {
        let group = |s: Score| -> Known<Group> {
            Ok(Group { n: real(s.n), mean: s.value, variance: s.sample_variance()? })
        };
        welch_from(group(self.score()?)?, group(other.score()?)?, confidence)
    }
}

impl Pentanomial {
    /// Pairs of games.
    #[must_use]
    pub fn n(self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Adds a pair by the sum of its half points, 0 to 4.
    ///
    /// # Errors
    /// [`Missing::Range`] for more than 4 half points.
    pub fn add(&mut self, half_points: usize) -> Known<()> {
        *self.pairs.get_mut(half_points).ok_or(Missing::Range)? += 1;
        Ok(())
    }

    /// The counts of both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let mut pairs = self.pairs;
        for (sum, more) in pairs.iter_mut().zip(other.pairs) {
            *sum += more;
        }
        Self { pairs }
    }

    /// The mean score, unit = pair.
    ///
    /// # Errors
    /// [`Missing::Empty`] without pairs.
    pub fn score(self) -> Known<Score> {
        Score::of_counts(&self.pairs, 2)
    }
}

impl Score {
    /// The score of units whose possible scores are equally spaced from 0 to 1.
    ///
    /// # Errors
    /// [`Missing::Empty`] without units.
    pub fn of_counts(low_to_high: &[u64], games_per_unit: u8) -> Known<Self> {
        let n: u64 = low_to_high.iter().sum();
        if n == 0 {
            return Err(Missing::Empty);
        }
        let top = super::number::real_len(low_to_high.len().max(2) - 1);
        // Sums of whole numbers keep the variance exact: (n·Σk²c − (Σkc)²) / (n·top)².
        let wide = u128::from(n);
        let (mut sum, mut squares) = (0_u128, 0_u128);
        for (k, &count) in (0_u128..).zip(low_to_high) {
            sum += k * u128::from(count);
            squares += k * k * u128::from(count);
        }
        let spread = wide * squares - sum * sum;
        let value = sum as f64 / real(n) / top;
        let variance = spread as f64 / (real(n) * top).powi(2);
        Ok(Self { n, games_per_unit, value, variance })
    }

    /// Games behind it.
    #[must_use]
    pub fn games(self) -> u64 {
        self.n * u64::from(self.games_per_unit)
    }

    /// The standard error of the mean, from the variance with divisor n.
    #[must_use]
    pub fn standard_error(self) -> f64 {
        (self.variance / real(self.n)).sqrt()
    }

    /// The variance of a unit with divisor n − 1.
    ///
    /// # Errors
    /// [`Missing::Single`] for one unit.
    pub fn sample_variance(self) -> Known<f64> {
        if self.n < 2 {
            return Err(Missing::Single);
        }
        Ok(self.variance * real(self.n) / (real(self.n) - 1.0))
    }

    /// Whether all units scored the same: perhaps copies of one deterministic game.
    #[must_use]
    pub fn lacks_spread(self) -> bool {
        self.variance <= 0.0
    }

    /// The interval by the normal approximation, not cut to `[0, 1]`.
    ///
    /// # Errors
    /// [`Missing::NoSpread`] if all units scored the same.
    pub fn normal_interval(self, confidence: Confidence) -> Known<Interval> {
        Interval::around(self.value, confidence.z() * self.standard_error())
    }

    /// The interval to print: normal, cut to `[0, 1]`, and Wilson's where all units scored the
    /// same (conservative there, because a score varies at most like a share).
    ///
    /// # Errors
    /// None for a score that exists; the type keeps the reason of the interval it rests on.
    pub fn interval(self, confidence: Confidence) -> Known<Interval> {
        match self.normal_interval(confidence) {
            Ok(interval) => interval.clamped(0.0, 1.0),
            Err(_) => self.wilson(confidence),
        }
    }

    /// Wilson's interval of the score taken as a share of units.
    ///
    /// # Errors
    /// None for a score that exists; the type keeps the reason of [`Interval::new`].
    pub fn wilson(self, confidence: Confidence) -> Known<Interval> {
        let n = real(self.n);
        wilson_real(self.value * n, n, confidence.z())
    }

    /// Logistic Elo of the score, with the ends of the normal interval; where all units scored
    /// the same the ends come from Wilson's interval.
    #[must_use]
    pub fn elo(self, confidence: Confidence) -> EloRange {
        let ends = self.normal_interval(confidence).or_else(|_| self.wilson(confidence));
        EloRange {
            value: elo(self.value),
            low: ends.and_then(|ends| elo(ends.low())),
            high: ends.and_then(|ends| elo(ends.high())),
        }
    }

    /// Normalised Elo: the advantage in standard deviations of a game, times 800 / ln 10.
    ///
    /// # Errors
    /// [`Missing::NoSpread`] if all units scored the same.
    ///
    /// Source: M. Van den Bergh, *Normalized Elo: practical implementation*, 2021.
    pub fn nelo(self, confidence: Confidence) -> Known<Estimate> {
        if self.lacks_spread() {
            return Err(Missing::NoSpread);
        }
        let games = real(self.games());
        let value = (self.value - 0.5) / self.game_deviation() * NELO_PER_DEVIATION;
        Ok(Estimate::normal(value, NELO_PER_DEVIATION / games.sqrt(), self.n, confidence))
    }

    /// The likelihood of superiority: the chance that the true score is above one half.
    ///
    /// # Errors
    /// [`Missing::NoSpread`] if all units scored the same.
    pub fn superiority(self) -> Known<f64> {
        if self.lacks_spread() {
            Err(Missing::NoSpread)
        } else {
            Ok(normal_cdf((self.value - 0.5) / self.standard_error()))
        }
    }

    /// Standard deviation that a single game would have if the games of a unit were independent.
    fn game_deviation(self) -> f64 {
        (self.variance * f64::from(self.games_per_unit)).sqrt()
    }
}

/// Logistic Elo of a score: 400·log10(s / (1 − s)).
///
/// # Errors
/// [`Missing::UnboundedAbove`] at 1 and beyond, [`Missing::UnboundedBelow`] at 0 and below.
pub fn elo(score: f64) -> Known<f64> {
    if score >= 1.0 {
        Err(Missing::UnboundedAbove)
    } else if score <= 0.0 {
        Err(Missing::UnboundedBelow)
    } else {
        Ok(400.0 * (score / (1.0 - score)).log10())
    }
}

/// The expected score at a logistic Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// Parameters of the BayesElo model; its scale is not the logistic one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BayesElo {
    /// Advantage of the side that is counted.
    pub advantage: f64,
    /// Draw parameter: half the width of the band of draws.
    pub draw: f64,
}

impl BayesElo {
    /// Chances of win, draw and loss.
    #[must_use]
    pub fn chances(self) -> [f64; 3] {
        let win = score_of_elo(self.advantage - self.draw);
        let loss = score_of_elo(-self.advantage - self.draw);
        [win, 1.0 - win - loss, loss]
    }
}

/// Mean score of games in clusters (pairs) with the right and the wrong standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredScore {
    /// Mean score of a game.
    pub mean: f64,
    /// Standard error over pairs: the one to use.
    pub se_pairs: f64,
    /// Standard error if games were independent: for showing what pairing gains.
    pub se_games: f64,
    /// Correlation of the two games of a pair.
    pub correlation: Known<f64>,
}

/// Compares the standard error over pairs with the one that takes games for independent.
///
/// # Errors
/// [`Missing::Shape`] if the series differ in length, [`Missing::Empty`] or [`Missing::Single`]
/// below two pairs.
pub fn clustered_score(first: &[f64], second: &[f64]) -> Known<ClusteredScore> {
    if first.len() != second.len() {
        return Err(Missing::Shape);
    }
    let pairs: Vec<f64> = first.iter().zip(second).map(|(a, b)| (a + b) / 2.0).collect();
    let games: Vec<f64> = first.iter().chain(second).copied().collect();
    let error = |values: &[f64]| -> Known<f64> {
        Ok((sample_variance(values)? / super::number::real_len(values.len())).sqrt())
    };
    Ok(ClusteredScore {
        mean: mean(&pairs)?,
        se_pairs: error(&pairs)?,
        se_games: error(&games)?,
        correlation: correlation(first, second),
    })
}

/// How copies of deterministic games shrink the standard error without telling anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopiesEffect {
    /// Standard error that takes copies for games.
    pub naive: f64,
    /// Standard error over distinct games.
    pub right: f64,
}

impl CopiesEffect {
    /// Compares all games played with the distinct ones among them.
    ///
    /// # Errors
    /// [`Missing::Empty`] without games, [`Missing::NoSpread`] if all scored the same.
    pub fn of(all: Wdl, distinct: Wdl) -> Known<Self> {
        let (all, distinct) = (all.score()?, distinct.score()?);
        if all.lacks_spread() || distinct.lacks_spread() {
            return Err(Missing::NoSpread);
        }
        Ok(Self { naive: all.standard_error(), right: distinct.standard_error() })
    }

    /// How many times too small the naive error is.
    #[must_use]
    pub fn ratio(self) -> f64 {
        self.right / self.naive
    }
}
