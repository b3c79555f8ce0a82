//! The engine judged by the slow reading of the rules: on the prepared answers' rulesets and on
//! random rulesets, positions and games.

use keny::board::{Kind, Piece, Placement, Side, Square, SquareSet};
use keny::rules::{Choices, Engine, Game, Rules, Ruleset, Stop, Turn};
use keny::variant::Severity;
use keny::with_rules;
use proptest::prelude::{Strategy, any};
use proptest::test_runner::TestRunner;

use crate::reference::{self, Position, Spot, random};

/// The engine's side of every comparison: position in, the slow reading's values out.
pub(crate) struct Fast {
    engine: Engine,
}

/// What the engine says of a position or of a game so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) turns: Vec<FastTurn>,
    pub(crate) ending: Option<(&'static str, &'static str)>,
}

/// A turn in the slow reading's values: start, end, taken, promotion, whether it needs a hop.
pub(crate) type FastTurn = (Spot, Spot, Vec<Spot>, bool, bool);

impl Fast {
    pub(crate) fn new(rules: &Ruleset) -> Self {
        Self { engine: Engine::new(rules) }
    }

    /// The legal turns of a position, by each of the engine's ways to ask for them.
    pub(crate) fn turns(&self, position: &Position) -> Vec<FastTurn> {
        with_rules!(&self.engine, rules => turns(rules, position))
    }

    /// What is said before the first turn and after each of these turns, each one legal.
    pub(crate) fn game(&self, position: &Position, played: &[reference::Turn]) -> Vec<Said> {
        with_rules!(&self.engine, rules => game(rules, position, played))
    }

    /// Whether the engine gives the position up, as having too many turns to list; all its ways to
    /// ask for them must say so.
    pub(crate) fn too_many(&self, position: &Position) -> bool {
        with_rules!(&self.engine, rules => {
            let (placement, side) = (placement_of(rules, position), position.side);
            let mut listed = Vec::new();
            let too_many = rules.turns(&placement, side, &mut listed).is_err();
            assert!(!too_many || listed.is_empty(), "a part of the turns is listed");
            let mut choices = Choices::new();
            rules.choices(&placement, side, &mut choices);
            assert_eq!(choices.too_many(), too_many);
            assert!(!too_many || (choices.is_empty() && choices.has_turn()));
            let count = rules.count_turns(&placement, side);
            assert_eq!(count.is_err(), too_many);
            too_many
        })
    }

    /// The position at the start.
    pub(crate) fn start(&self) -> Position {
        with_rules!(&self.engine, rules => {
            let start = rules.start_position();
            position_of(rules, &start.placement, start.side)
        })
    }
}

fn turns<S: SquareSet>(rules: &Rules<S>, position: &Position) -> Vec<FastTurn> {
    let placement = placement_of(rules, position);
    let mut listed = Vec::new();
    rules.turns(&placement, position.side, &mut listed).unwrap();
    let mut choices = Choices::new();
    rules.choices(&placement, position.side, &mut choices);
    let chosen: Vec<Turn<S>> = (0..choices.len()).map(|at| choices.get(rules, at)).collect();
    assert_eq!(chosen, listed, "the two lists of turns differ");
    let count = u64::try_from(listed.len()).unwrap();
    assert_eq!(rules.count_turns(&placement, position.side).unwrap(), count, "the count differs");
    assert_eq!(rules.has_turn(&placement, position.side), count > 0, "has_turn differs");
    let mut turns: Vec<FastTurn> = listed
        .iter()
        .map(|turn| {
            let moved = placement.at(turn.from).expect("a turn starts from a piece");
            assert_eq!(moved.kind, turn.moved(), "{turn:?}");
            fast_turn(rules, turn)
        })
        .collect();
    turns.sort();
    turns
}

