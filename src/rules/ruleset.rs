//! One plain value that answers every open question: what a variant file says, and no more.

use crate::board::{BoardSize, Geometry, Kind, Piece, Placement, Side, SquareSet, Squares};

/// All answers, grouped like the tables of a variant file. The default is Keny after Sokolov.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// Table `board`.
    pub board: BoardRules,
    /// Table `setup`.
    pub setup: SetupRules,
    /// Table `man`.
    pub man: ManRules,
    /// Table `king`.
    pub king: KingRules,
    /// Table `capture`.
    pub capture: CaptureRules,
    /// Table `hop`.
    pub hop: HopRules,
    /// Table `promotion`.
    pub promotion: PromotionRules,
    /// Table `end`.
    pub end: EndRules,
    /// Table `draw`.
    pub draw: DrawRules,
}

/// Size of the board and how its squares are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardRules {
    /// Number of files, 4 to 16.
    pub files: u8,
    /// Number of ranks, 4 to 16; files times ranks is at most [`Ruleset::SQUARES_MAX`].
    pub ranks: u8,
    /// The playable squares.
    pub squares: Squares,
    /// How squares are written.
    pub notation: Notation,
}

/// How squares are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Notation {
    /// File letter and rank number: `a1`.
    Letters,
    /// Playable squares numbered from the top left, highest rank first: `1`, `2`, …
    Numbers,
}

/// Where the pieces stand at the start, and who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetupRules {
    /// The pieces.
    pub pieces: Setup,
    /// The side that moves first.
    pub first: Side,
}

/// The pieces at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setup {
    /// Men on these ranks of each side: bit `n - 1` is rank `n`, counted from the side's own edge.
    Ranks(u16),
    /// Any placement (squares numbered as by the board's [`Geometry`]).
    Position(Placement<u128>),
}

/// A direction as the mover sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Toward the far rank.
    Forward,
    /// Along the rank, both ways.
    Sideways,
    /// Away from the far rank.
    Backward,
    /// Both diagonals toward the far rank.
    DiagonalForward,
    /// Both diagonals away from the far rank.
    DiagonalBackward,
}

impl Direction {
    /// All directions, in the order in which they are written.
    pub const ALL: [Self; 5] = [
        Self::Forward,
        Self::Sideways,
        Self::Backward,
        Self::DiagonalForward,
        Self::DiagonalBackward,
    ];

    /// The name in variant files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Sideways => "sideways",
            Self::Backward => "backward",
            Self::DiagonalForward => "diagonal-forward",
            Self::DiagonalBackward => "diagonal-backward",
        }
    }
}

macro_rules! small_set {
    ($(#[$doc:meta])* $set:ident of $item:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $set(u8);

        impl $set {
            /// The set of these items.
            #[must_use]
            pub const fn of(items: &[$item]) -> Self {
                let mut bits = 0;
                let mut index = 0;
                while index < items.len() {
                    bits |= 1 << items[index] as u8;
                    index += 1;
                }
                Self(bits)
            }

            /// Whether the item is in the set.
            #[must_use]
            pub const fn contains(self, item: $item) -> bool {
                self.0 >> item as u8 & 1 == 1
            }

            /// Whether nothing is in the set.
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The items, in the order of their `ALL`.
            pub fn iter(self) -> impl Iterator<Item = $item> {
                $item::ALL.into_iter().filter(move |&item| self.contains(item))
            }
        }

        impl FromIterator<$item> for $set {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> Self {
                Self(items.into_iter().fold(0, |bits, item| bits | 1 << item as u8))
            }
        }
    };
}

small_set! {
    /// A set of directions.
    Directions of Direction
}

impl Directions {
    /// The four directions of a rook (sideways is both ways).
    pub const STRAIGHT: Self =
        Self::of(&[Direction::Forward, Direction::Sideways, Direction::Backward]);
}

impl Kind {
    /// Both kinds, in the order in which they are written.
    pub const ALL: [Self; 2] = [Self::Man, Self::King];

    /// The name in variant files: `man` or `king`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Man => "man",
            Self::King => "king",
        }
    }
}

small_set! {
    /// A set of kinds of piece.
    Kinds of Kind
}

/// What a man may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ManRules {
    /// Directions of a step.
    pub step: Directions,
    /// Directions of a jump.
    pub capture: Directions,
    /// Whether a man may take a king.
    pub captures_kings: bool,
    /// Directions of a hop.
    pub hop: Directions,
    /// Kinds of own piece that a man may hop.
    pub hop_over: Kinds,
}

/// Where a flying king may land after a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Landing {
    /// Any free square behind the taken piece, up to the next piece.
    Any,
    /// Only the first square behind the taken piece.
    Nearest,
    /// For each single jump, only squares from which it can jump again, if there are any.
    Continuing,
}

