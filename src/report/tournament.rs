//! Tournaments of three players or more: who scored what against whom on each variant, their
//! ratings, and how their order changes from variant to variant. Computes no rating itself.

use std::collections::BTreeMap;

use super::cells::{Cell, Method};
use super::view::PairingView;
use crate::board::Side;
use crate::rules::Outcome;
use crate::stats::multiple::{Correction, adjust_column};
use crate::stats::ranks::kendall_tau;
use crate::stats::rating::{RatedGame, RatedResult, Ratings, rate};
use crate::stats::{Confidence, Estimate, Interval, Known};
use crate::study::metrics::{Measured, Unit};

/// The adjusted p from which one player is above another.
const ALPHA: f64 = 0.05;

/// The results of several players against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    /// The players that met another one, in the order of the study.
    pub players: Vec<String>,
    /// One a variant, in the order of the study.
    pub standings: Vec<Standing>,
    /// How the order of the players differs from that under the first variant: one entry for each
    /// other variant.
    pub orders: Vec<OrderChange>,
    /// How many differences between two players were adjusted together.
    pub family: usize,
}

/// The players on one variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The variant's number in the study.
    pub variant: usize,
    /// For each player, for each other: the score of the first against the second as a share, over
    /// pairs of finished games; nothing where they did not meet.
    pub scores: Vec<Vec<Option<Cell>>>,
    /// Finished games behind the ratings.
    pub games: u64,
    /// The ratings, or why there are none.
    pub ratings: Known<Rated>,
}

/// Ratings in Elo by the model of Bradley and Terry with draws and first move; their mean is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated {
    /// One for each player, or why it has none (it won or lost everything).
    pub players: Vec<Known<Estimate>>,
    /// The place of each rated player, from 1.
    pub places: Vec<Option<usize>>,
    /// What moving first is worth, in the same Elo.
    pub first_move: Known<Estimate>,
}

/// How the order of the players on a variant differs from that on the first.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderChange {
    /// The variant's number in the study.
    pub variant: usize,
    /// Players rated on both.
    pub players: usize,
    /// Kendall's tau-b of both orders.
    pub tau: Known<f64>,
    /// Two players of whom the first is above the second on the first variant and below on this
    /// one, each with an adjusted p of at most 0.05.
    pub flips: Vec<[usize; 2]>,
    /// Pairs of players that turn round, but not beyond what chance explains.
    pub unsure: usize,
}

/// Finished games between different players, gathered variant by variant.
#[derive(Clone, Debug, Default)]
pub(super) struct Games {
    players: Vec<String>,
    /// By variant.
    games: BTreeMap<usize, Vec<RatedGame>>,
}

impl Games {
    fn number(&mut self, player: &str) -> usize {
        let known = self.players.iter().position(|other| other == player);
        known.unwrap_or_else(|| {
            self.players.push(player.to_owned());
            self.players.len() - 1
        })
    }

    /// Adds the games of one variant and pairing of two different players, the first seat's player
    /// first; `first` is the side that moves first.
    pub(super) fn add(
        &mut self,
        variant: usize,
        pairing: u32,
        players: &[String; 2],
        first: Side,
        measured: &Measured,
    ) {
        let numbers = players.each_ref().map(|player| self.number(player));
        let games = self.games.entry(variant).or_default();
        for Unit { opening, results, .. } in &measured.units {
            for (white, result) in results.iter().enumerate() {
                let Some(outcome) = result else { continue };
                games.push(rated_game(
                    [numbers[white], numbers[1 - white]],
                    first,
                    *outcome,
                    u64::from(pairing) << 32 | u64::from(*opening),
                ));
            }
        }
    }
}

/// A game of White and Black.
fn rated_game(players: [usize; 2], first: Side, outcome: Outcome, cluster: u64) -> RatedGame {
    let [white, black] = players;
    let (first_player, second_player) = match first {
        Side::White => (white, black),
        Side::Black => (black, white),
    };
    let result = match outcome.winner() {
        None => RatedResult::Draw,
        Some(winner) if winner == first => RatedResult::First,
        Some(_) => RatedResult::Second,
    };
    RatedGame { first: first_player, second: second_player, result, cluster }
}

