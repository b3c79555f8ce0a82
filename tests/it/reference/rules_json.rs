//! Rules and turns of the test data, as JSON, into plain values. Never reports a mistake kindly.

use keny::board::{Kind, Side, Squares};
use keny::rules::{
    BlockedRule, Chain, CountedTurns, CountingStart, Direction, Filter, Landing, Notation,
    OnePieceRule, Priority, PromotionRule, Removal, RepetitionResult, ResetEvent, Ruleset, Setup,
};
use serde_json::Value;

/// The ruleset of a JSON object with a variant file's tables; what is absent is the default.
pub(crate) fn ruleset(tables: &Value) -> Ruleset {
    let mut rules = Ruleset::default();
    for (table, keys) in tables.as_object().unwrap() {
        for (key, value) in keys.as_object().unwrap() {
            set(&mut rules, &format!("{table}.{key}"), value);
        }
    }
    rules
}

/// Sets one flag; null leaves it as it is.
pub(crate) fn set(rules: &mut Ruleset, flag: &str, value: &Value) {
    match flag {
        _ if value.is_null() => {}
        "board.files" => rules.board.files = number(value),
        "board.ranks" => rules.board.ranks = number(value),
        "board.squares" => {
            rules.board.squares = choice(value, &[("all", Squares::All), ("dark", Squares::Dark)]);
        }
        "board.notation" => {
            let choices = [("letters", Notation::Letters), ("numbers", Notation::Numbers)];
            rules.board.notation = choice(value, &choices);
        }
        "setup.ranks" => {
            let ranks = value.as_array().unwrap().iter().map(number::<u16>);
            rules.setup.pieces = Setup::Ranks(ranks.fold(0, |all, rank| all | 1 << (rank - 1)));
        }
        "setup.position" => rules.setup.pieces = setup_position(rules, value.as_str().unwrap()),
        "setup.first" => {
            rules.setup.first = choice(value, &[("white", Side::White), ("black", Side::Black)]);
        }
        "man.step" => rules.man.step = list(value, direction),
        "man.capture" => rules.man.capture = list(value, direction),
        "man.captures_kings" => rules.man.captures_kings = value.as_bool().unwrap(),
        "man.hop" => rules.man.hop = list(value, direction),
        "man.hop_over" => rules.man.hop_over = list(value, kind),
        "king.move" => rules.king.moves = list(value, direction),
        "king.capture" => rules.king.capture = list(value, direction),
        "king.flying" => rules.king.flying = value.as_bool().unwrap(),
        "king.landing" => {
            let choices = [
                ("any", Landing::Any),
                ("nearest", Landing::Nearest),
                ("continuing", Landing::Continuing),
            ];
            rules.king.landing = choice(value, &choices);
        }
        "king.reversal" => rules.king.reversal = value.as_bool().unwrap(),
        "king.hop_over" => rules.king.hop_over = list(value, kind),
        "king.hop" => rules.king.hop = list(value, direction),
        "king.flying_hop" => rules.king.flying_hop = value.as_bool().unwrap(),
        "capture.mandatory" => rules.capture.mandatory = value.as_bool().unwrap(),
        "capture.complete" => rules.capture.complete = value.as_bool().unwrap(),
        "capture.priority" => {
            let filters: Vec<Filter> = list(value, filter);
            rules.capture.priority = Priority::new(&filters).unwrap();
        }
        "capture.removal" => {
            let choices = [("immediate", Removal::Immediate), ("end-of-turn", Removal::EndOfTurn)];
            rules.capture.removal = choice(value, &choices);
        }
        "hop.chain" => {
            rules.hop.chain = match value.as_str() {
                Some(word) => choice(&Value::from(word), &[("unlimited", Chain::Unlimited)]),
                None => Chain::AtMost(number(value)),
            };
        }
        "hop.return_to_start" => rules.hop.return_to_start = value.as_bool().unwrap(),
        "hop.then_capture" => rules.hop.then_capture = value.as_bool().unwrap(),
        "promotion.in_capture" => rules.promotion.in_capture = promotion(value),
        "promotion.in_hop" => rules.promotion.in_hop = promotion(value),
        _ => set_ending(rules, flag, value),
    }
}

