//! Chains of jumps: the recursion over what one piece can take in one turn.

use keny::board::{Kind, Side};
use keny::rules::{Landing, PromotionRule, Removal, Ruleset};
use std::collections::BTreeSet;

use super::cells::{Cells, Spot, Unit, units};

/// A piece in the middle of its turn. It is not on the board: its start square counts as empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Runner {
    pub(crate) spot: Spot,
    pub(crate) kind: Kind,
    /// Crowned when the turn ends, wherever that is.
    pub(crate) crown_due: bool,
    /// Crowned by a rule that ends the turn.
    pub(crate) stopped: bool,
    /// The direction of the last jump.
    pub(crate) last: Option<Unit>,
    pub(crate) cells: Cells,
    /// What it took, in order.
    pub(crate) taken: Vec<(Spot, Kind)>,
    /// Where it landed, in order.
    pub(crate) landings: Vec<Spot>,
}

impl Runner {
    /// The piece on a square, about to move.
    pub(crate) fn lift(cells: &Cells, spot: Spot, kind: Kind) -> Self {
        let mut cells = *cells;
        cells.set(spot, None);
        Self {
            spot,
            kind,
            crown_due: false,
            stopped: false,
            last: None,
            cells,
            taken: Vec::new(),
            landings: Vec::new(),
        }
    }

    /// Puts the piece down inside a chain; a man may be crowned by it.
    pub(crate) fn land(&mut self, spot: Spot, side: Side, rule: PromotionRule) {
        self.spot = spot;
        if self.kind == Kind::Man && self.cells.far(spot, side) {
            match rule {
                PromotionRule::ContinueAsKing => self.kind = Kind::King,
                PromotionRule::Stop => {
                    self.kind = Kind::King;
                    self.stopped = true;
                }
                PromotionRule::ContinueAsMan => self.crown_due = true,
                PromotionRule::OnlyIfEndsThere => {}
            }
        }
    }

    /// The kind of the piece if its turn ended here.
    pub(crate) fn final_kind(&self, side: Side) -> Kind {
        if self.crown_due || self.cells.far(self.spot, side) { Kind::King } else { self.kind }
    }
}

/// Whether chains that come to the same state by different ways are followed each or only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ways {
    /// Every sequence of landings.
    Each,
    /// One of those that took the same pieces, of the same kinds in order, and stand the same.
    Once,
}

/// All ways in which a lifted piece can end a chain of one jump or more; nothing if the search
/// would go through more than `states_max` states.
pub(crate) fn jump_chains(
    rules: &Ruleset,
    side: Side,
    runner: Runner,
    ways: Ways,
    states_max: usize,
) -> Option<Vec<Runner>> {
    let (seen, ends) = (BTreeSet::new(), Vec::new());
    let mut search = Search { rules, side, ways, seen, ends, states_left: states_max };
    search.follow(runner)?;
    Some(search.ends)
}

struct Search<'a> {
    rules: &'a Ruleset,
    side: Side,
    ways: Ways,
    seen: BTreeSet<State>,
    ends: Vec<Runner>,
    states_left: usize,
}

