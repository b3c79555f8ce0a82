//! The jump chains of a piece, followed jump by jump: at each, all that has taken the same goes on
//! together.

use super::super::compiled::{LongerFirst, each_axis};
use super::super::ruleset::{Landing, PromotionRule};
use super::super::turn::Turn;
use super::TooManyTurns;
use super::collector::Collector;
use super::few::FewJumps;
use super::fly::KingJumps;
use super::hop::Reach;
use super::leap::Leaps;
use super::priority::Key;
use super::quiet::Scene;
use super::waves::{Adding, FREE, Nature, Past, Wave, Waves};
use crate::board::{Kind, Square, SquareSet};

/// The search for the jump chains of one piece after another.
pub(super) struct ChainSearch<'a, S> {
    scene: &'a Scene<'a, S>,
    waves: &'a mut Waves<S>,
    collector: &'a mut Collector<S>,
}

impl<'a, S: SquareSet> ChainSearch<'a, S> {
    /// `waves` must have turned to this position ([`Waves::restart`]); searches of one position count
    /// their jumps together.
    #[inline]
    pub(super) fn new(
        scene: &'a Scene<'a, S>,
        waves: &'a mut Waves<S>,
        collector: &'a mut Collector<S>,
    ) -> Self {
        Self { scene, waves, collector }
    }

    /// Collects every chain of one or more jumps of the man on this square.
    pub(super) fn of_man(&mut self, from: Square) -> Result<(), TooManyTurns> {
        if FewJumps::new(self.scene, self.collector, from).all_followed() {
            return Ok(());
        }
        self.collector.drop_of_piece();
        let mover = Mover::new(self.scene, from, Kind::Man, false);
        self.jump(&mover, &Wave::first(S::single(from), Nature::Man))?;
        self.follow(&mover)
    }

    /// Collects every jump of the man on this square, which cannot go on after any of them; given where men
    /// could jump.
    pub(super) fn of_man_that_stops(&mut self, jumps: &Leaps<S>, from: Square) {
        FewJumps::new(self.scene, self.collector, from).jump_once(jumps);
    }

    /// Collects every chain of one or more jumps of the king on this square.
    pub(super) fn of_king(&mut self, from: Square) -> Result<(), TooManyTurns> {
        self.collector.turn_to_next();
        let mover = Mover::new(self.scene, from, Kind::King, false);
        self.jump(&mover, &Wave::first(S::single(from), Nature::King))?;
        self.follow(&mover)
    }

    /// Collects every chain of one or more jumps of the piece after hops that led to these squares.
    pub(super) fn after_hops(
        &mut self,
        from: Square,
        moved: Kind,
        reach: &Reach<S>,
    ) -> Result<(), TooManyTurns> {
        if (reach.man | reach.touched | reach.king).is_empty() {
            return Ok(());
        }
        self.collector.turn_to_next();
        let mover = Mover::new(self.scene, from, moved, true);
        for (squares, nature) in
            [(reach.man, Nature::Man), (reach.touched, Nature::Touched), (reach.king, Nature::King)]
        {
            if squares.any() {
                self.jump(&mover, &Wave::first(squares, nature))?;
            }
        }
        if self.waves.next.is_empty() {
            return Ok(());
        }
        self.follow(&mover)
    }

    /// Follows the next waves to the end of all chains.
    fn follow(&mut self, mover: &Mover<'_, S>) -> Result<(), TooManyTurns> {
        loop {
            let waves = self.waves.go_on();
            if waves == 0 {
                return Ok(());
            }
            self.jump_all(mover, waves)?;
            if mover.longest_first && !self.waves.next.is_empty() {
                continue;
            }
            if mover.mixed && waves > 1 {
                // What is taken tells which turns can be equal; those are held against each other.
                self.waves.now[..waves].sort_by_key(|wave| wave.past.taken);
            }
            for number in 0..waves {
                let wave = self.waves.now[number];
                if wave.squares.any() {
                    self.end(mover, &wave);
                }
            }
        }
    }

    /// Adds what each jump from the present waves leads to, and leaves in them the squares on which
    /// their chains may end.
    fn jump_all(&mut self, mover: &Mover<'_, S>, waves: usize) -> Result<(), TooManyTurns> {
        let rules = self.scene.rules.ruleset();
        // First what needs no decision, then the kings that go on.
        let mut going_on = 0;
        for number in 0..waves {
            let wave = self.waves.now[number];
            let jumping = if rules.king.flying && wave.past.nature == Nature::King {
                let jumping = mover.flights(&wave.past).flown_from() & wave.squares;
                self.waves.flying[going_on] = Wave { squares: jumping, past: wave.past };
                going_on += usize::from(jumping.any());
                jumping
            } else {
                self.leap(mover, &wave)?
            };
            if rules.capture.complete {
                self.waves.now[number].squares = wave.squares.minus(jumping);
            }
        }
        for number in 0..going_on {
            let wave = self.waves.flying[number];
            self.fly(mover, &wave)?;
        }
        Ok(())
    }

