//! Positions with more captures than any memory holds: each way to ask for turns says so, soon.

use std::time::{Duration, Instant};

use keny::board::{Kind, SquareSet};
use keny::notation::parse_position;
use keny::player::{PlayerSpec, build_with};
use keny::rules::{
    Choices, Counted, Direction, Directions, Engine, Filter, Game, Kinds, Position, Priority,
    Removal, Rules, Ruleset, Stop,
};
use keny::with_rules;

/// Kings of White on the rim, and kings of Black on every other square within.
pub(crate) fn full(files: u8, ranks: u8) -> String {
    let name = |file: u8, rank: u8| format!("K{}{}", char::from(b'a' + file), rank + 1);
    let squares = || (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank)));
    let rim = |file, rank| file == 0 || rank == 0 || file == files - 1 || rank == ranks - 1;
    let white: Vec<String> = squares()
        .filter(|&(file, rank)| rim(file, rank) && (file + rank) % 4 == 0)
        .map(|(file, rank)| name(file, rank))
        .collect();
    let black: Vec<String> = squares()
        .filter(|&(file, rank)| !rim(file, rank) && file % 2 == 1 && rank % 2 == 1)
        .map(|(file, rank)| name(file, rank))
        .collect();
    format!("W:W{}:B{}", white.join(","), black.join(","))
}

/// Kings that fly in eight directions and may stop after any jump, on boards of three sizes.
fn explosive() -> Vec<(Ruleset, String)> {
    let mut list = Vec::new();
    for (files, ranks) in [(8, 8), (11, 11), (8, 16)] {
        for removal in [Removal::Immediate, Removal::EndOfTurn] {
            let mut rules = Ruleset::default();
            (rules.board.files, rules.board.ranks) = (files, ranks);
            let all = Directions::of(&Direction::ALL);
            (rules.king.moves, rules.king.capture) = (all, all);
            rules.capture.mandatory = false;
            rules.capture.complete = false;
            rules.capture.removal = removal;
            list.push((rules, full(files, ranks)));
            rules.capture.complete = true;
            rules.capture.mandatory = true;
            rules.capture.priority = Priority::new(&[Filter::KingFirst]).expect("one filter");
            rules.king.hop_over = Kinds::of(&[Kind::Man, Kind::King]);
            rules.hop.then_capture = true;
            list.push((rules, full(files, ranks)));
        }
    }
    list
}

