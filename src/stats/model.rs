//! Factors with any number of levels in a regression: coding, effects of levels, shares of variance.
//! Never needs a balanced design; its variances are those over all combinations alike.

use super::factorial::{Component, FactorSet};
use super::linear::{Coefficients, Design};
use super::number::{Estimate, Known, Missing, real_len};

/// Most factors: one bit each.
pub const FACTORS_MAX: usize = 32;

/// Which terms a model has beside the constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// Main effects.
    Main,
    /// Main effects and all two-factor interactions.
    TwoWay,
}

/// A model of factors; every column has mean 0 and variance 1 over all combinations of levels, and
/// different columns are uncorrelated there.
#[derive(Clone, Debug, PartialEq)]
pub struct FactorModel {
    levels: Vec<usize>,
    names: Vec<String>,
    /// For each term after the constant: its factors and which contrast of each.
    terms: Vec<Vec<(usize, usize)>>,
}

impl FactorModel {
    /// A model of factors, each given by its name and number of levels.
    ///
    /// # Errors
    /// [`Missing::Range`] for no factor, more than [`FACTORS_MAX`], or one with fewer than two
    /// levels.
    pub fn new(factors: &[(&str, usize)], order: Order) -> Known<Self> {
        let fits = !factors.is_empty() && factors.len() <= FACTORS_MAX;
        if !fits || factors.iter().any(|(_, levels)| *levels < 2) {
            return Err(Missing::Range);
        }
        let contrasts = |factor: usize| (1..factors[factor].1).map(move |c| (factor, c));
        let mut terms: Vec<Vec<(usize, usize)>> =
            (0..factors.len()).flat_map(contrasts).map(|term| vec![term]).collect();
        match order {
            Order::Main => {}
            Order::TwoWay => {
                for a in 0..factors.len() {
                    for b in a + 1..factors.len() {
                        for x in contrasts(a) {
                            terms.extend(contrasts(b).map(|y| vec![x, y]));
                        }
                    }
                }
            }
        }
        Ok(Self {
            levels: factors.iter().map(|(_, levels)| *levels).collect(),
            names: factors.iter().map(|(name, _)| (*name).to_owned()).collect(),
            terms,
        })
    }

    /// An empty design with a column for the constant and each term.
    #[must_use]
    pub fn design(&self) -> Design {
        let one = "constant".to_owned();
        Design::new(std::iter::once(one).chain(self.terms.iter().map(|term| self.name(term))))
    }

    /// The row of a combination, given by one level a factor, counted from 0.
    ///
    /// # Errors
    /// [`Missing::Shape`] for another number of levels, [`Missing::Range`] for an unknown level.
    pub fn row(&self, combination: &[usize]) -> Known<Vec<f64>> {
        if combination.len() != self.levels.len() {
            return Err(Missing::Shape);
        }
        if combination.iter().zip(&self.levels).any(|(level, levels)| level >= levels) {
            return Err(Missing::Range);
        }
        let value = |&(factor, contrast): &(usize, usize)| {
            helmert(self.levels[factor], contrast, combination[factor])
        };
        let terms = self.terms.iter().map(|term| term.iter().map(value).product());
        Ok(std::iter::once(1.0).chain(terms).collect())
    }

    /// The effect of taking level `to` instead of `from` of a factor, averaged over all levels of
    /// the others.
    ///
    /// # Errors
    /// [`Missing::Range`] for an unknown factor or level, [`Missing::Aliased`] if it cannot be
    /// estimated, [`Missing::Shape`] for coefficients of another model.
    pub fn effect(
        &self,
        coefficients: &Coefficients,
        factor: usize,
        from: usize,
        to: usize,
    ) -> Known<Estimate> {
        let levels = *self.levels.get(factor).ok_or(Missing::Range)?;
        if from >= levels || to >= levels {
            return Err(Missing::Range);
        }
        let weight = |term: &Vec<(usize, usize)>| match term[..] {
            [(of, contrast)] if of == factor => {
                helmert(levels, contrast, to) - helmert(levels, contrast, from)
            }
            _ => 0.0,
        };
        let weights: Vec<f64> = std::iter::once(0.0).chain(self.terms.iter().map(weight)).collect();
        coefficients.combination(&weights)
    }

    /// The variance of each set of factors with its sampling noise, for
    /// [`super::factorial::variance_shares`]; and the names of the terms that could not be
    /// estimated and so are missing in it.
    ///
    /// # Errors
    /// [`Missing::Shape`] for coefficients of another model.
    pub fn components(&self, coefficients: &Coefficients) -> Known<(Vec<Component>, Vec<String>)> {
        let fitted = coefficients.terms();
        if fitted.len() != self.terms.len() + 1 {
            return Err(Missing::Shape);
        }
        let mut parts: std::collections::BTreeMap<FactorSet, Component> =
            std::collections::BTreeMap::new();
        let mut left_out = Vec::new();
        for (term, fitted) in self.terms.iter().zip(&fitted[1..]) {
            let factors = term.iter().fold(0, |set, (factor, _)| set | 1 << factor);
            let Ok(estimate) = fitted.estimate else {
                left_out.push(fitted.term.clone());
                continue;
            };
            let part =
                parts.entry(factors).or_insert(Component { factors, variance: 0.0, noise: 0.0 });
            part.variance += estimate.value.powi(2);
            part.noise += estimate.standard_error.powi(2);
        }
        Ok((parts.into_values().collect(), left_out))
    }

    fn name(&self, term: &[(usize, usize)]) -> String {
        let parts: Vec<String> = term
            .iter()
            .map(|&(factor, contrast)| {
                let name = &self.names[factor];
                if self.levels[factor] == 2 { name.clone() } else { format!("{name}#{contrast}") }
            })
            .collect();
        parts.join(" × ")
    }
}

/// Contrast `c` (1 to levels − 1) of level `l`: level c against the mean of those before it, scaled
/// to variance 1 over the levels. With two levels: −1 and +1.
fn helmert(levels: usize, c: usize, l: usize) -> f64 {
    let (k, before) = (real_len(levels), real_len(c));
    let scale = (k / (before * (before + 1.0))).sqrt();
    match l.cmp(&c) {
        std::cmp::Ordering::Less => -scale,
        std::cmp::Ordering::Equal => before * scale,
        std::cmp::Ordering::Greater => 0.0,
    }
}
