//! Players: legal play under any ruleset, the same game for the same seed, exact searches, texts.

mod distances;
mod learned;
mod lines;
mod plain;
mod rulesets;

use plain::Plain;

use keny::board::{Side, SquareSet};
use keny::notation::parse_position;
use keny::player::{
    AlphaBeta, Budget, Evaluation, Found, Player, PlayerSpec, ROSTER, Rng, Sampling, WIN, Weights,
    build,
};
use keny::rules::{
    BlockedRule, Choices, Ending, Engine, Game, Position, Reason, Rules, Ruleset, Turn,
};
use keny::variant::load;
use keny::with_rules;

const SPECS: [&str; 9] = [
    "random",
    "greedy",
    "greedy:epsilon=0.2,temperature=0.5",
    "alphabeta:depth=2",
    "alphabeta:nodes=150",
    "alphabeta:nodes=80,epsilon=0.1,temperature=0.3",
    "alphabeta:nodes=100,weights=material",
    "mcts:playouts=12",
    "mcts:playouts=20,epsilon=0.1,temperature=1",
];

fn spec(text: &str) -> PlayerSpec {
    text.parse().expect("a player of the roster")
}

/// Plays a game; the turns, and the ending if the cap of plies was not reached first.
fn play<S: SquareSet>(
    rules: &Rules<S>,
    players: &mut [Box<dyn Player<S> + Send>; 2],
    plies_max: usize,
) -> (Vec<Turn<S>>, Option<Ending>) {
    let (mut game, mut choices) = (Game::new(rules), Choices::new());
    let mut turns = Vec::new();
    for _ in 0..plies_max {
        if let Some(stop) = game.choices(rules, &mut choices) {
            return (turns, stop.ending());
        }
        let player = &mut players[game.position().side.index()];
        let index = player.choose(rules, &game, &choices);
        assert!(index < choices.len(), "a choice that is none");
        turns.push(choices.get(rules, index));
        game.play(rules, turns.last().expect("just pushed"));
    }
    (turns, None)
}

#[test]
fn every_player_plays_under_any_ruleset_and_the_same_game_for_the_same_seed() {
    let mut rng = Rng::from_seed(11);
    let mut ended = 0;
    for number in 0..120 {
        let (files, ranks) = [(4, 4), (5, 6), (8, 8), (9, 10)][number % 4];
        let ruleset = rulesets::drawn(&mut rng, files, ranks);
        let texts = [SPECS[number % SPECS.len()], SPECS[rng.below(SPECS.len())]];
        with_rules!(&Engine::new(&ruleset), rules => {
            let mut players = texts.map(|text| build(&spec(text), rules, 5));
            let first = play(rules, &mut players, 60);
            players.iter_mut().for_each(|player| player.restart(6));
            let other_seed = play(rules, &mut players, 60);
            players.iter_mut().for_each(|player| player.restart(5));
            let again = play(rules, &mut players, 60);
            assert_eq!(first, again, "{texts:?} {ruleset:?} {}", other_seed.0.len());
            ended += u32::from(first.1.is_some());
        });
    }
    assert!(ended > 60, "too few games ended: {ended}");
}

#[test]
fn a_seed_changes_the_game() {
    with_rules!(&Engine::new(&Ruleset::default()), rules => {
        for text in SPECS {
            let games = [1, 2, 3].map(|seed| {
                let mut players = [0, 1].map(|side| build(&spec(text), rules, 10 * seed + side));
                play(rules, &mut players, 30).0
            });
            assert!(games[0] != games[1] || games[0] != games[2], "{text}");
        }
    });
}

/// What a search to each depth up to `depth` finds.
fn searched<S: SquareSet>(rules: &Rules<S>, game: &Game<S>, budget: Budget) -> Vec<Found<S>> {
    let weights = Weights::generic(rules.ruleset());
    let mut player = AlphaBeta::new(rules, budget, &weights, Sampling::default(), 3);
    let mut found = Vec::new();
    player.analyse(rules, game, 1, |depth| found.extend(depth));
    found
}

