//! The players by name: one text form for each player and its options, and how one is made.
//!
//! `random`, `greedy:epsilon=0.1`, `alphabeta:nodes=1000,temperature=0.1`, `mcts:playouts=200`.

use std::fmt;
use std::str::FromStr;

use super::alphabeta::DEPTH_MAX;
use super::{AlphaBeta, Greedy, Mcts, Player, Random, Sampling, Weights};
use crate::board::SquareSet;
use crate::rules::Rules;

/// A player of the roster, as help texts show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerRow {
    /// The name in texts.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// A text that makes one.
    pub example: &'static str,
    /// Its options, in canonical order.
    pub options: &'static [OptionRow],
}

/// An option of a player, as help texts show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// The key in texts.
    pub key: &'static str,
    /// The values that it takes.
    pub values: &'static str,
    /// The value without the option; nothing where the player needs it (or one of several) said.
    pub default: Option<&'static str>,
    /// What it does, in one line.
    pub meaning: &'static str,
}

const EPSILON: OptionRow = OptionRow {
    key: "epsilon",
    values: "0 to 1, in thousandths",
    default: Some("0"),
    meaning: "chance of a uniformly random turn",
};
const TEMPERATURE: OptionRow = OptionRow {
    key: "temperature",
    values: "0 to 100, in thousandths",
    default: Some("0"),
    meaning: "in men: a turn that is one temperature worse is chosen e times less often",
};
const TEMPERATURE_OF_VISITS: OptionRow = OptionRow {
    key: "temperature",
    values: "0 to 100, in thousandths",
    default: Some("0"),
    meaning: "turns are chosen by their visits to the power of 1/temperature",
};
const WEIGHTS: OptionRow = OptionRow {
    key: "weights",
    values: "learned, generic or material",
    default: Some("learned"),
    meaning: "values of the evaluation; learned ones are generic where a ruleset has none",
};

/// Every player, from the weakest to the strongest kind.
pub const ROSTER: [PlayerRow; 4] = [
    PlayerRow {
        name: "random",
        summary: "any legal turn, each as likely",
        example: "random",
        options: &[],
    },
    PlayerRow {
        name: "greedy",
        summary: "the best value after one turn and the capture that answers it",
        example: "greedy:epsilon=0.1",
        options: &[WEIGHTS, EPSILON, TEMPERATURE],
    },
    PlayerRow {
        name: "alphabeta",
        summary: "a search that deepens ply by ply and follows captures to their end",
        example: "alphabeta:nodes=1000",
        options: &[
            OptionRow {
                key: "depth",
                values: "1 to 100",
                default: None,
                meaning: "plies searched, every turn to the full depth; instead of nodes",
            },
            OptionRow {
                key: "nodes",
                values: "1 to 10^12",
                default: None,
                meaning: "positions visited for one turn; instead of depth",
            },
            WEIGHTS,
            EPSILON,
            TEMPERATURE,
        ],
    },
    PlayerRow {
        name: "mcts",
        summary: "a tree of sampled games, with proven results",
        example: "mcts:playouts=200",
        options: &[
            OptionRow {
                key: "playouts",
                values: "1 to 10^7",
                default: None,
                meaning: "games sampled for one turn",
            },
            WEIGHTS,
            EPSILON,
            TEMPERATURE_OF_VISITS,
        ],
    },
];

/// A number from 0 on in steps of a thousandth, exact in texts and comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thousandths(u32);

impl Thousandths {
    /// Zero.
    pub const ZERO: Self = Self(0);

    /// That many thousandths.
    #[must_use]
    pub const fn new(thousandths: u32) -> Self {
        Self(thousandths)
    }

    /// How many thousandths.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Reads a decimal number with at most three places.
    fn parse(text: &str) -> Option<Self> {
        let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if places.is_empty() || places.len() > 3 || !digits(whole) || !digits(places) {
            return None;
        }
        let whole: u32 = whole.parse().ok()?;
        let places: u32 = format!("{places:0<3}").parse().ok()?;
        Some(Self(whole.checked_mul(1000)?.checked_add(places)?))
    }
}

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / 1000, self.0 % 1000);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// How much a search may look at for one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Budget {
    /// That many plies, every turn to the full depth.
    Depth(u8),
    /// That many positions.
    Nodes(u64),
}