fn set_ending(rules: &mut Ruleset, flag: &str, value: &Value) {
    match flag {
        "end.blocked" => {
            let choices = [("loss", BlockedRule::Loss), ("draw", BlockedRule::Draw)];
            rules.end.blocked = choice(value, &choices);
        }
        "end.one_piece_each" => {
            let choices = [
                ("play-on", OnePieceRule::PlayOn),
                ("draw", OnePieceRule::Draw),
                ("king-beats-man", OnePieceRule::KingBeatsMan),
            ];
            rules.end.one_piece_each = choice(value, &choices);
        }
        "draw.quiet_turns" => rules.draw.quiet_turns = number(value),
        "draw.counted" => {
            let choices = [("per-side", CountedTurns::PerSide), ("both", CountedTurns::Both)];
            rules.draw.counted = choice(value, &choices);
        }
        "draw.starts" => {
            let choices = [
                ("first-turn", CountingStart::FirstTurn),
                ("first-capture", CountingStart::FirstCapture),
            ];
            rules.draw.starts = choice(value, &choices);
        }
        "draw.reset_by" => rules.draw.reset_by = list(value, reset_event),
        "draw.repetition" => rules.draw.repetition = number(value),
        "draw.repetition_result" => {
            let choices = [("draw", RepetitionResult::Draw), ("loss", RepetitionResult::Loss)];
            rules.draw.repetition_result = choice(value, &choices);
        }
        other => panic!("no flag {other}"),
    }
}

/// The border: a placement has the library's numbers of squares.
fn setup_position(rules: &Ruleset, text: &str) -> Setup {
    let position = super::Position::read(&rules.board, text);
    let geometry = rules.board.geometry();
    let mut placement = keny::board::Placement::<u128>::default();
    for side in Side::ALL {
        for (spot, kind) in position.cells.pieces(side) {
            let square = geometry.square(spot.0, spot.1).unwrap();
            placement.put(square, keny::board::Piece { side, kind });
        }
    }
    Setup::Position(placement)
}

fn number<N: TryFrom<u64>>(value: &Value) -> N {
    N::try_from(value.as_u64().unwrap()).ok().unwrap()
}

fn choice<T: Copy>(value: &Value, choices: &[(&str, T)]) -> T {
    let word = value.as_str().unwrap();
    choices.iter().find(|(name, _)| *name == word).unwrap_or_else(|| panic!("{word}")).1
}

fn list<T, L: FromIterator<T>>(value: &Value, item: fn(&str) -> T) -> L {
    value.as_array().unwrap().iter().map(|value| item(value.as_str().unwrap())).collect()
}

fn direction(word: &str) -> Direction {
    match word {
        "forward" => Direction::Forward,
        "sideways" => Direction::Sideways,
        "backward" => Direction::Backward,
        "diagonal-forward" => Direction::DiagonalForward,
        "diagonal-backward" => Direction::DiagonalBackward,
        other => panic!("no direction {other}"),
    }
}

fn kind(word: &str) -> Kind {
    match word {
        "man" => Kind::Man,
        "king" => Kind::King,
        other => panic!("no kind {other}"),
    }
}

fn filter(word: &str) -> Filter {
    match word {
        "most-pieces" => Filter::MostPieces,
        "by-king" => Filter::ByKing,
        "most-kings" => Filter::MostKings,
        "king-first" => Filter::KingFirst,
        other => panic!("no filter {other}"),
    }
}

fn reset_event(word: &str) -> ResetEvent {
    match word {
        "capture" => ResetEvent::Capture,
        "promotion" => ResetEvent::Promotion,
        "hop" => ResetEvent::Hop,
        "man-move" => ResetEvent::ManMove,
        other => panic!("no event {other}"),
    }
}

fn promotion(value: &Value) -> PromotionRule {
    let choices = [
        ("continue-as-king", PromotionRule::ContinueAsKing),
        ("stop", PromotionRule::Stop),
        ("continue-as-man", PromotionRule::ContinueAsMan),
        ("only-if-ends-there", PromotionRule::OnlyIfEndsThere),
    ];
    choice(value, &choices)
}
