//! Ordered logistic regression of outcomes (win, draw, loss) on features, each coefficient held near
//! 0 (ridge), by Newton's method.
//!
//! With value v and draw width c, a win has the chance L(v - c), a loss L(-v - c), where L is the
//! logistic function (Rao and Kupper 1967, without their restriction of c): drawn games say that
//! neither side was far ahead, and do not make a lead look worthless. Sums are formed by fixed
//! chunks in a fixed order: threads never change a bit of them.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::super::arithmetic::logistic;
use super::games::{Chunk, Sample};

const STEPS_MAX: usize = 20;

/// The largest change of a coefficient at which the fit is done, in log odds.
const SMALL: f64 = 1e-5;

/// A draw width that is never 0, so that a single draw among many games has some chance.
const DRAW_WIDTH_LEAST: f64 = 1e-3;

/// Positions in one sum; the sums are added in order.
const CHUNK: usize = 2048;

/// A fitted model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fitted {
    /// In log odds for White, one for each column.
    pub(super) coefficients: Vec<f64>,
    /// The draw width in log odds, 0 where there are no draws.
    pub(super) draw_width: f64,
}

/// Fits the model; `holds` says how strongly each coefficient is held at 0.
pub(super) fn fit(holds: &[f64], sample: &Sample) -> Fitted {
    let holds = DVector::from_column_slice(holds);
    let mut coefficients = DVector::zeros(holds.len());
    let mut draw_width = 0.5;
    for _ in 0..STEPS_MAX {
        let mut sums = sums(sample, &coefficients, draw_width);
        sums.slope -= coefficients.component_mul(&holds);
        for (index, hold) in holds.iter().enumerate() {
            sums.curvature[(index, index)] += hold;
        }
        let factor = sums.curvature.cholesky().expect("held coefficients: it is definite");
        let step = factor.solve(&sums.slope);
        coefficients += &step;
        // One step for the draw width, in which the likelihood is concave too.
        let wider = sums.draw_slope / sums.draw_curvature.max(1.0);
        draw_width = (draw_width + wider.clamp(-0.5, 0.5)).clamp(DRAW_WIDTH_LEAST, 10.0);
        if step.amax() < SMALL && wider.abs() < SMALL {
            break;
        }
    }
    Fitted { coefficients: coefficients.data.into(), draw_width }
}

/// Derivatives of the log likelihood; the second ones negative.
struct Sums {
    slope: DVector<f64>,
    curvature: DMatrix<f64>,
    draw_slope: f64,
    draw_curvature: f64,
}

fn sums(sample: &Sample, coefficients: &DVector<f64>, draw_width: f64) -> Sums {
    let columns = coefficients.len();
    let parts: Vec<Part> = sample
        .chunks(CHUNK)
        .map(|chunk| Part::of(&chunk, coefficients.as_slice(), draw_width))
        .collect();
    let mut total = Part::new(columns);
    for part in &parts {
        add(&mut total.slope, &part.slope);
        add(&mut total.curvature, &part.curvature);
        total.draw_slope += part.draw_slope;
        total.draw_curvature += part.draw_curvature;
    }
    let curvature = DMatrix::from_fn(columns, columns, |row, column| {
        total.curvature[row.max(column) * columns + row.min(column)]
    });
    Sums {
        slope: DVector::from_vec(total.slope),
        curvature,
        draw_slope: total.draw_slope,
        draw_curvature: total.draw_curvature,
    }
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
    draw_slope: f64,
    draw_curvature: f64,
}

impl Part {
    fn new(columns: usize) -> Self {
        Self {
            slope: vec![0.0; columns],
            curvature: vec![0.0; columns * columns],
            draw_slope: 0.0,
            draw_curvature: 0.0,
        }
    }

    fn of(chunk: &Chunk<'_>, coefficients: &[f64], draw_width: f64) -> Self {
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
            let view = View::of(odds, draw_width, result);
            let (error, spread) = (view.error, view.spread);
            part.draw_slope += view.draw_slope;
            part.draw_curvature += view.draw_curvature;
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

/// What one outcome says about the value before it, and about the draw width.
struct View {
    error: f64,
    spread: f64,
    draw_slope: f64,
    draw_curvature: f64,
}

impl View {
    /// `result` is 2 for a win, 1 for a draw, 0 for a loss.
    fn of(value: f64, width: f64, result: u8) -> Self {
        let (win, loss) = (logistic(value - width), logistic(-value - width));
        let (win_spread, loss_spread) = (win * (1.0 - win), loss * (1.0 - loss));
        match result {
            2 => Self {
                error: 1.0 - win,
                spread: win_spread,
                draw_slope: win - 1.0,
                draw_curvature: win_spread,
            },
            0 => Self {
                error: loss - 1.0,
                spread: loss_spread,
                draw_slope: loss - 1.0,
                draw_curvature: loss_spread,
            },
            _ => {
                let draw = (1.0 - win - loss).max(1e-9);
                let slope = (win_spread + loss_spread) / draw;
                let bend = win_spread * (1.0 - 2.0 * win) + loss_spread * (1.0 - 2.0 * loss);
                Self {
                    error: loss - win,
                    spread: win_spread + loss_spread,
                    draw_slope: slope,
                    draw_curvature: (slope * slope + bend / draw).max(0.0),
                }
            }
        }
    }
}
