//! How often an open question comes up: games go by one ruleset, the *base*, and in each position
//! the legal turns of another ruleset are listed too. No outcome is sampled, so few games tell a
//! lot. Counts only; judges no number.
//!
//! Two turns are equal when they begin and end on the same squares, take the same pieces and leave
//! a piece of the same kind; by which squares they go does not matter. Positions in which a turn
//! was played are looked at, whether or not the other ruleset would have ended the game before.
//!
//! Rules of draws and ends change no turn. Their part is told apart: the same turns are judged by
//! the other ruleset too, with counters of its own, and a game *ends otherwise* where one ruleset
//! ends it and the other does not, or where they name other winners.

mod watch;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use super::metrics::{MeasureError, hash_of};
use super::opening::Model;
use super::plan::{Pairing, Plan, PlannedVariant};
use super::play::Table;
use super::store::Store;
use crate::board::SquareSet;
use crate::player::PlayerSpec;
use crate::record::{GameKey, Record, ReplayError, Seat};
use crate::rules::{Engine, Rules, Ruleset};
use crate::stats::histogram::Histogram;
use crate::stats::ratio::RatioSums;
use crate::variant::{fingerprint, learned};
use crate::with_rules;
use watch::{Other, Seen, Watch};

pub use watch::{Example, LISTED_MAX, OnlyUnderOne};

/// The most games of a pairing of a stored run that are looked at.
pub const GAMES_MAX: u32 = 500;
/// The least number of games that are looked at, however many variants there are.
const GAMES_LEAST: u32 = 20;
/// About how many games are looked at in all, times the variants that they are compared with.
const GAMES_TIMES_VARIANTS: usize = 100_000;
/// Openings that are played at once.
const CHUNK: u32 = 1024;

/// Why two rulesets cannot be compared turn by turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Incomparable {
    /// The boards differ.
    #[error("the boards differ: {base} and {other}")]
    Board {
        /// The board of the base.
        base: String,
        /// The board of the other ruleset.
        other: String,
    },
    /// The pieces stand elsewhere at the start.
    #[error("the games begin from different positions")]
    Start,
    /// The other side moves first.
    #[error("another side moves first: {base} and {other}")]
    First {
        /// Who moves first under the base.
        base: &'static str,
        /// Who moves first under the other ruleset.
        other: &'static str,
    },
}

/// Whether a line of turns of one ruleset means the same turns from the same position in another.
///
/// # Errors
/// When the boards (not counting how squares are written), the positions at the start or the sides
/// that move first differ.
pub fn comparable(base: &Ruleset, other: &Ruleset) -> Result<(), Incomparable> {
    if base.board.size() != other.board.size() {
        let told = |ruleset: &Ruleset| {
            let board = &ruleset.board;
            let squares = match board.squares {
                crate::board::Squares::All => "all squares",
                crate::board::Squares::Dark => "dark squares",
            };
            format!("{} files, {} ranks, {squares}", board.files, board.ranks)
        };
        return Err(Incomparable::Board { base: told(base), other: told(other) });
    }
    if base.start() != other.start() {
        return Err(Incomparable::Start);
    }
    if base.setup.first != other.setup.first {
        let [base, other] = [base, other].map(|ruleset| ruleset.setup.first.name());
        return Err(Incomparable::First { base, other });
    }
    Ok(())
}

/// Whether two comparable rulesets differ in nothing but ends and draws, so that no turn can.
#[must_use]
pub fn turns_alike(base: &Ruleset, other: &Ruleset) -> bool {
    let ends_of_base = Ruleset { end: base.end, draw: base.draw, board: base.board, ..*other };
    comparable(base, other).is_ok() && fingerprint(&ends_of_base) == fingerprint(base)
}

/// What was counted for one ruleset against the base; units with the same turns count once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relevance {
    /// Whether the rulesets differ in nothing but ends and draws, so that no turn can.
    pub turns_alike: bool,
    /// Units with the turns of another one, left out.
    pub units_repeated: u64,
    /// Positions in which the turns differ, over positions: one entry a unit.
    pub positions: RatioSums,
    /// Games with such a position, over games: one entry a unit.
    pub games: RatioSums,
    /// Games that end otherwise, over games: one entry a unit.
    pub endings: RatioSums,
    /// The ply, from 1, at which the turns first differ, of each game in which they do.
    pub first_ply: Histogram,
    /// The number of plies after which the ends first differ, of each game that ends otherwise.
    pub first_ending: Histogram,
    /// A position in which the turns differ: of the first ones of each game that with the fewest
    /// pieces.
    pub example: Option<Example>,
}

/// What is played to compare two rulesets: one player against itself under the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The player.
    pub player: PlayerSpec,
    /// Games, one an opening.
    pub games: u32,
    /// Random turns at the start of each game, in plies.
    pub opening_plies: u32,
    /// The ply cap.
    pub plies_max: u32,
    /// The number that all chance comes from.
    pub seed: u64,
}

