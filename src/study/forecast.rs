//! What a study will bring before it is played: a sample of its games, how exactly its numbers will
//! be known, and how many games a wished precision needs. Reads no clock and no store: whoever
//! samples says how long it took.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::metrics::hash_of;
use super::opening::Model;
use super::plan::{Pairing, Plan};
use super::play::Table;
use super::stopping::UnitOutcome;
use crate::record::{GameKey, Record};
use crate::rules::{Counted, Engine};
use crate::stats::planning::{Power, mean_half_width, paired_difference, units};
use crate::stats::{Confidence, Known, Missing, real};
use crate::with_rules;

/// The standard deviation of a number in [0, 1] that is taken where a sample is too small: the
/// largest there is.
const DEVIATION_MAX: f64 = 0.5;
/// Units with a finished game before the deviation of a sample is believed.
const UNITS_MIN: u64 = 30;
/// The half-width of a score or share above which a study tells next to nothing.
const HALF_WIDTH_MAX: f64 = 0.1;
/// The share of unfinished games that is warned of.
const UNFINISHED_MAX: f64 = 0.05;
/// The share of distinct units below which a warning is due.
const DISTINCT_MIN: f64 = 0.95;
/// The longest openings whose number is counted, in plies.
const OPENING_PLIES_COUNTED: u32 = 4;

/// Plays the games of some openings of one variant and pairing: those of the plan for its first
/// variant, for another one games with openings of its own. Stops early when `stop` is set: a unit
/// that had not ended is left out.
///
/// # Panics
/// When the plan has no such variant or pairing.
#[must_use]
pub fn play_units(
    plan: &Plan,
    variant: u32,
    pairing: u32,
    openings: Range<u32>,
    stop: &AtomicBool,
) -> Vec<Vec<Record>> {
    let engine = Engine::new(&plan.variants[variant as usize].ruleset);
    let pair = &plan.pairings[pairing as usize];
    let model = if variant == 0 { Model::Itself } else { Model::Unlike };
    with_rules!(&engine, rules => {
        let mut table = Table::new(rules, plan, variant, pair);
        let mut unit = |opening| -> Option<Vec<Record>> {
            let keys = pair.whites().iter();
            let keys = keys.map(|&white| GameKey { variant, pairing, opening, white });
            keys.map(|key| table.play(key, model, stop)).collect()
        };
        openings.map_while(&mut unit).collect()
    })
}

/// Sums of a number of each unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Moments {
    n: u64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.n += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The standard deviation of a number in [0, 1]; nothing if the sample is too small for it.
    ///
    /// Not less than that of a share that was seen in none of the units, with one unit more on
    /// each side (Laplace): that none differ in a sample does not mean that none will.
    fn deviation(&self) -> Option<f64> {
        if self.n < UNITS_MIN {
            return None;
        }
        let n = real(self.n);
        let variance = (self.squares - self.sum * self.sum / n) / (n - 1.0);
        let rare = 1.0 / (n + 2.0);
        Some(variance.max(rare * (1.0 - rare)).sqrt())
    }
}

/// A sample of the games of one pairing, over several variants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Units played.
    pub units: u64,
    /// Games played.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Games without an end.
    pub unfinished: u64,
    /// Those of them that came to a position with too many turns to list before the ply cap.
    pub given_up: u64,
    /// How long they took on one thread, in seconds.
    pub seconds: f64,
    score: Moments,
    draws: Moments,
    seen: BTreeSet<(u32, u64)>,
}

impl Sample {
    /// Adds the games of some openings of a variant, which took so many seconds.
    pub fn add(&mut self, plan: &Plan, variant: u32, units: &[Vec<Record>], seconds: f64) {
        let first = plan.variants[variant as usize].ruleset.setup.first;
        self.seconds += seconds;
        for unit in units {
            let outcome = UnitOutcome::of(unit, first);
            let turns: Vec<&[u8]> = unit.iter().map(|record| record.turns.as_slice()).collect();
            self.units += 1;
            self.games += unit.len() as u64;
            self.plies += unit.iter().map(|record| u64::from(record.plies)).sum::<u64>();
            self.unfinished += unit.len() as u64 - u64::from(outcome.finished);
            let short = |record: &&Record| record.end.is_none() && record.plies < plan.plies_max;
            self.given_up += unit.iter().filter(short).count() as u64;
            self.seen.insert((variant, hash_of(&turns)));
            if outcome.finished > 0 {
                let games = f64::from(outcome.finished);
                self.score.add(f64::from(outcome.first_half_points) / 2.0 / games);
                self.draws.add(f64::from(outcome.draws) / games);
            }
        }
    }

