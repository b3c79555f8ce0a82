//! `keny plan`: what a study will play, how long it takes, how exactly it will answer, and how many
//! games a wished precision needs. Plays a small timed sample and keeps none of it.

mod text;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::args::{PlanArgs, PlanFormat};
use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use super::{clock, input};
use crate::stats::planning::Power;
use crate::stats::{Known, Missing};
use crate::study::Plan;
use crate::study::design::{Design, Why};
use crate::study::forecast::{Forecast, LEVEL, Precision, Sample, Wish, forecast, play_units};

/// What is told about a plan.
pub(super) struct Told {
    plan: Plan,
    /// One for each pairing.
    samples: Vec<Sample>,
    forecasts: Vec<Forecast>,
    wishes: Vec<Wish>,
    threads: usize,
    /// What the sample might take, in seconds.
    budget: f64,
    /// Whether long lists are told whole.
    all: bool,
}

/// Prints the plan of a study.
pub(super) fn run(args: &PlanArgs, output: &mut Output) -> Outcome {
    let study = input::study(&args.study, output)?;
    let plan = study.plan;
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = args.threads.unwrap_or_else(cores);
    let wishes = wishes(args)?;
    let samples = sample(&plan, args.seconds);
    let forecasts = (0..).zip(&samples);
    let forecasts =
        forecasts.map(|(pairing, sample)| forecast(&plan, pairing, sample, threads, &wishes));
    let forecasts = forecasts.collect();
    let (budget, all) = (args.seconds, args.all);
    let told = Told { plan, samples, forecasts, wishes, threads, budget, all };
    match args.format {
        PlanFormat::Table => output.write(&text::text(&told, output.width()))?,
        PlanFormat::Json => output.line(&pretty(&json_of(&told)))?,
    }
    Ok(Exit::Done)
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("texts, numbers and lists can be written as JSON")
}

/// The wishes in shares; on the command line they are points of 100.
fn wishes(args: &PlanArgs) -> Result<Vec<Wish>, Failure> {
    let share = |points: f64, key: &str| {
        if points > 0.0 && points <= 50.0 {
            return Ok(points / 100.0);
        }
        let message = format!("`--{key}` is {points}, but points above 0 and up to 50 are wanted");
        Err(Failure::say(Exit::Usage, message))
    };
    if !(args.power > 0.0 && args.power < 1.0) {
        let message =
            format!("`--power` is {}, but a chance between 0 and 1 is wanted", args.power);
        return Err(Failure::say(Exit::Usage, message));
    }
    let power = Power { power: args.power, ..Power::default() };
    let widths =
        args.half_width.iter().map(|&points| Ok(Wish::HalfWidth(share(points, "half-width")?)));
    let differences = args
        .difference
        .iter()
        .map(|&points| Ok(Wish::Difference { size: share(points, "difference")?, power }));
    widths.chain(differences).collect()
}

/// Plays a sample of each pairing, on one thread, for so many seconds in all.
///
/// Variant after variant plays one unit, then two, four and so on, so that the time of a game is
/// that of all variants together.
fn sample(plan: &Plan, seconds: f64) -> Vec<Sample> {
    let pairings = plan.pairings.len();
    let budget = Duration::from_secs_f64(seconds / pairings.max(1) as f64);
    (0..pairings).map(|pairing| sample_pairing(plan, pairing, budget)).collect()
}