/// Plays games under the base and counts where the other ruleset differs; on the threads of the
/// current rayon pool, whose number does not change the counts. The games are those of a study with
/// these settings.
///
/// # Errors
/// When the rulesets cannot be compared.
pub fn of_played(
    base: &Ruleset,
    other: &Ruleset,
    trial: &Trial,
) -> Result<Relevance, Incomparable> {
    comparable(base, other)?;
    let variant = PlannedVariant {
        name: String::new(),
        ruleset: *base,
        fingerprint: fingerprint(base),
        weights: trial.player.wants_learned().then(|| learned(base)).flatten(),
    };
    let plan = Plan {
        title: String::new(),
        seed: trial.seed,
        opening_plies: trial.opening_plies,
        plies_max: trial.plies_max,
        variants: vec![variant],
        pairings: vec![Pairing { players: [trial.player; 2], openings: trial.games }],
        designs: Vec::new(),
        stopping: None,
        adjudication: None,
    };
    let engine = Engine::new(base);
    Ok(with_rules!(&engine, rules => played(rules, other, &plan)))
}

fn played<S: SquareSet>(rules: &Rules<S>, other: &Ruleset, plan: &Plan) -> Relevance {
    let others = [Other::new(rules, other)];
    let pairing = &plan.pairings[0];
    let mut sums = Sums::new(&others);
    for first in (0..pairing.openings).step_by(CHUNK as usize) {
        let seen: Vec<UnitSeen> = (first..pairing.openings.min(first.saturating_add(CHUNK)))
            .into_par_iter()
            .map_init(
                || (Table::new(rules, plan, 0, pairing), Watch::new(rules, &others)),
                |(table, watch), opening| {
                    let games = [play(table, opening)];
                    let seen = UnitSeen::of(watch, &games);
                    seen.expect("a game that was played by these rules")
                },
            )
            .collect();
        seen.iter().for_each(|unit| sums.add(unit));
    }
    let game_of = |key: GameKey| play(&mut Table::new(rules, plan, 0, pairing), key.opening);
    sums.finish(rules, &others, game_of).into_iter().next().expect("one ruleset, one answer")
}

fn play<S: SquareSet>(table: &mut Table<'_, S>, opening: u32) -> Record {
    let key = GameKey { variant: 0, pairing: 0, opening, white: Seat::First };
    let never = AtomicBool::new(false);
    table.play(key, Model::Itself, &never).expect("nobody stops the game")
}

/// How many openings of a pairing are looked at for a plan: those of [`GAMES_MAX`] games; fewer
/// where the plan has very many variants and pairings.
#[must_use]
pub fn openings_max(plan: &Plan, pairing: &Pairing) -> u32 {
    let compared = plan.variants.len().max(1) * plan.pairings.len().max(1);
    let share = u32::try_from(GAMES_TIMES_VARIANTS / compared).unwrap_or(u32::MAX);
    let games = share.clamp(GAMES_LEAST, GAMES_MAX);
    let whites = u32::try_from(pairing.whites().len()).unwrap_or(1);
    (games / whites).min(pairing.openings)
}

/// Replays the first stored games of the plan's variant `base` in one pairing (see
/// [`openings_max`]) and counts where each other variant differs; one entry a variant, in the
/// order of the plan, nothing for the base itself. On the threads of the current rayon pool, whose
/// number does not change the counts.
///
/// # Panics
/// When the plan has no such variant or pairing.
///
/// # Errors
/// When the store cannot be read or holds a game that does not fit its rules.
pub fn of_stored(
    store: &Store,
    base: u32,
    pairing: u32,
) -> Result<Vec<Option<Result<Relevance, Incomparable>>>, MeasureError> {
    let plan = store.plan();
    let ruleset = &plan.variants[base as usize].ruleset;
    let answers: Vec<Option<Result<(), Incomparable>>> = (0..)
        .zip(&plan.variants)
        .map(|(number, variant)| (number != base).then(|| comparable(ruleset, &variant.ruleset)))
        .collect();
    let compared = plan.variants.iter().zip(&answers);
    let rulesets: Vec<&Ruleset> = compared
        .filter_map(|(variant, answer)| matches!(answer, Some(Ok(()))).then_some(&variant.ruleset))
        .collect();
    let units = stored_units(store, base, pairing)?;
    let engine = Engine::new(ruleset);
    let mut found =
        with_rules!(&engine, rules => replayed(rules, &rulesets, &units, store.path()))?
            .into_iter();
    let answers = answers.into_iter().map(|answer| {
        answer.map(|answer| answer.map(|()| found.next().expect("an answer for each ruleset")))
    });
    Ok(answers.collect())
}

