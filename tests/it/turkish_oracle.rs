//! An independent engine for Turkish draughts judges ours: on every position both must reach the
//! same positions, each as often as there are paths of landings that lead to it.

use keny::board::{Kind, Piece, Placement, Side, Square, SquareSet};
use keny::player::Rng;
use keny::rules::{Counted, Engine, Rules};
use keny::variant;

/// Random placements, and positions out of random games.
const PLACED: usize = 12_000;
const PLAYED: usize = 12_000;

type Pieces = ([u64; 2], u64);

fn ours(rules: &Rules<u64>, placement: &Placement<u64>, side: Side) -> Vec<Pieces> {
    let mut reached: Vec<Pieces> = rules
        .first_turns(placement, side, Counted::Paths)
        .unwrap()
        .iter()
        .map(|turn| {
            let after = placement.after(side, turn);
            (after.pieces, after.kings)
        })
        .collect();
    reached.sort_unstable();
    reached
}

fn theirs(placement: &Placement<u64>, side: Side) -> Vec<Pieces> {
    let team = match side {
        Side::White => kish::Team::White,
        Side::Black => kish::Team::Black,
    };
    let state = kish::State { pieces: placement.pieces, kings: placement.kings };
    let board = kish::Board::new(team, state);
    let mut reached: Vec<Pieces> = board
        .actions()
        .iter()
        .map(|action| {
            let state = board.apply(action).state;
            (state.pieces, state.kings)
        })
        .collect();
    reached.sort_unstable();
    reached
}

/// Up to 16 pieces a side on random squares, men never on their far rank.
fn placed(rng: &mut Rng, rules: &Rules<u64>) -> Placement<u64> {
    let mut placement = Placement::<u64>::default();
    for side in Side::ALL {
        let kings_in_ten = rng.below(10);
        for _ in 0..=rng.below(16) {
            let square = Square(u8::try_from(rng.below(64)).expect("a square"));
            let kind = if rng.below(10) < kings_in_ten { Kind::King } else { Kind::Man };
            let on_far_rank = kind == Kind::Man && rules.far_rank(side).contains(square);
            if !placement.occupied().contains(square) && !on_far_rank {
                placement.put(square, Piece { side, kind });
            }
        }
    }
    placement
}

#[test]
fn same_positions_reached_from_random_positions() {
    let ruleset = variant::load("turkish").expect("a shipped variant").ruleset;
    let Engine::Narrow(rules) = Engine::new(&ruleset) else { panic!("64 squares fit 64 bits") };
    let mut rng = Rng::from_seed(1);
    let (mut captures, mut several) = (0, 0);
    let mut compare = |placement: &Placement<u64>, side: Side| {
        let (ours, theirs) = (ours(&rules, placement, side), theirs(placement, side));
        assert_eq!(ours, theirs, "{side:?} to move in {placement:?}");
        captures += usize::from(rules.has_capture(placement, side));
        several += usize::from(ours.windows(2).any(|pair| pair[0] == pair[1]));
    };
    for number in 0..PLACED {
        compare(&placed(&mut rng, &rules), Side::ALL[number % 2]);
    }
    let (mut placement, mut side) = (*rules.start(), Side::White);
    for _ in 0..PLAYED {
        compare(&placement, side);
        let turns = rules.first_turns(&placement, side, Counted::Turns).unwrap();
        if turns.is_empty() || placement.occupied().len() < 3 {
            (placement, side) = (*rules.start(), Side::White);
            continue;
        }
        placement = placement.after(side, &turns[rng.below(turns.len())]);
        side = side.other();
    }
    assert!(captures > 8_000, "only {captures} positions had a capture");
    assert!(several > 10, "only {several} positions had several paths to one result");
}
