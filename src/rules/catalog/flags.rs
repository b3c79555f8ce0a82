//! The table itself: every open question of the rules, in the order of the reference.
//!
//! It is one table on purpose, longer than other files: a flag is one row here and nowhere else.

use super::choices::{many, number, one, rank_bits, ranks, word, words, yes};
use super::{Choice, Closed, Flag, Shape, Value, Voice};
use crate::board::{Kind, Side, Squares};
use crate::rules::{
    BlockedRule, Chain, CountedTurns, CountingStart, Direction, Filter, Landing, Notation,
    OnePieceRule, Priority, PromotionRule, Removal, RepetitionResult, ResetEvent, Ruleset, Setup,
};

const YES_FIRST: &[Value] = &[Value::Bool(true), Value::Bool(false)];
const NO_FIRST: &[Value] = &[Value::Bool(false), Value::Bool(true)];
const KEY_SOURCES: &[&str] = &["WP", "RU", "SG", "OK", "CA", "CB"];

const fn truth(yes: &'static str, no: &'static str) -> [Choice; 2] {
    [Choice { word: "true", meaning: yes }, Choice { word: "false", meaning: no }]
}

const fn voice(says: &'static str, sources: &'static [&'static str], kin: &'static str) -> Voice {
    Voice { says, sources, kin }
}

/// Puts a value in its place.
fn set<T>(place: &mut T, value: T) -> Option<()> {
    *place = value;
    Some(())
}

const fn always(_: &Ruleset) -> Option<&'static str> {
    None
}

fn kings_walk(ruleset: &Ruleset) -> Option<&'static str> {
    (!ruleset.king.flying).then_some("kings do not fly (`king.flying` is false)")
}

fn men_never_hop(ruleset: &Ruleset) -> Option<&'static str> {
    ruleset.man.hop_over.is_empty().then_some("men hop over nothing (`man.hop_over` is empty)")
}

fn kings_never_hop(ruleset: &Ruleset) -> Option<&'static str> {
    ruleset.king.hop_over.is_empty().then_some("kings hop over nothing (`king.hop_over` is empty)")
}

fn nobody_hops(ruleset: &Ruleset) -> Option<&'static str> {
    (ruleset.man.hop_over.is_empty() && ruleset.king.hop_over.is_empty())
        .then_some("nobody hops (`man.hop_over` and `king.hop_over` are empty)")
}

fn never_counted(ruleset: &Ruleset) -> Option<&'static str> {
    (ruleset.draw.quiet_turns == 0)
        .then_some("quiet turns are not counted (`draw.quiet_turns` is 0)")
}