fn sample_pairing(plan: &Plan, pairing: usize, budget: Duration) -> Sample {
    let mut sample = Sample::default();
    if budget.is_zero() {
        return sample;
    }
    let number = u32::try_from(pairing).expect("a plan has few pairings");
    let openings = plan.pairings[pairing].openings;
    let stop = Arc::new(AtomicBool::new(false));
    let alarm = Arc::clone(&stop);
    let (done, waiting) = channel::<()>();
    // Ends a game that alone takes longer than the budget.
    let timer = std::thread::spawn(move || {
        if waiting.recv_timeout(budget) == Err(RecvTimeoutError::Timeout) {
            alarm.store(true, Ordering::Relaxed);
        }
    });
    let (mut from, mut many) = (0, 1_u32);
    while from < openings && !stop.load(Ordering::Relaxed) {
        let to = from.saturating_add(many).min(openings);
        for variant in spread(plan.variants.len()) {
            let begun = clock::now();
            let units = play_units(plan, variant, number, from..to, &stop);
            sample.add(plan, variant, &units, begun.elapsed().as_secs_f64());
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        (from, many) = (to, many.saturating_mul(2));
    }
    drop(done);
    // The timer has nothing that could fail.
    drop(timer.join());
    sample
}

/// All variants, neighbours far apart, so that a sample that ends early has some of each kind.
fn spread(variants: usize) -> impl Iterator<Item = u32> {
    let total = u32::try_from(variants).expect("a plan has few variants");
    let bits = total.next_power_of_two().trailing_zeros();
    let reversed = (0..1_u32 << bits)
        .map(move |number| if bits == 0 { 0 } else { number.reverse_bits() >> (32 - bits) });
    reversed.filter(move |&number| number < total)
}

fn json_of(told: &Told) -> Value {
    let plan = &told.plan;
    let variants: Vec<Value> = plan
        .variants
        .iter()
        .map(|variant| {
            json!({ "name": variant.name, "fingerprint": variant.fingerprint.to_string() })
        })
        .collect();
    let pairings = plan.pairings.iter().zip(&told.samples).zip(&told.forecasts);
    let pairings: Vec<Value> = pairings
        .map(|((pairing, sample), forecast)| {
            json!({
                "name": pairing.to_string(),
                "openings": pairing.openings,
                "games": forecast.games,
                "seconds": forecast.seconds,
                "sample": {
                    "units": sample.units,
                    "games": sample.games,
                    "plies": sample.plies,
                    "unfinished": sample.unfinished,
                    "distinct": sample.distinct(),
                    "seconds_of_game": sample.seconds_of_game(),
                },
                "score": precision_json(&forecast.score),
                "draws": precision_json(&forecast.draws),
                "wishes": wishes_json(told, forecast),
                "warnings": forecast.warnings,
            })
        })
        .collect();
    json!({
        "title": plan.title,
        "plan_hash": plan.hash().to_string(),
        "games": plan.games_total(),
        "threads": told.threads,
        "sample_seconds": told.budget,
        "level": LEVEL.level(),
        "stop_when": plan.stopping.map(|rule| rule.to_string()),
        "variants": variants,
        "designs": plan.designs.iter().map(|design| design_json(plan, design)).collect::<Vec<_>>(),
        "pairings": pairings,
    })
}

fn precision_json(precision: &Precision) -> Value {
    json!({
        "deviation": precision.deviation,
        "deviation_assumed": precision.assumed,
        "half_width": precision.half_width,
        "difference_half_width": precision.difference_half_width,
    })
}

fn wishes_json(told: &Told, forecast: &Forecast) -> Vec<Value> {
    let needed = |count: Known<u64>| count.ok();
    let wishes = told.wishes.iter().zip(&forecast.wishes);
    wishes
        .map(|(wish, wished)| {
            let (half_width, difference, power) = match *wish {
                Wish::HalfWidth(width) => (Some(width), None, None),
                Wish::Difference { size, power } => (None, Some(size), Some(power.power)),
            };
            let missing = wished.score.err().or(wished.draws.err());
            json!({
                "half_width": half_width,
                "difference": difference,
                "power": power,
                "openings_for_score": needed(wished.score),
                "openings_for_draws": needed(wished.draws),
                "seconds": wished.seconds,
                "missing": missing.map(|missing: Missing| missing.to_string()),
            })
        })
        .collect()
}

fn design_json(plan: &Plan, design: &Design) -> Value {
    let names = |effects: &Vec<Vec<u8>>| {
        effects.iter().map(|effect| design.effect_name(effect)).collect::<Vec<_>>()
    };
    json!({
        "kind": design.kind.word(),
        "base": design.base,
        "orthogonal": design.orthogonal,
        "factors": design.factors.iter().map(|factor| {
            json!({ "flag": factor.flag, "levels": factor.levels })
        }).collect::<Vec<_>>(),
        "runs": design.runs.iter().map(|run| {
            json!({
                "levels": run.levels,
                "variant": plan.variants[run.variant as usize].name,
            })
        }).collect::<Vec<_>>(),
        "generators": design.generators.iter().map(|generator| {
            json!({
                "flag": design.effect_name(&[generator.factor]),
                "product_of": generator.product_of.iter()
                    .map(|&factor| design.effect_name(&[factor])).collect::<Vec<_>>(),
            })
        }).collect::<Vec<_>>(),
        "aliases": design.aliases.iter().map(names).collect::<Vec<_>>(),
        "left_out": design.left_out.iter().map(|out| {
            let (why, text) = match &out.why {
                Why::Invalid(reason) => ("invalid", reason),
                Why::EqualTo(name) => ("equal-to", name),
            };
            json!({ "name": out.name, "levels": out.levels, "why": why, "what": text })
        }).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn a_spread_has_every_variant_once() {
        for total in [0, 1, 2, 3, 7, 8, 1000] {
            let mut all: Vec<u32> = spread(total).collect();
            all.sort_unstable();
            assert_eq!(all.len(), total);
            assert!((0..).zip(&all).all(|(place, &number)| place == number));
        }
    }
}
