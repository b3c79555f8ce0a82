//! Players measured: nodes a second of the search, and matches between any two players.
//!
//! `cargo bench --bench players -- speed [VARIANT…]` prints nodes a second of a search, and the
//! leaves of perft a second in the same run. `cargo bench --bench players -- match VARIANT A B
//! PAIRS` plays pairs of games from random openings with sides swapped and prints A's score.

mod common;

use std::time::Instant;

use common::{engine, rate, say};
use keny::board::SquareSet;
use keny::player::{AlphaBeta, Budget, Player, PlayerSpec, Rng, Sampling, Weights, build_with};
use keny::rules::{Choices, Counted, Game, Outcome, Rules, Ruleset};
use keny::{variant, with_rules};
use rayon::prelude::*;

/// Random turns at the start of each pair.
const OPENING_PLIES: u32 = 6;

/// Plies after which a game is left unfinished: half a point for each.
const PLIES_MAX: u32 = 400;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["match", variant, a, b, pairs] => {
            let pairs = pairs.parse().expect("a number of pairs");
            say(&compared(variant, [a, b], pairs));
        }
        ["speed", ref variants @ ..] if !variants.is_empty() => {
            variants.iter().for_each(|variant| say(&speed(variant)));
        }
        [] | ["speed"] => {
            ["keny", "turkish", "armenian"].iter().for_each(|variant| say(&speed(variant)));
        }
        _ => say("speed [VARIANT…] | match VARIANT A B PAIRS"),
    }
}

/// The learned weights of a shipped variant.
fn learned(ruleset: &Ruleset) -> Option<Weights> {
    variant::learned(ruleset).map(|trained| trained.weights)
}

/// Nodes a second of searches in positions of a random game, beside the leaves of perft.
fn speed(name: &str) -> String {
    with_rules!(&engine(name), rules => {
        let weights = learned(rules.ruleset());
        let weights = weights.unwrap_or_else(|| Weights::generic(rules.ruleset()));
        let budget = Budget::Nodes(400_000);
        let mut player = AlphaBeta::new(rules, budget, &weights, Sampling::default(), 1);
        let games: Vec<_> = (0..8).map(|number| opening(rules, number, 4 * number)).collect();
        let mut depths = Vec::new();
        let nodes = rate(|| {
            let mut nodes = 0;
            for game in &games {
                let mut depth = 0;
                player.analyse(rules, game, 1, |found| depth = found[0].depth);
                depths.push(depth);
                nodes += player.nodes();
            }
            nodes
        });
        let leaves = rate(|| {
            let side = rules.ruleset().setup.first;
            rules.perft(rules.start(), side, 5, Counted::Turns).expect("few turns")
        });
        format!(
            "{name}: {:.2} million nodes a second, {:.2} of perft's leaves, depths {depths:?}",
            nodes / 1e6,
            nodes / leaves
        )
    })
}

/// A game after this many random plies, or as many as it has.
fn opening<S: SquareSet>(rules: &Rules<S>, seed: u32, plies: u32) -> Game<S> {
    let mut rng = Rng::from_bytes(format!("opening {seed}").as_bytes());
    let mut choices = Choices::new();
    loop {
        let mut game = Game::new(rules);
        while game.choices(rules, &mut choices).is_none() {
            if game.plies() == plies {
                return game;
            }
            let turn = choices.get(rules, rng.below(choices.len()));
            game.play(rules, &turn);
        }
    }
}

/// Half points of the player who has White, and plies.
fn play<S: SquareSet>(
    rules: &Rules<S>,
    mut game: Game<S>,
    players: [&mut Box<dyn Player<S> + Send>; 2],
) -> (usize, u32) {
    let mut choices = Choices::new();
    let before = game.plies();
    while game.plies() < PLIES_MAX {
        if let Some(stop) = game.choices(rules, &mut choices) {
            let points = match stop.ending().map(|ending| ending.outcome) {
                Some(Outcome::White) => 2,
                Some(Outcome::Draw) | None => 1,
                Some(Outcome::Black) => 0,
            };
            return (points, game.plies() - before);
        }
        let side = game.position().side.index();
        let index = players[side].choose(rules, &game, &choices);
        let turn = choices.get(rules, index);
        game.play(rules, &turn);
    }
    (1, game.plies() - before)
}

/// The score of the first player against the second, with its interval.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn compared(name: &str, texts: [&str; 2], pairs: u32) -> String {
    let specs = texts.map(|text| text.parse::<PlayerSpec>().expect("a player"));
    let begun = Instant::now();
    let results: Vec<(usize, u32)> = with_rules!(&engine(name), rules => {
        let learned = learned(rules.ruleset());
        (0..pairs)
            .into_par_iter()
            .map(|pair| {
                let mut players = specs.map(|spec| {
                    build_with(&spec, rules, learned.as_ref(), u64::from(pair))
                });
                let game = opening(rules, pair, OPENING_PLIES);
                let [a, b] = &mut players;
                let (first, plies) = play(rules, game.clone(), [&mut *a, &mut *b]);
                let (second, more) = play(rules, game, [b, a]);
                (first + 2 - second, plies + more)
            })
            .collect()
    });
    let seconds = begun.elapsed().as_secs_f64();
    let n = f64::from(pairs);
    let score = |points: usize| points as f64 / 4.0;
    let mean = results.iter().map(|(points, _)| score(*points)).sum::<f64>() / n;
    let squares = results.iter().map(|(points, _)| (score(*points) - mean).powi(2)).sum::<f64>();
    let half = 1.96 * (squares / (n - 1.0) / n).sqrt();
    let plies: u32 = results.iter().map(|(_, plies)| plies).sum();
    let elo = |score: f64| 400.0 * (score / (1.0 - score)).log10();
    format!(
        "{name}: {} scores {mean:.3} ± {half:.3} against {} in {pairs} pairs ({:+.0} Elo), \
         {:.0} plies a game, {:.1} s",
        specs[0],
        specs[1],
        elo(mean),
        f64::from(plies) / n / 2.0,
        seconds
    )
}