/// Every flag, table by table.
pub const FLAGS: &[Flag] = &[
    Flag {
        key: "board.files",
        question: "How many files has the board?",
        shape: Shape::Number { min: 4, max: 16, zero: false },
        choices: &[],
        settings: &[Value::Integer(8), Value::Integer(6), Value::Integer(10)],
        voices: &[voice("8", KEY_SOURCES, "")],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| Value::Integer(r.board.files.into()),
        put: |r, v| set(&mut r.board.files, u8::try_from(number(v)?).ok()?),
    },
    Flag {
        key: "board.ranks",
        question: "How many ranks has the board?",
        shape: Shape::Number { min: 4, max: 16, zero: false },
        choices: &[],
        settings: &[Value::Integer(8), Value::Integer(6), Value::Integer(10)],
        voices: &[voice("8", KEY_SOURCES, "")],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| Value::Integer(r.board.ranks.into()),
        put: |r, v| set(&mut r.board.ranks, u8::try_from(number(v)?).ok()?),
    },
    Flag {
        key: "board.squares",
        question: "Which squares are playable?",
        shape: Shape::OneOf,
        choices: Squares::CHOICES,
        settings: &[Value::Word("all"), Value::Word("dark")],
        voices: &[
            voice("all", KEY_SOURCES, "Turkish, Greek, Armenian draughts"),
            voice("dark", &[], "all diagonal draughts"),
        ],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| word(r.board.squares),
        put: |r, v| set(&mut r.board.squares, one(v)?),
    },
    Flag {
        key: "board.notation",
        question: "How are squares written?",
        shape: Shape::OneOf,
        choices: Notation::CHOICES,
        settings: &[Value::Word("letters"), Value::Word("numbers")],
        voices: &[voice("numbers", &[], "international draughts")],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| word(r.board.notation),
        put: |r, v| set(&mut r.board.notation, one(v)?),
    },
    Flag {
        key: "setup.ranks",
        question: "Which ranks does each side fill with men, counted from its own edge?",
        shape: Shape::Ranks { max: 16 },
        choices: &[],
        settings: &[
            Value::integers(&[2, 3]),
            Value::integers(&[1, 2]),
            Value::integers(&[1, 2, 3]),
        ],
        voices: &[
            voice("[2, 3]", KEY_SOURCES, "Turkish draughts"),
            voice("[1, 2, 3]", &[], "most diagonal draughts"),
        ],
        open: false,
        dormant_when: "`setup.position` is given",
        dormant: |r| match r.setup.pieces {
            Setup::Ranks(_) => None,
            Setup::Position(_) => Some("`setup.position` says where the pieces stand"),
        },
        get: |r| match r.setup.pieces {
            Setup::Ranks(bits) => ranks(bits),
            Setup::Position(_) => Value::integers(&[2, 3]),
        },
        put: |r, v| set(&mut r.setup.pieces, Setup::Ranks(rank_bits(v)?)),
    },
    Flag {
        key: "setup.position",
        question: "At which position does the game start, if not with filled ranks?",
        shape: Shape::Position,
        choices: &[Choice { word: "none", meaning: "the ranks of `setup.ranks` are filled" }],
        settings: &[Value::Position(None)],
        voices: &[],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| match r.setup.pieces {
            Setup::Ranks(_) => Value::Position(None),
            Setup::Position(placement) => Value::Position(Some(placement)),
        },
        put: |r, v| match (v, r.setup.pieces) {
            (Value::Position(Some(placement)), _) => {
                set(&mut r.setup.pieces, Setup::Position(*placement))
            }
            (Value::Position(None), Setup::Ranks(_)) => Some(()),
            (Value::Position(None), Setup::Position(_)) => {
                set(&mut r.setup.pieces, Ruleset::default().setup.pieces)
            }
            (
                Value::Bool(_)
                | Value::Integer(_)
                | Value::Word(_)
                | Value::Words(_)
                | Value::Integers(_),
                _,
            ) => None,
        },
    },
    Flag {
        key: "setup.first",
        question: "Who moves first?",
        shape: Shape::OneOf,
        choices: <Side as Closed>::CHOICES,
        settings: &[Value::Word("white"), Value::Word("black")],
        voices: &[voice("white", &["WP"], "")],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| word(r.setup.first),
        put: |r, v| set(&mut r.setup.first, one(v)?),
    },
    Flag {
        key: "man.step",
        question: "In which directions does a man step?",
        shape: Shape::SetOf,
        choices: <Direction as Closed>::CHOICES,
        settings: &[
            Value::words(&["forward", "sideways"]),
            Value::words(&["forward"]),
            Value::words(&["forward", "sideways", "diagonal-forward"]),
        ],
        voices: &[
            voice("forward and sideways", KEY_SOURCES, "Turkish draughts"),
            voice("also diagonal-forward", &[], "Armenian draughts"),
            voice("only diagonal-forward", &[], "all diagonal draughts"),
        ],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| words(r.man.step.iter()),
        put: |r, v| set(&mut r.man.step, many::<Direction>(v)?.into_iter().collect()),
    },
    Flag {
        key: "man.capture",
        question: "In which directions does a man jump over an enemy?",
        shape: Shape::SetOf,
        choices: <Direction as Closed>::CHOICES,
        settings: &[
            Value::words(&["forward", "sideways", "backward"]),
            Value::words(&["forward", "sideways"]),
        ],
        voices: &[
            voice("also backward", &["WP", "RU", "SG", "OK"], ""),
            voice("not backward", &["CA", "CB"], "Turkish draughts"),
        ],
        open: true,
        dormant_when: "",
        dormant: always,
        get: |r| words(r.man.capture.iter()),
        put: |r, v| set(&mut r.man.capture, many::<Direction>(v)?.into_iter().collect()),
    },
    Flag {
        key: "man.captures_kings",
        question: "May a man take a king?",
        shape: Shape::Bool,
        choices: &truth("a man takes men and kings", "a man takes only men"),
        settings: YES_FIRST,
        voices: &[voice("true", KEY_SOURCES, ""), voice("false", &[], "Italian draughts")],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| Value::Bool(r.man.captures_kings),
        put: |r, v| set(&mut r.man.captures_kings, yes(v)?),
    },
    Flag {
        key: "man.hop",
        question: "In which directions does a man hop over an own piece?",
        shape: Shape::SetOf,
        choices: <Direction as Closed>::CHOICES,
        settings: &[
            Value::words(&["forward", "sideways", "backward"]),
            Value::words(&["forward", "sideways"]),
            Value::words(&["forward"]),
        ],
        voices: &[
            voice("also backward", &["SG", "OK"], ""),
            voice("does not exclude backward", &["WP"], ""),
            voice("not backward", &["CA", "CB"], ""),
        ],
        open: true,
        dormant_when: "`man.hop_over` is empty",
        dormant: men_never_hop,
        get: |r| words(r.man.hop.iter()),
        put: |r, v| set(&mut r.man.hop, many::<Direction>(v)?.into_iter().collect()),
    },
    Flag {
        key: "man.hop_over",
        question: "Over which own pieces may a man hop?",
        shape: Shape::SetOf,
        choices: <Kind as Closed>::CHOICES,
        settings: &[Value::words(&["man"]), Value::words(&["man", "king"]), Value::words(&[])],
        voices: &[
            voice("men only", &["WP", "OK", "CA", "CB"], ""),
            voice("leaves kings open", &["WP"], ""),
            voice("also kings (\"friendly pieces\")", &["SG"], ""),
            voice("nothing", &[], "all other draughts"),
        ],
        open: true,
        dormant_when: "",
        dormant: always,
        get: |r| words(r.man.hop_over.iter()),
        put: |r, v| set(&mut r.man.hop_over, many::<Kind>(v)?.into_iter().collect()),
    },
    Flag {
        key: "king.move",
        question: "In which directions does a king slide?",
        shape: Shape::SetOf,
        choices: <Direction as Closed>::CHOICES,
        settings: &[
            Value::words(&["forward", "sideways", "backward"]),
            Value::words(&[
                "forward",
                "sideways",
                "backward",
                "diagonal-forward",
                "diagonal-backward",
            ]),
        ],
        voices: &[
            voice("as a rook", KEY_SOURCES, "Turkish draughts"),
            voice("in all eight directions", &[], "Armenian draughts"),
        ],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| words(r.king.moves.iter()),
        put: |r, v| set(&mut r.king.moves, many::<Direction>(v)?.into_iter().collect()),
    },
    Flag {
        key: "king.capture",
        question: "In which directions does a king jump over an enemy?",
        shape: Shape::SetOf,
        choices: <Direction as Closed>::CHOICES,
        settings: &[
            Value::words(&["forward", "sideways", "backward"]),
            Value::words(&[
                "forward",
                "sideways",
                "backward",
                "diagonal-forward",
                "diagonal-backward",
            ]),
        ],
        voices: &[
            voice("in the four straight directions", KEY_SOURCES, "Turkish, Armenian draughts"),
            voice("on the diagonals", &[], "all diagonal draughts"),
        ],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| words(r.king.capture.iter()),
        put: |r, v| set(&mut r.king.capture, many::<Direction>(v)?.into_iter().collect()),
    },
    Flag {
        key: "king.flying",
        question: "Does a king move and capture over any distance?",
        shape: Shape::Bool,
        choices: &truth("over any distance", "one square at a time, as a man"),
        settings: YES_FIRST,
        voices: &[
            voice("true", KEY_SOURCES, ""),
            voice("false", &[], "English draughts, tama as Schmidt describes it"),
        ],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| Value::Bool(r.king.flying),
        put: |r, v| set(&mut r.king.flying, yes(v)?),
    },
    Flag {
        key: "king.landing",
        question: "Where may a flying king land after a jump?",
        shape: Shape::OneOf,
        choices: Landing::CHOICES,
        settings: &[Value::Word("any"), Value::Word("nearest"), Value::Word("continuing")],
        voices: &[
            voice("any", &["WP", "OK", "CA", "CB"], "Turkish, international draughts"),
            voice("nearest", &[], "Greek, Thai draughts"),
            voice("continuing", &[], "Russian, Czech, pool draughts"),
        ],
        open: false,
        dormant_when: "kings do not fly (`king.flying = false`)",
        dormant: kings_walk,
        get: |r| word(r.king.landing),
        put: |r, v| set(&mut r.king.landing, one(v)?),
    },
    Flag {
        key: "king.reversal",
        question: "May a king turn back by 180° between two jumps of one turn?",
        shape: Shape::Bool,
        choices: &truth("it may turn back", "it may go straight on or turn aside, not back"),
        settings: YES_FIRST,
        voices: &[
            voice("true", &["OK"], ""),
            voice("false", &["CA", "CB"], "Turkish draughts"),
            voice("says nothing", &["WP"], ""),
        ],
        open: true,
        dormant_when: "taken pieces leave at the end of the turn (`capture.removal = \
                       \"end-of-turn\"`), or kings do not fly (`king.flying = false`)",
        dormant: |r| match r.capture.removal {
            Removal::EndOfTurn => {
                Some("taken pieces stay until the turn ends (`capture.removal` is \"end-of-turn\")")
            }
            Removal::Immediate => kings_walk(r),
        },
        get: |r| Value::Bool(r.king.reversal),
        put: |r, v| set(&mut r.king.reversal, yes(v)?),
    },
    Flag {
        key: "king.hop_over",
        question: "Over which own pieces may a king hop?",
        shape: Shape::SetOf,
        choices: <Kind as Closed>::CHOICES,
        settings: &[Value::words(&[]), Value::words(&["man"]), Value::words(&["man", "king"])],
        voices: &[
            voice("nothing", &["OK", "CA", "CB", "RU"], ""),
            voice("leaves it open", &["WP"], ""),
        ],
        open: true,
        dormant_when: "",
        dormant: always,
        get: |r| words(r.king.hop_over.iter()),
        put: |r, v| set(&mut r.king.hop_over, many::<Kind>(v)?.into_iter().collect()),
    },
    Flag {
        key: "king.hop",
        question: "In which directions does a king hop over an own piece?",
        shape: Shape::SetOf,
        choices: <Direction as Closed>::CHOICES,
        settings: &[
            Value::words(&["forward", "sideways", "backward"]),
            Value::words(&["forward", "sideways"]),
        ],
        voices: &[],
        open: true,
        dormant_when: "`king.hop_over` is empty",
        dormant: kings_never_hop,
        get: |r| words(r.king.hop.iter()),
        put: |r, v| set(&mut r.king.hop, many::<Direction>(v)?.into_iter().collect()),
    },
    Flag {
        key: "king.flying_hop",
        question: "Does a king hop from and to any distance?",
        shape: Shape::Bool,
        choices: &truth(
            "it slides up to the first piece on the line, leaps it if it may be hopped, and lands \
             on any free square beyond, up to the next piece",
            "it leaps an adjacent piece onto the square behind it",
        ),
        settings: NO_FIRST,
        voices: &[],
        open: true,
        dormant_when: "`king.hop_over` is empty",
        dormant: kings_never_hop,
        get: |r| Value::Bool(r.king.flying_hop),
        put: |r, v| set(&mut r.king.flying_hop, yes(v)?),
    },
    Flag {
        key: "capture.mandatory",
        question: "Must a side that can capture do so?",
        shape: Shape::Bool,
        choices: &truth("it must capture", "it may make a quiet turn instead"),
        settings: YES_FIRST,
        voices: &[
            voice("true", &["WP", "OK", "CA", "CB"], "almost all draughts"),
            voice("false (\"many\" of them)", &["WPo"], "dama of the Comoros"),
        ],
        open: true,
        dormant_when: "",
        dormant: always,
        get: |r| Value::Bool(r.capture.mandatory),
        put: |r, v| set(&mut r.capture.mandatory, yes(v)?),
    },
    Flag {
        key: "capture.complete",
        question: "Must a begun chain of jumps go on until no jump is left?",
        shape: Shape::Bool,
        choices: &truth("it must go on", "it may stop after any jump"),
        settings: YES_FIRST,
        voices: &[
            voice("true", &["WPo", "OK", "CA", "CB"], "almost all draughts"),
            voice("false", &[], "dama of the Comoros"),
        ],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| Value::Bool(r.capture.complete),
        put: |r, v| set(&mut r.capture.complete, yes(v)?),
    },
    Flag {
        key: "capture.priority",
        question: "Which of the possible chains of jumps may be chosen?",
        shape: Shape::ListOf,
        choices: <Filter as Closed>::CHOICES,
        settings: &[
            Value::words(&[]),
            Value::words(&["most-pieces"]),
            Value::words(&["by-king"]),
            Value::words(&["most-pieces", "by-king"]),
            Value::words(&["most-pieces", "most-kings"]),
            Value::words(&["most-pieces", "by-king", "most-kings", "king-first"]),
        ],
        voices: &[
            voice("free choice", &["WPo", "RU", "CA", "CB"], "Greek dama, Russian draughts"),
            voice("most-pieces", &["SG", "OK"], "Turkish, international draughts"),
            voice("most-pieces, then by-king", &[], "dama of Kenya"),
            voice("most-pieces, then most-kings", &[], "Spanish draughts"),
            voice("all four", &[], "Italian draughts"),
            voice("by-king", &[], "Czech draughts"),
        ],
        open: true,
        dormant_when: "",
        dormant: always,
        get: |r| words(r.capture.priority.iter()),
        put: |r, v| set(&mut r.capture.priority, Priority::new(&many::<Filter>(v)?)?),
    },
    Flag {
        key: "capture.removal",
        question: "When do taken pieces leave the board?",
        shape: Shape::OneOf,
        choices: Removal::CHOICES,
        settings: &[Value::Word("immediate"), Value::Word("end-of-turn")],
        voices: &[
            voice("immediate", &["OK", "CA", "CB"], "Turkish draughts"),
            voice("end-of-turn", &[], "some Armenian draughts, Croda, most diagonal draughts"),
        ],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| word(r.capture.removal),
        put: |r, v| set(&mut r.capture.removal, one(v)?),
    },
    Flag {
        key: "hop.chain",
        question: "How many hops may one turn have?",
        shape: Shape::Chain { max: 255 },
        choices: &[Choice { word: "unlimited", meaning: "as many as the board allows" }],
        settings: &[Value::Word("unlimited"), Value::Integer(1), Value::Integer(2)],
        voices: &[voice("repeated", &["WP", "CB"], ""), voice("one", &["WPo", "OK", "CA"], "")],
        open: true,
        dormant_when: "nobody hops (`man.hop_over` and `king.hop_over` are empty)",
        dormant: nobody_hops,
        get: |r| match r.hop.chain {
            Chain::Unlimited => Value::Word("unlimited"),
            Chain::AtMost(hops) => Value::Integer(hops.into()),
        },
        put: |r, v| match v {
            Value::Word("unlimited") => set(&mut r.hop.chain, Chain::Unlimited),
            Value::Integer(1..) => {
                set(&mut r.hop.chain, Chain::AtMost(u8::try_from(number(v)?).ok()?))
            }
            Value::Bool(_)
            | Value::Integer(_)
            | Value::Word(_)
            | Value::Words(_)
            | Value::Integers(_)
            | Value::Position(_) => None,
        },
    },
    Flag {
        key: "hop.return_to_start",
        question: "May a chain of hops end where it began, with nothing changed, which is a pass?",
        shape: Shape::Bool,
        choices: &truth("it may", "it may not"),
        settings: NO_FIRST,
        voices: &[],
        open: true,
        dormant_when: "nobody hops, or `hop.chain` is 1",
        dormant: |r| match r.hop.chain {
            Chain::AtMost(1) => nobody_hops(r).or(Some("a turn has one hop (`hop.chain` is 1)")),
            Chain::AtMost(_) | Chain::Unlimited => nobody_hops(r),
        },
        get: |r| Value::Bool(r.hop.return_to_start),
        put: |r, v| set(&mut r.hop.return_to_start, yes(v)?),
    },
    Flag {
        key: "hop.then_capture",
        question: "May a turn go on from hops to jumps, never back to hops?",
        shape: Shape::Bool,
        choices: &truth("it may, where no plain capture is compulsory", "it may not"),
        settings: NO_FIRST,
        voices: &[voice("true", &["CB"], ""), voice("false", &["OK", "CA"], "")],
        open: true,
        dormant_when: "nobody hops (`man.hop_over` and `king.hop_over` are empty)",
        dormant: nobody_hops,
        get: |r| Value::Bool(r.hop.then_capture),
        put: |r, v| set(&mut r.hop.then_capture, yes(v)?),
    },
    Flag {
        key: "promotion.in_capture",
        question: "What becomes of a man that lands on the far rank inside a chain of jumps?",
        shape: Shape::OneOf,
        choices: PromotionRule::CHOICES,
        settings: &[
            Value::Word("continue-as-king"),
            Value::Word("stop"),
            Value::Word("continue-as-man"),
            Value::Word("only-if-ends-there"),
        ],
        voices: &[
            voice("continue-as-king", &["OK"], "Armenian, Russian draughts"),
            voice("stop", &["CA", "CB"], "English draughts"),
            voice("continue-as-man", &[], "Turkish draughts"),
            voice("only-if-ends-there", &[], "Croda, international draughts"),
        ],
        open: true,
        dormant_when: "",
        dormant: always,
        get: |r| word(r.promotion.in_capture),
        put: |r, v| set(&mut r.promotion.in_capture, one(v)?),
    },
    Flag {
        key: "promotion.in_hop",
        question: "What becomes of a man that lands on the far rank inside a chain of hops?",
        shape: Shape::OneOf,
        choices: PromotionRule::CHOICES,
        settings: &[
            Value::Word("stop"),
            Value::Word("continue-as-king"),
            Value::Word("continue-as-man"),
            Value::Word("only-if-ends-there"),
        ],
        voices: &[voice("stop", &["OK", "CA", "CB"], "")],
        open: true,
        dormant_when: "`man.hop_over` is empty",
        dormant: men_never_hop,
        get: |r| word(r.promotion.in_hop),
        put: |r, v| set(&mut r.promotion.in_hop, one(v)?),
    },
    Flag {
        key: "end.blocked",
        question: "What does a side get that has pieces but no legal turn?",
        shape: Shape::OneOf,
        choices: BlockedRule::CHOICES,
        settings: &[Value::Word("loss"), Value::Word("draw")],
        voices: &[voice("loss", KEY_SOURCES, "almost all draughts")],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| word(r.end.blocked),
        put: |r, v| set(&mut r.end.blocked, one(v)?),
    },
    Flag {
        key: "end.one_piece_each",
        question: "What happens when each side has one piece left?",
        shape: Shape::OneOf,
        choices: OnePieceRule::CHOICES,
        settings: &[Value::Word("play-on"), Value::Word("draw"), Value::Word("king-beats-man")],
        voices: &[
            voice("play-on", &["WP"], ""),
            voice("draw", &[], "Turkish draughts (federation)"),
            voice("king-beats-man", &[], "Turkish draughts (others)"),
        ],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| word(r.end.one_piece_each),
        put: |r, v| set(&mut r.end.one_piece_each, one(v)?),
    },
    Flag {
        key: "draw.quiet_turns",
        question: "After how many turns in a row without a capture is the game drawn?",
        shape: Shape::Number { min: 1, max: 10_000, zero: true },
        choices: &[Choice { word: "0", meaning: "never" }],
        settings: &[Value::Integer(10), Value::Integer(0), Value::Integer(20)],
        voices: &[voice("10", &["WP", "RU"], "")],
        open: false,
        dormant_when: "",
        dormant: always,
        get: |r| Value::Integer(r.draw.quiet_turns.into()),
        put: |r, v| set(&mut r.draw.quiet_turns, u16::try_from(number(v)?).ok()?),
    },
    Flag {
        key: "draw.counted",
        question: "Whose turns does `draw.quiet_turns` count?",
        shape: Shape::OneOf,
        choices: CountedTurns::CHOICES,
        settings: &[Value::Word("per-side"), Value::Word("both")],
        voices: &[],
        open: true,
        dormant_when: "`draw.quiet_turns` is 0",
        dormant: never_counted,
        get: |r| word(r.draw.counted),
        put: |r, v| set(&mut r.draw.counted, one(v)?),
    },
    Flag {
        key: "draw.starts",
        question: "From when do quiet turns count?",
        shape: Shape::OneOf,
        choices: CountingStart::CHOICES,
        settings: &[Value::Word("first-turn"), Value::Word("first-capture")],
        voices: &[],
        open: true,
        dormant_when: "`draw.quiet_turns` is 0",
        dormant: never_counted,
        get: |r| word(r.draw.starts),
        put: |r, v| set(&mut r.draw.starts, one(v)?),
    },
    Flag {
        key: "draw.reset_by",
        question: "What sets the count of quiet turns to zero?",
        shape: Shape::SetOf,
        choices: <ResetEvent as Closed>::CHOICES,
        settings: &[
            Value::words(&["capture"]),
            Value::words(&["capture", "promotion"]),
            Value::words(&["capture", "hop"]),
            Value::words(&["capture", "man-move"]),
        ],
        voices: &[voice("capture", &["WP"], "")],
        open: false,
        dormant_when: "`draw.quiet_turns` is 0",
        dormant: never_counted,
        get: |r| words(r.draw.reset_by.iter()),
        put: |r, v| set(&mut r.draw.reset_by, many::<ResetEvent>(v)?.into_iter().collect()),
    },
    Flag {
        key: "draw.repetition",
        question: "How often must one position, with one side to move, occur to end the game?",
        shape: Shape::Number { min: 2, max: 255, zero: true },
        choices: &[Choice { word: "0", meaning: "repetition ends no game" }],
        settings: &[Value::Integer(0), Value::Integer(3), Value::Integer(2)],
        voices: &[voice("3", &[], "Turkish draughts")],
        open: true,
        dormant_when: "",
        dormant: always,
        get: |r| Value::Integer(r.draw.repetition.into()),
        put: |r, v| set(&mut r.draw.repetition, u8::try_from(number(v)?).ok()?),
    },
    Flag {
        key: "draw.repetition_result",
        question: "What does a repeated position bring?",
        shape: Shape::OneOf,
        choices: RepetitionResult::CHOICES,
        settings: &[Value::Word("draw"), Value::Word("loss")],
        voices: &[],
        open: true,
        dormant_when: "`draw.repetition` is 0",
        dormant: |r| {
            (r.draw.repetition == 0).then_some("repetition ends no game (`draw.repetition` is 0)")
        },
        get: |r| word(r.draw.repetition_result),
        put: |r, v| set(&mut r.draw.repetition_result, one(v)?),
    },
];