    /// Units that differ from each other.
    #[must_use]
    pub fn distinct(&self) -> u64 {
        self.seen.len() as u64
    }

    /// Units with a finished game.
    #[must_use]
    pub const fn finished_units(&self) -> u64 {
        self.score.n
    }

    /// Seconds of a game on one thread; nothing without a game.
    #[must_use]
    pub fn seconds_of_game(&self) -> Option<f64> {
        (self.games > 0 && self.seconds > 0.0).then(|| self.seconds / real(self.games))
    }

    /// The share of units that will count: with a finished game. 1 where nothing was sampled.
    fn counting(&self) -> f64 {
        if self.units < UNITS_MIN { 1.0 } else { real(self.score.n.max(1)) / real(self.units) }
    }
}

/// What is wished for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    /// A score and a share of draws, each with a 95 % interval that reaches so far to each side.
    HalfWidth(f64),
    /// Differences of this size to another variant are found.
    Difference {
        /// The size, as a share.
        size: f64,
        /// How surely.
        power: Power,
    },
}

/// How exactly one number will be known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// The standard deviation between units.
    pub deviation: f64,
    /// Whether that is the largest possible, because the sample is too small: precision is then at
    /// least as good as stated.
    pub assumed: bool,
    /// Half of the 95 % interval.
    pub half_width: f64,
    /// Half of the 95 % interval of the difference to another variant of equal deviation, if
    /// openings do not make the two alike.
    pub difference_half_width: f64,
}

/// What one pairing will bring on each variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Games on all variants.
    pub games: u64,
    /// Seconds that they take on the threads; nothing if no game was timed.
    pub seconds: Option<f64>,
    /// The first-player score.
    pub score: Precision,
    /// The share of draws.
    pub draws: Precision,
    /// For each wish the openings that it needs, for the score and for the draws, and the seconds
    /// for the larger of both.
    pub wishes: Vec<Wished>,
    /// What is to be thought about before the study is played.
    pub warnings: Vec<String>,
}

/// What a wish needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wished {
    /// Openings for the first-player score.
    pub score: Known<u64>,
    /// Openings for the share of draws.
    pub draws: Known<u64>,
    /// Seconds of all variants with the larger of both.
    pub seconds: Option<f64>,
}

/// The level of the intervals that are foretold.
pub const LEVEL: Confidence = Confidence::P95;

/// What a pairing of a plan will bring, judged by a sample of it.
///
/// # Panics
/// When the plan has no such pairing.
#[must_use]
pub fn forecast(
    plan: &Plan,
    pairing: u32,
    sample: &Sample,
    threads: usize,
    wishes: &[Wish],
) -> Forecast {
    let pair = &plan.pairings[pairing as usize];
    let counting = sample.counting();
    let openings = real(pair.openings.into()) * counting;
    let precision = |moments: &Moments| {
        let found = moments.deviation();
        let deviation = found.unwrap_or(DEVIATION_MAX).min(DEVIATION_MAX);
        let half_width = LEVEL.z() * deviation / openings.sqrt();
        // No share is farther from one half than that, no difference farther from 0 than 1.
        let difference_half_width = (half_width * std::f64::consts::SQRT_2).min(1.0);
        let half_width = half_width.min(0.5);
        Precision { deviation, assumed: found.is_none(), half_width, difference_half_width }
    };
    let games_of_opening = pair.whites().len() as u64 * plan.variants.len() as u64;
    let seconds = |games: u64| {
        sample.seconds_of_game().map(|each| each * real(games) / real(threads.max(1) as u64))
    };
    let (score, draws) = (precision(&sample.score), precision(&sample.draws));
    let wished = |wish: &Wish| {
        let needed = |precision: &Precision| {
            let deviation = precision.deviation;
            let n = match *wish {
                Wish::HalfWidth(half_width) => mean_half_width(deviation, half_width, LEVEL)?,
                Wish::Difference { size, power } => {
                    paired_difference(size, [deviation; 2], 0.0, power)?
                }
            };
            Ok::<u64, Missing>(units(n / counting))
        };
        let (score, draws) = (needed(&score), needed(&draws));
        let most = score.ok().zip(draws.ok()).map(|(score, draws)| score.max(draws));
        let seconds = most.and_then(|openings| seconds(openings * games_of_opening));
        Wished { score, draws, seconds }
    };
    let games = pair.games() * plan.variants.len() as u64;
    Forecast {
        games,
        seconds: seconds(games),
        wishes: wishes.iter().map(wished).collect(),
        warnings: warnings(plan, pair, sample, &score, &draws),
        score,
        draws,
    }
}