/// Where a player's evaluation takes its values from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WeightsChoice {
    /// Those learned for the ruleset, or the generic ones where it has none.
    #[default]
    Learned,
    /// The generic ones.
    Generic,
    /// Men and kings alone.
    Material,
}

impl WeightsChoice {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Learned, Self::Generic, Self::Material];

    /// The name in texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Learned => "learned",
            Self::Generic => "generic",
            Self::Material => "material",
        }
    }
}

/// A player with its options. Its text form is read by `parse` and written by `Display`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlayerSpec {
    /// Any legal turn.
    Random,
    /// The best value after one turn and the capture that answers it.
    Greedy {
        /// The values of its evaluation.
        weights: WeightsChoice,
        /// How it strays.
        sampling: Sampling,
    },
    /// A search.
    AlphaBeta {
        /// What it may look at.
        budget: Budget,
        /// The values of its evaluation.
        weights: WeightsChoice,
        /// How it strays.
        sampling: Sampling,
    },
    /// A tree of sampled games.
    Mcts {
        /// Games sampled for one turn.
        playouts: u32,
        /// The values of its evaluation.
        weights: WeightsChoice,
        /// How it strays.
        sampling: Sampling,
    },
}

/// Why a text names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RosterError {
    /// No player has this name.
    #[error("unknown player `{found}`; the players are {allowed}{}", meant(.suggestion))]
    UnknownPlayer {
        /// The name in the text.
        found: String,
        /// The names, listed.
        allowed: String,
        /// The name that it looks like.
        suggestion: Option<&'static str>,
    },
    /// The player has no such option.
    #[error("player `{player}` has no option `{found}`; {allowed}{}", meant(.suggestion))]
    UnknownOption {
        /// The player's name.
        player: &'static str,
        /// The key in the text.
        found: String,
        /// What it has, as a clause.
        allowed: String,
        /// The key that it looks like.
        suggestion: Option<&'static str>,
    },
    /// An option without a value.
    #[error("option `{found}` of player `{player}` has no value; write `{found}=…`")]
    NoValue {
        /// The player's name.
        player: &'static str,
        /// The option in the text.
        found: String,
    },
    /// A value that the option does not take.
    #[error("`{key}={found}` of player `{player}`: {key} is {allowed}{}", meant(.suggestion))]
    BadValue {
        /// The player's name.
        player: &'static str,
        /// The option's key.
        key: &'static str,
        /// The value in the text.
        found: String,
        /// The values that it takes.
        allowed: &'static str,
        /// The value that it looks like.
        suggestion: Option<&'static str>,
    },
    /// One option twice.
    #[error("option `{key}` of player `{player}` is given twice")]
    Repeated {
        /// The player's name.
        player: &'static str,
        /// The option's key.
        key: &'static str,
    },
    /// No budget, or two.
    #[error("player `{player}` needs {needed}, as in `{example}`{}", instead_of(.found))]
    Budget {
        /// The player's name.
        player: &'static str,
        /// What it needs.
        needed: &'static str,
        /// A text that is right.
        example: &'static str,
        /// What was found if it was too much.
        found: Option<&'static str>,
    },
}

fn meant(suggestion: &Option<&'static str>) -> String {
    suggestion.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}

fn instead_of(found: &Option<&'static str>) -> String {
    found.map_or_else(String::new, |found| format!("; found {found}"))
}