fn game<S: SquareSet>(
    rules: &Rules<S>,
    position: &Position,
    played: &[reference::Turn],
) -> Vec<Said> {
    let start = keny::rules::Position::new(placement_of(rules, position), position.side);
    let mut game = Game::from_position(rules, start);
    let mut choices = Choices::new();
    let mut said = Vec::new();
    for ply in 0..=played.len() {
        let ending = game.choices(rules, &mut choices).and_then(Stop::ending);
        assert_eq!(ending, game.ending(rules), "two ways to judge the end differ");
        let turns: Vec<Turn<S>> = (0..choices.len()).map(|at| choices.get(rules, at)).collect();
        let mut fast_turns: Vec<FastTurn> =
            turns.iter().map(|turn| fast_turn(rules, turn)).collect();
        fast_turns.sort();
        let ending = ending.map(|ending| (ending.outcome.name(), ending.reason.name()));
        said.push(Said { turns: fast_turns, ending });
        let Some(turn) = played.get(ply) else { break };
        let wanted = |fast: &&Turn<S>| fast_turn(rules, fast) == slow_turn(turn);
        let Some(turn) = turns.iter().find(wanted) else { break };
        let before = game.position().placement;
        game.play(rules, turn);
        assert_eq!(game.position().placement, before.after(game.position().side.other(), turn));
        assert_eq!(game.hash(), game.position().placement.hash(game.position().side));
    }
    said
}

/// A turn of the slow reading in the form in which the two are compared.
pub(crate) fn slow_turn(turn: &reference::Turn) -> FastTurn {
    let hops = match turn.class {
        reference::Class::Hop | reference::Class::HopThenJump => true,
        reference::Class::Step | reference::Class::Jump => false,
    };
    (turn.from, turn.to, turn.captures.clone(), turn.promotes, hops)
}

fn fast_turn<S: SquareSet>(rules: &Rules<S>, turn: &Turn<S>) -> FastTurn {
    let spot = |square| spot_of(rules, square);
    let mut taken: Vec<Spot> = turn.taken.squares().map(spot).collect();
    taken.sort_unstable();
    (spot(turn.from), spot(turn.to), taken, turn.promotes(), turn.hops())
}

fn spot_of<S: SquareSet>(rules: &Rules<S>, square: Square) -> Spot {
    let (file, rank) = rules.ruleset().board.geometry().file_and_rank(square);
    (file.cast_signed(), rank.cast_signed())
}

fn placement_of<S: SquareSet>(rules: &Rules<S>, position: &Position) -> Placement<S> {
    let geometry = rules.ruleset().board.geometry();
    let mut placement = Placement::<S>::default();
    for side in Side::ALL {
        for ((file, rank), kind) in position.cells.pieces(side) {
            placement.put(geometry.square(file, rank).unwrap(), Piece { side, kind });
        }
    }
    placement
}

fn position_of<S: SquareSet>(rules: &Rules<S>, placement: &Placement<S>, side: Side) -> Position {
    let mut cells = reference::Cells::empty(&rules.ruleset().board);
    for square in placement.occupied().squares() {
        let cell = placement.at(square).map(|piece| (piece.side, piece.kind));
        cells.set(spot_of(rules, square), cell);
    }
    Position { cells, side }
}

/// What the slow reading says before the first turn and after each of these turns.
pub(crate) fn slow_game(
    rules: &Ruleset,
    position: &Position,
    played: &[reference::Turn],
) -> Vec<Said> {
    let mut game = reference::Game::new(rules, position);
    let said = |game: &reference::Game| Said {
        turns: game.turns().iter().map(slow_turn).collect(),
        ending: game.ending_names(),
    };
    let mut all = vec![said(&game)];
    for turn in played {
        game.play(turn);
        all.push(said(&game));
    }
    all
}

#[test]
fn every_prepared_position_has_the_same_turns() {
    for (rules, position) in reference::prepared_positions() {
        assert_same_turns(&rules, &position);
    }
}

fn assert_same_turns(rules: &Ruleset, position: &Position) {
    if Fast::new(rules).too_many(position) {
        // The limit of 50,000 jumps is far beyond what few states need.
        let few = random::has_few_chains(rules, position);
        assert!(!few, "{} under {rules:?}", position.text(&rules.board));
        return;
    }
    let slow: Vec<FastTurn> =
        reference::legal_turns(rules, position).iter().map(slow_turn).collect();
    let fast = Fast::new(rules).turns(position);
    assert_eq!(fast, slow, "{} under {rules:?}", position.text(&rules.board));
}

