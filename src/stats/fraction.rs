//! Two-level fractions: which combinations to play, and which effects then cannot be told apart.
//! Never plays: it gives runs of levels and alias sets.

use super::factorial::{FactorSet, sign};
use super::number::{Known, Missing, real_len};

/// Most factors of a fraction.
pub const FACTORS_MAX: u32 = 16;

/// The least number of factors in an effect that is confused with another of no more factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resolution {
    /// Main effects are free of each other and of two-factor interactions.
    Four,
    /// Main effects and two-factor interactions are free of each other.
    Five,
}

/// A regular two-level fraction: base factors in all combinations, the others products of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fraction {
    factors: u32,
    base: u32,
    /// For each factor after the base, the base factors whose product it is.
    generators: Vec<FactorSet>,
}

/// Effects that one fraction cannot tell apart, shortest first.
pub type AliasSet = Vec<FactorSet>;

impl Fraction {
    /// A full design of so many factors.
    ///
    /// # Errors
    /// [`Missing::Range`] for 0 factors or more than [`FACTORS_MAX`].
    pub fn full(factors: u32) -> Known<Self> {
        Self::new(factors, Vec::new())
    }

    /// A fraction with `base` free factors; each further factor is the product of the base factors
    /// given for it.
    ///
    /// # Errors
    /// [`Missing::Range`] for 0 factors or more than [`FACTORS_MAX`], or for a generator that is
    /// empty or names a factor outside the base.
    pub fn new(base: u32, generators: Vec<FactorSet>) -> Known<Self> {
        let more = u32::try_from(generators.len()).map_err(|_| Missing::Range)?;
        let factors = base.saturating_add(more);
        let fits = base > 0 && factors <= FACTORS_MAX;
        if !fits || generators.iter().any(|&word| word == 0 || word >> base != 0) {
            return Err(Missing::Range);
        }
        Ok(Self { factors, base, generators })
    }

    /// A fraction from generators in letters, as `D=ABC`; the letters on the left follow the base
    /// without a gap.
    ///
    /// # Errors
    /// [`Missing::Shape`] for text of another form, [`Missing::Range`] as in [`Fraction::new`].
    pub fn parse(generators: &[&str]) -> Known<Self> {
        let mut words = Vec::new();
        let mut base = None;
        for (at, text) in (0..).zip(generators) {
            let (left, right) = text.split_once('=').ok_or(Missing::Shape)?;
            let (left, right) = (letters(left)?, letters(right)?);
            if left.count_ones() != 1 {
                return Err(Missing::Shape);
            }
            let first = *base.get_or_insert(left.trailing_zeros());
            if left.trailing_zeros() != first + at {
                return Err(Missing::Shape);
            }
            words.push(right);
        }
        Self::new(base.ok_or(Missing::Shape)?, words)
    }

    /// The smallest regular fraction this floor knows for so many factors: for resolution IV the
    /// base holds all odd products, for resolution V generators are found by search.
    ///
    /// # Errors
    /// [`Missing::Range`] for 0 factors or more than [`FACTORS_MAX`].
    ///
    /// Source: G. Box, J. Hunter, Technometrics 3 (1961) 311 and 449.
    pub fn smallest(factors: u32, resolution: Resolution) -> Known<Self> {
        if factors == 0 || factors > FACTORS_MAX {
            return Err(Missing::Range);
        }
        for base in 1..=factors {
            let more = factors - base;
            let words = match resolution {
                Resolution::Four => odd_words(base, more),
                Resolution::Five => independent_words(base, more),
            };
            if let Some(words) = words {
                return Self::new(base, words);
            }
        }
        Err(Missing::Range)
    }

    /// Factors.
    #[must_use]
    pub fn factors(&self) -> u32 {
        self.factors
    }

    /// For each factor after the free ones, the free factors whose product it is.
    #[must_use]
    pub fn generators(&self) -> &[FactorSet] {
        &self.generators
    }

    /// Combinations to play: a power of two.
    #[must_use]
    pub fn run_count(&self) -> u32 {
        1 << self.base
    }

