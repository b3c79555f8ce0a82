//! The jump chains of a man that has few: one after another, which is faster than all at once.

use super::super::compiled::{AxisSet, each_axis};
use super::super::ruleset::PromotionRule;
use super::super::turn::Turn;
use super::collector::Collector;
use super::leap::Leaps;
use super::priority::Key;
use super::quiet::Scene;
use crate::board::{Kind, Square, SquareSet};

/// Jumps of one man that are followed so.
const FEW: u32 = 64;

/// A depth-first search over the jumps of a man that stays one.
pub(super) struct FewJumps<'a, S> {
    scene: &'a Scene<'a, S>,
    collector: &'a mut Collector<S>,
    from: Square,
    axes: AxisSet,
    targets: S,
    /// Empty squares when nothing is taken yet; the start square is one of them.
    empty: S,
    jumps_left: u32,
}

impl<'a, S: SquareSet> FewJumps<'a, S> {
    #[inline]
    pub(super) fn new(
        scene: &'a Scene<'a, S>,
        collector: &'a mut Collector<S>,
        from: Square,
    ) -> Self {
        collector.turn_to_next();
        Self {
            scene,
            collector,
            from,
            axes: scene.tables.man_capture.axes,
            targets: scene.prey_of_men(),
            empty: !scene.occupied | S::single(from),
            jumps_left: FEW,
        }
    }

    /// Collects the chains; whether all of them, for there were few and none made a king on the way.
    #[inline]
    pub(super) fn all_followed(&mut self) -> bool {
        // The order in which kings are taken is not kept here.
        if self.scene.rules.priority.king_first && (self.targets & self.scene.enemy_kings).any() {
            return false;
        }
        self.jump_on(self.from, S::EMPTY, false);
        self.jumps_left > 0
    }

    /// Collects the jumps of a man that cannot go on after any of them, given where men could jump.
    #[inline]
    pub(super) fn jump_once(&mut self, jumps: &Leaps<S>) {
        let Scene { rules, enemy_kings, .. } = *self.scene;
        each_axis!(self.axes, axis => {
            if jumps.from[axis].contains(self.from) {
                let mid = rules.neighbour(axis, self.from);
                let king = if (mid & enemy_kings).any() { S::FULL.last_alone() } else { S::EMPTY };
                self.end(rules.second(axis, self.from), mid, false, king);
            }
        });
    }

    /// Plays each jump that is possible now; whether there was one.
    fn jump_on(&mut self, at: Square, taken: S, crowned: bool) -> bool {
        let rules = self.scene.rules;
        let targets = self.targets.minus(taken);
        let empty = self.empty | (taken & rules.leaves_at_once);
        let mut found = false;
        each_axis!(self.axes, axis => {
            if let Some((mid, landing)) = rules.leap(axis, at, targets, empty) {
                found = true;
                self.land(landing, taken | mid, crowned);
            }
        });
        found
    }

    /// The man has landed here; all chains that begin so are collected.
    #[inline(always)]
    fn land(&mut self, landing: S, taken: S, mut crowned: bool) {
        if self.jumps_left <= 1 {
            self.jumps_left = 0;
            return;
        }
        self.jumps_left -= 1;
        let rules = self.scene.rules.ruleset();
        let mut may_go_on = true;
        if (landing & self.scene.tables.far_rank).any() {
            match rules.promotion.in_capture {
                PromotionRule::ContinueAsKing => {
                    self.jumps_left = 0;
                    return;
                }
                PromotionRule::Stop => (crowned, may_go_on) = (true, false),
                PromotionRule::ContinueAsMan => crowned = true,
                PromotionRule::OnlyIfEndsThere => {}
            }
        }
        let went_on = may_go_on && self.jump_on(landing.first(), taken, crowned);
        if !went_on || !rules.capture.complete {
            self.end(landing, taken, crowned, S::EMPTY);
        }
    }

    #[inline(always)]
    fn end(&mut self, landing: S, taken: S, crowned: bool, kings_in_order: S) {
        let (priority, kings) = (&self.scene.rules.priority, self.scene.enemy_kings);
        let key = Key::of(priority, taken, kings, false, kings_in_order.to_bits());
        if self.collector.admits(key) {
            let crowned = crowned || (landing & self.scene.tables.far_rank).any();
            let turn = Turn::new(self.from, landing.first(), Kind::Man, taken).crowned_if(crowned);
            self.collector.add_once(turn, landing);
        }
    }
}
