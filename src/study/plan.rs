//! What a study plays, resolved: rulesets, pairings, and every game in a fixed order.
//!
//! The unit of observation is the opening. Two different players play each opening twice, with
//! sides swapped; one player against itself plays it once, because swapping would only repeat the
//! game. Nothing here plays.

use std::fmt;
use std::str::FromStr;

use super::adjudication::Adjudication;
use super::design::Design;
use super::stopping::StopRule;
use crate::player::{PlayerSpec, Trained, Weights};
use crate::record::{GameKey, Seat};
use crate::rules::Ruleset;
use crate::variant::Fingerprint;

/// The version of everything beside the plan that decides how its games go: rules, players,
/// openings, seeds, and the order in which turns are numbered. It changes when equal plans would
/// give other games, so that runs of two programs never mix silently.
pub const GAMES_VERSION: u32 = 3;

pub use crate::limits::PLAN_GAMES_MAX as GAMES_MAX;

/// A study, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The study's title; it does not change the games.
    pub title: String,
    /// The number that all chance comes from.
    pub seed: u64,
    /// Random turns at the start of each game, in plies.
    pub opening_plies: u32,
    /// The ply cap: a game that has not ended after so many plies is unfinished.
    pub plies_max: u32,
    /// The variants, in the order of the study; openings are those of the first.
    pub variants: Vec<PlannedVariant>,
    /// The pairings, in the order of the study.
    pub pairings: Vec<Pairing>,
    /// What was varied, and which variants are played for it; it does not change the games.
    pub designs: Vec<Design>,
    /// When play on a variant and pairing stops before all its openings are played.
    pub stopping: Option<StopRule>,
    /// When a game is given to the side far ahead; nothing leaves it to the rules.
    pub adjudication: Option<Adjudication>,
}

/// A variant of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedVariant {
    /// The name in tables.
    pub name: String,
    /// The rules.
    pub ruleset: Ruleset,
    /// Their fingerprint.
    pub fingerprint: Fingerprint,
    /// What was learned for them, where a player of the plan wants that and there is some.
    pub weights: Option<Trained>,
}

/// Two players and how many openings they play on each variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The player in the first and in the second seat.
    pub players: [PlayerSpec; 2],
    /// Number of openings.
    pub openings: u32,
}

impl Pairing {
    /// Whether one player has both sides.
    #[must_use]
    pub fn is_self(&self) -> bool {
        self.players[0] == self.players[1]
    }

    /// The seats that have White in turn: one game of an opening each.
    #[must_use]
    pub fn whites(&self) -> &'static [Seat] {
        if self.is_self() { &Seat::ALL[..1] } else { &Seat::ALL }
    }

    /// Games on each variant.
    #[must_use]
    pub fn games(&self) -> u64 {
        u64::from(self.openings) * self.whites().len() as u64
    }

    /// The player of a seat.
    #[must_use]
    pub const fn player(&self, seat: Seat) -> &PlayerSpec {
        &self.players[seat.index()]
    }
}

/// The name in tables: `random` or `random - greedy`.
impl fmt::Display for Pairing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.players;
        if self.is_self() { write!(out, "{first}") } else { write!(out, "{first} - {second}") }
    }
}

/// The first 128 bits of the BLAKE3 hash of what decides the games of a plan, written as 32
/// hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlanHash(u128);

impl fmt::Display for PlanHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:032x}", self.0)
    }
}

/// A text that is no plan hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a plan hash is 32 hexadecimal digits")]
pub struct NotAPlanHash;

impl FromStr for PlanHash {
    type Err = NotAPlanHash;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits =
            text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let bits = if digits { u128::from_str_radix(text, 16).ok() } else { None };
        bits.map(Self).ok_or(NotAPlanHash)
    }
}

impl Plan {
    /// All games.
    #[must_use]
    pub fn games_total(&self) -> u64 {
        self.variants.len() as u64 * self.games_of_variant()
    }

    /// Games of each variant.
    #[must_use]
    pub fn games_of_variant(&self) -> u64 {
        self.pairings.iter().map(Pairing::games).sum()
    }

    /// Whether a player judges positions by learned weights.
    #[must_use]
    pub fn wants_learned(&self) -> bool {
        self.pairings.iter().flat_map(|pairing| &pairing.players).any(PlayerSpec::wants_learned)
    }

    /// The number of a game in the order of the keys, from 0; nothing for a game of another plan.
    #[must_use]
    pub fn number_of(&self, key: &GameKey) -> Option<u64> {
        let pairing = self.pairings.get(key.pairing as usize)?;
        let seat = pairing.whites().iter().position(|&seat| seat == key.white)?;
        if key.variant as usize >= self.variants.len() || key.opening >= pairing.openings {
            return None;
        }
        let before: u64 = self.pairings[..key.pairing as usize].iter().map(Pairing::games).sum();
        let in_pairing = u64::from(key.opening) * pairing.whites().len() as u64 + seat as u64;
        Some(u64::from(key.variant) * self.games_of_variant() + before + in_pairing)
    }