    /// The combinations to play in standard order: bit i set means factor i is at its high level.
    #[must_use]
    pub fn runs(&self) -> Vec<FactorSet> {
        (0..self.run_count())
            .map(|base| {
                let mut levels = base;
                for (factor, word) in (self.base..).zip(&self.generators) {
                    if sign(base, *word) > 0.0 {
                        levels |= 1 << factor;
                    }
                }
                levels
            })
            .collect()
    }

    /// The products of factors that are constant over all runs, shortest first, without the empty
    /// one.
    #[must_use]
    pub fn defining(&self) -> Vec<FactorSet> {
        let words: Vec<FactorSet> =
            (self.base..).zip(&self.generators).map(|(factor, word)| word | 1 << factor).collect();
        let mut all: Vec<FactorSet> = (1_u32..1 << words.len())
            .map(|choice| {
                let chosen = words.iter().enumerate().filter(|(bit, _)| choice >> bit & 1 == 1);
                chosen.fold(0, |product, (_, word)| product ^ word)
            })
            .collect();
        all.sort_by_key(|&set| order(set));
        all
    }

    /// The length of the shortest defining word; `None` for a full design.
    #[must_use]
    pub fn resolution(&self) -> Option<u32> {
        self.defining().first().map(|word| word.count_ones())
    }

    /// The effects that this one is confused with, in the order of the defining words.
    #[must_use]
    pub fn aliases(&self, effect: FactorSet) -> Vec<FactorSet> {
        self.defining().into_iter().map(|word| word ^ effect).collect()
    }

    /// All alias sets that hold an effect of at most `length_max` factors, by their first member;
    /// inside a set only effects up to that length, shortest first. The set of the constant is
    /// left out.
    #[must_use]
    pub fn alias_sets(&self, length_max: u32) -> Vec<AliasSet> {
        let defining = self.defining();
        let mut sets: Vec<AliasSet> = Vec::new();
        for effect in sets_up_to(self.factors, length_max) {
            if defining.contains(&effect) || sets.iter().any(|set| set.contains(&effect)) {
                continue;
            }
            let mut set: AliasSet = std::iter::once(effect)
                .chain(defining.iter().map(|word| word ^ effect))
                .filter(|alias| alias.count_ones() <= length_max)
                .collect();
            set.sort_by_key(|&alias| order(alias));
            sets.push(set);
        }
        sets
    }

    /// The shortest effect of each set of confused effects but the constant's: one for each degree
    /// of freedom, in order.
    #[must_use]
    pub fn representatives(&self) -> Vec<FactorSet> {
        let defining = self.defining();
        let least = |effect: FactorSet| defining.iter().all(|w| order(effect) < order(w ^ effect));
        sets_up_to(self.factors, self.factors)
            .into_iter()
            .filter(|&effect| !defining.contains(&effect) && least(effect))
            .collect()
    }
}

/// How far two effects are confused over any list of runs, −1 to 1: the correlation of their
/// columns about 0. Also for fractions that are not regular, as when combinations were left out.
///
/// # Errors
/// [`Missing::Empty`] without runs.
pub fn confusion(runs: &[FactorSet], a: FactorSet, b: FactorSet) -> Known<f64> {
    if runs.is_empty() {
        return Err(Missing::Empty);
    }
    let sum: f64 = runs.iter().map(|&run| sign(run, a) * sign(run, b)).sum();
    Ok(sum / real_len(runs.len()))
}

/// The effects of at most `length_max` factors (the constant, 0, among them) that any list of runs
/// cannot tell apart, in sets of two and more; shortest first.
///
/// # Errors
/// [`Missing::Empty`] without runs, [`Missing::Range`] for more than [`FACTORS_MAX`] factors.
pub fn alias_sets_of_runs(
    runs: &[FactorSet],
    factors: u32,
    length_max: u32,
) -> Known<Vec<AliasSet>> {
    if runs.is_empty() {
        return Err(Missing::Empty);
    }
    if factors > FACTORS_MAX {
        return Err(Missing::Range);
    }
    let mut sets: Vec<AliasSet> = Vec::new();
    for effect in std::iter::once(0).chain(sets_up_to(factors, length_max)) {
        let same = |other: FactorSet| {
            let first = sign(runs[0], effect) * sign(runs[0], other);
            runs.iter().all(|&run| sign(run, effect) * sign(run, other) * first > 0.0)
        };
        match sets.iter_mut().find(|set| same(set[0])) {
            Some(set) => set.push(effect),
            None => sets.push(vec![effect]),
        }
    }
    sets.retain(|set| set.len() > 1);
    Ok(sets)
}