/// The candidate that the text looks like, if one does.
fn similar(text: &str, candidates: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let lower = text.to_lowercase();
    candidates
        .map(|candidate| (strsim::jaro_winkler(&lower, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// The options of a text, read but not yet put together.
#[derive(Default)]
struct Options {
    depth: Option<u8>,
    nodes: Option<u64>,
    playouts: Option<u32>,
    weights: Option<WeightsChoice>,
    epsilon: Option<Thousandths>,
    temperature: Option<Thousandths>,
}

impl Options {
    /// Reads the value of an option of the row; nothing when it is not one of its values.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        fn within<N: FromStr + PartialOrd>(text: &str, least: N, most: N) -> Option<N> {
            text.parse().ok().filter(|number| (&least..=&most).contains(&number))
        }
        let thousandths =
            |most: u32| Thousandths::parse(value).filter(|number| number.get() <= most * 1000);
        match key {
            "depth" => self.depth = Some(within(value, 1, DEPTH_MAX)?),
            "nodes" => self.nodes = Some(within(value, 1, 1_000_000_000_000)?),
            "playouts" => self.playouts = Some(within(value, 1, 10_000_000)?),
            "weights" => {
                let named = WeightsChoice::ALL.into_iter().find(|choice| choice.name() == value);
                self.weights = Some(named?);
            }
            "epsilon" => self.epsilon = Some(thousandths(1)?),
            "temperature" => self.temperature = Some(thousandths(100)?),
            _ => unreachable!("the keys of the roster are these"),
        }
        Some(())
    }

    /// Reads `key=value,…` as options of the player.
    fn read(player: &'static PlayerRow, text: &str) -> Result<Self, RosterError> {
        let mut options = Self::default();
        let mut seen: Vec<&'static str> = Vec::new();
        for part in text.split(',') {
            let (found, value) = match part.split_once('=') {
                Some((key, value)) => (key.trim(), Some(value.trim())),
                None => (part.trim(), None),
            };
            let Some(row) = player.options.iter().find(|row| row.key == found) else {
                return Err(RosterError::UnknownOption {
                    player: player.name,
                    found: found.to_owned(),
                    allowed: listed_options(player),
                    suggestion: similar(found, player.options.iter().map(|row| row.key)),
                });
            };
            let Some(value) = value.filter(|value| !value.is_empty()) else {
                return Err(RosterError::NoValue { player: player.name, found: found.to_owned() });
            };
            if seen.contains(&row.key) {
                return Err(RosterError::Repeated { player: player.name, key: row.key });
            }
            seen.push(row.key);
            options.set(row.key, value).ok_or_else(|| RosterError::BadValue {
                player: player.name,
                key: row.key,
                found: value.to_owned(),
                allowed: row.values,
                suggestion: (row.key == WEIGHTS.key)
                    .then(|| {
                        similar(value, WeightsChoice::ALL.into_iter().map(WeightsChoice::name))
                    })
                    .flatten(),
            })?;
        }
        Ok(options)
    }
}

fn listed_options(player: &PlayerRow) -> String {
    if player.options.is_empty() {
        return "it has none".to_owned();
    }
    let keys: Vec<&str> = player.options.iter().map(|row| row.key).collect();
    format!("it has {}", keys.join(", "))
}

impl FromStr for PlayerSpec {
    type Err = RosterError;

    fn from_str(text: &str) -> Result<Self, RosterError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name.trim(), Some(rest)),
            None => (text.trim(), None),
        };
        let names = || ROSTER.iter().map(|row| row.name);
        let Some(row) = ROSTER.iter().find(|row| row.name == name) else {
            return Err(RosterError::UnknownPlayer {
                found: name.to_owned(),
                allowed: names().collect::<Vec<_>>().join(", "),
                suggestion: similar(name, names()),
            });
        };
        let options = match rest {
            Some(rest) => Options::read(row, rest)?,
            None => Options::default(),
        };
        let needs = |needed, found| RosterError::Budget {
            player: row.name,
            needed,
            example: row.example,
            found,
        };
        let weights = options.weights.unwrap_or_default();
        let sampling = Sampling {
            epsilon: options.epsilon.unwrap_or_default(),
            temperature: options.temperature.unwrap_or_default(),
        };
        Ok(match row.name {
            "random" => Self::Random,
            "greedy" => Self::Greedy { weights, sampling },
            "alphabeta" => {
                let budget = match (options.depth, options.nodes) {
                    (Some(depth), None) => Budget::Depth(depth),
                    (None, Some(nodes)) => Budget::Nodes(nodes),
                    (None, None) => return Err(needs("a depth or a number of nodes", None)),
                    (Some(_), Some(_)) => {
                        return Err(needs("a depth or a number of nodes", Some("both")));
                    }
                };
                Self::AlphaBeta { budget, weights, sampling }
            }
            "mcts" => {
                let playouts = options.playouts.ok_or_else(|| needs("a number of playouts", None));
                Self::Mcts { playouts: playouts?, weights, sampling }
            }
            _ => unreachable!("the names of the roster are these"),
        })
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options: Vec<String> = Vec::new();
        let mut common = |weights: WeightsChoice, sampling: &Sampling| {
            if weights != WeightsChoice::default() {
                options.push(format!("weights={}", weights.name()));
            }
            for (key, value) in
                [("epsilon", sampling.epsilon), ("temperature", sampling.temperature)]
            {
                if value != Thousandths::ZERO {
                    options.push(format!("{key}={value}"));
                }
            }
        };
        let (name, budget) = match self {
            Self::Random => ("random", None),
            Self::Greedy { weights, sampling } => {
                common(*weights, sampling);
                ("greedy", None)
            }
            Self::AlphaBeta { budget, weights, sampling } => {
                common(*weights, sampling);
                let budget = match budget {
                    Budget::Depth(depth) => format!("depth={depth}"),
                    Budget::Nodes(nodes) => format!("nodes={nodes}"),
                };
                ("alphabeta", Some(budget))
            }
            Self::Mcts { playouts, weights, sampling } => {
                common(*weights, sampling);
                ("mcts", Some(format!("playouts={playouts}")))
            }
        };
        let options: Vec<String> = budget.into_iter().chain(options).collect();
        f.write_str(name)?;
        if options.is_empty() { Ok(()) } else { write!(f, ":{}", options.join(",")) }
    }
}