/// The tournament of a study; nothing unless three players or more met.
pub(super) fn tournament(
    games: &Games,
    pairings: &[PairingView],
    variants: usize,
    confidence: Confidence,
) -> Option<Tournament> {
    let players = games.players.len();
    if players < 3 {
        return None;
    }
    let fits: Vec<Known<Ratings>> = (0..variants)
        .map(|variant| {
            let games = games.games.get(&variant).map_or(&[][..], Vec::as_slice);
            rate(games, players, true, confidence)
        })
        .collect();
    let standings = fits.iter().enumerate().map(|(variant, fit)| Standing {
        variant,
        scores: scores(&games.players, pairings, variant),
        games: games.games.get(&variant).map_or(0, |games| games.len() as u64),
        ratings: fit.as_ref().map_err(|missing| *missing).map(rated),
    });
    let standings: Vec<Standing> = standings.collect();
    let (differences, family) = differences(&fits, players);
    let orders = (1..variants).map(|variant| order_change(variant, &standings, &differences));
    Some(Tournament { orders: orders.collect(), standings, players: games.players.clone(), family })
}

fn rated(ratings: &Ratings) -> Rated {
    let value = |player: &Known<Estimate>| player.ok().map(|estimate| estimate.value);
    let values: Vec<Option<f64>> = ratings.players.iter().map(value).collect();
    let above = |value: f64| values.iter().flatten().filter(|other| **other > value).count();
    Rated {
        players: ratings.players.clone(),
        places: values.iter().map(|value| value.map(|value| 1 + above(value))).collect(),
        first_move: ratings.first_move,
    }
}

/// The scores that the pairings hold, seen from both seats.
fn scores(players: &[String], pairings: &[PairingView], variant: usize) -> Vec<Vec<Option<Cell>>> {
    let mut scores = vec![vec![None; players.len()]; players.len()];
    for pairing in pairings {
        let Some(seat) = pairing.rows.get(variant).and_then(|row| row.seat.as_ref()) else {
            continue;
        };
        let place = |seat: usize| players.iter().position(|name| *name == pairing.players[seat]);
        if let (Some(one), Some(two)) = (place(0), place(1)) {
            scores[one][two] = Some(seat.score);
            scores[two][one] = Some(reversed(seat.score));
        }
    }
    scores
}

/// The same score as the other player sees it.
pub(super) fn reversed(score: Cell) -> Cell {
    let interval = |ends: Interval| Interval::new(1.0 - ends.high(), 1.0 - ends.low());
    Cell {
        value: score.value.map(|value| 1.0 - value),
        interval: score.interval.map(|ends| ends.and_then(interval)),
        method: Method::Score,
        ..score
    }
}

/// A variant and two of its players, by number.
type Two = (usize, usize, usize);
/// The difference of two ratings, and its adjusted p.
type Judged = (f64, Option<f64>);

/// The difference of every two rated players on every variant, with p adjusted over all of them.
fn differences(fits: &[Known<Ratings>], players: usize) -> (BTreeMap<Two, Judged>, usize) {
    let mut keys = Vec::new();
    let (mut values, mut p) = (Vec::new(), Vec::new());
    for (variant, fit) in fits.iter().enumerate() {
        let Ok(fit) = fit else { continue };
        for one in 0..players {
            for two in one + 1..players {
                let Ok(difference) = fit.difference(one, two) else { continue };
                keys.push((variant, one, two));
                values.push(difference.value);
                p.push(difference.judgement.ok().map(|judgement| judgement.p));
            }
        }
    }
    let (adjusted, family) = adjust_column(&p, Correction::Holm);
    (keys.into_iter().zip(values.into_iter().zip(adjusted)).collect(), family)
}

fn order_change(
    variant: usize,
    standings: &[Standing],
    differences: &BTreeMap<Two, Judged>,
) -> OrderChange {
    let ratings = |variant: usize| -> Vec<Option<f64>> {
        let rated = standings[variant].ratings.as_ref();
        rated.map_or_else(
            |_| Vec::new(),
            |rated| rated.players.iter().map(|player| Some(player.ok()?.value)).collect(),
        )
    };
    let both = ratings(0).into_iter().zip(ratings(variant));
    let (first, this): (Vec<f64>, Vec<f64>) =
        both.filter_map(|(first, this)| Some((first?, this?))).unzip();
    let (mut flips, mut unsure) = (Vec::new(), 0);
    for (&(_, one, two), &(before, p_before)) in differences.range((0, 0, 0)..(1, 0, 0)) {
        let Some(&(after, p_after)) = differences.get(&(variant, one, two)) else { continue };
        if before * after >= 0.0 {
            continue;
        }
        let clear = |p: Option<f64>| p.is_some_and(|p| p <= ALPHA);
        if clear(p_before) && clear(p_after) {
            flips.push(if before > 0.0 { [one, two] } else { [two, one] });
        } else {
            unsure += 1;
        }
    }
    OrderChange { variant, players: first.len(), tau: kendall_tau(&first, &this), flips, unsure }
}

