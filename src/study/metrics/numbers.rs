//! The whole numbers that one game gives, and their sums. Knows no rules and no formula.

use std::ops::{AddAssign, Index, IndexMut};

macro_rules! quantities {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// Something that is counted in a game and can be summed over games.
        ///
        /// The *first side* is the one that moves first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Quantity {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Quantity {
            /// All quantities.
            pub const ALL: [Self; [$(Self::$name),+].len()] = [$(Self::$name),+];
        }
    };
}

quantities! {
    /// Games: 1.
    Games,
    /// Games that ended on the board.
    Finished,
    /// Games without an end.
    Unfinished,
    /// Those of them that came to a position with too many turns to list; the others reached the
    /// ply cap.
    GivenUp,
    /// Twice the score of the first side: 2 for a win, 1 for a draw; 0 in an unfinished game.
    FirstHalfPoints,
    /// Twice the score of the player in the first seat; 0 in an unfinished game.
    SeatHalfPoints,
    /// Games won by the first side.
    FirstWins,
    /// Games lost by the first side.
    FirstLosses,
    /// Draws.
    Draws,
    /// Games with a winner.
    Decisive,
    /// Games that ended because a side had no pieces left.
    EndedByCapture,
    /// Games that ended because a side had no legal turn.
    EndedByBlock,
    /// Games that ended as a draw with one piece each.
    EndedByOnePieceEach,
    /// Games that ended as a win of a king against a man.
    EndedByKingAgainstMan,
    /// Games that ended by the count of quiet turns.
    EndedByQuietTurns,
    /// Games that ended by repetition.
    EndedByRepetition,
    /// Games that the study's judge ended.
    EndedByAdjudication,
    /// Plies of finished games.
    FinishedPlies,
    /// Turns, of finished and unfinished games.
    Turns,
    /// Legal turns, summed over the positions in which a turn was played.
    LegalTurns,
    /// Positions in which exactly one turn was legal.
    ForcedTurns,
    /// Pieces taken.
    Taken,
    /// Turns that take something.
    CapturingTurns,
    /// Turns that take nothing.
    QuietTurns,
    /// Quiet turns with a hop.
    HoppingTurns,
    /// Hops of those turns, each turn made with as few as it can be.
    Hops,
    /// Those turns that end on no higher rank, as their side sees it, than they began.
    HopsNotForward,
    /// Hops of those turns, one by one, that land on no higher rank than they leave.
    HopsBackOrSideways,
    /// Men crowned.
    Promotions,
    /// Men crowned by a turn that takes something.
    PromotionsInCapture,
    /// Men crowned by a turn with a hop that takes nothing.
    PromotionsInHop,
    /// Turns before which there was a king on the board.
    TurnsWithKing,
    /// Games in which something was taken.
    GamesWithCapture,
    /// Games in which a man was crowned.
    GamesWithKing,
    /// Times that the material balance went from one side's favour to the other's.
    LeadChanges,
    /// Decisive games whose winner was at some time two men behind or more.
    Comebacks,
    /// Thousandths of the length, rounded down, at which the winner was last not ahead; decisive
    /// games of at least one turn.
    DecisionThousandths,
    /// Decisive games of at least one turn.
    DecisiveWithTurns,
}

/// One number for each quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers([u64; Quantity::ALL.len()]);

impl Default for Numbers {
    fn default() -> Self {
        Self([0; Quantity::ALL.len()])
    }
}

impl Index<Quantity> for Numbers {
    type Output = u64;

    fn index(&self, quantity: Quantity) -> &u64 {
        &self.0[quantity as usize]
    }
}

impl IndexMut<Quantity> for Numbers {
    fn index_mut(&mut self, quantity: Quantity) -> &mut u64 {
        &mut self.0[quantity as usize]
    }
}

impl AddAssign<&Self> for Numbers {
    fn add_assign(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(&other.0) {
            *sum += number;
        }
    }
}

/// How many more men and kings than the other the side that moves first has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lead {
    /// Men.
    pub men: i16,
    /// Kings.
    pub kings: i16,
}

/// What one game gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameNumbers {
    /// What can be summed.
    pub numbers: Numbers,
    /// The ply, from 1, of the first turn that takes something.
    pub first_capture: Option<u32>,
    /// The ply, from 1, of the first turn that crowns a man.
    pub first_king: Option<u32>,
    /// The most pieces taken by one turn.
    pub longest_chain: usize,
    /// Legal turns in each position in which a turn was played.
    pub branching: Vec<usize>,
    /// Pieces taken by each turn that takes something.
    pub chains: Vec<usize>,
    /// What the first side has more of, at some moments of the game; empty in an unfinished game.
    pub leads: Vec<Lead>,
}
