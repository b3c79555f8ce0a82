//! Judging numbers: intervals, tests, corrections and designs. Knows nothing of games or files.
//!
//! Pure functions from counts or sorted data to values. What does not exist is a [`Missing`] with
//! its reason, never NaN, infinity or an interval without width; `missing.cell()` is the text of
//! a table cell. A judged value is an [`Estimate`]: value, standard error, n, and a [`Judgement`]
//! (interval, statistic, degrees of freedom, p).
//!
//! What reports call first:
//!
//! | question | call |
//! |---|---|
//! | one share | [`interval::Share::wilson`]`(confidence)` |
//! | win, draw, loss together | [`interval::goodman`]`(&counts, confidence)` |
//! | score of games or pairs | [`score::Wdl::score`], [`score::Pentanomial::score`], then [`score::Score::interval`], [`score::Score::elo`], [`score::Score::superiority`] |
//! | scores of two variants, same openings | [`paired::paired_difference`]`(&a, &b, confidence)` |
//! | scores of two variants, own games | [`score::Wdl::score_difference`] |
//! | yes/no of two variants, same openings | [`paired::PairedShares::tango`], [`paired::PairedShares::mcnemar_exact`] |
//! | yes/no of two variants, own games | [`proportions::TwoShares::newcombe`], [`proportions::TwoShares::p_value`] |
//! | "no difference" | [`proportions::equivalence`]`(difference, standard_error, margin, alpha)` |
//! | many p together | [`multiple::adjust_column`]`(&p, correction)` |
//! | mean, deviation, quantiles of lengths | [`histogram::Histogram`] |
//! | lengths of two variants | [`ranks::compare`]`(&a, &b, confidence)` |
//! | median length with unfinished games | [`survival::median`]`(&finished, &cut, confidence)` |
//! | rates over turns or positions, unit = game | [`ratio::RatioSums`], same openings: [`ratio::paired_ratio_difference`] |
//! | diversity of openings | [`diversity::diversity`]`(&counts, confidence)` |
//! | may be looked at while playing | [`sequential::anytime_share`], [`sequential::anytime_radius`] |
//! | how many games | [`planning`] |
//! | effects of flags | [`factorial`] (all combinations), [`linear`], [`logistic`] (any) |
//! | flags with more than two choices, shares of variance | [`model::FactorModel`], [`factorial::variance_shares`] |
//! | effects as weighted sums of rates over shared openings | [`blocks::Rates::sum`], weights from [`linear::Design::weights`] |
//! | ratings of players | [`rating::rate`]`(&games, players, by_cluster, confidence)` |
//! | value of a king in men | [`logistic::logistic`] by cluster, then [`linear::Coefficients::ratio`] |
//! | which combinations to play | [`fraction::Fraction::smallest`]`(factors, resolution)` |

pub mod blocks;
pub mod bootstrap;
pub mod distribution;
pub mod diversity;
pub mod exact;
pub mod factorial;
pub mod fraction;
pub mod histogram;
pub mod interval;
pub mod linear;
pub mod logistic;
pub mod model;
pub mod multiple;
mod number;
pub mod paired;
pub mod planning;
pub mod proportions;
pub mod ranks;
pub mod rating;
pub mod ratio;
pub mod root;
pub mod score;
pub mod sequential;
pub mod sprt;
pub mod survival;
pub mod table;

pub use number::{Confidence, Estimate, Interval, Judgement, Known, Missing, real, real_len};