    /// The keys of all games, in order.
    pub fn keys(&self) -> impl Iterator<Item = GameKey> + '_ {
        (0..).zip(&self.variants).flat_map(move |(variant, _)| {
            (0..).zip(&self.pairings).flat_map(move |(pairing, pair)| {
                (0..pair.openings).flat_map(move |opening| {
                    pair.whites().iter().map(move |&white| GameKey {
                        variant,
                        pairing,
                        opening,
                        white,
                    })
                })
            })
        })
    }

    /// The text whose hash is the plan's: one line for each thing that decides the games.
    ///
    /// Titles and names of variants are not among them.
    #[must_use]
    pub fn canonical_text(&self) -> String {
        let mut text = format!(
            "keny plan 1\ngames-version {GAMES_VERSION}\nseed {}\nopening-plies {}\nplies-max {}\n",
            self.seed, self.opening_plies, self.plies_max
        );
        for variant in &self.variants {
            let weights = variant.weights.as_ref().map_or_else(String::new, |trained| {
                format!(" weights {:016x}", weights_bits(&trained.weights))
            });
            text.push_str(&format!("variant {}{weights}\n", variant.fingerprint));
        }
        for Pairing { players: [first, second], openings } in &self.pairings {
            text.push_str(&format!("pairing {first} | {second} | {openings}\n"));
        }
        if let Some(rule) = &self.stopping {
            text.push_str(&format!("stop-when {rule}\n"));
        }
        if let Some(rule) = &self.adjudication {
            text.push_str(&format!("adjudicate {rule}\n"));
        }
        text
    }

    /// The hash of [`Self::canonical_text`].
    #[must_use]
    pub fn hash(&self) -> PlanHash {
        let hash = blake3::hash(self.canonical_text().as_bytes());
        let mut first = [0; 16];
        first.copy_from_slice(&hash.as_bytes()[..16]);
        PlanHash(u128::from_be_bytes(first))
    }

    /// What differs from `new`, one line each, for a person: `seed: 1 -> 2`.
    #[must_use]
    pub fn differences(&self, new: &Self) -> Vec<String> {
        let mut lines = Vec::new();
        let numbers = [
            ("seed", self.seed, new.seed),
            ("opening_plies", self.opening_plies.into(), new.opening_plies.into()),
            ("plies_max", self.plies_max.into(), new.plies_max.into()),
        ];
        for (name, old, new) in numbers {
            if old != new {
                lines.push(format!("{name}: {old} -> {new}"));
            }
        }
        self.variant_differences(new, &mut lines);
        self.pairing_differences(new, &mut lines);
        rule_difference("stop_when", self.stopping, new.stopping, &mut lines);
        rule_difference("adjudicate", self.adjudication, new.adjudication, &mut lines);
        lines
    }

    fn variant_differences(&self, new: &Self, lines: &mut Vec<String>) {
        let prints = |plan: &Self| plan.variants.iter().map(|v| v.fingerprint).collect::<Vec<_>>();
        let (old_prints, new_prints) = (prints(self), prints(new));
        if old_prints == new_prints {
            for (old, new) in self.variants.iter().zip(&new.variants) {
                let bits = |variant: &PlannedVariant| {
                    variant.weights.as_ref().map(|trained| weights_bits(&trained.weights))
                };
                if bits(old) != bits(new) {
                    lines.push(format!("learned weights of variant `{}`", new.name));
                }
            }
            return;
        }
        let before = lines.len();
        for (variants, others, other_prints, word) in [
            (&self.variants, &new.variants, &new_prints, "removed"),
            (&new.variants, &self.variants, &old_prints, "added"),
        ] {
            for variant in variants {
                if other_prints.contains(&variant.fingerprint) {
                    continue;
                }
                let namesake = others.iter().find(|other| other.name == variant.name);
                match (namesake, word) {
                    (Some(other), "removed") => lines.push(format!(
                        "rules of variant `{}`: {} -> {}",
                        variant.name, variant.fingerprint, other.fingerprint
                    )),
                    (Some(_), _) => {}
                    (None, _) => lines.push(format!("variant `{}` {word}", variant.name)),
                }
            }
        }
        if lines.len() == before {
            lines.push("the order of the variants".to_owned());
        }
    }

    fn pairing_differences(&self, new: &Self, lines: &mut Vec<String>) {
        if self.pairings == new.pairings {
            return;
        }
        let before = lines.len();
        let find = |plan: &Self, players: &[PlayerSpec; 2]| {
            plan.pairings.iter().find(|pairing| pairing.players == *players).map(|p| p.openings)
        };
        for pairing in &self.pairings {
            match find(new, &pairing.players) {
                None => lines.push(format!("pairing `{pairing}` removed")),
                Some(openings) if openings != pairing.openings => lines.push(format!(
                    "openings of pairing `{pairing}`: {} -> {openings}",
                    pairing.openings
                )),
                Some(_) => {}
            }
        }
        for pairing in &new.pairings {
            if find(self, &pairing.players).is_none() {
                lines.push(format!("pairing `{pairing}` added"));
            }
        }
        if lines.len() == before {
            lines.push("the order of the pairings".to_owned());
        }
    }
}

/// What differs between two rules that a plan may have: `stop_when: none -> …`.
fn rule_difference<T: PartialEq + fmt::Display>(
    name: &str,
    old: Option<T>,
    new: Option<T>,
    lines: &mut Vec<String>,
) {
    if old != new {
        let said = |rule: Option<T>| rule.map_or("none".to_owned(), |rule| rule.to_string());
        lines.push(format!("{name}: {} -> {}", said(old), said(new)));
    }
}

/// What tells weights from others: a hash of their numbers.
fn weights_bits(weights: &Weights) -> u64 {
    let numbers = std::iter::once(weights.odds).chain(weights.values());
    let text: Vec<String> = numbers.map(|number| number.to_string()).collect();
    first_bits(&blake3::hash(text.join(" ").as_bytes()))
}

/// The first 64 bits of a hash.
pub(super) fn first_bits(hash: &blake3::Hash) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_be_bytes(first)
}