    /// Adds what each jump from the wave leads to.
    #[inline]
    fn jump(&mut self, mover: &Mover<'_, S>, wave: &Wave<S>) -> Result<(), TooManyTurns> {
        if self.scene.rules.ruleset().king.flying && wave.past.nature == Nature::King {
            self.fly(mover, wave)
        } else {
            self.leap(mover, wave).map(|_| ())
        }
    }

    /// The same for a king that flies.
    fn fly(&mut self, mover: &Mover<'_, S>, wave: &Wave<S>) -> Result<(), TooManyTurns> {
        let prey = mover.flights(&wave.past).prey_from(wave.squares);
        let mut next = self.waves.next.for_more(8 * wave.squares.len() as usize);
        let landed = match self.scene.rules.ruleset().king.landing {
            Landing::Nearest => mover.fly(wave, &prey, &mut next, |axis, mid, _, _| {
                mover.scene.rules.neighbour(axis, mid)
            }),
            Landing::Any => mover.fly(wave, &prey, &mut next, |axis, mid, occupied, _| {
                mover.scene.rules.free_on_ray(axis, mid, occupied)
            }),
            Landing::Continuing => {
                mover.fly(wave, &prey, &mut next, |axis, mid, occupied, past| {
                    mover.continuing(past, mover.scene.rules.free_on_ray(axis, mid, occupied))
                })
            }
        };
        self.count(landed)
    }

    /// The same for a piece that leaps over what stands beside it; the squares from which it can.
    fn leap(&mut self, mover: &Mover<'_, S>, wave: &Wave<S>) -> Result<S, TooManyTurns> {
        let tables = self.scene.tables;
        let (axes, safe) = match wave.past.nature {
            Nature::King => (tables.king_capture, S::EMPTY),
            Nature::Man | Nature::Touched => (tables.man_capture.axes, self.scene.safe_from_men()),
            Nature::Crowned => return Ok(S::EMPTY),
        };
        let rules = self.scene.rules;
        let targets = self.scene.enemy.minus(wave.past.taken | safe);
        let empty = mover.empty(wave.past.taken);
        let mut next = self.waves.next.for_more(8 * wave.squares.len() as usize);
        let mut jumping = S::EMPTY;
        let mut landed = 0;
        for at in wave.squares.squares() {
            each_axis!(axes, axis => {
                if let Some((mid, landing)) = rules.leap(axis, at, targets, empty) {
                    jumping |= S::single(at);
                    landed += 1;
                    let past = mover.past_after(&wave.past, axis, mid);
                    next.add(Wave { squares: landing, past: mover.crowning(past, landing) });
                }
            });
        }
        self.count(landed)?;
        Ok(jumping)
    }

    /// Counts jumps that were followed.
    #[inline(always)]
    fn count(&mut self, jumps: u32) -> Result<(), TooManyTurns> {
        let left = &mut self.waves.jumps_left;
        *left = left.checked_sub(jumps).ok_or(TooManyTurns)?;
        Ok(())
    }

    /// The chains of the wave may end on its squares.
    #[inline]
    fn end(&mut self, mover: &Mover<'_, S>, wave: &Wave<S>) {
        let Wave { squares, past } = *wave;
        let key = if mover.hopped {
            // The priority chooses among plain jump chains only.
            Key::LOWEST
        } else {
            let by_king = mover.moved == Kind::King;
            let (priority, kings) = (&self.scene.rules.priority, self.scene.enemy_kings);
            Key::of(priority, past.taken, kings, by_king, past.kings_in_order.to_bits())
        };
        if !self.collector.admits(key) {
            return;
        }
        let turn =
            Turn::new(mover.from, mover.from, mover.moved, past.taken).hopping_if(mover.hopped);
        let crowned = match (mover.moved, past.nature) {
            (Kind::King, _) => S::EMPTY,
            (Kind::Man, Nature::Man) => squares & self.scene.tables.far_rank,
            (Kind::Man, Nature::Touched | Nature::King | Nature::Crowned) => squares,
        };
        if crowned.any() {
            self.collector.add(turn.crowned_if(true), crowned, mover.mixed);
        }
        let uncrowned = squares.minus(crowned);
        if uncrowned.any() {
            self.collector.add(turn, uncrowned, mover.mixed);
        }
    }
}

