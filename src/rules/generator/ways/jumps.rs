//! One jump chain after another, way by way: a depth-first search for those who need to know how a
//! turn is made. What is played and counted is found by [`super::super::chains`].

use std::hash::{Hash, Hasher};

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::super::super::compiled::each_axis;
use super::super::super::ruleset::{Landing, PromotionRule};
use super::super::super::turn::Turn;
use super::super::TooManyTurns;
use super::super::priority::Key;
use super::super::quiet::Scene;
use crate::board::{Kind, Square, SquareSet};

/// What a search does with the chains that it finds.
pub(super) trait JumpSink<S> {
    /// Whether each way to make a turn is wanted; if not, a way to each place.
    const EVERY_WAY: bool;
    /// A jump over the piece on `taken` landed here; whether to go on from here.
    fn enter(&mut self, landing: Square, taken: Square) -> bool;
    /// The last jump is taken back.
    fn leave(&mut self);
    /// A chain may end here.
    fn end(&mut self, turn: Turn<S>, key: Key);
}

/// What the jumping piece has become, and where it came from last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Jumper<S> {
    at: Square,
    taken: S,
    king: bool,
    /// A crown is certain when the turn ends.
    crowned: bool,
    /// The axis along which the king may not jump next.
    barred: Barred,
}

impl<S: SquareSet> Hash for Jumper<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.taken.hash(state);
        let nature = u8::from(self.king) | u8::from(self.crowned) << 1 | self.barred.0 << 2;
        u16::from_le_bytes([self.at.0, nature]).hash(state);
    }
}

/// The number of an axis, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Barred(u8);

impl Barred {
    const NONE: Self = Self(8);

    /// After a jump along an axis: the way back, where the rules bar it.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "an axis number is below 8")]
    const fn after(axis: usize, no_reversal: bool) -> Self {
        if no_reversal { Self(axis as u8 ^ 4) } else { Self::NONE }
    }
}

/// Jumps explored for one piece before the search begins to remember where it has been.
const JUMPS_BEFORE_MEMORY: u32 = 200;

/// Where hops have led a piece, and what has become of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hopped {
    pub(super) at: Square,
    /// It goes on as a king.
    pub(super) king: bool,
    /// A crown is certain when the turn ends.
    pub(super) crowned: bool,
}

/// Where a piece has been, with the kings taken in order, once it has been far; else nothing.
/// Only asked whether it has something, never listed, so no order of its own can show.
type Been<S> = Option<Box<HashSet<(Jumper<S>, u128), FxBuildHasher>>>;

/// The search for the jump chains of one piece after another.
pub(super) struct JumpSearch<'a, S, K> {
    scene: &'a Scene<'a, S>,
    sink: &'a mut K,
    from: Square,
    moved: Kind,
    hopped: bool,
    /// Empty squares when nothing is taken yet; the start square is one of them.
    empty: S,
    kings_in_order: u128,
    jumps_seen: u32,
    /// Where this piece has been, once it has been far.
    seen: Been<S>,
    /// Jumps of all pieces that may still be followed; at the last it stops.
    jumps_left: u32,
}

impl<'a, S: SquareSet, K: JumpSink<S>> JumpSearch<'a, S, K> {
    #[inline]
    pub(super) fn new(scene: &'a Scene<'a, S>, sink: &'a mut K, jumps_max: u32) -> Self {
        Self {
            scene,
            sink,
            from: Square(0),
            moved: Kind::Man,
            hopped: false,
            empty: S::EMPTY,
            kings_in_order: 0,
            jumps_seen: 0,
            seen: None,
            jumps_left: jumps_max,
        }
    }

    /// Whether every jump was followed.
    #[inline]
    pub(super) fn finished(&self) -> Result<(), TooManyTurns> {
        if self.jumps_left == 0 { Err(TooManyTurns) } else { Ok(()) }
    }

    /// Turns to the piece of this kind on this square.
    #[inline]
    fn turn_to(&mut self, from: Square, moved: Kind, hopped: bool) {
        self.from = from;
        self.moved = moved;
        self.hopped = hopped;
        self.empty = !self.scene.occupied | S::single(from);
        if let Some(seen) = &mut self.seen {
            seen.clear();
        }
        self.jumps_seen = 0;
    }

    /// Every chain of one or more jumps of the piece of this kind on this square.
    #[inline]
    pub(super) fn plain(&mut self, from: Square, moved: Kind) {
        self.turn_to(from, moved, false);
        self.jump_on(Jumper {
            at: from,
            taken: S::EMPTY,
            king: moved == Kind::King,
            crowned: false,
            barred: Barred::NONE,
        });
    }

    /// Every chain of one or more jumps of the piece after hops that led to a place.
    pub(super) fn after_hops(&mut self, from: Square, moved: Kind, place: Hopped) {
        self.turn_to(from, moved, true);
        let Hopped { at, king, crowned } = place;
        self.jump_on(Jumper { at, taken: S::EMPTY, king, crowned, barred: Barred::NONE });
    }

