//! How a turn is made, square by square: for texts, which show the way, and for counts of ways.

mod jumps;

use std::collections::BTreeSet;

use super::super::compiled::Rules;
use super::super::ruleset::Removal;
use super::super::turn::Turn;
use super::TooManyTurns;
use super::hop::{Flood, Reach};
use super::priority::Key;
use super::quiet::Scene;
use crate::board::{Kind, Placement, Side, Square, SquareSet};
use crate::limits::JUMPS_MAX;
use jumps::{Hopped, JumpSearch, JumpSink};

/// One way to make a turn: the landing squares in order, without the start.
///
/// A step or slide has neither hops nor jumps; its end is all there is to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Landing squares of the hops.
    pub hops: Vec<Square>,
    /// Landing squares of the jumps, after the hops.
    pub jumps: Vec<Square>,
}

/// Jumps followed to find one way: no turn that was listed needs as many, since its way takes
/// nothing that the turn does not.
const WAY_JUMPS_MAX: u32 = 20 * JUMPS_MAX;

impl<S: SquareSet> Rules<S> {
    /// One way to make a legal turn, the kind of way that names it first: step or slide, hops,
    /// jumps, hops and jumps. Nothing if the turn cannot be made.
    #[must_use]
    pub fn way(&self, placement: &Placement<S>, side: Side, turn: &Turn<S>) -> Option<Way> {
        let scene = Scene::new(self, placement, side);
        if !turn.captures() {
            if !turn.hops() {
                return Some(Way::default());
            }
            let hops = HopPaths::of(&scene, turn.from, turn.moved()).to(&scene, turn)?;
            return Some(Way { hops, jumps: Vec::new() });
        }
        let mut sink = FirstWay { turn: *turn, path: Vec::new(), found: None };
        if !turn.hops() {
            JumpSearch::new(&scene, &mut sink, WAY_JUMPS_MAX).plain(turn.from, turn.moved());
            return sink.found.map(|jumps| Way { hops: Vec::new(), jumps });
        }
        for place in HopPaths::of(&scene, turn.from, turn.moved()).places {
            let Some(hopped) = place.state.goes_on(place.at) else { continue };
            JumpSearch::new(&scene, &mut sink, WAY_JUMPS_MAX).after_hops(
                turn.from,
                turn.moved(),
                hopped,
            );
            if let Some(jumps) = sink.found {
                return Some(Way { hops: place.path, jumps });
            }
        }
        None
    }

    /// Whether the turn can be made with exactly these landings.
    ///
    /// A step or slide may be given as no landing at all or as its end square among the hops.
    #[must_use]
    pub fn can_be_made(
        &self,
        placement: &Placement<S>,
        side: Side,
        turn: &Turn<S>,
        way: &Way,
    ) -> bool {
        let scene = Scene::new(self, placement, side);
        let plain = !turn.captures() && !turn.hops();
        if plain && way.jumps.is_empty() && (way.hops.is_empty() || way.hops == [turn.to]) {
            return true;
        }
        let hop_ends = follow_hops(&scene, turn.from, turn.moved(), &way.hops);
        if way.jumps.is_empty() {
            return !turn.captures()
                && hop_ends.iter().any(|state| {
                    state.crowned_at(&scene, turn.to, turn.moved()) == turn.promotes()
                })
                && way.hops.last() == Some(&turn.to);
        }
        let mut sink = GivenWay { turn: *turn, jumps: &way.jumps, entered: 0, made: false };
        for state in hop_ends {
            let at = way.hops.last().copied().unwrap_or(turn.from);
            let Some(hopped) = state.goes_on(at) else { continue };
            let mut search = JumpSearch::new(&scene, &mut sink, WAY_JUMPS_MAX);
            if way.hops.is_empty() {
                search.plain(turn.from, turn.moved());
            } else {
                search.after_hops(turn.from, turn.moved(), hopped);
            }
        }
        sink.made
    }