/// The value that a plain search finds, if it can.
fn plainly<S: SquareSet>(rules: &Rules<S>, game: &Game<S>, depth: u32) -> Option<i32> {
    let evaluation = &Evaluation::new(rules, &Weights::generic(rules.ruleset()));
    Plain { rules, evaluation, prunes: false, positions_left: 100_000 }.value(game, depth)
}

#[test]
fn a_search_to_a_depth_finds_the_value_of_the_full_tree() {
    let mut rng = Rng::from_seed(21);
    let (mut compared, mut proven, mut drawn) = (0, 0, 0);
    for number in 0..600 {
        let (files, ranks, depth) = [(4, 4, 5), (4, 5, 4), (6, 6, 3), (4, 4, 6)][number % 4];
        let ruleset = rulesets::drawn(&mut rng, files, ranks);
        with_rules!(&Engine::new(&ruleset), rules => {
            let Some(game) = rulesets::game_in_progress(rules, &mut rng, 24) else { continue };
            for found in searched(rules, &game, Budget::Depth(depth)) {
                let depth = u32::from(found.depth);
                let Some(plain) = plainly(rules, &game, depth) else { break };
                assert_eq!(
                    found.score, plain,
                    "depth {} of {ruleset:?} at {:?}", found.depth, game.position()
                );
                compared += 1;
                proven += u32::from(plain.abs() > WIN - 1000);
                drawn += u32::from(plain == 0);
            }
        });
    }
    assert!(compared > 1000 && proven > 100 && drawn > 50, "{compared} {proven} {drawn}");
}

#[test]
fn the_past_of_a_position_is_never_mixed_with_another() {
    let mut rng = Rng::from_seed(41);
    let mut compared = 0;
    for number in 0..1500 {
        let (files, ranks) = [(4, 4), (4, 5)][number % 2];
        let ruleset = rulesets::drawn_with_draws(&mut rng, files, ranks);
        let rules = &Rules::<u64>::new(&ruleset);
        let placement = rulesets::few_pieces(rules, &mut rng);
        let position = Position::new(placement, Side::ALL[rng.below(2)]);
        let start = Game::from_position(rules, position);
        let Some(game) = rulesets::walked(rules, start, &mut rng, 8) else { continue };
        let evaluation = &Evaluation::new(rules, &Weights::generic(&ruleset));
        for found in searched(rules, &game, Budget::Depth(10)) {
            let mut plain = Plain { rules, evaluation, prunes: true, positions_left: 40_000 };
            let Some(value) = plain.value(&game, u32::from(found.depth)) else { break };
            let at = game.position();
            assert_eq!(found.score, value, "depth {} of {ruleset:?} at {at:?}", found.depth);
            compared += 1;
        }
    }
    assert!(compared > 3000, "{compared}");
}

