//! The closed sets of answers: each enum's words in variant files, and what they mean.

use super::{Choice, Value};
use crate::board::{Kind, Side, Squares};
use crate::rules::{
    BlockedRule, CountedTurns, CountingStart, Direction, Filter, Landing, Notation, OnePieceRule,
    PromotionRule, Removal, RepetitionResult, ResetEvent,
};

/// A closed set of answers with a word for each.
pub trait Closed: Copy + Eq + 'static {
    /// All members, in the order in which they are written.
    const ALL: &'static [Self];
    /// Their words and meanings, in the same order.
    const CHOICES: &'static [Choice];

    /// The word in variant files.
    #[must_use]
    fn word(self) -> &'static str;

    /// The member with this word.
    #[must_use]
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|member| member.word() == word)
    }
}

macro_rules! closed {
    ($type:ty { $($member:ident = $word:expr, $meaning:literal;)+ }) => {
        impl Closed for $type {
            const ALL: &'static [Self] = &[$(Self::$member),+];
            const CHOICES: &'static [Choice] =
                &[$(Choice { word: $word, meaning: $meaning }),+];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$member => $word,)+
                }
            }
        }
    };
}

closed! { Squares {
    All = "all", "every square of the board";
    Dark = "dark", "only the squares of a1's colour";
}}

closed! { Notation {
    Letters = "letters", "file letter and rank number, from White's left: `a1`, `b1`, …";
    Numbers = "numbers", "the playable squares from the top left, highest rank first: `1`, `2`, …";
}}

closed! { Side {
    White = Self::White.name(), "White, who starts on the low ranks";
    Black = Self::Black.name(), "Black, who starts on the high ranks";
}}

closed! { Direction {
    Forward = Self::Forward.name(), "toward the far rank";
    Sideways = Self::Sideways.name(), "along the rank, to the left and to the right";
    Backward = Self::Backward.name(), "away from the far rank";
    DiagonalForward = Self::DiagonalForward.name(), "both diagonals toward the far rank";
    DiagonalBackward = Self::DiagonalBackward.name(), "both diagonals away from the far rank";
}}

closed! { Kind {
    Man = Self::Man.name(), "an own man";
    King = Self::King.name(), "an own king";
}}

closed! { Landing {
    Any = "any", "any free square behind the taken piece, up to the next piece";
    Nearest = "nearest", "only the first square behind the taken piece";
    Continuing = "continuing",
        "for each single jump, only squares from which it can jump again; any, where there is none";
}}

closed! { Filter {
    MostPieces = Self::MostPieces.name(), "the chains that take most pieces";
    ByKing = Self::ByKing.name(),
        "the chains of pieces that were kings when the turn began, if there are any";
    MostKings = Self::MostKings.name(), "the chains that take most kings";
    KingFirst = Self::KingFirst.name(),
        "the chains that take a king earliest, compared jump by jump; one that ends first is less";
}}

closed! { Removal {
    Immediate = "immediate", "each at once, so that the way is free for later jumps of the chain";
    EndOfTurn = "end-of-turn",
        "all when the turn ends; until then they block and cannot be jumped again";
}}

closed! { PromotionRule {
    ContinueAsKing = "continue-as-king", "crowned at once, and goes on with a king's powers";
    Stop = "stop", "crowned at once, and the turn ends";
    ContinueAsMan = "continue-as-man",
        "goes on as a man, and is crowned when the turn ends, wherever that is";
    OnlyIfEndsThere = "only-if-ends-there",
        "goes on as a man, and is crowned only if the turn ends on the far rank";
}}

closed! { BlockedRule {
    Loss = "loss", "it loses";
    Draw = "draw", "the game is drawn";
}}

closed! { OnePieceRule {
    PlayOn = "play-on", "nothing special";
    Draw = "draw", "the game is drawn";
    KingBeatsMan = "king-beats-man",
        "a king wins against a man at once, two kings draw, two men play on";
}}

