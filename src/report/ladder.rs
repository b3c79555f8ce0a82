//! Whether thought pays: each player against the next weaker one of its kind, and what one doubling
//! of the budget is worth on each variant. Computes no score itself.

use super::cells::Cell;
use super::tournament::reversed;
use super::view::PairingView;
use crate::player::{Budget, PlayerSpec};
use crate::stats::score::EloRange;
use crate::stats::{Known, Missing, real};
use crate::study::Pairing;

/// Two players that differ in nothing but how much they may look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// The pairing's number in the study.
    pub pairing: usize,
    /// The player with the larger budget.
    pub stronger: String,
    /// The player with the smaller one.
    pub weaker: String,
    /// How often the budget is doubled from the weaker to the stronger; plies for depths.
    pub steps: f64,
    /// What a step is.
    pub step: RungStep,
    /// One a variant, in the order of the study.
    pub rows: Vec<RungRow>,
}

/// The unit in which budgets are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RungStep {
    /// Twice the nodes or playouts.
    Doubling,
    /// One ply more.
    Ply,
}

impl RungStep {
    /// The word in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Doubling => "doubling",
            Self::Ply => "ply",
        }
    }
}

/// One variant of a rung.
#[derive(Clone, Debug, PartialEq)]
pub struct RungRow {
    /// The score of the stronger player, as a share, over pairs of finished games.
    pub score: Cell,
    /// The same as logistic Elo of the stronger against the weaker.
    pub elo: Known<EloRange>,
    /// Elo for each step.
    pub elo_per_step: Known<EloRange>,
}

/// The rungs of a study: its pairings of players that differ in their budget alone.
pub(super) fn ladder(pairings: &[PairingView], planned: &[Pairing]) -> Vec<Rung> {
    let views = pairings.iter().zip(planned).enumerate();
    views.filter_map(|(number, (view, planned))| rung(number, view, planned)).collect()
}

fn rung(number: usize, view: &PairingView, planned: &Pairing) -> Option<Rung> {
    let [one, two] = planned.players;
    let (steps, step) = steps(one, two)?;
    let turned = steps < 0.0;
    let rows = view.rows.iter().map(|row| {
        let missing = RungRow {
            score: Cell {
                value: Err(Missing::Empty),
                interval: None,
                n: 0,
                units: 0,
                method: super::cells::Method::Score,
            },
            elo: Err(Missing::Empty),
            elo_per_step: Err(Missing::Empty),
        };
        row.seat.as_ref().map_or(missing, |seat| {
            let score = if turned { reversed(seat.score) } else { seat.score };
            let elo = seat.elo.map(|elo| if turned { negative(elo) } else { elo });
            RungRow { score, elo, elo_per_step: elo.map(|elo| over(elo, steps.abs())) }
        })
    });
    let rows = rows.collect();
    let [stronger, weaker] = if turned { [two, one] } else { [one, two] };
    let (stronger, weaker) = (stronger.to_string(), weaker.to_string());
    Some(Rung { pairing: number, stronger, weaker, steps: steps.abs(), step, rows })
}