    /// Plays each jump that is possible now; whether there was one.
    fn jump_on(&mut self, jumper: Jumper<S>) -> bool {
        let mut found = false;
        let (targets, empty) = (self.targets(jumper), self.empty_now(jumper));
        let tables = self.scene.tables;
        if jumper.king && self.scene.rules.ruleset().king.flying {
            each_axis!(tables.king_capture, axis => {
                let (mid, mut landings) = self.flying_jump(jumper, axis, targets, empty);
                if landings.any() {
                    found = true;
                    if landings.without_first().any()
                        && self.scene.rules.ruleset().king.landing == Landing::Continuing
                    {
                        landings = self.continuing(jumper, axis, mid, landings);
                    }
                    for at in landings.squares() {
                        self.land(jumper, at, mid, axis);
                    }
                }
            });
        } else {
            let axes = if jumper.king { tables.king_capture } else { tables.man_capture.axes };
            each_axis!(axes, axis => {
                let leap = self.scene.rules.leap(axis, jumper.at, targets, empty);
                if let Some((mid, landing)) = leap {
                    found = true;
                    self.land(jumper, landing.first(), mid, axis);
                }
            });
        }
        found
    }

    /// The piece jumps the one on `mid` and lands on `at`; all chains that begin so are shown.
    fn land(&mut self, before: Jumper<S>, at: Square, mid: S, axis: usize) {
        if self.jumps_left <= 1 {
            self.jumps_left = 0;
            return;
        }
        self.jumps_left -= 1;
        let far_rank = self.scene.tables.far_rank;
        let mut jumper = Jumper {
            at,
            taken: before.taken | mid,
            barred: Barred::after(axis, self.scene.rules.no_reversal),
            ..before
        };
        let mut may_go_on = true;
        if !jumper.king && far_rank.contains(at) {
            match self.scene.rules.ruleset().promotion.in_capture {
                PromotionRule::ContinueAsKing => {
                    jumper.king = true;
                    jumper.crowned = true;
                }
                PromotionRule::Stop => {
                    jumper.crowned = true;
                    may_go_on = false;
                }
                PromotionRule::ContinueAsMan => jumper.crowned = true,
                PromotionRule::OnlyIfEndsThere => {}
            }
        }
        let takes_king =
            self.scene.rules.priority.king_first && (mid & self.scene.enemy_kings).any();
        let jump_bit = if takes_king { 1 << (128 - jumper.taken.len()) } else { 0 };
        self.kings_in_order |= jump_bit;
        if K::EVERY_WAY || self.is_new(jumper) {
            if self.sink.enter(at, mid.first()) {
                let went_on = may_go_on && self.jump_on(jumper);
                if !went_on || !self.scene.rules.ruleset().capture.complete {
                    self.end(jumper);
                }
            }
            self.sink.leave();
        }
        self.kings_in_order ^= jump_bit;
    }

    fn end(&mut self, jumper: Jumper<S>) {
        let by_king = self.moved == Kind::King;
        let crowned = !by_king
            && (jumper.crowned || jumper.king || self.scene.tables.far_rank.contains(jumper.at));
        let turn = Turn::new(self.from, jumper.at, self.moved, jumper.taken)
            .crowned_if(crowned)
            .hopping_if(self.hopped);
        let key = Key::of(
            &self.scene.rules.priority,
            jumper.taken,
            self.scene.enemy_kings,
            by_king,
            self.kings_in_order,
        );
        // The priority chooses among plain jump chains only.
        self.sink.end(turn, if self.hopped { Key::LOWEST } else { key });
    }

    /// Whether the search comes here for the first time; long searches meet the same place often.
    #[inline]
    fn is_new(&mut self, jumper: Jumper<S>) -> bool {
        self.jumps_seen += 1;
        self.jumps_seen <= JUMPS_BEFORE_MEMORY
            || self
                .seen
                .get_or_insert_with(|| {
                    Box::new(HashSet::with_capacity_and_hasher(512, FxBuildHasher))
                })
                .insert((jumper, self.kings_in_order))
    }

    /// Enemies that the piece may still jump.
    #[inline]
    fn targets(&self, jumper: Jumper<S>) -> S {
        let safe = if jumper.king { S::EMPTY } else { self.scene.safe_from_men() };
        self.scene.enemy.minus(jumper.taken | safe)
    }

    #[inline]
    fn empty_now(&self, jumper: Jumper<S>) -> S {
        self.empty | (jumper.taken & self.scene.rules.leaves_at_once)
    }

    /// The piece jumped and the landing squares of a flying jump, none if it is impossible.
    #[inline(always)]
    fn flying_jump(&self, jumper: Jumper<S>, axis: usize, targets: S, empty: S) -> (S, S) {
        let rules = self.scene.rules;
        let mid = rules.first_on_ray(axis, jumper.at, !empty) & targets;
        if mid.is_empty() || axis == usize::from(jumper.barred.0) {
            return (S::EMPTY, S::EMPTY);
        }
        let landings = match rules.ruleset().king.landing {
            Landing::Nearest => rules.neighbour(axis, mid.first()) & empty,
            Landing::Any | Landing::Continuing => rules.free_on_ray(axis, mid.first(), !empty),
        };
        (mid, landings)
    }

    /// The landings from which the king can jump again, or all if there are none.
    fn continuing(&self, jumper: Jumper<S>, axis: usize, mid: S, landings: S) -> S {
        let barred = Barred::after(axis, self.scene.rules.no_reversal);
        let mut continuing = S::EMPTY;
        for at in landings.squares() {
            let next = Jumper { at, taken: jumper.taken | mid, barred, ..jumper };
            let (targets, empty) = (self.targets(next), self.empty_now(next));
            let can_jump = self
                .scene
                .tables
                .king_capture
                .iter()
                .any(|axis| self.flying_jump(next, axis, targets, empty).1.any());
            if can_jump {
                continuing |= S::single(at);
            }
        }
        if continuing.any() { continuing } else { landings }
    }
}