/// Short effects first, then by their letters.
fn order(set: FactorSet) -> (u32, FactorSet) {
    // Reversed bits: a set that holds an earlier letter comes first.
    (set.count_ones(), !set.reverse_bits())
}

fn sets_up_to(factors: u32, length_max: u32) -> Vec<FactorSet> {
    let mut sets: Vec<FactorSet> =
        (1_u32..1 << factors).filter(|set| set.count_ones() <= length_max).collect();
    sets.sort_by_key(|&set| order(set));
    sets
}

/// Products of an odd number of base factors, at least three: no three columns multiply to 1, so
/// the resolution is IV.
fn odd_words(base: u32, more: u32) -> Option<Vec<FactorSet>> {
    let wanted = usize::try_from(more).ok()?;
    let words: Vec<FactorSet> = sets_up_to(base, base)
        .into_iter()
        .filter(|set| set.count_ones() >= 3 && set.count_ones() % 2 == 1)
        .take(wanted)
        .collect();
    (words.len() == wanted).then_some(words)
}

/// Words such that no four columns multiply to 1 (resolution V), by depth-first search.
fn independent_words(base: u32, more: u32) -> Option<Vec<FactorSet>> {
    let wanted = usize::try_from(more).ok()?;
    let candidates: Vec<FactorSet> =
        sets_up_to(base, base).into_iter().filter(|set| set.count_ones() >= 4).collect();
    let mut chosen = Vec::new();
    let mut budget = SEARCH_MAX;
    search_words(&candidates, wanted, &mut chosen, &mut budget).then_some(chosen)
}

/// Steps of the search for generators, far more than sixteen factors need.
const SEARCH_MAX: u32 = 200_000;

fn search_words(
    candidates: &[FactorSet],
    wanted: usize,
    chosen: &mut Vec<FactorSet>,
    budget: &mut u32,
) -> bool {
    if chosen.len() == wanted {
        return true;
    }
    for (at, &word) in candidates.iter().enumerate() {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        if chosen.iter().all(|&other| apart(word, other)) && triples_apart(word, chosen) {
            chosen.push(word);
            if search_words(&candidates[at + 1..], wanted, chosen, budget) {
                return true;
            }
            chosen.pop();
        }
    }
    false
}

/// With two generated columns at most two base columns may not complete a product of 1.
fn apart(word: FactorSet, other: FactorSet) -> bool {
    (word ^ other).count_ones() >= 3
}

/// Three generated columns with at most one base column, and four generated ones.
fn triples_apart(word: FactorSet, chosen: &[FactorSet]) -> bool {
    for (i, &a) in chosen.iter().enumerate() {
        for (j, &b) in chosen.iter().enumerate().skip(i + 1) {
            let three = word ^ a ^ b;
            if three.count_ones() < 2 || chosen[j + 1..].contains(&three) {
                return false;
            }
        }
    }
    true
}

fn letters(text: &str) -> Known<FactorSet> {
    let mut set = 0;
    for letter in text.bytes() {
        if !letter.is_ascii_uppercase() || u32::from(letter - b'A') >= FACTORS_MAX {
            return Err(Missing::Shape);
        }
        set |= 1 << (letter - b'A');
    }
    if set == 0 { Err(Missing::Shape) } else { Ok(set) }
}

/// The name of an effect in letters: `ABD`.
#[must_use]
pub fn letter_name(set: FactorSet) -> String {
    (b'A'..=b'Z')
        .zip(0..)
        .filter(|(_, bit)| set >> bit & 1 == 1)
        .map(|(c, _)| char::from(c))
        .collect()
}
