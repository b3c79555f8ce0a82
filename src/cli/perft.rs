//! `keny perft`: counts turn sequences, the first two plies shared out among threads.

use std::collections::BTreeMap;
use std::time::Duration;

use rayon::prelude::*;

use super::args::PerftArgs;
use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use super::{clock, input};
use crate::board::{Placement, Side, SquareSet};
use crate::notation::{TurnTexts, print_position};
use crate::rules::{Counted, Engine, PerftMemory, Rules, TooManyTurns};
use crate::variant::Variant;
use crate::with_rules;

/// Prints the count.
pub(super) fn run(args: &PerftArgs, output: &mut Output) -> Outcome {
    let variant = input::scene(&args.scene, output)?;
    let engine = Engine::new(&variant.ruleset);
    with_rules!(&engine, rules => perft(rules, &variant, args, output))
}

fn perft<S: SquareSet>(
    rules: &Rules<S>,
    variant: &Variant,
    args: &PerftArgs,
    output: &mut Output,
) -> Outcome {
    let position = input::position(args.scene.position.as_deref(), rules)?;
    let (placement, side) = (&position.placement, position.side);
    let counted = if args.paths { Counted::Paths } else { Counted::Turns };
    let begun = clock::now();
    let divided =
        input::on_threads(args.threads, || divide(rules, placement, side, args.depth, counted))?
            .map_err(|error| Failure::new(Exit::Usage, error))?;
    let nodes = if args.depth == 0 { 1 } else { divided.values().sum::<u64>() };
    let taken = begun.elapsed();
    if args.json {
        let mut answer = serde_json::json!({
            "variant": variant.id,
            "fingerprint": variant.fingerprint().to_string(),
            "position": print_position(side, placement, &rules.ruleset().board),
            "depth": args.depth,
            "counted": if args.paths { "paths" } else { "turns" },
            "nodes": nodes,
            "seconds": taken.as_secs_f64(),
        });
        if args.divide {
            answer["divide"] = serde_json::json!(divided);
        }
        output.json(&answer)?;
        return Ok(Exit::Done);
    }
    if args.divide {
        for (text, nodes) in &divided {
            output.line(&format!("{text}: {nodes}"))?;
        }
    }
    output.line(&nodes.to_string())?;
    output.flush()?;
    output.note(&speed(nodes, taken));
    Ok(Exit::Done)
}

/// Sequences behind each first turn, by its text; nothing at depth 0.
fn divide<S: SquareSet>(
    rules: &Rules<S>,
    placement: &Placement<S>,
    side: Side,
    depth: u32,
    counted: Counted,
) -> Result<BTreeMap<String, u64>, TooManyTurns> {
    let texts = TurnTexts::new(&rules.ruleset().board);
    let mut divided = BTreeMap::new();
    if depth == 0 {
        return Ok(divided);
    }
    let other = side.other();
    let mut work: Vec<(usize, Placement<S>)> = Vec::new();
    let firsts = rules.first_turns(placement, side, counted)?;
    for (first, turn) in firsts.iter().enumerate() {
        let after = placement.after(side, turn);
        if depth == 1 {
            work.push((first, after));
            continue;
        }
        let seconds = rules.first_turns(&after, other, counted)?;
        work.extend(seconds.iter().map(|second| (first, after.after(other, second))));
    }
    // After one ply Black is to move, after two White again.
    let (mover, left) = if depth == 1 { (other, 0) } else { (side, depth - 2) };
    let counts: Vec<(usize, u64)> = work
        .par_iter()
        .map_init(PerftMemory::default, |memory, (first, placement)| {
            Ok((*first, rules.perft_in(memory, placement, mover, left, counted)?))
        })
        .collect::<Result<_, TooManyTurns>>()?;
    let mut sums = vec![0_u64; firsts.len()];
    for (first, count) in counts {
        sums[first] += count;
    }
    for (turn, sum) in firsts.iter().zip(sums) {
        // With paths a turn stands once for each.
        *divided.entry(texts.print(rules, placement, side, turn)).or_insert(0) += sum;
    }
    Ok(divided)
}

fn speed(nodes: u64, taken: Duration) -> String {
    let seconds = taken.as_secs_f64();
    let thousands = u128::from(nodes) / taken.as_millis().max(1);
    format!("{seconds:.2} seconds, {:.1} million a second", thousands as f64 / 1000.0)
}
