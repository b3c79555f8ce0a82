//! Factors with any number of levels in a regression: coding, effects of levels, shares of variance.
//! Never needs a balanced design; its variances are those over all combinations alike.

use super::factorial::{Component, FactorSet};
use super::linear::{Coefficients, Design};
use super::number::{Estimate, Known, Missing, real_len};

/// Most factors: one bit each.
pub const FACTORS_MAX: usize = 32;

/// Most terms of a model.
pub const TERMS_MAX: usize = 4096;

/// Which terms a model has beside the constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// Main effects.
    Main,
    /// Main effects and all two-factor interactions.
    TwoWay,
    /// Main effects and the interactions of any number of factors: as many terms as combinations.
    All,
}

impl Order {
    /// The most factors of a term.
    const fn factors_max(self) -> usize {
        match self {
            Self::Main => 1,
            Self::TwoWay => 2,
            Self::All => FACTORS_MAX,
        }
    }
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
    /// [`Missing::Range`] for no factor, more than [`FACTORS_MAX`], one with fewer than two levels,
    /// or more than [`TERMS_MAX`] terms.
    pub fn new(factors: &[(&str, usize)], order: Order) -> Known<Self> {
        let fits = !factors.is_empty() && factors.len() <= FACTORS_MAX;
        if !fits || factors.iter().any(|(_, levels)| *levels < 2) {
            return Err(Missing::Range);
        }
        let contrasts = |factor: usize| (1..factors[factor].1).map(move |c| (factor, c));
        let mut terms: Vec<Vec<(usize, usize)>> = Vec::new();
        let mut grown: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
        for _ in 0..order.factors_max().min(factors.len()) {
            // Each term grows by every later factor, so that none is made twice.
            grown = grown
                .iter()
                .flat_map(|term| {
                    let next = term.last().map_or(0, |(factor, _)| factor + 1);
                    (next..factors.len())
                        .flat_map(contrasts)
                        .map(|one| [&term[..], &[one]].concat())
                })
                .collect();
            if terms.len() + grown.len() > TERMS_MAX {
                return Err(Missing::Range);
            }
            terms.extend(grown.iter().cloned());
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

    /// How many terms it has beside the constant.
    #[must_use]
    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// The factors of each term: no factor for the constant, which comes first.
    #[must_use]
    pub fn term_factors(&self) -> Vec<FactorSet> {
        let of = |term: &Vec<(usize, usize)>| term.iter().fold(0, |set, (f, _)| set | 1 << f);
        std::iter::once(0).chain(self.terms.iter().map(of)).collect()
    }

    /// The effect of taking level `to` instead of `from` of a factor, averaged over all levels of
    /// the others, as weights of the coefficients.
    ///
    /// # Errors
    /// [`Missing::Range`] for an unknown factor or level.
    pub fn effect_weights(&self, factor: usize, from: usize, to: usize) -> Known<Vec<f64>> {
        let step = self.step(factor, from, to)?;
        Ok(self.weights(|term| match *term {
            [(of, contrast)] if of == factor => step(contrast),
            _ => 0.0,
        }))
    }

    /// The interaction of two steps, each a factor with the levels it goes from and to: half of
    /// what the one step changes in the effect of the other, averaged over all levels of the other
    /// factors, as weights of the coefficients. With two levels it is the difference between the
    /// combinations in which the product of the factors is high and the others.
    ///
    /// # Errors
    /// [`Missing::Range`] for an unknown factor or level, or the same factor twice.
    pub fn interaction_weights(
        &self,
        a: (usize, usize, usize),
        b: (usize, usize, usize),
    ) -> Known<Vec<f64>> {
        if a.0 == b.0 {
            return Err(Missing::Range);
        }
        let (first, second) = if a.0 < b.0 { (a, b) } else { (b, a) };
        let one = self.step(first.0, first.1, first.2)?;
        let two = self.step(second.0, second.1, second.2)?;
        Ok(self.weights(|term| match *term {
            [(f, x), (g, y)] if f == first.0 && g == second.0 => one(x) * two(y) / 2.0,
            _ => 0.0,
        }))
    }

    /// What each contrast of a factor changes by from one level to another.
    fn step(&self, factor: usize, from: usize, to: usize) -> Known<impl Fn(usize) -> f64> {
        let levels = *self.levels.get(factor).ok_or(Missing::Range)?;
        if from >= levels || to >= levels {
            return Err(Missing::Range);
        }
        Ok(move |contrast| helmert(levels, contrast, to) - helmert(levels, contrast, from))
    }

    fn weights(&self, of: impl Fn(&[(usize, usize)]) -> f64) -> Vec<f64> {
        std::iter::once(0.0).chain(self.terms.iter().map(|term| of(term))).collect()
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
        coefficients.combination(&self.effect_weights(factor, from, to)?)
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