fn warnings(
    plan: &Plan,
    pair: &Pairing,
    sample: &Sample,
    score: &Precision,
    draws: &Precision,
) -> Vec<String> {
    let mut lines = Vec::new();
    let points = |share: f64| format!("{:.1}", 100.0 * share);
    let at_most = |precision: &Precision| if precision.assumed { "up to " } else { "" };
    for (what, precision) in [("first-player score", score), ("share of draws", draws)] {
        if precision.half_width > HALF_WIDTH_MAX {
            lines.push(format!(
                "the {what} will be known to ± {}{} points only: take more openings",
                at_most(precision),
                points(precision.half_width)
            ));
        }
    }
    if sample.games >= UNITS_MIN {
        let capped = real(sample.unfinished - sample.given_up) / real(sample.games);
        if capped > UNFINISHED_MAX {
            lines.push(format!(
                "{} % of the sampled games reached the ply cap of {} and have no result: take a \
                 larger `plies_max`, or players that win more",
                points(capped),
                plan.plies_max
            ));
        }
        let given_up = real(sample.given_up) / real(sample.games);
        if given_up > UNFINISHED_MAX {
            lines.push(format!(
                "{} % of the sampled games came to a position with too many turns to list and have \
                 no result: these rules cannot be judged by such games",
                points(given_up)
            ));
        }
    }
    let distinct = real(sample.distinct()) / real(sample.units.max(1));
    if sample.units >= 2 && distinct < DISTINCT_MIN {
        lines.push(format!(
            "only {} of {} sampled games differ from each other: take more `opening_plies`, or \
             players that draw lots",
            sample.distinct(),
            sample.units
        ));
    }
    lines.extend(repeats(plan, pair));
    if let Some(rule) = plan.stopping {
        let needed = rule.units_needed(super::stopping::LEVEL);
        let openings = u64::from(pair.openings);
        if rule.metric == super::stopping::StopMetric::FirstPlayerScore && needed > openings {
            lines.push(format!(
                "`stop_when` needs about {needed} finished openings, but there are only \
                 {openings}: it will not stop this pairing"
            ));
        }
    }
    lines
}

/// The warning that openings will come more than once, where their number can be counted.
fn repeats(plan: &Plan, pair: &Pairing) -> Option<String> {
    let draws_all = pair.players.iter().any(|player| player.to_string() == "random");
    if draws_all || plan.opening_plies == 0 || plan.opening_plies > OPENING_PLIES_COUNTED {
        return None;
    }
    let engine = Engine::new(&plan.variants.first()?.ruleset);
    let lines = with_rules!(&engine, rules => {
        let start = rules.start_position();
        rules.perft(&start.placement, start.side, plan.opening_plies, Counted::Turns).ok()
    })?;
    let (lines, openings) = (real(lines.max(1)), real(pair.openings.into()));
    // So many of equally likely lines are drawn at least once.
    let expected = -lines * (-openings / lines).exp_m1();
    (expected < DISTINCT_MIN * openings).then(|| {
        format!(
            "{} random plies have only {lines} lines, so about {expected:.0} of {openings} openings \
             differ, and copies count once: take more `opening_plies`",
            plan.opening_plies
        )
    })
}