/// What a king may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KingRules {
    /// Directions of a slide.
    pub moves: Directions,
    /// Directions of a jump.
    pub capture: Directions,
    /// Any distance, or one square as a man.
    pub flying: bool,
    /// Where a flying king may land after a jump.
    pub landing: Landing,
    /// Whether a king may turn back by 180° between two jumps of one turn.
    pub reversal: bool,
    /// Kinds of own piece that a king may hop.
    pub hop_over: Kinds,
    /// Directions of a king's hop.
    pub hop: Directions,
    /// Whether a king's hop may start and land at a distance.
    pub flying_hop: bool,
}

/// Which of the possible jump chains may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Filter {
    /// Most pieces taken.
    MostPieces,
    /// Chains made by a piece that was a king when the turn began, if there are any.
    ByKing,
    /// Most kings taken.
    MostKings,
    /// Earliest king: chains compared jump by jump, king before man, longer before shorter.
    KingFirst,
}

impl Filter {
    /// All filters, in the order in which the reference lists them.
    pub const ALL: [Self; 4] = [Self::MostPieces, Self::ByKing, Self::MostKings, Self::KingFirst];

    /// The name in variant files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MostPieces => "most-pieces",
            Self::ByKing => "by-king",
            Self::MostKings => "most-kings",
            Self::KingFirst => "king-first",
        }
    }
}

/// Filters in the order in which they are applied, each at most once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Priority([Option<Filter>; 4]);

impl Priority {
    /// The filters in this order, or nothing when one is listed twice.
    #[must_use]
    pub fn new(filters: &[Filter]) -> Option<Self> {
        let mut slots = [None; 4];
        for (index, &filter) in filters.iter().enumerate() {
            if filters[..index].contains(&filter) {
                return None;
            }
            slots[index] = Some(filter);
        }
        Some(Self(slots))
    }

    /// The filters, in order.
    pub fn iter(self) -> impl Iterator<Item = Filter> {
        self.0.into_iter().flatten()
    }

    /// Whether every jump chain may be chosen.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0[0].is_none()
    }
}

/// When taken pieces leave the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Removal {
    /// At once.
    Immediate,
    /// When the turn ends; until then they block and cannot be jumped again.
    EndOfTurn,
}

/// How captures are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CaptureRules {
    /// Must a side that can capture do so.
    pub mandatory: bool,
    /// Must a begun jump chain go on until no jump is left.
    pub complete: bool,
    /// Which of the possible jump chains may be chosen.
    pub priority: Priority,
    /// When taken pieces leave the board.
    pub removal: Removal,
}

/// How many hops one turn may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chain {
    /// As many as the board allows.
    Unlimited,
    /// At most this many, 1 or more.
    AtMost(u8),
}

impl Chain {
    /// Whether a turn may have this many hops.
    #[must_use]
    pub fn allows(self, hops: usize) -> bool {
        match self {
            Self::Unlimited => true,
            Self::AtMost(most) => hops <= usize::from(most),
        }
    }
}

/// Hops over own pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HopRules {
    /// Hops in one turn.
    pub chain: Chain,
    /// May a chain end where it began with nothing changed.
    pub return_to_start: bool,
    /// May a turn go on from hops to jumps.
    pub then_capture: bool,
}

/// What becomes of a man that lands on the far rank inside a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PromotionRule {
    /// Crowned at once, goes on with a king's powers.
    ContinueAsKing,
    /// Crowned, and the turn ends.
    Stop,
    /// Goes on as a man, crowned when the turn ends, wherever that is.
    ContinueAsMan,
    /// Goes on as a man, crowned only if the turn ends there.
    OnlyIfEndsThere,
}

/// Crowning inside a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PromotionRules {
    /// Inside a jump chain.
    pub in_capture: PromotionRule,
    /// Inside a chain of hops.
    pub in_hop: PromotionRule,
}

/// What a side without a legal turn gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockedRule {
    /// It loses.
    Loss,
    /// The game is drawn.
    Draw,
}

/// What happens when each side has one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OnePieceRule {
    /// Nothing special.
    PlayOn,
    /// The game is drawn.
    Draw,
    /// A king wins against a man at once; two kings draw; two men play on.
    KingBeatsMan,
}

/// How games end on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndRules {
    /// A side without a legal turn.
    pub blocked: BlockedRule,
    /// One piece each.
    pub one_piece_each: OnePieceRule,
}

/// Whose turns the no-capture rule counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CountedTurns {
    /// That many turns of each side.
    PerSide,
    /// That many turns in all.
    Both,
}

