//! Ratings of players from their games: Bradley and Terry with draws and the first move.
//! Never rates by hidden prior games: a player who won everything has no rating.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};

use super::linear::{Design, Spread, clustered_meat};
use super::number::{Confidence, Estimate, Known, Missing, real_len};

/// Elo points for a factor e of the odds: 400 / ln 10.
pub const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;

/// Newton steps after which a fit is given up.
const STEPS_MAX: usize = 100;

/// Log odds beyond which the fit is running away.
const RUNAWAY: f64 = 25.0;

/// Who won a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RatedResult {
    /// The player who moved first.
    First,
    /// Nobody.
    Draw,
    /// The player who moved second.
    Second,
}

/// A finished game between two players, given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RatedGame {
    /// The player who moved first.
    pub first: usize,
    /// The player who moved second.
    pub second: usize,
    /// Who won.
    pub result: RatedResult,
    /// What the game shares with others: the number of its opening or pair.
    pub cluster: u64,
}

/// Ratings in Elo of the odds of a win against a loss, with mean 0 over the rated players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// One entry a player, by number; all won or all lost is unbounded.
    pub players: Vec<Known<Estimate>>,
    /// What moving first is worth, in the same Elo.
    pub first_move: Known<Estimate>,
    /// Odds of a draw between equals, as the logarithm of draws over the root of wins times losses.
    pub draw: Known<Estimate>,
    /// For each player the place in the fit; `None` without rating.
    places: Vec<Option<usize>>,
    fit: Fit,
    confidence: Confidence,
}

#[derive(Clone, Debug, PartialEq)]
struct Fit {
    values: DVector<f64>,
    spread: Spread,
    rated: usize,
    has_first: bool,
    has_draw: bool,
}

/// Rates `players` players from their games. The chances of win, draw and loss are as
/// exp(d/2) : exp(draw) : exp(−d/2), with d the difference of the ratings plus the first move's
/// worth. Clustered errors carry the factor G/(G−1) and t with G − 1 degrees of freedom: the labels
/// are those of the games, and games of one pair are not independent.
///
/// # Errors
/// [`Missing::Empty`] if no two players with wins and losses are left, [`Missing::Range`] for a
/// player number beyond `players` or a game of a player against themself,
/// [`Missing::Unconnected`], [`Missing::Separated`] if a group won every game against the rest,
/// [`Missing::NotConverged`].
///
/// Sources: R. Bradley, M. Terry, Biometrika 39 (1952) 324; draws of R. Davidson, JASA 65 (1970)
/// 317; order effect of R. Davidson, R. Beaver, Biometrics 33 (1977) 693.
pub fn rate(
    games: &[RatedGame],
    players: usize,
    by_cluster: bool,
    confidence: Confidence,
) -> Known<Ratings> {
    if games.iter().any(|g| g.first.max(g.second) >= players || g.first == g.second) {
        return Err(Missing::Range);
    }
    let bounds = bounded(games, players);
    let rated: Vec<usize> = (0..players).filter(|&p| bounds[p].is_ok()).collect();
    let mut places = vec![None; players];
    for (place, &player) in rated.iter().enumerate() {
        places[player] = Some(place);
    }
    let kept: Vec<Row> = games.iter().filter_map(|game| Row::of(game, &places)).collect();
    if rated.len() < 2 || kept.is_empty() {
        return Err(Missing::Empty);
    }
    connected(&kept, rated.len())?;
    let fit = fit(&kept, rated.len(), by_cluster)?;
    let mut ratings = Ratings {
        players: bounds.iter().map(|b| b.map(|()| NOT_YET)).collect(),
        first_move: Err(Missing::Aliased),
        draw: Err(if fit.has_draw { Missing::Aliased } else { Missing::UnboundedBelow }),
        places,
        fit,
        confidence,
    };
    for player in rated {
        ratings.players[player] = ratings.judged(&[(player, 1.0)]);
    }
    let ends = ratings.fit.rated - 1;
    if ratings.fit.has_first {
        ratings.first_move = Ok(ratings.single(ends, ELO_PER_LOG_ODDS));
    }
    if ratings.fit.has_draw {
        ratings.draw = Ok(ratings.single(ends + usize::from(ratings.fit.has_first), 1.0));
    }
    Ok(ratings)
}

/// Stands where an estimate follows at once.
const NOT_YET: Estimate =
    Estimate { value: 0.0, standard_error: 0.0, n: 0, judgement: Err(Missing::Empty) };

impl Ratings {
    /// The difference of two players' ratings, `a − b`, in Elo.
    ///
    /// # Errors
    /// The reason why one of them has no rating; [`Missing::Range`] for an unknown player.
    pub fn difference(&self, a: usize, b: usize) -> Known<Estimate> {
        for player in [a, b] {
            (*self.players.get(player).ok_or(Missing::Range)?)?;
        }
        self.judged(&[(a, 1.0), (b, -1.0)])
    }