#[test]
fn every_prepared_game_goes_and_ends_the_same() {
    for (rules, position, played) in reference::prepared_games() {
        assert_same_game(&rules, &position, &played);
    }
}

fn assert_same_game(rules: &Ruleset, position: &Position, played: &[reference::Turn]) {
    let slow = slow_game(rules, position, played);
    let fast = Fast::new(rules).game(position, played);
    for (ply, (fast, slow)) in fast.iter().zip(&slow).enumerate() {
        let text = position.text(&rules.board);
        assert_eq!(fast, slow, "{text} after {:?} under {rules:?}", &played[..ply]);
    }
    assert_eq!(fast.len(), slow.len());
}

#[test]
fn random_positions_have_the_same_turns() {
    let run = TestRunner::new(random::config(3_000)).run(
        &random::any_ruled_position(),
        |(rules, position)| {
            assert_same_turns(&rules, &position);
            Ok(())
        },
    );
    assert!(run.is_ok(), "{}", run.unwrap_err());
}

/// How many of the turns lead to positions whose turns the engine lists.
fn listed_turns(rules: &Ruleset, position: &Position, played: &[reference::Turn]) -> usize {
    let fast = Fast::new(rules);
    let mut position = *position;
    let goes = |turn: &&reference::Turn| {
        position = reference::play(&position, turn);
        !fast.too_many(&position)
    };
    played.iter().take_while(goes).count()
}

#[test]
fn random_games_go_and_end_the_same() {
    let choices = proptest::collection::vec(any::<u16>(), 0..80);
    let game = (random::any_ruled_position(), choices, any::<bool>()).prop_map(
        |((rules, position), choices, from_start)| {
            let position = if from_start { Position::start(&rules) } else { position };
            let mut played = random::turns_of(&rules, &position, &choices);
            played.truncate(listed_turns(&rules, &position, &played));
            (rules, position, played)
        },
    );
    let run = TestRunner::new(random::config(400)).run(&game, |(rules, position, played)| {
        assert_eq!(Fast::new(&rules).start(), Position::start(&rules));
        assert_same_game(&rules, &position, &played);
        Ok(())
    });
    assert!(run.is_ok(), "{}", run.unwrap_err());
}

#[test]
fn the_shipped_variants_are_those_written_a_second_time() {
    for name in keny::variant::library::NAMES {
        let shipped = keny::variant::load(name).unwrap();
        let again = reference::variant(name);
        // Dormant flags may differ: the fingerprint and the play are what must be the same.
        assert_eq!(shipped.fingerprint(), keny::variant::fingerprint(&again), "{name}");
    }
}

#[test]
fn random_rulesets_are_valid() {
    let run = TestRunner::new(random::config(2_000)).run(&random::any_ruleset(), |rules| {
        let faults = keny::variant::validate::faults(&rules);
        assert!(faults.iter().all(|fault| fault.severity != Severity::Error), "{faults:?}");
        Ok(())
    });
    assert!(run.is_ok(), "{}", run.unwrap_err());
}

#[test]
fn a_king_is_told_from_a_man() {
    // The comparison would be blind if the border lost a piece or its kind.
    let rules = Ruleset::default();
    let text = "B:Wa2,Kd5:Ba7,Kh8";
    let position = Position::read(&rules.board, text);
    let Engine::Narrow(fast) = Engine::new(&rules) else { panic!("8x8 fits 64 bits") };
    let placement = placement_of(&fast, &position);
    assert_eq!(position_of(&fast, &placement, Side::Black).text(&rules.board), text);
    assert_eq!(placement.kings(Side::White).len(), 1);
    assert_eq!(
        placement.at(fast.ruleset().board.geometry().square(0, 1).unwrap()).unwrap().kind,
        Kind::Man
    );
}