/// From when quiet turns count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CountingStart {
    /// From the first turn.
    FirstTurn,
    /// From the first capture.
    FirstCapture,
}

/// An event that sets the count of quiet turns to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResetEvent {
    /// A turn that takes something.
    Capture,
    /// A turn that crowns a man.
    Promotion,
    /// A turn with a hop.
    Hop,
    /// Any turn of a piece that began it as a man.
    ManMove,
}

impl ResetEvent {
    /// All events, in the order in which the reference lists them.
    pub const ALL: [Self; 4] = [Self::Capture, Self::Promotion, Self::Hop, Self::ManMove];

    /// The name in variant files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Promotion => "promotion",
            Self::Hop => "hop",
            Self::ManMove => "man-move",
        }
    }
}

small_set! {
    /// A set of resetting events.
    ResetEvents of ResetEvent
}

/// What a repeated position brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RepetitionResult {
    /// A draw.
    Draw,
    /// A loss for the side that just moved.
    Loss,
}

/// How games are drawn without a decision on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawRules {
    /// Length of the no-capture rule in turns; 0 is never.
    pub quiet_turns: u16,
    /// Whose turns count.
    pub counted: CountedTurns,
    /// From when they count.
    pub starts: CountingStart,
    /// What sets the count to zero.
    pub reset_by: ResetEvents,
    /// That many occurrences of one position with one side to move end the game; 0 is off.
    pub repetition: u8,
    /// What they bring.
    pub repetition_result: RepetitionResult,
}

impl Default for BoardRules {
    fn default() -> Self {
        Self { files: 8, ranks: 8, squares: Squares::All, notation: Notation::Letters }
    }
}

impl Default for SetupRules {
    fn default() -> Self {
        Self { pieces: Setup::Ranks(0b110), first: Side::White }
    }
}

impl Default for ManRules {
    fn default() -> Self {
        Self {
            step: Directions::of(&[Direction::Forward, Direction::Sideways]),
            capture: Directions::STRAIGHT,
            captures_kings: true,
            hop: Directions::STRAIGHT,
            hop_over: Kinds::of(&[Kind::Man]),
        }
    }
}

impl Default for KingRules {
    fn default() -> Self {
        Self {
            moves: Directions::STRAIGHT,
            capture: Directions::STRAIGHT,
            flying: true,
            landing: Landing::Any,
            reversal: true,
            hop_over: Kinds::of(&[]),
            hop: Directions::STRAIGHT,
            flying_hop: false,
        }
    }
}

impl Default for CaptureRules {
    fn default() -> Self {
        Self {
            mandatory: true,
            complete: true,
            priority: Priority::default(),
            removal: Removal::Immediate,
        }
    }
}

impl Default for HopRules {
    fn default() -> Self {
        Self { chain: Chain::Unlimited, return_to_start: false, then_capture: false }
    }
}

impl Default for PromotionRules {
    fn default() -> Self {
        Self { in_capture: PromotionRule::ContinueAsKing, in_hop: PromotionRule::Stop }
    }
}

impl Default for EndRules {
    fn default() -> Self {
        Self { blocked: BlockedRule::Loss, one_piece_each: OnePieceRule::PlayOn }
    }
}

impl Default for DrawRules {
    fn default() -> Self {
        Self {
            quiet_turns: 10,
            counted: CountedTurns::PerSide,
            starts: CountingStart::FirstTurn,
            reset_by: ResetEvents::of(&[ResetEvent::Capture]),
            repetition: 0,
            repetition_result: RepetitionResult::Draw,
        }
    }
}

impl BoardRules {
    /// Size and playable squares, without the notation.
    #[must_use]
    pub const fn size(&self) -> BoardSize {
        BoardSize { files: self.files, ranks: self.ranks, squares: self.squares }
    }

    /// The geometry of this board.
    #[must_use]
    pub const fn geometry(&self) -> Geometry {
        Geometry::new(self.size())
    }
}

impl Ruleset {
    /// The largest board: files times ranks.
    pub const SQUARES_MAX: u16 = crate::limits::SQUARES_MAX;

    /// The pieces at the start.
    #[must_use]
    pub fn start(&self) -> Placement<u128> {
        let ranks = match self.setup.pieces {
            Setup::Position(placement) => return placement,
            Setup::Ranks(ranks) => ranks,
        };
        let geometry = self.board.geometry();
        let mut placement = Placement::<u128>::default();
        for square in geometry.squares() {
            for side in Side::ALL {
                let filled = ranks >> geometry.own_rank(square, side) & 1 == 1;
                if filled && !placement.occupied().contains(square) {
                    placement.put(square, Piece { side, kind: Kind::Man });
                }
            }
        }
        placement
    }
}
