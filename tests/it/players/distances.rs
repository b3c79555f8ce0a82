//! The distances of proven wins and losses, found again by a search that shares no code with the
//! library: the slow reading of the rules, every turn of every position, no memory, no values.

use super::PROOFS;
use crate::reference::{Game, Outcome, Position, Turn, variant};

fn after(game: &Game, turn: &Turn) -> Game {
    let mut next = game.clone();
    next.play(turn);
    next
}

/// Whether the side to move has a turn after which the other is lost, within so many plies.
fn wins_within(game: &Game, plies: u32) -> bool {
    match game.status() {
        Some((Outcome::Win(winner), _)) => winner == game.position().side,
        Some((Outcome::Draw, _)) => false,
        None => {
            plies > 0 && game.turns().iter().any(|turn| loses_within(&after(game, turn), plies - 1))
        }
    }
}

/// Whether the side to move is lost within so many plies, whatever it plays.
fn loses_within(game: &Game, plies: u32) -> bool {
    match game.status() {
        Some((Outcome::Win(winner), _)) => winner != game.position().side,
        Some((Outcome::Draw, _)) => false,
        None => {
            plies > 0 && game.turns().iter().all(|turn| wins_within(&after(game, turn), plies - 1))
        }
    }
}

#[test]
fn a_search_that_shares_no_code_finds_the_same_distances() {
    for (name, text, plies, _) in PROOFS {
        let rules = variant(name);
        let game = Game::new(&rules, &Position::read(&rules.board, text));
        let decided = if plies > 0 { wins_within } else { loses_within };
        let distance = plies.unsigned_abs();
        assert!(decided(&game, distance), "{name} {text}: not within {distance} plies");
        assert!(!decided(&game, distance - 1), "{name} {text}: sooner than {distance} plies");
    }
}
