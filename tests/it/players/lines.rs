//! Several lines of one position: each first turn has the value that the plain search gives it.

use keny::board::SquareSet;
use keny::player::{AlphaBeta, Budget, Found, Rng, Sampling, Weights};
use keny::rules::{Choices, Engine, Game, Rules, Turn};
use keny::with_rules;

use super::{plainly, rulesets};

/// The best lines of each depth.
fn lines<S: SquareSet>(
    rules: &Rules<S>,
    game: &Game<S>,
    budget: Budget,
    count: usize,
) -> Vec<Vec<Found<S>>> {
    let weights = Weights::generic(rules.ruleset());
    let mut player = AlphaBeta::new(rules, budget, &weights, Sampling::default(), 3);
    let mut found = Vec::new();
    player.analyse(rules, game, count, |depth| found.push(depth));
    found
}

fn turns_of<S: SquareSet>(rules: &Rules<S>, game: &Game<S>) -> Vec<Turn<S>> {
    let mut choices = Choices::new();
    assert_eq!(game.choices(rules, &mut choices), None);
    (0..choices.len()).map(|index| choices.get(rules, index)).collect()
}

/// The value that a plain search of one ply less gives each first turn, a win after n plies worth n
/// less than one at once.
fn plain_values<S: SquareSet>(rules: &Rules<S>, game: &Game<S>, depth: u8) -> Option<Vec<i32>> {
    let value = |turn: &Turn<S>| {
        let mut after = game.clone();
        after.play(rules, turn);
        let value = -plainly(rules, &after, u32::from(depth) - 1)?;
        Some(if value.abs() > keny::player::PROVEN { value - value.signum() } else { value })
    };
    turns_of(rules, game).iter().map(value).collect()
}

#[test]
fn every_line_has_the_value_of_its_first_turn() {
    let mut rng = Rng::from_seed(51);
    let (mut compared, mut proven) = (0, 0);
    for number in 0..160 {
        let (files, ranks, depth) = [(4, 4, 4), (4, 5, 3), (6, 6, 2), (4, 4, 5)][number % 4];
        let ruleset = rulesets::drawn(&mut rng, files, ranks);
        with_rules!(&Engine::new(&ruleset), rules => {
            let Some(game) = rulesets::game_in_progress(rules, &mut rng, 24) else { continue };
            let turns = turns_of(rules, &game);
            let wanted = 1 + rng.below(turns.len() + 2);
            for found in lines(rules, &game, Budget::Depth(depth), wanted) {
                let Some(plain) = plain_values(rules, &game, found[0].depth) else { break };
                assert_eq!(found.len(), wanted.min(turns.len()));
                let mut seen = Vec::new();
                for line in &found {
                    let first = turns.iter().position(|turn| turn.same_as(&line.line[0]));
                    let first = first.expect("a legal turn");
                    assert!(!seen.contains(&first), "a first turn comes twice");
                    seen.push(first);
                    assert_eq!(
                        line.score, plain[first],
                        "depth {} of {ruleset:?} at {:?}", line.depth, game.position()
                    );
                    assert!(line.complete);
                    compared += 1;
                    proven += u32::from(line.score.abs() > keny::player::PROVEN);
                }
                let mut best = plain.clone();
                best.sort_by_key(|value| std::cmp::Reverse(*value));
                let scores: Vec<i32> = found.iter().map(|line| line.score).collect();
                assert_eq!(scores, best[..found.len()], "they are the best, in order");
            }
        });
    }
    assert!(compared > 1000 && proven > 50, "{compared} {proven}");
}

#[test]
fn the_first_line_is_the_only_one_of_a_search_for_one() {
    let ruleset = keny::variant::load("turkish").expect("a shipped variant").ruleset;
    with_rules!(&Engine::new(&ruleset), rules => {
        let game = Game::new(rules);
        let one = lines(rules, &game, Budget::Depth(5), 1);
        let three = lines(rules, &game, Budget::Depth(5), 3);
        assert_eq!(one.len(), three.len());
        for (one, three) in one.iter().zip(&three) {
            assert_eq!((one.len(), three.len()), (1, 3));
            assert_eq!(one[0].score, three[0].score, "depth {}", one[0].depth);
        }
    });
}

#[test]
fn a_budget_that_ends_within_a_depth_tells_no_half_known_lines() {
    let ruleset = keny::variant::load("keny").expect("a shipped variant").ruleset;
    with_rules!(&Engine::new(&ruleset), rules => {
        let game = Game::new(rules);
        for nodes in [500, 2_000, 9_000, 40_000] {
            let found = lines(rules, &game, Budget::Nodes(nodes), 4);
            let (last, whole) = found.split_last().expect("a depth");
            assert!(whole.iter().all(|lines| lines.len() == 4 && lines.iter().all(|l| l.complete)));
            assert!(last[1..].iter().all(|line| line.complete));
            assert!(last.iter().all(|line| line.nodes <= nodes + 1));
            for lines in &found {
                assert!(lines.windows(2).all(|pair| pair[0].score >= pair[1].score), "{lines:?}");
            }
        }
    });
}