impl PlayerSpec {
    /// Whether it judges positions by learned weights where a ruleset has some.
    #[must_use]
    pub const fn wants_learned(&self) -> bool {
        match self {
            Self::Random => false,
            Self::Greedy { weights, .. }
            | Self::AlphaBeta { weights, .. }
            | Self::Mcts { weights, .. } => matches!(weights, WeightsChoice::Learned),
        }
    }
}

/// Makes a player for games under these rules, with the generic weights where none are chosen.
#[must_use]
pub fn build<S: SquareSet>(
    spec: &PlayerSpec,
    rules: &Rules<S>,
    seed: u64,
) -> Box<dyn Player<S> + Send> {
    build_with(spec, rules, None, seed)
}

/// Makes a player for games under these rules, which have these learned weights, if any.
///
/// # Panics
/// When the weights have not the shape of the rules' board ([`Weights::fits`]).
#[must_use]
pub fn build_with<S: SquareSet>(
    spec: &PlayerSpec,
    rules: &Rules<S>,
    learned: Option<&Weights>,
    seed: u64,
) -> Box<dyn Player<S> + Send> {
    let chosen = |choice: WeightsChoice| match (choice, learned) {
        (WeightsChoice::Learned, Some(weights)) => weights.clone(),
        (WeightsChoice::Learned, None) | (WeightsChoice::Generic, _) => {
            Weights::generic(rules.ruleset())
        }
        (WeightsChoice::Material, _) => Weights::material(rules.ruleset()),
    };
    match *spec {
        PlayerSpec::Random => Box::new(Random::new(seed)),
        PlayerSpec::Greedy { weights, sampling } => {
            Box::new(Greedy::new(rules, &chosen(weights), sampling, seed))
        }
        PlayerSpec::AlphaBeta { budget, weights, sampling } => {
            Box::new(AlphaBeta::new(rules, budget, &chosen(weights), sampling, seed))
        }
        PlayerSpec::Mcts { playouts, weights, sampling } => {
            Box::new(Mcts::new(rules, playouts, &chosen(weights), sampling, seed))
        }
    }
}