/// Positions won or lost in so many plies, and how the game then ends: variant, position, plies
/// (negative where the side to move loses), reason.
const PROOFS: [(&str, &str, i32, Reason); 20] = [
    ("keny", "W:We6:BKf2,f6,Kh4", -4, Reason::CapturedAll),
    ("keny", "W:Wa1,b1,Kb6,b7,g2:Be7", 5, Reason::CapturedAll),
    ("keny", "W:Wb3,Kg7:Ba4", 3, Reason::CapturedAll),
    ("keny", "W:WKg2:Bb3,f4,g6,Kg8", -2, Reason::CapturedAll),
    ("keny-other-sources", "W:WKa8,b1,Kb3,c2,Ke1:Ba4,f8", 5, Reason::Blocked),
    ("keny-other-sources", "W:WKc4,Kc6:Be5,g4", 3, Reason::CapturedAll),
    ("keny-other-sources", "W:Wc1:Be3,Kg1,Kh2,h4", -2, Reason::CapturedAll),
    ("turkish", "W:We6:BKf2,f6,Kh4", -4, Reason::CapturedAll),
    ("turkish", "W:Wb3,Kg7:Ba4", 3, Reason::CapturedAll),
    ("armenian", "W:Wa1,b1,Kb6,b7,g2:Be7", 5, Reason::CapturedAll),
    ("russian", "W:WKd8:Bg3", 3, Reason::Blocked),
    ("russian", "W:WKb2,c7,g7:Bf4", 5, Reason::Blocked),
    ("russian", "W:Wd4:BKa3,c5,Ke7,g5", -4, Reason::Blocked),
    ("russian", "W:Wb6:Bb8,e5,g5,h2", -2, Reason::Blocked),
    ("russian", "W:Wa1,a7,Kb6,h2:Be7", 5, Reason::CapturedAll),
    ("international", "W:Wj2:Bb4,g3,Kg5", -2, Reason::CapturedAll),
    ("international", "W:We9,f4:Ba7", 3, Reason::CapturedAll),
    ("international", "W:WKe9,h4,Kj10:Bb2,g5", 5, Reason::Blocked),
    ("international", "W:WKd4,h6,Ki1:Ba5,j2", 3, Reason::Blocked),
    ("international", "W:Wa3:Ba9,Kb6,i7", -4, Reason::Blocked),
];

fn game_at<S: SquareSet>(rules: &Rules<S>, text: &str) -> Game<S> {
    let (side, placement) = parse_position(text, &rules.ruleset().board).expect("a position");
    Game::from_position(rules, Position::new(placement.cast(), side))
}

#[test]
fn wins_and_losses_in_n_plies_are_found_at_their_distance() {
    for (name, text, plies, reason) in PROOFS {
        let ruleset = load(name).expect("a shipped variant").ruleset;
        let score = plies.signum() * WIN - plies;
        with_rules!(&Engine::new(&ruleset), rules => {
            let mut game = game_at(rules, text);
            let found = searched(rules, &game, Budget::Depth(9)).pop().expect("a depth");
            assert_eq!(found.score, score, "{name} {text}");
            // The plain search is too slow for five plies of kings.
            let depth = plies.unsigned_abs().min(3);
            let plain = plainly(rules, &game, depth);
            assert!(
                plain == Some(score) || depth < plies.unsigned_abs(),
                "{name} {text}: {plain:?}"
            );
            for turn in &found.line {
                assert_eq!(game.ending(rules), None, "{name} {text}");
                game.play(rules, turn);
            }
            assert_eq!(game.ending(rules).map(|end| end.reason), Some(reason), "{name} {text}");
        });
    }
}

#[test]
fn a_block_wins_or_draws_as_the_rules_say() {
    let mut ruleset = load("russian").expect("a shipped variant").ruleset;
    for (blocked, score) in [(BlockedRule::Loss, Some(WIN - 3)), (BlockedRule::Draw, None)] {
        ruleset.end.blocked = blocked;
        with_rules!(&Engine::new(&ruleset), rules => {
            let game = game_at(rules, "W:WKd8:Bg3");
            let found = searched(rules, &game, Budget::Depth(3)).pop().expect("a depth");
            let is_decided = found.score.abs() > WIN - 1000;
            assert_eq!(is_decided.then_some(found.score), score, "{blocked:?}");
        });
    }
}

#[test]
fn proven_results_agree_between_players() {
    let mut rng = Rng::from_seed(31);
    let mut wins = 0;
    for _ in 0..400 {
        let ruleset = rulesets::drawn(&mut rng, 4, 4);
        with_rules!(&Engine::new(&ruleset), rules => {
            let Some(game) = rulesets::game_in_progress(rules, &mut rng, 20) else { continue };
            let found = searched(rules, &game, Budget::Depth(3)).pop().expect("a depth");
            if found.score < WIN - 3 {
                continue;
            }
            wins += 1;
            // Whoever samples long enough finds a turn that wins as fast.
            let mut choices = Choices::new();
            let _ = game.choices(rules, &mut choices);
            let mut sampler = build(&spec("mcts:playouts=3000"), rules, 1);
            let index = sampler.choose(rules, &game, &choices);
            let mut after = game.clone();
            after.play(rules, &choices.get(rules, index));
            let Some(reply) = plainly(rules, &after, 5) else { continue };
            assert!(reply < -(WIN - 1000), "{reply} {ruleset:?} {:?}", game.position());
        });
    }
    assert!(wins > 50, "{wins}");
}

