//! Logistic regression of outcomes on features, each coefficient held near 0 (ridge), by Newton's
//! method. Sums are formed by fixed chunks in a fixed order: threads never change a bit of them.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::super::arithmetic::logistic;
use super::features::Columns;
use super::games::{Chunk, Sample};

const STEPS_MAX: usize = 20;

/// The largest change of a coefficient at which the fit is done, in log odds.
const SMALL: f64 = 1e-5;

/// Positions in one sum; the sums are added in order.
const CHUNK: usize = 2048;

/// The coefficients in log odds for White, one for each column; a draw counts as half a win.
pub(super) fn fit(columns: &Columns, sample: &Sample) -> Vec<f64> {
    let holds = DVector::from_vec(columns.holds());
    let mut coefficients = DVector::zeros(columns.len());
    for _ in 0..STEPS_MAX {
        let (mut slope, mut curvature) = sums(sample, &coefficients);
        slope -= coefficients.component_mul(&holds);
        for (index, hold) in holds.iter().enumerate() {
            curvature[(index, index)] += hold;
        }
        let factor = curvature.cholesky().expect("every coefficient is held, so it is definite");
        let step = factor.solve(&slope);
        coefficients += &step;
        if step.amax() < SMALL {
            break;
        }
    }
    coefficients.data.into()
}

/// First derivative and negative second derivative of the log likelihood.
fn sums(sample: &Sample, coefficients: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let columns = coefficients.len();
    let parts: Vec<Part> =
        sample.chunks(CHUNK).map(|chunk| Part::of(&chunk, coefficients.as_slice())).collect();
    let mut total = Part::new(columns);
    for part in &parts {
        add(&mut total.slope, &part.slope);
        add(&mut total.curvature, &part.curvature);
    }
    let curvature = DMatrix::from_fn(columns, columns, |row, column| {
        total.curvature[row.max(column) * columns + row.min(column)]
    });
    (DVector::from_vec(total.slope), curvature)
}

fn add(to: &mut [f64], from: &[f64]) {
    for (sum, value) in to.iter_mut().zip(from) {
        *sum += value;
    }
}

/// The sums over one chunk; of the curvature the lower triangle.
struct Part {
    slope: Vec<f64>,
    curvature: Vec<f64>,
}

impl Part {
    fn new(columns: usize) -> Self {
        Self { slope: vec![0.0; columns], curvature: vec![0.0; columns * columns] }
    }

    fn of(chunk: &Chunk<'_>, coefficients: &[f64]) -> Self {
        let columns = coefficients.len();
        let mut part = Self::new(columns);
        // Most features of most positions are 0.
        let mut present: Vec<(usize, f64)> = Vec::new();
        for (row, &result) in chunk.rows.chunks(columns).zip(chunk.results) {
            present.clear();
            let values = row.iter().enumerate().filter(|(_, value)| **value != 0);
            present.extend(values.map(|(column, &value)| (column, f64::from(value))));
            let odds: f64 =
                present.iter().map(|&(column, value)| coefficients[column] * value).sum();
            let chance = logistic(odds);
            let error = f64::from(result) / 2.0 - chance;
            let spread = chance * (1.0 - chance);
            for (place, &(column, value)) in present.iter().enumerate() {
                part.slope[column] += error * value;
                let line = &mut part.curvature[column * columns..(column + 1) * columns];
                for &(other, other_value) in &present[..=place] {
                    line[other] += spread * value * other_value;
                }
            }
        }
        part
    }
}