/// The piece whose chains are followed, and what holds for all of them.
struct Mover<'a, S> {
    scene: &'a Scene<'a, S>,
    from: Square,
    /// What it was when the turn began.
    moved: Kind,
    hopped: bool,
    /// Empty squares when nothing is taken yet; the start square is one of them.
    empty: S,
    /// Enemy kings, where the order matters in which they are taken.
    kings_that_count: S,
    /// Whether of its chains only the longest can be chosen.
    longest_first: bool,
    /// Whether chains with different pasts can make one turn.
    mixed: bool,
}

impl<'a, S: SquareSet> Mover<'a, S> {
    #[inline]
    fn new(scene: &'a Scene<'a, S>, from: Square, moved: Kind, hopped: bool) -> Self {
        let rules = scene.rules;
        let kings_count = rules.priority.king_first && !hopped;
        Self {
            scene,
            from,
            moved,
            hopped,
            empty: !scene.occupied | S::single(from),
            kings_that_count: if kings_count { scene.enemy_kings } else { S::EMPTY },
            longest_first: rules.priority.longer_first == LongerFirst::Always && !hopped,
            mixed: rules.no_reversal || (hopped && moved == Kind::Man),
        }
    }

    /// Empty squares when these pieces are taken.
    #[inline(always)]
    fn empty(&self, taken: S) -> S {
        self.empty | (taken & self.scene.rules.leaves_at_once)
    }

    /// What kings that fly could jump after this past.
    #[inline(always)]
    fn flights(&self, past: &Past<S>) -> KingJumps<S> {
        let Scene { rules, tables, enemy, .. } = self.scene;
        let targets = enemy.minus(past.taken);
        let jumps = KingJumps::new(rules, &tables.king_room, targets, self.empty(past.taken));
        if rules.no_reversal { jumps.without(past.barred.into()) } else { jumps }
    }

    /// The past after a jump along the axis over the piece on `mid`.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "an axis number is below 8")]
    fn past_after(&self, before: &Past<S>, axis: usize, mid: S) -> Past<S> {
        let taken = before.taken | mid;
        let mut kings_in_order = before.kings_in_order;
        if (mid & self.kings_that_count).any() {
            kings_in_order |= S::FULL.last_alone().down(before.taken.len());
        }
        let barred = if self.scene.rules.no_reversal { axis as u8 ^ 4 } else { FREE };
        Past { taken, kings_in_order, nature: before.nature, barred }
    }

    /// Adds what the jumps of a flying king over this prey lead to, given where such a jump may land;
    /// the number of landings.
    #[inline(always)]
    fn fly(
        &self,
        wave: &Wave<S>,
        prey: &[S; 8],
        next: &mut Adding<'_, S>,
        landings: impl Fn(usize, Square, S, &Past<S>) -> S,
    ) -> u32 {
        let occupied = !self.empty(wave.past.taken);
        let mut landed = 0;
        let bits: [u64; 8] =
            std::array::from_fn(|axis| if prey[axis].any() { 1 << axis } else { 0 });
        let mut axes = bits.into_iter().fold(0, |axes, bit| axes | bit);
        while axes != 0 {
            let axis = axes.trailing_zeros() as usize;
            axes &= axes - 1;
            for mid in prey[axis].squares() {
                let past = self.past_after(&wave.past, axis, S::single(mid));
                let squares = landings(axis, mid, occupied, &past);
                landed += squares.len();
                next.add(Wave { squares, past });
            }
        }
        landed
    }

    /// The landings from which a king with this past can jump again, or all if there are none.
    #[inline]
    fn continuing(&self, past: &Past<S>, landings: S) -> S {
        if landings.without_first().is_empty() {
            return landings;
        }
        let continuing = landings & self.flights(past).flown_from();
        if continuing.any() { continuing } else { landings }
    }

    /// The past of a piece that leaps to this square: if it is a man, it may be crowned there.
    #[inline]
    fn crowning(&self, past: Past<S>, landing: S) -> Past<S> {
        if past.nature == Nature::King {
            return past;
        }
        let nature = if (landing & self.scene.tables.far_rank).is_empty() {
            past.nature
        } else {
            match self.scene.rules.ruleset().promotion.in_capture {
                PromotionRule::ContinueAsKing => return Past { nature: Nature::King, ..past },
                PromotionRule::Stop => Nature::Crowned,
                PromotionRule::ContinueAsMan => Nature::Touched,
                PromotionRule::OnlyIfEndsThere => past.nature,
            }
        };
        Past { nature, barred: FREE, ..past }
    }
}
