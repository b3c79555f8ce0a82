//! The features of a position as columns of a regression, and coefficients as weights.

use super::super::arithmetic::logistic;
use super::super::evaluation::Evaluation;
use super::super::weights::{Count, Weights};
use super::fit::Fitted;
use super::games::Sample;
use crate::board::{Geometry, Kind, Placement, Side, SquareSet};
use crate::rules::Ruleset;

/// Which column of the regression is which feature.
///
/// First men and kings in all; then, as deviations from these, men by rank and file and kings by
/// distance from the edge; then the counts.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    shape: Weights,
    geometry: Geometry,
    /// Ranks on which men stand: all but the last.
    man_ranks: usize,
    files: usize,
    rings: usize,
}

/// Log odds of a man below which it is taken to be worth that: a unit must not vanish.
const MAN_LEAST: f64 = 0.05;

impl Columns {
    pub(super) fn of(ruleset: &Ruleset) -> Self {
        let shape = Weights::zero(ruleset);
        Self {
            geometry: ruleset.board.geometry(),
            man_ranks: shape.man.len() - 1,
            files: shape.man[0].len(),
            rings: shape.king.len(),
            shape,
        }
    }

    /// How many columns.
    pub(super) fn len(&self) -> usize {
        self.first_count() + Count::ALL.len()
    }

    /// How strongly each coefficient is held at 0: the inverse square of how far from it one
    /// expects to find it, in log odds.
    pub(super) fn holds(&self) -> Vec<f64> {
        let mut holds = vec![60.0; self.len()];
        holds[0] = 0.1;
        holds[1] = 0.5;
        for hold in &mut holds[self.first_count()..] {
            *hold = 20.0;
        }
        holds
    }

    /// [`Self::holds`] that leave nothing free but men, kings and the move.
    pub(super) fn holds_of_material(&self) -> Vec<f64> {
        const FIXED: f64 = 1e12;
        let mut holds = vec![FIXED; self.len()];
        let tempo = self.first_count() + Count::Tempo as usize;
        for column in [0, 1, tempo] {
            holds[column] = self.holds()[column];
        }
        holds
    }

    /// The value of a king in hundredths of a man, by the fit of
    /// [`Self::holds_of_material`].
    pub(super) fn king_worth(&self, material: &Fitted, sample: &Sample) -> Option<i32> {
        let (man, king) = (material.coefficients[0], material.coefficients[1]);
        let seen = sample.stood[1] > 0 && man >= MAN_LEAST;
        seen.then(|| rounded(100.0 * king / man))
    }

    /// The features of a position, White's minus Black's.
    pub(super) fn of_position<S: SquareSet>(
        &self,
        evaluation: &Evaluation<S>,
        placement: &Placement<S>,
        mover: Side,
        row: &mut [i16],
    ) {
        row.fill(0);
        for (side, sign) in [(Side::White, 1), (Side::Black, -1)] {
            for square in placement.of(side).squares() {
                let king = placement.kings.contains(square);
                let kind = if king { Kind::King } else { Kind::Man };
                row[kind as usize] += sign;
                row[self.piece(kind, self.geometry.own_rank(square, side), square)] += sign;
            }
            for count in Count::ALL {
                let number = match count {
                    Count::Tempo => i32::from(mover == side),
                    Count::HasKing
                    | Count::Steps
                    | Count::Hops
                    | Count::Threatened
                    | Count::Beside
                    | Count::Behind
                    | Count::Diagonal
                    | Count::FreeFile => evaluation.count(count, placement, side),
                };
                let number = i16::try_from(number).expect("fewer than 2^15 of anything");
                row[self.first_count() + count as usize] += sign * number;
            }
        }
    }