closed! { CountedTurns {
    PerSide = "per-side", "that many turns of each side";
    Both = "both", "that many turns of both sides together";
}}

closed! { CountingStart {
    FirstTurn = "first-turn", "from the first turn of the game";
    FirstCapture = "first-capture", "only after the first capture of the game";
}}

closed! { ResetEvent {
    Capture = Self::Capture.name(), "a turn that takes something";
    Promotion = Self::Promotion.name(), "a turn that crowns a man";
    Hop = Self::Hop.name(), "a turn with a hop";
    ManMove = Self::ManMove.name(), "any turn of a piece that began it as a man";
}}

closed! { RepetitionResult {
    Draw = "draw", "the game is drawn";
    Loss = "loss", "the side that just moved loses";
}}

/// The value of one member.
pub(super) fn word<T: Closed>(member: T) -> Value {
    Value::Word(member.word())
}

/// The member that a value names.
pub(super) fn one<T: Closed>(value: &Value) -> Option<T> {
    match value {
        Value::Word(word) => T::from_word(word),
        Value::Bool(_)
        | Value::Integer(_)
        | Value::Words(_)
        | Value::Integers(_)
        | Value::Position(_) => None,
    }
}

/// The value of several members, in their order.
pub(super) fn words<T: Closed>(members: impl Iterator<Item = T>) -> Value {
    Value::Words(members.map(T::word).collect())
}

/// The members that a value names, none twice.
pub(super) fn many<T: Closed>(value: &Value) -> Option<Vec<T>> {
    match value {
        Value::Words(words) => {
            let members: Vec<T> =
                words.iter().map(|word| T::from_word(word)).collect::<Option<_>>()?;
            let twice = (1..members.len()).any(|last| members[..last].contains(&members[last]));
            (!twice).then_some(members)
        }
        Value::Bool(_)
        | Value::Integer(_)
        | Value::Word(_)
        | Value::Integers(_)
        | Value::Position(_) => None,
    }
}

/// Yes or no.
pub(super) const fn yes(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::Integer(_)
        | Value::Word(_)
        | Value::Words(_)
        | Value::Integers(_)
        | Value::Position(_) => None,
    }
}

/// A number.
pub(super) const fn number(value: &Value) -> Option<u32> {
    match value {
        Value::Integer(value) => Some(*value),
        Value::Bool(_)
        | Value::Word(_)
        | Value::Words(_)
        | Value::Integers(_)
        | Value::Position(_) => None,
    }
}

/// The bits of a list of ranks, each 1 to 16, none twice.
pub(super) fn rank_bits(value: &Value) -> Option<u16> {
    match value {
        Value::Integers(ranks) => {
            let mut bits = 0_u16;
            for &rank in ranks.iter() {
                if !(1..=16).contains(&rank) || bits >> (rank - 1) & 1 == 1 {
                    return None;
                }
                bits |= 1 << (rank - 1);
            }
            Some(bits)
        }
        Value::Bool(_)
        | Value::Integer(_)
        | Value::Word(_)
        | Value::Words(_)
        | Value::Position(_) => None,
    }
}

/// The list of ranks of these bits.
pub(super) fn ranks(bits: u16) -> Value {
    Value::Integers((1..=16).filter(|rank| bits >> (rank - 1) & 1 == 1).collect())
}

#[cfg(test)]
mod tests {
    use super::Closed;
    use crate::rules::{Direction, Filter, ResetEvent};

    #[test]
    fn two_lists_of_one_set_agree() {
        assert_eq!(Direction::ALL, <Direction as Closed>::ALL);
        assert_eq!(Filter::ALL, <Filter as Closed>::ALL);
        assert_eq!(ResetEvent::ALL, <ResetEvent as Closed>::ALL);
    }

    #[test]
    fn a_list_with_a_word_twice_is_no_answer() {
        let value = super::Value::words(&["capture", "hop", "capture"]);
        assert_eq!(super::many::<ResetEvent>(&value), None);
    }
}