/// How many steps of budget the first player is above the second; nothing where they differ in
/// anything else, or in nothing.
fn steps(one: PlayerSpec, two: PlayerSpec) -> Option<(f64, RungStep)> {
    let doublings = |a: u64, b: u64| (real(a).log2() - real(b).log2(), RungStep::Doubling);
    let found = match (one, two) {
        (
            PlayerSpec::AlphaBeta { budget: a, weights: weights_a, sampling: sampling_a },
            PlayerSpec::AlphaBeta { budget: b, weights: weights_b, sampling: sampling_b },
        ) if weights_a == weights_b && sampling_a == sampling_b => match (a, b) {
            (Budget::Nodes(a), Budget::Nodes(b)) => doublings(a, b),
            (Budget::Depth(a), Budget::Depth(b)) => (f64::from(a) - f64::from(b), RungStep::Ply),
            (Budget::Nodes(_), Budget::Depth(_)) | (Budget::Depth(_), Budget::Nodes(_)) => {
                return None;
            }
        },
        (
            PlayerSpec::Mcts { playouts: a, weights: weights_a, sampling: sampling_a },
            PlayerSpec::Mcts { playouts: b, weights: weights_b, sampling: sampling_b },
        ) if weights_a == weights_b && sampling_a == sampling_b => doublings(a.into(), b.into()),
        (
            PlayerSpec::Random
            | PlayerSpec::Greedy { .. }
            | PlayerSpec::AlphaBeta { .. }
            | PlayerSpec::Mcts { .. },
            PlayerSpec::Random
            | PlayerSpec::Greedy { .. }
            | PlayerSpec::AlphaBeta { .. }
            | PlayerSpec::Mcts { .. },
        ) => return None,
    };
    (found.0.abs() > 0.0).then_some(found)
}

/// The same difference as the other player sees it.
fn negative(elo: EloRange) -> EloRange {
    let turned = |end: Known<f64>| end.map(|end| -end).map_err(other_side);
    EloRange { value: turned(elo.value), low: turned(elo.high), high: turned(elo.low) }
}

fn other_side(missing: Missing) -> Missing {
    if missing == Missing::UnboundedAbove {
        Missing::UnboundedBelow
    } else if missing == Missing::UnboundedBelow {
        Missing::UnboundedAbove
    } else {
        missing
    }
}

fn over(elo: EloRange, steps: f64) -> EloRange {
    let part = |end: Known<f64>| end.map(|end| end / steps);
    EloRange { value: part(elo.value), low: part(elo.low), high: part(elo.high) }
}

#[cfg(test)]
mod tests {
    use super::{RungStep, negative, over, steps};
    use crate::player::PlayerSpec;
    use crate::stats::Missing;
    use crate::stats::score::EloRange;

    fn of(one: &str, two: &str) -> Option<(f64, RungStep)> {
        let read = |text: &str| -> PlayerSpec { text.parse().expect("a player") };
        steps(read(one), read(two))
    }

    #[test]
    fn budgets_are_compared_where_nothing_else_differs() {
        let close = |found: Option<(f64, RungStep)>, steps: f64, step: RungStep| {
            let (value, unit) = found.expect("a rung");
            assert!((value - steps).abs() < 1e-12, "{value}");
            assert_eq!(unit, step);
        };
        close(of("alphabeta:nodes=4000", "alphabeta:nodes=500"), 3.0, RungStep::Doubling);
        close(of("mcts:playouts=50", "mcts:playouts=200"), -2.0, RungStep::Doubling);
        close(of("alphabeta:depth=5", "alphabeta:depth=3"), 2.0, RungStep::Ply);
        assert_eq!(of("alphabeta:nodes=500", "alphabeta:nodes=500"), None);
        assert_eq!(of("alphabeta:nodes=500", "alphabeta:depth=5"), None);
        assert_eq!(of("alphabeta:nodes=500", "alphabeta:nodes=900,epsilon=0.1"), None);
        assert_eq!(of("alphabeta:nodes=500", "mcts:playouts=500"), None);
        assert_eq!(of("random", "greedy"), None);
    }

    #[test]
    fn ranges_turn_round_and_are_divided() {
        let range = EloRange { value: Ok(90.0), low: Ok(60.0), high: Err(Missing::UnboundedAbove) };
        let turned = negative(range);
        let wanted =
            EloRange { value: Ok(-90.0), low: Err(Missing::UnboundedBelow), high: Ok(-60.0) };
        assert_eq!(turned, wanted);
        let third = over(range, 3.0);
        assert!((third.value.expect("a value") - 30.0).abs() < 1e-12);
        assert!((third.low.expect("an end") - 20.0).abs() < 1e-12);
    }
}
