//! Every metric, defined once: what it is, its unit, its source, and how it follows from a tally.
//!
//! The random opening is part of the game. Where a share has an unfinished game in neither its
//! numerator nor its denominator, it says "finished games" or "decisive games".

use super::fitted;
use super::numbers::Quantity;
use super::tally::{Distribution, Tally};
use crate::stats::{Confidence, Known, Missing, real};

/// What a metric is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Who wins.
    Outcome,
    /// Why games end.
    Ending,
    /// How long games are.
    Length,
    /// How much there is to choose from.
    Choice,
    /// What happens in games.
    Action,
    /// How open games stay.
    Tension,
    /// What pieces are worth.
    Value,
    /// How varied games begin.
    Opening,
}

/// How a metric follows from a tally.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Formula {
    /// `scale` times the sum of one quantity over the sum of another; the variance between units
    /// is in [`Tally::ratio`].
    Ratio {
        /// The numerator.
        top: Quantity,
        /// The denominator.
        bottom: Quantity,
        /// The factor.
        scale: f64,
        /// Whether each unit of the denominator counts 0 or 1, so that the value is a proportion.
        proportion: bool,
    },
    /// A quantile of a distribution; 0.5 is the median.
    Quantile {
        /// The distribution.
        of: Distribution,
        /// The quantile, 0 to 1.
        p: f64,
    },
    /// The standard deviation of a distribution, with divisor n − 1.
    Deviation {
        /// The distribution.
        of: Distribution,
    },
    /// 1 − |2s − 1| for the first-player score s.
    Balance,
    /// The median length, unfinished games taken as longer than they are.
    CensoredMedian,
    /// What a king is worth in men, by [`super::fitted::king_value`].
    KingValue,
    /// The entropy of the first turns in bits, corrected for the number of games.
    LineEntropy,
    /// The share of the most frequent first turns.
    TopLine,
}

/// A metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    /// The name in files.
    pub key: &'static str,
    /// What it is about.
    pub group: Group,
    /// The name in tables.
    pub name: &'static str,
    /// The unit: `share`, `plies`, `per game`, …
    pub unit: &'static str,
    /// What it is, in a sentence.
    pub definition: &'static str,
    /// Where the measure comes from, if it is not plain counting.
    pub source: &'static str,
    /// How it is computed.
    pub formula: Formula,
}

const BROWNE: &str = "C. Browne, Automatic Generation and Evaluation of Recombination Games, \
                      thesis, Queensland University of Technology, 2008";
const ALLIS: &str = "V. Allis, Searching for Solutions in Games and Artificial Intelligence, \
                     thesis, Maastricht, 1994";
const USUAL: &str = "the usual score of chess and draughts";

/// A share: how many of those that could be.
const fn share(top: Quantity, bottom: Quantity) -> Formula {
    Formula::Ratio { top, bottom, scale: 1.0, proportion: true }
}

/// A mean: so much for each.
const fn mean(top: Quantity, bottom: Quantity) -> Formula {
    Formula::Ratio { top, bottom, scale: 1.0, proportion: false }
}

const fn quantile(of: Distribution, p: f64) -> Formula {
    Formula::Quantile { of, p }
}

macro_rules! metrics {
    ($($group:ident: $($key:literal, $name:literal, $unit:literal, $definition:expr, $source:expr,
        $formula:expr;)+)+) => {
        /// Every metric, in the order of tables.
        pub const METRICS: &[Metric] = &[$($(Metric {
            key: $key,
            group: Group::$group,
            name: $name,
            unit: $unit,
            definition: $definition,
            source: $source,
            formula: $formula,
        },)+)+];
    };
}