    /// The model's chances of win, draw and loss for the player who moves first. A first move that
    /// cannot be told from the players counts 0.
    ///
    /// # Errors
    /// As [`Ratings::difference`].
    pub fn chances(&self, first: usize, second: usize) -> Known<[f64; 3]> {
        let difference = self.difference(first, second)?.value;
        let advantage = self.first_move.map_or(0.0, |estimate| estimate.value);
        let d = (difference + advantage) / ELO_PER_LOG_ODDS;
        let draw = self.draw.map_or(0.0, |estimate| estimate.value.exp());
        Ok(chances(d, draw))
    }

    /// A weighted sum of ratings in Elo.
    fn judged(&self, weights: &[(usize, f64)]) -> Known<Estimate> {
        let mut sum = DVector::zeros(self.fit.values.len());
        for &(player, weight) in weights {
            let place = self.places.get(player).copied().flatten().ok_or(Missing::Range)?;
            add_player(&mut sum, place, self.fit.rated, weight * ELO_PER_LOG_ODDS);
        }
        Ok(self.combination(&sum))
    }

    fn single(&self, column: usize, scale: f64) -> Estimate {
        let mut sum = DVector::zeros(self.fit.values.len());
        sum[column] = scale;
        self.combination(&sum)
    }

    fn combination(&self, weights: &DVector<f64>) -> Estimate {
        let variance = self.fit.spread.covariance.as_ref().map(|c| (c * weights).dot(weights));
        self.fit.spread.judge(weights.dot(&self.fit.values), variance, self.confidence)
    }
}

/// For each player whether games bound the rating on both sides; players without bounds are taken
/// out until none is left.
fn bounded(games: &[RatedGame], players: usize) -> Vec<Known<()>> {
    let mut bounds: Vec<Known<()>> = vec![Ok(()); players];
    loop {
        let mut points = vec![(false, false, false); players];
        for game in games.iter().filter(|g| bounds[g.first].is_ok() && bounds[g.second].is_ok()) {
            let (first, second) = match game.result {
                RatedResult::First => (true, false),
                RatedResult::Draw => (true, true),
                RatedResult::Second => (false, true),
            };
            let drawn = first && second;
            for (player, won, lost) in [(game.first, first, second), (game.second, second, first)] {
                let entry = &mut points[player];
                *entry = (true, entry.1 | won | drawn, entry.2 | lost | drawn);
            }
        }
        let mut changed = false;
        for (bound, (played, up, down)) in bounds.iter_mut().zip(points) {
            if bound.is_ok() {
                *bound = match (played, up, down) {
                    (false, _, _) => Err(Missing::Empty),
                    (true, true, false) => Err(Missing::UnboundedAbove),
                    (true, false, _) => Err(Missing::UnboundedBelow),
                    (true, true, true) => Ok(()),
                };
                changed |= bound.is_err();
            }
        }
        if !changed {
            return bounds;
        }
    }
}

/// A game between rated players.
struct Row {
    first: usize,
    second: usize,
    result: RatedResult,
    cluster: u64,
}

impl Row {
    fn of(game: &RatedGame, places: &[Option<usize>]) -> Option<Self> {
        let (first, second) = (places[game.first]?, places[game.second]?);
        Some(Self { first, second, result: game.result, cluster: game.cluster })
    }
}

fn connected(rows: &[Row], rated: usize) -> Known<()> {
    let mut reached = vec![false; rated];
    reached[0] = true;
    loop {
        let mut grown = false;
        for row in rows {
            if reached[row.first] != reached[row.second] {
                (reached[row.first], reached[row.second]) = (true, true);
                grown = true;
            }
        }
        if !grown {
            break;
        }
    }
    if reached.into_iter().all(|r| r) { Ok(()) } else { Err(Missing::Unconnected) }
}

/// Adds a player's rating to a weighted sum of parameters; the last one is minus all others.
fn add_player(sum: &mut DVector<f64>, place: usize, rated: usize, weight: f64) {
    if place + 1 < rated {
        sum[place] += weight;
    } else {
        for column in 0..rated - 1 {
            sum[column] -= weight;
        }
    }
}

fn chances(d: f64, draw: f64) -> [f64; 3] {
    let (win, loss) = ((d / 2.0).exp(), (-d / 2.0).exp());
    let total = win + loss + draw;
    [win / total, draw / total, loss / total]
}

