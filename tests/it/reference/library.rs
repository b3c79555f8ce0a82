//! The shipped variants as code, written a second time for the tests.

use keny::board::{Kind, Squares};
use keny::rules::{
    Chain, Direction, Directions, Filter, Kinds, Landing, OnePieceRule, Priority, PromotionRule,
    Removal, Ruleset, Setup,
};

const DIAGONAL: Directions =
    Directions::of(&[Direction::DiagonalForward, Direction::DiagonalBackward]);
const DIAGONAL_AHEAD: Directions = Directions::of(&[Direction::DiagonalForward]);
const NOT_BACKWARD: Directions = Directions::of(&[Direction::Forward, Direction::Sideways]);
const EIGHT: Directions = Directions::of(&Direction::ALL);

/// The ruleset of a name; an unknown name is a fault of the test.
pub(crate) fn variant(name: &str) -> Ruleset {
    let mut rules = Ruleset::default();
    let priority = |filters: &[Filter]| Priority::new(filters).unwrap();
    match name {
        "keny" => {}
        "keny-other-sources" => {
            rules.capture.mandatory = false;
            rules.hop.chain = Chain::AtMost(1);
        }
        "keny-setupgroup" => {
            rules.capture.priority = priority(&[Filter::MostPieces]);
            rules.man.hop_over = Kinds::of(&[Kind::Man, Kind::King]);
            rules.hop.chain = Chain::AtMost(1);
            rules.draw.quiet_turns = 0;
        }
        "keny-zillions" => {
            rules.capture.priority = priority(&[Filter::MostPieces]);
            rules.hop.chain = Chain::AtMost(1);
            rules.draw.quiet_turns = 0;
        }
        "keny-collection" => {
            rules.man.capture = NOT_BACKWARD;
            rules.man.hop = NOT_BACKWARD;
            rules.king.reversal = false;
            rules.promotion.in_capture = PromotionRule::Stop;
            rules.hop.chain = Chain::AtMost(1);
            rules.draw.quiet_turns = 0;
        }
        "keny-collection-variant" => {
            rules = variant("keny-collection");
            rules.hop.chain = Chain::Unlimited;
            rules.hop.then_capture = true;
        }
        "turkish" => {
            rules.man.capture = NOT_BACKWARD;
            rules.man.hop_over = Kinds::of(&[]);
            rules.king.reversal = false;
            rules.capture.priority = priority(&[Filter::MostPieces]);
            rules.promotion.in_capture = PromotionRule::ContinueAsMan;
            rules.end.one_piece_each = OnePieceRule::Draw;
            rules.draw.quiet_turns = 0;
            rules.draw.repetition = 3;
        }
        "greek" => {
            rules = variant("turkish");
            rules.capture.priority = priority(&[]);
            rules.king.landing = Landing::Nearest;
        }
        "comoros" => {
            rules = variant("turkish");
            rules.capture.priority = priority(&[]);
            rules.capture.mandatory = false;
            rules.capture.complete = false;
        }
        "kenya" => {
            rules = variant("turkish");
            rules.capture.priority = priority(&[Filter::MostPieces, Filter::ByKing]);
        }
        "armenian" => {
            rules = variant("turkish");
            rules.man.step = Directions::of(&[
                Direction::Forward,
                Direction::Sideways,
                Direction::DiagonalForward,
            ]);
            rules.king.moves = EIGHT;
            rules.promotion.in_capture = PromotionRule::ContinueAsKing;
        }
        _ => rules = diagonal(name),
    }
    rules
}

fn diagonal(name: &str) -> Ruleset {
    let mut rules = Ruleset::default();
    rules.board.squares = Squares::Dark;
    rules.setup.pieces = Setup::Ranks(0b111);
    rules.man.step = DIAGONAL_AHEAD;
    rules.man.hop_over = Kinds::of(&[]);
    rules.king.moves = DIAGONAL;
    rules.king.capture = DIAGONAL;
    rules.capture.removal = Removal::EndOfTurn;
    rules.draw.quiet_turns = 0;
    rules.draw.repetition = 3;
    let (man_capture, flying, landing, filters, in_capture): (_, _, _, &[Filter], _) = match name {
        "english" => (DIAGONAL_AHEAD, false, Landing::Any, &[], PromotionRule::Stop),
        "russian" => (DIAGONAL, true, Landing::Continuing, &[], PromotionRule::ContinueAsKing),
        "brazilian" | "international" => {
            let filters = &[Filter::MostPieces];
            (DIAGONAL, true, Landing::Any, filters, PromotionRule::OnlyIfEndsThere)
        }
        "pool" => (DIAGONAL, true, Landing::Continuing, &[], PromotionRule::OnlyIfEndsThere),
        "spanish" => {
            let filters = &[Filter::MostPieces, Filter::MostKings];
            (DIAGONAL_AHEAD, true, Landing::Any, filters, PromotionRule::Stop)
        }
        "italian" => (DIAGONAL_AHEAD, false, Landing::Any, &Filter::ALL, PromotionRule::Stop),
        "czech" => {
            let filters = &[Filter::ByKing];
            (DIAGONAL_AHEAD, true, Landing::Continuing, filters, PromotionRule::Stop)
        }
        "thai" => (DIAGONAL_AHEAD, true, Landing::Nearest, &[], PromotionRule::Stop),
        other => panic!("no variant {other}"),
    };
    rules.man.capture = man_capture;
    rules.king.flying = flying;
    rules.king.landing = landing;
    rules.capture.priority = Priority::new(filters).unwrap();
    rules.promotion.in_capture = in_capture;
    match name {
        "italian" => rules.man.captures_kings = false,
        "thai" => rules.capture.removal = Removal::Immediate,
        "international" => {
            rules.board.files = 10;
            rules.board.ranks = 10;
            rules.setup.pieces = Setup::Ranks(0b1111);
        }
        _ => {}
    }
    rules
}
