//! Jumps of kings, found for all squares and all axes at once: four axes to a vector register.

use super::super::compiled::Rules;
use crate::board::SquareSet;

/// What kings could jump, wherever they stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingJumps<S> {
    /// The axes that move bits up, and those that move them down.
    up: Lanes<S, true>,
    down: Lanes<S, false>,
    over: S,
    empty: S,
}

impl<S: SquareSet> KingJumps<S> {
    /// Jumps over the pieces of `over`, from, through and onto the squares of `empty`; `room` has the
    /// squares from which there is room for them, for each axis.
    #[inline(always)]
    pub(super) fn new(rules: &Rules<S>, room: &[S; 8], over: S, empty: S) -> Self {
        let shifts = |first| std::array::from_fn(|lane| rules.shifts.0[first + lane]);
        let squares = |first| std::array::from_fn(|lane| room[first + lane]);
        Self {
            up: Lanes { shifts: shifts(0), room: squares(0) },
            down: Lanes { shifts: shifts(4), room: squares(4) },
            over,
            empty,
        }
    }

    /// The same jumps without those along one axis.
    #[inline(always)]
    pub(super) fn without(self, axis: usize) -> Self {
        Self { up: self.up.without(axis), down: self.down.without(axis ^ 4), ..self }
    }

    /// The squares from which a king that flies could jump.
    #[inline(always)]
    pub(super) fn flown_from(&self) -> S {
        let [up, down] = [
            self.up.flown_from(self.over, self.empty),
            self.down.flown_from(self.over, self.empty),
        ];
        any(or(up, down))
    }

    /// The squares from which a king that does not fly could jump.
    #[inline(always)]
    pub(super) fn leapt_from(&self) -> S {
        any(or(
            self.up.leapt_from(self.over, self.empty),
            self.down.leapt_from(self.over, self.empty),
        ))
    }

    /// For each axis, the pieces that kings on these squares could jump, flying.
    #[inline(always)]
    pub(super) fn prey_from(&self, squares: S) -> [S; 8] {
        let up = self.up.prey_from(squares, self.over, self.empty);
        let down = self.down.prey_from(squares, self.over, self.empty);
        let mut prey = [S::EMPTY; 8];
        prey[..4].copy_from_slice(&up);
        prey[4..].copy_from_slice(&down);
        prey
    }
}

/// Four axes, all of which move bits up, or all down.
#[derive(Clone, Copy, Debug)]
struct Lanes<S, const UP: bool> {
    shifts: [u32; 4],
    /// The squares from which there is room for a jump.
    room: [S; 4],
}

impl<S: SquareSet, const UP: bool> Lanes<S, UP> {
    #[inline(always)]
    fn without(self, axis: usize) -> Self {
        let room = |lane| if lane == axis { S::EMPTY } else { self.room[lane] };
        Self { room: std::array::from_fn(room), ..self }
    }

    #[inline(always)]
    fn leapt_from(&self, over: S, empty: S) -> [S; 4] {
        let over = and(self.back([empty; 4], 1), [over; 4]);
        // What falls off an edge on the way lands where no jump has room to begin.
        and(self.back(over, 1), self.room)
    }

    /// Floods back from all that could be jumped (parallel prefix, Kogge and Stone 1973).
    #[inline(always)]
    fn flown_from(&self, over: S, empty: S) -> [S; 4] {
        let mut reached = and(and(self.back([empty; 4], 1), [over; 4]), self.room);
        let mut free = and([empty; 4], self.room);
        for doubling in 0..S::DOUBLINGS {
            reached = or(reached, and(free, self.back(reached, 1 << doubling)));
            free = and(free, self.back(free, 1 << doubling));
        }
        and(self.back(reached, 1), self.room)
    }

    /// Floods on to the first piece on each way.
    #[inline(always)]
    fn prey_from(&self, squares: S, over: S, empty: S) -> [S; 4] {
        let before_empty = and(self.back([empty; 4], 1), self.room);
        let prey = and(before_empty, [over; 4]);
        let (mut reached, mut free) = ([squares; 4], before_empty);
        for doubling in 0..S::DOUBLINGS {
            reached = or(reached, self.on(and(reached, free), 1 << doubling));
            free = and(free, self.back(free, 1 << doubling));
        }
        and(self.on(and(reached, self.room), 1), prey)
    }

    /// Each lane moved on along its axis.
    #[inline(always)]
    fn on(&self, set: [S; 4], places: u32) -> [S; 4] {
        std::array::from_fn(|lane| moved::<S, UP>(set[lane], places * self.shifts[lane]))
    }