metrics! {
    Outcome:
    "first-player-score", "first-player score", "share",
        "points of the side that moves first (win 1, draw 1/2) per finished game", USUAL,
        Formula::Ratio {
            top: Quantity::FirstHalfPoints,
            bottom: Quantity::Finished,
            scale: 0.5,
            proportion: false,
        };
    "first-player-wins", "wins", "share",
        "finished games that the side moving first wins", "",
        share(Quantity::FirstWins, Quantity::Finished);
    "draws", "draws", "share", "finished games that are drawn", "",
        share(Quantity::Draws, Quantity::Finished);
    "first-player-losses", "losses", "share",
        "finished games that the side moving first loses", "",
        share(Quantity::FirstLosses, Quantity::Finished);
    "decisive", "decisive", "share", "finished games with a winner", BROWNE,
        share(Quantity::Decisive, Quantity::Finished);
    "balance", "balance", "0 to 1",
        "1 - |2s - 1| for the first-player score s: 1 where both sides have the same chance", BROWNE,
        Formula::Balance;
    Ending:
    "ended-captured-all", "captured all", "share",
        "games that end because a side has no pieces left", "",
        share(Quantity::EndedByCapture, Quantity::Games);
    "ended-blocked", "blocked", "share",
        "games that end because the side to move has pieces but no legal turn", "",
        share(Quantity::EndedByBlock, Quantity::Games);
    "ended-quiet-turns", "quiet turns", "share",
        "games that are drawn by the count of quiet turns", "",
        share(Quantity::EndedByQuietTurns, Quantity::Games);
    "ended-repetition", "repetition", "share", "games that end by a repeated position", "",
        share(Quantity::EndedByRepetition, Quantity::Games);
    "ended-one-piece-each", "one piece each", "share",
        "games that are drawn because each side has one piece", "",
        share(Quantity::EndedByOnePieceEach, Quantity::Games);
    "ended-king-beats-man", "king beats man", "share",
        "games that end because a lone king beats a lone man", "",
        share(Quantity::EndedByKingAgainstMan, Quantity::Games);
    "ended-adjudicated", "adjudicated", "share",
        "games that the study's judge gave to the side far ahead", "",
        share(Quantity::EndedByAdjudication, Quantity::Games);
    "unfinished", "unfinished", "share",
        "games without an end, by the ply cap or by a position with too many turns to list; never \
         counted as draws", "",
        share(Quantity::Unfinished, Quantity::Games);
    Length:
    "plies", "plies", "plies", "mean length of finished games", ALLIS,
        mean(Quantity::FinishedPlies, Quantity::Finished);
    "plies-deviation", "plies, deviation", "plies",
        "standard deviation of the length of finished games", "",
        Formula::Deviation { of: Distribution::Plies };
    "plies-median", "plies, median", "plies", "median length of finished games", "",
        quantile(Distribution::Plies, 0.5);
    "plies-5", "plies, 5 %", "plies", "5th percentile of the length of finished games", "",
        quantile(Distribution::Plies, 0.05);
    "plies-95", "plies, 95 %", "plies", "95th percentile of the length of finished games", "",
        quantile(Distribution::Plies, 0.95);
    "plies-median-all", "plies, median of all", "plies",
        "median length of all games, unfinished ones taken as longer than their last ply",
        "Kaplan-Meier: E. Kaplan, P. Meier, JASA 53 (1958) 457",
        Formula::CensoredMedian;
    "first-capture-median", "first capture", "ply",
        "median ply of the first capture, over games that have one", "",
        quantile(Distribution::FirstCapture, 0.5);
    "with-capture", "with a capture", "share", "games in which something is taken", "",
        share(Quantity::GamesWithCapture, Quantity::Games);
    "first-king-median", "first king", "ply",
        "median ply of the first crowning, over games that have one", "",
        quantile(Distribution::FirstKing, 0.5);
    "with-king", "with a king", "share", "games in which a man is crowned", "",
        share(Quantity::GamesWithKing, Quantity::Games);
    Choice:
    "branching", "branching", "turns",
        "mean number of legal turns, over positions in which a turn was played", ALLIS,
        mean(Quantity::LegalTurns, Quantity::Turns);
    "branching-median", "branching, median", "turns",
        "median number of legal turns, over positions in which a turn was played", "",
        quantile(Distribution::Branching, 0.5);
    "branching-95", "branching, 95 %", "turns",
        "95th percentile of the number of legal turns, over positions in which a turn was played",
        "", quantile(Distribution::Branching, 0.95);
    "forced", "forced", "share", "turns that were the only legal one", "",
        share(Quantity::ForcedTurns, Quantity::Turns);
    Action:
    "taken", "taken", "pieces per game", "pieces taken", "",
        mean(Quantity::Taken, Quantity::Games);
    "capturing", "capturing turns", "share", "turns that take something", "",
        share(Quantity::CapturingTurns, Quantity::Turns);
    "chain", "chain", "pieces",
        "mean number of pieces taken by a turn that takes something", "",
        mean(Quantity::Taken, Quantity::CapturingTurns);
    "longest-chain-median", "longest chain", "pieces",
        "median over games of the most pieces taken by one turn", "",
        quantile(Distribution::LongestChain, 0.5);
    "longest-chain-most", "longest chain seen", "pieces",
        "the most pieces taken by one turn of any game", "",
        quantile(Distribution::LongestChain, 1.0);
    "hopping", "hopping turns", "share",
        "turns with a hop among those that take nothing", "",
        share(Quantity::HoppingTurns, Quantity::QuietTurns);
    "hops", "hops", "hops",
        "mean number of hops of a hopping turn that takes nothing, made with as few as it can be",
        "", mean(Quantity::Hops, Quantity::HoppingTurns);
    "hops-not-forward", "hops not forward", "share",
        "hopping turns that take nothing and end on no higher rank, as their side sees it", "",
        share(Quantity::HopsNotForward, Quantity::HoppingTurns);
    "hops-back-or-sideways", "hops back or sideways", "share",
        "hops of turns that take nothing, one by one, that land on no higher rank than they leave, \
         as their side sees it", "",
        share(Quantity::HopsBackOrSideways, Quantity::Hops);
    "promotions", "promotions", "per game", "men crowned", "",
        mean(Quantity::Promotions, Quantity::Games);
    "promotions-in-capture", "promotions in a capture", "share",
        "crownings by a turn that takes something", "",
        share(Quantity::PromotionsInCapture, Quantity::Promotions);
    "promotions-in-hop", "promotions in a hop", "share",
        "crownings by a turn with a hop that takes nothing", "",
        share(Quantity::PromotionsInHop, Quantity::Promotions);
    "king-on-board", "king on the board", "share",
        "turns before which there is a king on the board", "",
        share(Quantity::TurnsWithKing, Quantity::Turns);
    Tension:
    "lead-changes", "lead changes", "per game",
        "times that the material balance goes from one side's favour to the other's", BROWNE,
        mean(Quantity::LeadChanges, Quantity::Games);
    "comebacks", "comebacks", "share",
        "decisive games won by the side that was at some time two men behind", BROWNE,
        share(Quantity::Comebacks, Quantity::Decisive);
    "decision-point", "decision point", "share of the length",
        "mean over decisive games of the last ply before which the winner was not ahead, as a \
         share of the length", BROWNE,
        Formula::Ratio {
            top: Quantity::DecisionThousandths,
            bottom: Quantity::DecisiveWithTurns,
            scale: 0.001,
            proportion: false,
        };
    Value:
    "king-value", "value of a king", "men",
        "a king in men: ratio of two coefficients of a logistic regression of the outcome (a draw \
         is half a win) on differences of men and kings, at up to 8 moments of each finished game",
        "E. Fieller, JRSS B 16 (1954) 175, for the interval",
        Formula::KingValue;
    Opening:
    "line-entropy", "entropy of openings", "bits",
        "entropy of the first 4 turns of games, the random opening among them, corrected for the \
         number of games; copies of games count too",
        "G. Miller in H. Quastler, Information Theory in Psychology, 1955",
        Formula::LineEntropy;
    "top-line", "most frequent opening", "share",
        "games that begin with the most frequent first 4 turns; copies of games count too", "",
        Formula::TopLine;
}