#[cfg(test)]
mod tests {
    use super::{Games, rated_game, reversed, tournament};
    use crate::board::Side;
    use crate::report::cells::{Cell, Method};
    use crate::rules::Outcome;
    use crate::stats::rating::RatedResult;
    use crate::stats::{Confidence, Interval};

    /// So many wins of the first named and of the second, with colours in turn.
    fn meet(games: &mut Games, variant: usize, [one, two]: [&str; 2], wins: [u32; 2]) {
        let numbers = [one, two].map(|player| games.number(player));
        let list = games.games.entry(variant).or_default();
        for (winner, count) in [0, 1].into_iter().zip(wins) {
            for number in 0..count {
                let cluster = list.len() as u64 / 2;
                let white = usize::from(number % 2 == 1);
                let outcome = if white == winner { Outcome::White } else { Outcome::Black };
                let players = [numbers[white], numbers[1 - white]];
                list.push(rated_game(players, Side::White, outcome, cluster));
            }
        }
    }

    #[test]
    fn who_moves_first_and_who_wins() {
        let game = rated_game([4, 7], Side::Black, Outcome::White, 3);
        assert_eq!((game.first, game.second, game.result), (7, 4, RatedResult::Second));
        let game = rated_game([4, 7], Side::White, Outcome::White, 3);
        assert_eq!((game.first, game.second, game.result), (4, 7, RatedResult::First));
    }

    #[test]
    fn an_order_that_turns_round_is_told() {
        let mut games = Games::default();
        let pairs = [["a", "b"], ["b", "c"], ["a", "c"]];
        for (pair, wins) in pairs.into_iter().zip([[160, 40], [140, 60], [180, 20]]) {
            meet(&mut games, 0, pair, wins);
        }
        // On the other variant b beats a, and c is as far behind.
        for (pair, wins) in pairs.into_iter().zip([[40, 160], [180, 20], [140, 60]]) {
            meet(&mut games, 1, pair, wins);
        }
        let found = tournament(&games, &[], 2, Confidence::P95).expect("three players");
        assert_eq!(found.players, ["a", "b", "c"]);
        let places = |variant: usize| {
            let standing: &super::Standing = &found.standings[variant];
            standing.ratings.as_ref().expect("ratings").places.clone()
        };
        assert_eq!(places(0), [1, 2, 3].map(Some));
        assert_eq!(places(1), [2, 1, 3].map(Some));
        assert_eq!(found.standings[0].games, 600);
        // Two players, 80 % of the points: 400 log10(4) = 241 Elo apart; three pull it about.
        let rated = found.standings[0].ratings.as_ref().expect("ratings");
        let elo: Vec<f64> = rated.players.iter().map(|p| p.expect("rated").value).collect();
        assert!((elo.iter().sum::<f64>()).abs() < 1e-6);
        assert!((elo[0] - elo[1] - 241.0).abs() < 30.0, "{elo:?}");
        let change = &found.orders[0];
        assert_eq!((change.variant, change.players, change.unsure), (1, 3, 0));
        assert_eq!(change.flips, [[0, 1]]);
        // One of three pairs turns round: (2 - 1) / 3.
        assert!((change.tau.expect("an order") - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(found.family, 6);
        // Two players are no tournament.
        let mut two = Games::default();
        meet(&mut two, 0, ["a", "b"], [3, 3]);
        assert!(tournament(&two, &[], 1, Confidence::P95).is_none());
    }

    #[test]
    fn the_other_seat_sees_the_rest() {
        let interval = Some(Interval::new(0.6, 0.8));
        let score = Cell { value: Ok(0.7), interval, n: 9, units: 9, method: Method::Score };
        let other = reversed(score);
        assert!((other.value.expect("a score") - 0.3).abs() < 1e-12);
        let ends = other.interval.expect("ends").expect("an interval");
        assert!((ends.low() - 0.2).abs() < 1e-12 && (ends.high() - 0.4).abs() < 1e-12);
        assert_eq!(other.n, 9);
    }
}