/// Whether the first move's worth can be told from the ratings: not if, say, the same player
/// always moves first.
fn first_is_estimable(rows: &[Row], rated: usize) -> bool {
    let mut meetings: Vec<(usize, usize)> = rows.iter().map(|r| (r.first, r.second)).collect();
    meetings.sort_unstable();
    meetings.dedup();
    let mut design = Design::new((0..rated).map(|column| column.to_string()));
    for (first, second) in meetings {
        let mut row = DVector::zeros(rated);
        add_player(&mut row, first, rated, 1.0);
        add_player(&mut row, second, rated, -1.0);
        row[rated - 1] = 1.0;
        if design.push(row.iter().copied().collect()).is_err() {
            return false;
        }
    }
    design.estimable().last().copied().unwrap_or(false)
}

fn fit(rows: &[Row], rated: usize, by_cluster: bool) -> Known<Fit> {
    let has_first = first_is_estimable(rows, rated);
    let has_draw = rows.iter().any(|row| row.result == RatedResult::Draw);
    if rows.iter().all(|row| row.result == RatedResult::Draw) {
        return Err(Missing::NoSpread);
    }
    let width = rated - 1 + usize::from(has_first) + usize::from(has_draw);
    let draw_column = width - 1;
    // The direction of d, the same for all games of a meeting; the draw column is handled apart.
    let mut directions: BTreeMap<(usize, usize), DVector<f64>> = BTreeMap::new();
    for row in rows {
        directions.entry((row.first, row.second)).or_insert_with(|| {
            let mut direction = DVector::zeros(width);
            add_player(&mut direction, row.first, rated, 1.0);
            add_player(&mut direction, row.second, rated, -1.0);
            if has_first {
                direction[rated - 1] = 1.0;
            }
            direction
        });
    }
    let mut values = DVector::zeros(width);
    for _ in 0..STEPS_MAX {
        let state = step(rows, &directions, &values, has_draw.then_some(draw_column))?;
        let inverse = state.information.cholesky().ok_or(Missing::Separated)?.inverse();
        let change = &inverse * state.score;
        let size = change.amax();
        values += change * (2.0 / size.max(1e-300)).min(1.0);
        if size < 1e-10 {
            let spread = spread(&state.scores, rows, inverse, by_cluster)?;
            return Ok(Fit { values, spread, rated, has_first, has_draw });
        }
    }
    Err(Missing::NotConverged)
}

fn spread(
    scores: &DMatrix<f64>,
    rows: &[Row],
    inverse: DMatrix<f64>,
    by_cluster: bool,
) -> Known<Spread> {
    let n = u64::try_from(rows.len()).map_err(|_| Missing::Range)?;
    if !by_cluster {
        return Ok(Spread { covariance: Some(inverse), df: None, n });
    }
    let labels: Vec<u64> = rows.iter().map(|row| row.cluster).collect();
    let (meat, clusters) = clustered_meat(scores, &labels)?;
    let groups = real_len(clusters);
    let factor = groups / (groups - 1.0);
    let covariance = (clusters > 1).then(|| &inverse * meat * &inverse * factor);
    Ok(Spread { covariance, df: Some(groups - 1.0), n })
}

struct State {
    score: DVector<f64>,
    /// One row a game.
    scores: DMatrix<f64>,
    information: DMatrix<f64>,
}

fn step(
    rows: &[Row],
    directions: &BTreeMap<(usize, usize), DVector<f64>>,
    values: &DVector<f64>,
    draw_column: Option<usize>,
) -> Known<State> {
    let width = values.len();
    let mut state = State {
        score: DVector::zeros(width),
        scores: DMatrix::zeros(rows.len(), width),
        information: DMatrix::zeros(width, width),
    };
    let odds = draw_column.map_or(0.0, |column| values[column].exp());
    for (i, row) in rows.iter().enumerate() {
        let direction = &directions[&(row.first, row.second)];
        let d = direction.dot(values);
        if d.abs() > RUNAWAY {
            return Err(Missing::Separated);
        }
        let [win, draw, loss] = chances(d, odds);
        let (half, drawn) = match row.result {
            RatedResult::First => (0.5, 0.0),
            RatedResult::Draw => (0.0, 1.0),
            RatedResult::Second => (-0.5, 0.0),
        };
        let mean = (win - loss) / 2.0;
        let variance = (win + loss) / 4.0 - mean * mean;
        let mut score = direction * (half - mean);
        state.information.ger(variance, direction, direction, 1.0);
        if let Some(column) = draw_column {
            score[column] += drawn - draw;
            // Cov(half points, draw) = −mean · draw.
            for other in 0..width {
                let cross = -mean * draw * direction[other];
                state.information[(other, column)] += cross;
                state.information[(column, other)] += cross;
            }
            state.information[(column, column)] += draw * (1.0 - draw);
        }
        state.scores.set_row(i, &score.transpose());
        state.score += score;
    }
    Ok(state)
}