fn position<S: SquareSet>(rules: &Rules<S>, text: &str) -> Position<S> {
    let (side, placement) = parse_position(text, &rules.ruleset().board).expect("a position");
    Position::new(placement.cast(), side)
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the time to give up is what is tested")]
fn explosive_positions_are_given_up_soon_and_whole() {
    let mut given_up = 0;
    for (ruleset, text) in explosive() {
        with_rules!(&Engine::new(&ruleset), rules => {
            let start = position(rules, &text);
            let (placement, side) = (start.placement, start.side);
            let begun = Instant::now();
            let mut turns = Vec::new();
            if rules.turns(&placement, side, &mut turns).is_ok() {
                continue;
            }
            given_up += 1;
            assert!(turns.is_empty(), "a part of the turns is listed");
            assert!(rules.count_turns(&placement, side).is_err());
            for counted in [Counted::Turns, Counted::Paths] {
                assert!(rules.first_turns(&placement, side, counted).is_err());
                assert!(rules.perft(&placement, side, 2, counted).is_err());
            }
            assert!(rules.has_turn(&placement, side) && rules.has_capture(&placement, side));
            let game = Game::from_position(rules, start);
            let mut choices = Choices::new();
            assert_eq!(game.choices(rules, &mut choices), Some(Stop::TooManyTurns));
            assert!(choices.too_many() && choices.is_empty() && choices.has_turn());
            assert_eq!(game.ending(rules), None);
            // An unoptimised build on a busy machine; each of the searches takes some hundredths.
            assert!(begun.elapsed() < Duration::from_secs(30), "{text}");
        });
    }
    assert!(given_up >= 4, "{given_up}");
}

/// Found among random kings on eight by eight squares: the position, with White to move; whether kings
/// step in eight directions too, as they capture, or in four; whether they hop at a distance; whether
/// what is taken leaves the board at once; whether captures go on from hops.
const FOUND: [(&str, bool, bool, bool, bool); 8] = [
    (
        "W:WKb6,Kd1:BKe7,Kd8,Kb7,Kc6,Kh5,Ke4,Kd5,Kf2,Kb3,Kf4,Kd2,Ka5,Kh3,Kg5",
        false,
        false,
        false,
        false,
    ),
    ("W:WKa5:BKf2,Kd8,Kf1,Kh2,Kb7,Kb3,Kd2,Ke6,Kb1,Kb2,Kg6,Kf3,Ka4", false, false, true, true),
    ("W:WKg8,Kh7:BKd4,Ka3,Kd7,Kg6,Kc4,Kh4,Kd1,Kg5,Kc8,Kc6,Ke2,Kb6", false, true, true, false),
    ("W:WKh6:BKh4,Kc2,Kb6,Kc7,Ke3,Kg4,Kf5,Kc8,Kd5,Kg3,Ka6,Kd1,Kd3,Ke5", true, false, false, false),
    ("W:WKd8:BKh6,Kd6,Kb8,Kf5,Kc4,Ke3,Kd4,Kb7,Kg2,Kf4,Ke7,Ka1,Kg7,Ke1", true, false, false, true),
    ("W:WKc5:BKd3,Kc3,Ka7,Kd5,Kb4,Kd2,Kd6,Kb8,Kf4,Ke7,Kc1,Kd4,Kg4,Kb2", true, true, false, true),
    ("W:WKf5:BKh6,Kf8,Kf6,Kb3,Kg3,Kg7,Kf1,Kc6,Kf3,Ke6,Kd4,Kf2,Kb5", true, true, true, false),
    ("W:WKd3,Kg6:BKb5,Kg1,Kb4,Kg3,Kc7,Ka3,Kd4,Kd7,Kh2,Ke8,Ke2,Kb7", true, true, true, true),
];

#[test]
fn found_positions_of_eight_by_eight_are_given_up_within_bounds() {
    let all = Directions::of(&Direction::ALL);
    for (text, diagonal, flying_hop, at_once, then_capture) in FOUND {
        let mut ruleset = Ruleset::default();
        let king = &mut ruleset.king;
        king.moves = if diagonal { all } else { king.moves };
        (king.capture, king.hop, king.flying_hop) = (all, all, flying_hop);
        king.hop_over = Kinds::of(&[Kind::Man, Kind::King]);
        (ruleset.capture.mandatory, ruleset.capture.complete) = (false, false);
        ruleset.capture.removal = if at_once { Removal::Immediate } else { Removal::EndOfTurn };
        ruleset.hop.then_capture = then_capture;
        assert_eq!((ruleset.board.files, ruleset.board.ranks), (8, 8));
        with_rules!(&Engine::new(&ruleset), rules => {
            let start = position(rules, text);
            let (placement, side) = (start.placement, start.side);
            let mut turns = Vec::new();
            assert!(rules.turns(&placement, side, &mut turns).is_err(), "{text}");
            assert!(turns.is_empty(), "{text}");
            assert!(rules.count_turns(&placement, side).is_err(), "{text}");
            let game = Game::from_position(rules, start);
            let mut choices = Choices::new();
            assert_eq!(game.choices(rules, &mut choices), Some(Stop::TooManyTurns), "{text}");
        });
    }
}

#[test]
fn players_go_on_where_replies_are_too_many() {
    let explodes = |(ruleset, text): &(Ruleset, String)| {
        with_rules!(&Engine::new(ruleset), rules => {
            let start = position(rules, text);
            rules.turns(&start.placement, start.side, &mut Vec::new()).is_err()
        })
    };
    let (ruleset, text) = explosive().into_iter().find(explodes).expect("an explosive one");
    with_rules!(&Engine::new(&ruleset), rules => {
        // Nothing on the rim can be taken, so Black slides; after most slides White explodes.
        let game = Game::from_position(rules, position(rules, &text.replacen("W:W", "B:W", 1)));
        let mut choices = Choices::new();
        assert_eq!(game.choices(rules, &mut choices), None);
        assert!(!choices.is_empty(), "{text}");
        for spec in ["alphabeta:nodes=20", "mcts:playouts=4"] {
            let spec: PlayerSpec = spec.parse().expect("a player");
            let mut player = build_with(&spec, rules, None, 1);
            assert!(player.choose(rules, &game, &choices) < choices.len(), "{spec}");
        }
    });
}