/// The games of the first openings, those of one opening together; openings of which a game is
/// missing are left out.
fn stored_units(store: &Store, base: u32, pairing: u32) -> Result<Vec<Vec<Record>>, MeasureError> {
    let planned = &store.plan().pairings[pairing as usize];
    let most = openings_max(store.plan(), planned) as usize;
    let whole = planned.whites().len();
    let mut units: Vec<Vec<Record>> = Vec::new();
    for game in store.games(base, pairing) {
        let game = game?;
        match units.last_mut().filter(|unit| unit[0].key.opening == game.key.opening) {
            Some(unit) => unit.push(game),
            None => {
                units.retain(|unit| unit.len() == whole);
                if units.len() == most {
                    break;
                }
                units.push(vec![game]);
            }
        }
    }
    units.retain(|unit| unit.len() == whole);
    Ok(units)
}

fn replayed<S: SquareSet>(
    rules: &Rules<S>,
    rulesets: &[&Ruleset],
    units: &[Vec<Record>],
    path: &Path,
) -> Result<Vec<Relevance>, MeasureError> {
    let others: Vec<Other<S>> = rulesets.iter().map(|other| Other::new(rules, other)).collect();
    let mut sums = Sums::new(&others);
    for chunk in units.chunks(64) {
        let seen: Vec<Result<UnitSeen, MeasureError>> = chunk
            .par_iter()
            .map_init(
                || Watch::new(rules, &others),
                |watch, unit| {
                    UnitSeen::of(watch, unit).map_err(|(key, error)| MeasureError::Replay {
                        path: path.to_owned(),
                        key,
                        error,
                    })
                },
            )
            .collect();
        for unit in seen {
            sums.add(&unit?);
        }
    }
    let game_of = |key: GameKey| {
        let mut games = units.iter().flatten();
        games.find(|game| game.key == key).expect("a game that was looked at").clone()
    };
    Ok(sums.finish(rules, &others, game_of))
}

/// What was seen in the games of one unit.
struct UnitSeen {
    /// Of the turns of all its games.
    hash: u64,
    /// For each game, for each other ruleset.
    games: Vec<(GameKey, Vec<Seen>)>,
}

impl UnitSeen {
    fn of<S: SquareSet>(
        watch: &mut Watch<'_, S>,
        unit: &[Record],
    ) -> Result<Self, (GameKey, ReplayError)> {
        let turns: Vec<&[u8]> = unit.iter().map(|game| game.turns.as_slice()).collect();
        let games = unit.iter().map(|game| match watch.watch(game) {
            Ok(seen) => Ok((game.key, seen)),
            Err(error) => Err((game.key, error)),
        });
        Ok(Self { hash: hash_of(&turns), games: games.collect::<Result<_, _>>()? })
    }
}

/// The first position of a game in which the turns differ, and how many pieces are on the board.
type Candidate = (u32, GameKey, u32);

/// What is counted, for each other ruleset.
struct Sums {
    counted: BTreeSet<u64>,
    sums: Vec<(Relevance, Option<Candidate>)>,
}

impl Sums {
    fn new<S>(others: &[Other<S>]) -> Self {
        let sums = others.iter().map(|other| {
            let turns_alike = other.turns_alike();
            (Relevance { turns_alike, ..Relevance::default() }, None)
        });
        Self { counted: BTreeSet::new(), sums: sums.collect() }
    }

    fn add(&mut self, unit: &UnitSeen) {
        let repeated = !self.counted.insert(unit.hash);
        for (number, (sums, candidate)) in self.sums.iter_mut().enumerate() {
            if repeated {
                sums.units_repeated += 1;
                continue;
            }
            let count = |what: fn(&Seen) -> u64| -> u64 {
                unit.games.iter().map(|(_, seen)| what(&seen[number])).sum()
            };
            let games = unit.games.len() as u64;
            let positions = count(|seen| seen.positions.into());
            if positions > 0 {
                sums.positions.add(count(|seen| seen.differing.into()), positions);
            }
            sums.games.add(count(|seen| seen.first_ply.is_some().into()), games);
            sums.endings.add(count(|seen| seen.first_ending.is_some().into()), games);
            for (key, seen) in &unit.games {
                let seen = &seen[number];
                if let Some(ply) = seen.first_ply {
                    sums.first_ply.add(ply as usize);
                    let new = (seen.pieces, *key, ply);
                    *candidate = Some(candidate.map_or(new, |old| old.min(new)));
                }
                if let Some(plies) = seen.first_ending {
                    sums.first_ending.add(plies as usize);
                }
            }
        }
    }

    /// The counts, each with its example written out.
    fn finish<S: SquareSet>(
        self,
        rules: &Rules<S>,
        others: &[Other<S>],
        game_of: impl Fn(GameKey) -> Record,
    ) -> Vec<Relevance> {
        let examples = self.sums.into_iter().zip(others);
        examples
            .map(|((mut sums, candidate), other)| {
                sums.example =
                    candidate.and_then(|(_, key, ply)| other.example(rules, &game_of(key), ply));
                sums
            })
            .collect()
    }
}