#[test]
fn a_budget_of_nodes_is_kept() {
    with_rules!(&Engine::new(&Ruleset::default()), rules => {
        let game = Game::new(rules);
        let found = searched(rules, &game, Budget::Nodes(20_000));
        let last = found.last().expect("a depth");
        assert!(last.depth >= 5 && last.nodes <= 20_001, "{} {}", last.depth, last.nodes);
        assert!(found.windows(2).all(|pair| pair[0].depth + 1 == pair[1].depth));
    });
}

#[test]
fn texts_of_players_round_trip() {
    for row in ROSTER {
        assert_eq!(spec(row.example).to_string(), row.example);
    }
    for (text, canonical) in [
        (" random ", "random"),
        ("greedy:temperature=0.50, epsilon=0", "greedy:temperature=0.5"),
        ("alphabeta:temperature=1.000,nodes=5", "alphabeta:nodes=5,temperature=1"),
        ("alphabeta:weights=learned,depth=4", "alphabeta:depth=4"),
        ("mcts:weights=material,playouts=7", "mcts:playouts=7,weights=material"),
    ] {
        assert_eq!(spec(text).to_string(), canonical);
        assert_eq!(spec(canonical), spec(text));
    }
}

#[test]
fn faults_in_texts_of_players_are_told_exactly() {
    for (text, message) in [
        (
            "alphabta:depth=4",
            "unknown player `alphabta`; the players are random, greedy, alphabeta, mcts; did you \
             mean `alphabeta`?",
        ),
        ("", "unknown player ``; the players are random, greedy, alphabeta, mcts"),
        ("random:depth=4", "player `random` has no option `depth`; it has none"),
        (
            "alphabeta:node=4",
            "player `alphabeta` has no option `node`; it has depth, nodes, weights, epsilon, \
             temperature; did you mean `nodes`?",
        ),
        (
            "alphabeta",
            "player `alphabeta` needs a depth or a number of nodes, as in `alphabeta:nodes=1000`",
        ),
        (
            "alphabeta:depth=2,nodes=9",
            "player `alphabeta` needs a depth or a number of nodes, as in `alphabeta:nodes=1000`; \
             found both",
        ),
        ("mcts", "player `mcts` needs a number of playouts, as in `mcts:playouts=200`"),
        ("alphabeta:depth", "option `depth` of player `alphabeta` has no value; write `depth=…`"),
        ("alphabeta:depth=0", "`depth=0` of player `alphabeta`: depth is 1 to 100"),
        ("alphabeta:nodes=-1", "`nodes=-1` of player `alphabeta`: nodes is 1 to 10^12"),
        (
            "greedy:epsilon=1.5",
            "`epsilon=1.5` of player `greedy`: epsilon is 0 to 1, in thousandths",
        ),
        (
            "greedy:epsilon=0.0001",
            "`epsilon=0.0001` of player `greedy`: epsilon is 0 to 1, in thousandths",
        ),
        (
            "greedy:weights=learnt",
            "`weights=learnt` of player `greedy`: weights is learned, generic or material; did \
             you mean `learned`?",
        ),
        ("greedy:epsilon=0,epsilon=1", "option `epsilon` of player `greedy` is given twice"),
    ] {
        let error = text.parse::<PlayerSpec>().expect_err(text);
        assert_eq!(error.to_string(), message);
    }
}