    /// Each lane moved back along its axis.
    #[inline(always)]
    fn back(&self, set: [S; 4], places: u32) -> [S; 4] {
        std::array::from_fn(|lane| {
            let amount = places * self.shifts[lane];
            if UP {
                moved::<S, false>(set[lane], amount)
            } else {
                moved::<S, true>(set[lane], amount)
            }
        })
    }
}

/// The set moved up or down; where that is farther than it has bits, no line is so long, and what
/// comes of it is masked out.
#[inline(always)]
fn moved<S: SquareSet, const UP: bool>(set: S, amount: u32) -> S {
    if UP { set.up(amount % S::BITS) } else { set.down(amount % S::BITS) }
}

#[inline(always)]
fn and<S: SquareSet>(a: [S; 4], b: [S; 4]) -> [S; 4] {
    std::array::from_fn(|lane| a[lane] & b[lane])
}

#[inline(always)]
fn or<S: SquareSet>(a: [S; 4], b: [S; 4]) -> [S; 4] {
    std::array::from_fn(|lane| a[lane] | b[lane])
}

/// The squares in any lane.
#[inline(always)]
fn any<S: SquareSet>([a, b, c, d]: [S; 4]) -> S {
    a | b | c | d
}

#[cfg(test)]
mod tests {
    use super::KingJumps;
    use crate::board::{Side, Square, SquareSet, Squares};
    use crate::rules::compiled::Rules;
    use crate::rules::ruleset::{Direction, Directions, Setup};
    use crate::rules::{Engine, Ruleset};
    use crate::with_rules;

    /// Sets of squares that have nothing to do with each other (a linear congruential generator).
    fn random_sets<S: SquareSet>() -> impl Iterator<Item = S> {
        let mut state = 1_u128;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(0xda94_2042_e4dd_58b5).wrapping_add(0x9e37_79b9_7f4a_7c15);
            S::from_bits(state.rotate_left(64))
        })
    }

    /// What is found for all squares at once is what each king finds on its own way.
    fn agree<S: SquareSet>(rules: &Rules<S>) {
        let all: S = rules.geometry().squares().fold(S::EMPTY, |all, at| all | S::single(at));
        let flying = rules.ruleset().king.flying;
        let room = &rules.tables(Side::White).king_room;
        let mut sets = random_sets::<S>().map(|set| set & all);
        let mut next = || sets.next().expect("without end");
        for round in 0..400 {
            // From crowded boards to almost empty ones.
            let occupied = (0..round % 4).fold(next(), |occupied, _| occupied & next());
            let (over, kings) = (next() & occupied, next());
            let jumps = KingJumps::new(rules, room, over, !occupied);
            let prey_of = |axis: usize, at: Square| {
                let first = if flying {
                    rules.first_on_ray(axis, at, occupied)
                } else {
                    rules.neighbour(axis, at)
                };
                let prey = first & over;
                let behind = prey.squares().map(|mid| rules.neighbour(axis, mid));
                if behind.fold(S::EMPTY, |all, at| all | at).minus(occupied).any() {
                    prey
                } else {
                    S::EMPTY
                }
            };
            let from = all.squares().filter(|&at| (0..8).any(|axis| prey_of(axis, at).any()));
            let from = from.fold(S::EMPTY, |all, at| all | S::single(at));
            if !flying {
                assert_eq!(jumps.leapt_from(), from);
                continue;
            }
            assert_eq!(jumps.flown_from(), from);
            for barred in 0..8 {
                let prey = jumps.without(barred).prey_from(kings.minus(occupied));
                for (axis, found) in
                    prey.into_iter().enumerate().filter(|&(axis, _)| axis != barred)
                {
                    let each = kings.minus(occupied).squares().map(|at| prey_of(axis, at));
                    assert_eq!(found, each.fold(S::EMPTY, |all, prey| all | prey));
                }
                assert!(prey[barred].is_empty());
            }
        }
    }

    #[test]
    fn kings_on_boards_of_all_shapes_jump_as_one_by_one() {
        for (files, ranks, dark) in [
            (4, 4, false),
            (8, 8, false),
            (8, 8, true),
            (10, 10, true),
            (16, 4, false),
            (4, 16, false),
            (5, 12, true),
            (11, 11, false),
            (16, 8, false),
            (8, 16, true),
        ] {
            for flying in [true, false] {
                let mut ruleset = Ruleset::default();
                (ruleset.board.files, ruleset.board.ranks) = (files, ranks);
                ruleset.board.squares = if dark { Squares::Dark } else { Squares::All };
                ruleset.setup.pieces = Setup::Ranks(1);
                ruleset.king.capture = Directions::of(&Direction::ALL);
                ruleset.king.flying = flying;
                with_rules!(&Engine::new(&ruleset), rules => agree(rules));
            }
        }
    }
}