impl Metric {
    /// The metric of this key.
    #[must_use]
    pub fn find(key: &str) -> Option<&'static Self> {
        METRICS.iter().find(|metric| metric.key == key)
    }

    /// Its value.
    ///
    /// # Errors
    /// When the tally has nothing to compute it from.
    pub fn value(&self, tally: &Tally) -> Known<f64> {
        match self.formula {
            Formula::Ratio { top, bottom, scale, proportion: _ } => {
                let (top, bottom) = (tally.sum(top), tally.sum(bottom));
                if bottom == 0 { Err(Missing::Empty) } else { Ok(scale * real(top) / real(bottom)) }
            }
            Formula::Quantile { of, p } => tally.distribution(of).quantile(p),
            Formula::Deviation { of } => tally.distribution(of).deviation(),
            Formula::Balance => {
                let (points, games) =
                    (tally.sum(Quantity::FirstHalfPoints), tally.sum(Quantity::Finished));
                if games == 0 {
                    return Err(Missing::Empty);
                }
                Ok(1.0 - (real(points) / real(games) - 1.0).abs())
            }
            Formula::CensoredMedian => {
                fitted::censored_median(tally, Confidence::P95).map(|median| median.value)
            }
            Formula::KingValue => {
                let ratio = fitted::king_value(tally.leads(), Confidence::P95)?;
                // A value that nothing bounds says nothing.
                ratio.interval.map(|_| ratio.value)
            }
            Formula::LineEntropy => fitted::openings(tally, Confidence::P95)
                .map(|diversity| diversity.entropy.value.max(0.0)),
            Formula::TopLine => {
                fitted::openings(tally, Confidence::P95).and_then(|d| d.top.value())
            }
        }
    }

    /// What the value is a share or a mean of: the n that stands beside it.
    #[must_use]
    pub fn n(&self, tally: &Tally) -> u64 {
        match self.formula {
            Formula::Ratio { bottom, .. } => tally.sum(bottom),
            Formula::Quantile { of, .. } | Formula::Deviation { of } => tally.distribution(of).n(),
            Formula::Balance => tally.sum(Quantity::Finished),
            Formula::CensoredMedian => tally.sum(Quantity::Games),
            Formula::KingValue => tally.leads().games(),
            Formula::LineEntropy | Formula::TopLine => tally.lines().iter().sum(),
        }
    }
}