    /// Fitted coefficients as weights in hundredths of a man, whose worth is that in `material`, the
    /// fit of [`Self::holds_of_material`].
    pub(super) fn weights(&self, fitted: &Fitted, material: &Fitted) -> Weights {
        let coefficients = &fitted.coefficients;
        let man_at =
            |rank: usize, file: usize| coefficients[0] + coefficients[self.man_column(rank, file)];
        let unit = 100.0 / material.coefficients[0].max(MAN_LEAST);
        let mut weights = self.shape.clone();
        for (rank, row) in weights.man.iter_mut().enumerate() {
            // No man stands on the last rank: it is worth there what it is before it.
            let rank = rank.min(self.man_ranks - 1);
            for (file, value) in row.iter_mut().enumerate() {
                *value = rounded(unit * man_at(rank, file));
            }
        }
        for (ring, value) in weights.king.iter_mut().enumerate() {
            let column = 2 + self.man_ranks * self.files + ring;
            *value = rounded(unit * (coefficients[1] + coefficients[column]));
        }
        for count in Count::ALL {
            weights.counts[count as usize] =
                rounded(unit * coefficients[self.first_count() + count as usize]);
        }
        // The slope of the expected score at equality, beside that of odds without draws.
        let decided = logistic(-fitted.draw_width);
        weights.odds = rounded(unit / (4.0 * decided * (1.0 - decided))).max(1);
        weights
    }

    fn first_count(&self) -> usize {
        2 + self.man_ranks * self.files + self.rings
    }

    fn man_column(&self, rank: usize, file: usize) -> usize {
        2 + rank * self.files + file
    }

    fn piece(&self, kind: Kind, own_rank: u8, square: crate::board::Square) -> usize {
        let (file, rank) = self.geometry.file_and_rank(square);
        match kind {
            Kind::Man => {
                let rank = usize::from(own_rank).min(self.man_ranks - 1);
                self.man_column(rank, super::super::weights::file_class(&self.geometry, file))
            }
            Kind::King => {
                let ring = super::super::weights::ring(&self.geometry, file, rank);
                2 + self.man_ranks * self.files + ring
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "held within a few thousand before")]
fn rounded(value: f64) -> i32 {
    let most = f64::from(Weights::VALUE_MAX);
    value.clamp(-most, most).round() as i32
}

#[cfg(test)]
mod tests {
    use super::{Columns, Count, Evaluation, Ruleset, Side, Weights};
    use crate::player::Rng;
    use crate::rules::{Choices, Game, Rules};

    #[test]
    fn the_features_times_their_weights_are_the_value() {
        let ruleset = Ruleset::default();
        let rules = Rules::<u64>::new(&ruleset);
        let columns = Columns::of(&ruleset);
        let mut rng = Rng::from_seed(4);
        let mut drawn = || i32::try_from(rng.below(200)).expect("below 200") - 100;
        let mut weights = Weights::zero(&ruleset);
        weights.man.iter_mut().flatten().for_each(|value| *value = drawn());
        weights.king.iter_mut().for_each(|value| *value = drawn());
        weights.counts.iter_mut().for_each(|value| *value = drawn());
        let mut of_columns = vec![0; columns.len()];
        for rank in 0..columns.man_ranks {
            for file in 0..columns.files {
                of_columns[columns.man_column(rank, file)] = weights.man[rank][file];
            }
        }
        let first_king = 2 + columns.man_ranks * columns.files;
        of_columns[first_king..first_king + columns.rings].copy_from_slice(&weights.king);
        for count in Count::ALL {
            of_columns[columns.first_count() + count as usize] = weights.counts[count as usize];
        }
        let evaluation = Evaluation::new(&rules, &weights);
        let (mut game, mut choices) = (Game::new(&rules), Choices::new());
        let mut row = vec![0; columns.len()];
        while game.choices(&rules, &mut choices).is_none() {
            let position = game.position();
            columns.of_position(&evaluation, &position.placement, position.side, &mut row);
            let sum: i32 =
                row.iter().zip(&of_columns).map(|(n, value)| i32::from(*n) * value).sum();
            let sign = if position.side == Side::White { 1 } else { -1 };
            let value = evaluation.value(&position.placement, position.side);
            assert_eq!(sign * sum, value, "{position:?}");
            game.play(&rules, &choices.get(&rules, rng.below(choices.len())));
        }
        assert!(game.plies() > 20);
    }
}