    /// Every capture that the priority leaves, once for each of its paths.
    ///
    /// Two paths differ as they do in the tables published for either family of games: where taken
    /// pieces leave at once, when they land on different squares; where they stay until the turn
    /// ends, when they take their pieces in another order.
    ///
    /// # Errors
    /// When the paths are too many.
    pub fn capture_ways(
        &self,
        placement: &Placement<S>,
        side: Side,
    ) -> Result<Vec<Turn<S>>, TooManyTurns> {
        let scene = Scene::new(self, placement, side);
        let by_landings = match self.ruleset().capture.removal {
            Removal::Immediate => true,
            Removal::EndOfTurn => false,
        };
        let mut plain = EveryWay::new(by_landings);
        let mut search = JumpSearch::new(&scene, &mut plain, JUMPS_MAX);
        for kind in [Kind::Man, Kind::King] {
            for from in if kind == Kind::Man { scene.men } else { scene.kings }.squares() {
                search.plain(from, kind);
            }
        }
        search.finished()?;
        let mut after_hops = EveryWay::new(by_landings);
        let plain_only = self.ruleset().capture.mandatory && !plain.turns.is_empty();
        if self.ruleset().hop.then_capture && !plain_only {
            let mut search = JumpSearch::new(&scene, &mut after_hops, JUMPS_MAX);
            scene.each_hopped(|from, kind, reach| {
                for (at, state) in reach.each() {
                    if let Some(hopped) = state.goes_on(at) {
                        search.after_hops(from, kind, hopped);
                    }
                }
                search.finished()
            })?;
        }
        plain.turns.append(&mut after_hops.turns);
        Ok(plain.turns)
    }
}

/// What has become of a piece that hopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HopState {
    Man,
    Touched,
    King,
    Crowned,
}

impl HopState {
    /// The piece at this square, ready to jump; nothing if the turn has ended.
    const fn goes_on(self, at: Square) -> Option<Hopped> {
        match self {
            Self::Man => Some(Hopped { at, king: false, crowned: false }),
            Self::Touched => Some(Hopped { at, king: false, crowned: true }),
            Self::King => Some(Hopped { at, king: true, crowned: true }),
            Self::Crowned => None,
        }
    }

    /// Whether a turn that ends so on `to` crowns a piece that began it as `moved`.
    fn crowned_at<S: SquareSet>(self, scene: &Scene<'_, S>, to: Square, moved: Kind) -> bool {
        match (moved, self) {
            (Kind::King, _) => false,
            (Kind::Man, Self::Man) => scene.tables.far_rank.contains(to),
            (Kind::Man, Self::Touched | Self::King | Self::Crowned) => true,
        }
    }
}

impl<S: SquareSet> Reach<S> {
    /// The single squares and states of a reach.
    fn each(&self) -> impl Iterator<Item = (Square, HopState)> + use<S> {
        [
            (self.man, HopState::Man),
            (self.touched, HopState::Touched),
            (self.king, HopState::King),
            (self.crowned, HopState::Crowned),
        ]
        .into_iter()
        .flat_map(|(squares, state)| squares.squares().map(move |at| (at, state)))
    }

    /// One square and state as a reach to go on from.
    fn one(at: Square, state: HopState) -> Self {
        let mut reach = Self::default();
        match state {
            HopState::Man => reach.man = S::single(at),
            HopState::Touched => reach.touched = S::single(at),
            HopState::King => reach.king = S::single(at),
            HopState::Crowned => reach.crowned = S::single(at),
        }
        reach
    }
}

struct Place {
    at: Square,
    state: HopState,
    path: Vec<Square>,
}

/// A shortest path of hops to each square and state.
struct HopPaths {
    places: Vec<Place>,
}

impl HopPaths {
    fn of<S: SquareSet>(scene: &Scene<'_, S>, from: Square, kind: Kind) -> Self {
        let start = match kind {
            Kind::Man => HopState::Man,
            Kind::King => HopState::King,
        };
        let mut places: Vec<Place> = Vec::new();
        let mut level = vec![Place { at: from, state: start, path: Vec::new() }];
        while !level.is_empty() && scene.rules.ruleset().hop.chain.allows(level[0].path.len() + 1) {
            let mut next = Vec::new();
            for place in &level {
                for (at, state) in one_hop(scene, from, kind, place.at, place.state) {
                    let known = |other: &Place| other.at == at && other.state == state;
                    if places.iter().chain(&next).any(known) {
                        continue;
                    }
                    let mut path = place.path.clone();
                    path.push(at);
                    next.push(Place { at, state, path });
                }
            }
            if !level[0].path.is_empty() {
                places.append(&mut level);
            }
            level = next;
        }
        places.append(&mut level);
        places.retain(|place| !place.path.is_empty());
        Self { places }
    }

