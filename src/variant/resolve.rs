//! From files as written to one ruleset, with where each answer comes from.
//!
//! The nearest file that answers a question decides it. `setup.ranks` and `setup.position` answer
//! one question, so the nearer of the two holds, and in one file the position; a position text
//! also says who moves first, unless a nearer file says it.

use crate::board::Side;
use crate::notation::{PositionError, PositionFault, parse_position};
use crate::rules::Ruleset;
use crate::rules::catalog::{Closed, FLAGS, Flag, Value};

use super::extends::Link;
use super::file::{Answer, Setting};
use super::problems::{Problem, Problems, Severity, Spot};
use super::validate::{Fault, faults};

/// Where an answer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// No file says it: Keny after Sokolov.
    Default,
    /// A file says it.
    File {
        /// The file's name, or the shipped variant's.
        name: String,
        /// The line of the key, from 1; 0 where there are no lines.
        line: usize,
    },
}

/// Where each answer comes from, in the order of the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance(Vec<(&'static str, Origin)>);

impl Provenance {
    /// Where the answer to a flag comes from.
    #[must_use]
    pub fn of(&self, key: &str) -> &Origin {
        self.0
            .iter()
            .find(|(other, _)| *other == key)
            .map_or(&Origin::Default, |(_, origin)| origin)
    }

    /// All flags with their origins, in the order of the catalog.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Flag, &Origin)> {
        FLAGS.iter().map(|flag| (flag, self.of(flag.key)))
    }
}

/// The nearest answer to a flag, and how far up the chain it stands (0 is the leaf).
type Found<'a> = Option<(usize, &'a Setting)>;

/// The ruleset of a chain, nearest file first; what does not fit becomes a problem.
pub(super) fn resolve(links: &[Link], problems: &mut Problems) -> (Ruleset, Provenance) {
    let chain = Chain { links };
    let mut ruleset = Ruleset::default();
    let mut origins: Vec<Found<'_>> = FLAGS.iter().map(|flag| chain.nearest(flag.key)).collect();
    let place = |key: &str| FLAGS.iter().position(|flag| flag.key == key).expect("a catalog key");
    let (ranks, position) = (place("setup.ranks"), place("setup.position"));
    match (origins[ranks], origins[position]) {
        (Some((near, _)), Some((far, _))) if near < far => origins[position] = None,
        (_, _) => {}
    }
    for (flag, found) in FLAGS.iter().zip(&origins) {
        if let Some((_, Setting { answer: Answer::Value(value), .. })) = found {
            flag.put(&mut ruleset, value).expect("the file's values have their flag's shape");
        }
    }
    let board_is_sound = !chain.broken(&["board.files", "board.ranks", "board.squares"])
        && !faults(&ruleset).iter().any(|fault| fault.flags.contains(&"board.files"));
    if let Some((depth, setting)) = origins[position]
        && let Answer::Position(text) = &setting.answer
        && board_is_sound
    {
        let first = place("setup.first");
        match parse_position(text, &ruleset.board) {
            Ok((side, placement)) => {
                let value = Value::Position(Some(placement));
                setting.flag.put(&mut ruleset, &value).expect("a position answers its flag");
                match origins[first] {
                    Some((near, _)) if near < depth => {}
                    Some((near, other)) if near == depth && ruleset.setup.first != side => {
                        problems.push(two_firsts(setting, other, side, ruleset.setup.first));
                    }
                    Some(_) | None => {
                        ruleset.setup.first = side;
                        origins[first] = origins[position];
                    }
                }
            }
            Err(error) => {
                let mut problem = bad_position(text, setting, &error, problems);
                if let PositionFault::Square(_) = error.fault {
                    for key in ["board.files", "board.ranks", "board.squares"] {
                        let spot = chain.nearest(key).and_then(|(_, board)| board.spot.as_ref());
                        problem = problem.with_context(spot, "");
                    }
                }
                problems.push(problem);
            }
        }
    }
    for fault in faults(&ruleset) {
        if !chain.broken(fault.flags) {
            problems.push(drawn(&fault, &chain));
        }
    }
    warn_of_dormant(&chain, &ruleset, problems);
    let origins = FLAGS.iter().zip(origins).map(|(flag, found)| {
        let origin = found.map_or(Origin::Default, |(depth, setting)| Origin::File {
            name: links[depth].display.clone(),
            line: setting.key_spot.as_ref().map_or(0, |spot| problems.line_of(spot)),
        });
        (flag.key, origin)
    });
    (ruleset, Provenance(origins.collect()))
}

struct Chain<'a> {
    links: &'a [Link],
}

impl<'a> Chain<'a> {
    fn nearest(&self, key: &str) -> Found<'a> {
        self.links
            .iter()
            .enumerate()
            .find_map(|(depth, link)| link.file.setting(key).map(|setting| (depth, setting)))
    }

    /// Whether the answer to one of the flags could not be read somewhere.
    fn broken(&self, flags: &[&str]) -> bool {
        self.links.iter().any(|link| link.file.broken.iter().any(|key| flags.contains(key)))
    }
}

/// A fault at the nearest answer that has to do with it, the others as context.
fn drawn(fault: &Fault, chain: &Chain<'_>) -> Problem {
    let mut settings: Vec<(usize, &Setting)> =
        fault.flags.iter().filter_map(|key| chain.nearest(key)).collect();
    settings.sort_by_key(|&(depth, _)| depth);
    let mut problem = match fault.severity {
        Severity::Error => Problem::error(&fault.message),
        Severity::Warning => Problem::warning(&fault.message),
    };
    for (index, (_, setting)) in settings.into_iter().enumerate() {
        let item = setting.items.iter().find(|(rank, _)| Some(*rank) == fault.rank);
        let spot = item.and_then(|(_, spot)| spot.as_ref()).or(setting.spot.as_ref());
        problem = match index {
            0 => problem.at(spot, ""),
            _ => problem.with_context(spot, ""),
        };
    }
    problem.with_help(&fault.help)
}

fn warn_of_dormant(chain: &Chain<'_>, ruleset: &Ruleset, problems: &mut Problems) {
    let Some(leaf) = chain.links.first() else { return };
    for setting in &leaf.file.settings {
        if let Some(reason) = setting.flag.dormant(ruleset) {
            let message = format!("`{}` changes nothing: {reason}", setting.flag.key);
            problems.push(Problem::warning(message).at(setting.key_spot.as_ref(), ""));
        }
    }
}

fn two_firsts(position: &Setting, first: &Setting, side: Side, said: Side) -> Problem {
    Problem::error(format!(
        "`setup.first` says that {} moves first, `setup.position` that {} does",
        said.word(),
        side.word()
    ))
    .at(first.spot.as_ref(), "")
    .with_context(position.spot.as_ref(), "")
    .with_help("leave `setup.first` out: the position text says it")
}

/// The error at its part of the position text, where the text stands in the file as it is.
fn bad_position(
    text: &str,
    setting: &Setting,
    error: &PositionError,
    problems: &Problems,
) -> Problem {
    let spot = setting.spot.as_ref().map(|whole| {
        let start = whole.span.start + 1;
        let inner = Spot { file: whole.file, span: start..start + text.len() };
        if problems.text_at(&inner) != text {
            return whole.clone();
        }
        let span = start + error.span.start..start + error.span.end;
        Spot { file: whole.file, span }
    });
    Problem::error(format!("`setup.position`: {error}")).at(spot.as_ref(), "")
}