impl Search<'_> {
    fn follow(&mut self, runner: Runner) -> Option<()> {
        if self.ways == Ways::Once && !self.seen.insert(state(&runner)) {
            return Some(());
        }
        self.states_left = self.states_left.checked_sub(1)?;
        let next = self.after_one_jump(&runner);
        if !runner.taken.is_empty() && (next.is_empty() || !self.rules.capture.complete) {
            self.ends.push(runner);
        }
        next.into_iter().try_for_each(|runner| self.follow(runner))
    }

    /// What can become of the piece by one more jump.
    fn after_one_jump(&self, runner: &Runner) -> Vec<Runner> {
        let mut all = Vec::new();
        for (unit, victim) in self.victims(runner) {
            let mut landings = self.landings(runner, unit, victim);
            if runner.kind == Kind::King && self.rules.king.flying {
                match self.rules.king.landing {
                    Landing::Any => {}
                    Landing::Nearest => landings.truncate(1),
                    Landing::Continuing => {
                        if landings.iter().any(|next| !self.victims(next).is_empty()) {
                            landings.retain(|next| !self.victims(next).is_empty());
                        }
                    }
                }
            }
            all.extend(landings);
        }
        all
    }

    /// The enemies that the piece can jump now, each with the direction.
    fn victims(&self, runner: &Runner) -> Vec<(Unit, Spot)> {
        if runner.stopped {
            return Vec::new();
        }
        let (directions, flies) = match runner.kind {
            Kind::Man => (self.rules.man.capture, false),
            Kind::King => (self.rules.king.capture, self.rules.king.flying),
        };
        let mut victims = Vec::new();
        for unit in units(directions, self.side) {
            let back = runner.last.is_some_and(|last| last == (-unit.0, -unit.1));
            if back && runner.kind == Kind::King && !self.rules.king.reversal {
                continue;
            }
            let Some(victim) = first_piece(&runner.cells, runner.spot, unit, flies) else {
                continue;
            };
            let Some((owner, kind)) = runner.cells.get(victim) else { continue };
            let forbidden =
                runner.kind == Kind::Man && kind == Kind::King && !self.rules.man.captures_kings;
            let taken = runner.taken.iter().any(|&(spot, _)| spot == victim);
            let behind = runner.cells.next(victim, unit);
            let free = behind.is_some_and(|behind| runner.cells.get(behind).is_none());
            if owner != self.side && !forbidden && !taken && free {
                victims.push((unit, victim));
            }
        }
        victims
    }

    /// The piece behind a victim, on each free square up to the next piece.
    fn landings(&self, runner: &Runner, unit: Unit, victim: Spot) -> Vec<Runner> {
        let mut landings = Vec::new();
        let flies = runner.kind == Kind::King && self.rules.king.flying;
        for spot in free_run(&runner.cells, victim, unit, flies) {
            let mut next = runner.clone();
            let (_, kind) = runner.cells.get(victim).unwrap();
            next.taken.push((victim, kind));
            next.landings.push(spot);
            next.last = Some(unit);
            match self.rules.capture.removal {
                Removal::Immediate => next.cells.set(victim, None),
                Removal::EndOfTurn => {}
            }
            next.land(spot, self.side, self.rules.promotion.in_capture);
            landings.push(next);
        }
        landings
    }
}

/// Square, kind, crown due, last direction; taken squares, sorted; taken kinds, in order.
type State = (Spot, Kind, bool, Option<Unit>, Vec<Spot>, Vec<Kind>);

/// All that the rest of a chain depends on, and all that a priority asks of its past.
fn state(runner: &Runner) -> State {
    let mut taken: Vec<Spot> = runner.taken.iter().map(|&(spot, _)| spot).collect();
    taken.sort_unstable();
    let kinds = runner.taken.iter().map(|&(_, kind)| kind).collect();
    (runner.spot, runner.kind, runner.crown_due, runner.last, taken, kinds)
}

/// The first piece along a direction: the next square's, or for a flyer the first on the line.
pub(crate) fn first_piece(cells: &Cells, from: Spot, unit: Unit, flies: bool) -> Option<Spot> {
    let mut spot = cells.next(from, unit)?;
    while flies && cells.get(spot).is_none() {
        spot = cells.next(spot, unit)?;
    }
    cells.get(spot).map(|_| spot)
}

/// The free squares along a direction up to the next piece: at most one unless it flies.
pub(crate) fn free_run(cells: &Cells, from: Spot, unit: Unit, flies: bool) -> Vec<Spot> {
    let mut run = Vec::new();
    let mut spot = from;
    while let Some(next) = cells.next(spot, unit) {
        if cells.get(next).is_some() || (!flies && !run.is_empty()) {
            break;
        }
        run.push(next);
        spot = next;
    }
    run
}