    fn to<S: SquareSet>(self, scene: &Scene<'_, S>, turn: &Turn<S>) -> Option<Vec<Square>> {
        let ends = |place: &Place| {
            place.at == turn.to
                && place.state.crowned_at(scene, turn.to, turn.moved()) == turn.promotes()
        };
        self.places.into_iter().find(ends).map(|place| place.path)
    }
}

/// Where one hop leads from a square in the middle of a turn.
fn one_hop<S: SquareSet>(
    scene: &Scene<'_, S>,
    from: Square,
    kind: Kind,
    at: Square,
    state: HopState,
) -> Vec<(Square, HopState)> {
    let mut flood = Flood::from(scene, from, kind);
    flood.fresh = Reach::one(at, state);
    flood.hop_once();
    flood.reach().each().collect()
}

/// The states in which a piece can be after hops with exactly these landings.
fn follow_hops<S: SquareSet>(
    scene: &Scene<'_, S>,
    from: Square,
    kind: Kind,
    landings: &[Square],
) -> Vec<HopState> {
    let mut at = from;
    let mut states = match kind {
        Kind::Man => vec![HopState::Man],
        Kind::King => vec![HopState::King],
    };
    for (index, &landing) in landings.iter().enumerate() {
        if !scene.rules.ruleset().hop.chain.allows(index + 1) {
            return Vec::new();
        }
        let mut next = Vec::new();
        for state in states {
            for (to, state) in one_hop(scene, from, kind, at, state) {
                if to == landing && !next.contains(&state) {
                    next.push(state);
                }
            }
        }
        at = landing;
        states = next;
    }
    states
}

/// Keeps the first way to make one turn, and follows none that takes anything else.
struct FirstWay<S> {
    turn: Turn<S>,
    path: Vec<Square>,
    found: Option<Vec<Square>>,
}

impl<S: SquareSet> JumpSink<S> for FirstWay<S> {
    const EVERY_WAY: bool = false;

    fn enter(&mut self, landing: Square, taken: Square) -> bool {
        self.path.push(landing);
        self.found.is_none() && self.turn.taken.contains(taken)
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn end(&mut self, turn: Turn<S>, _: Key) {
        if self.found.is_none() && turn.same_as(&self.turn) {
            self.found = Some(self.path.clone());
        }
    }
}

/// Finds out whether one turn can be made by one path of jumps.
struct GivenWay<'a, S> {
    turn: Turn<S>,
    jumps: &'a [Square],
    entered: usize,
    made: bool,
}

impl<S: SquareSet> JumpSink<S> for GivenWay<'_, S> {
    const EVERY_WAY: bool = true;

    fn enter(&mut self, landing: Square, _: Square) -> bool {
        let on_the_way = self.jumps.get(self.entered) == Some(&landing);
        self.entered += 1;
        on_the_way
    }

    fn leave(&mut self) {
        self.entered -= 1;
    }

    fn end(&mut self, turn: Turn<S>, _: Key) {
        self.made |= self.entered == self.jumps.len() && turn.same_as(&self.turn);
    }
}

/// Every way of the highest key so far, each path apart.
struct EveryWay<S> {
    turns: Vec<Turn<S>>,
    /// The turns with their paths.
    known: BTreeSet<(Turn<S>, Vec<Square>)>,
    best: Key,
    path: Vec<Square>,
    /// A path is known by where it lands, or by what it takes.
    by_landings: bool,
}

impl<S> EveryWay<S> {
    const fn new(by_landings: bool) -> Self {
        Self {
            turns: Vec::new(),
            known: BTreeSet::new(),
            best: Key::LOWEST,
            path: Vec::new(),
            by_landings,
        }
    }
}

impl<S: SquareSet> JumpSink<S> for EveryWay<S> {
    const EVERY_WAY: bool = true;

    fn enter(&mut self, landing: Square, taken: Square) -> bool {
        self.path.push(if self.by_landings { landing } else { taken });
        true
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn end(&mut self, turn: Turn<S>, key: Key) {
        if key > self.best {
            self.turns.clear();
            self.known.clear();
            self.best = key;
        }
        if key == self.best && self.known.insert((turn, self.path.clone())) {
            self.turns.push(turn);
        }
    }
}
