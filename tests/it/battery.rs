//! What must hold in every game of every shipped variant, whatever its rules.

use keny::board::{Side, SquareSet};
use keny::notation::{parse_position, print_position};
use keny::player::Rng;
use keny::rules::{Choices, Engine, Game, Position, Rules, Turn};
use keny::{variant, with_rules};

const GAMES: u64 = 12;
const PLIES_MAX: u32 = 400;

/// One position and its turns, seen from every side that can be seen.
fn check_position<S: SquareSet>(rules: &Rules<S>, game: &Game<S>, choices: &Choices<S>) {
    let Position { placement, side, .. } = game.position();
    let [white, black] = placement.pieces;
    assert!((white & black).is_empty(), "two pieces on one square");
    assert!(placement.kings.minus(white | black).is_empty(), "a king without a piece");
    for owner in Side::ALL {
        assert!((placement.men(owner) & rules.far_rank(owner)).is_empty(), "an uncrowned man");
    }
    assert_eq!(game.hash(), placement.hash(*side), "the hash kept up to date is not the hash");

    let text = print_position(*side, placement, &rules.ruleset().board);
    let (read_side, read) = parse_position(&text, &rules.ruleset().board).expect("our own text");
    assert_eq!((read_side, read.cast()), (*side, *placement), "{text} reads as something else");

    let mut listed = Vec::new();
    rules.turns(placement, *side, &mut listed).unwrap();
    let kept: Vec<Turn<S>> = (0..choices.len()).map(|index| choices.get(rules, index)).collect();
    assert_eq!(listed, kept, "listed and kept turns of {text}");
    for (index, turn) in listed.iter().enumerate() {
        assert!(placement.of(*side).contains(turn.from), "a turn without a piece in {text}");
        assert!(turn.taken.minus(placement.of(side.other())).is_empty(), "took its own in {text}");
        assert!(
            !listed[..index].iter().any(|other| other.same_as(turn)),
            "{turn:?} twice in {text}"
        );
        let after = placement.after(*side, turn);
        assert_eq!(after.of(*side).len(), placement.of(*side).len(), "{turn:?} in {text}");
        let taken = turn.taken.len();
        assert_eq!(after.of(side.other()).len() + taken, placement.of(side.other()).len());
        let way = rules.way(placement, *side, turn).expect("a legal turn can be made");
        assert!(rules.can_be_made(placement, *side, turn, &way), "{turn:?} by {way:?} in {text}");
    }
}

/// Plays a random game; whether it ended on the board.
fn play<S: SquareSet>(rules: &Rules<S>, rng: &mut Rng) -> bool {
    let mut game = Game::new(rules);
    let mut choices = Choices::new();
    let mut men = [u32::MAX; 2];
    let ending = loop {
        if let Some(stop) = game.choices(rules, &mut choices) {
            break stop.ending().expect("few enough turns to list");
        }
        if game.plies() == PLIES_MAX {
            return false;
        }
        check_position(rules, &game, &choices);
        for side in Side::ALL {
            let now = game.position().placement.men(side).len();
            assert!(now <= men[side.index()], "men do not come back");
            men[side.index()] = now;
        }
        let turn = choices.get(rules, rng.below(choices.len()));
        game.play(rules, &turn);
    };
    assert!(choices.is_empty(), "a turn after the end");
    assert_eq!(game.ending(rules), Some(ending), "the end is not the same without the turns");
    true
}

#[test]
fn every_shipped_variant_plays_sound_games() {
    for name in variant::library::NAMES {
        let ruleset = variant::load(name).expect("a shipped variant").ruleset;
        let engine = Engine::new(&ruleset);
        let mut rng = Rng::from_bytes(name.as_bytes());
        let ended =
            (0..GAMES).filter(|_| with_rules!(&engine, rules => play(rules, &mut rng))).count();
        // With its draw rules a random game of any of them hardly ever outlives the cap.
        assert!(ended > 0, "no game of {name} ended within {PLIES_MAX} plies");
    }
}
