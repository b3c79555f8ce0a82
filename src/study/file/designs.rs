//! The designs of a study file: `[design]` tables, read, checked and resolved into variants.
//!
//! ```toml
//! [design]                             # or several, each under [[design]]
//! kind  = "fractional"                 # "one-at-a-time", "full", "fractional" or "sample"
//! base  = "keny"                       # default: the first of `variants`, or "keny"
//! flags = [                            # or "open": all that the sources leave open
//!     "capture.mandatory",             # the base's answer against the others worth comparing
//!     { flag = "hop.chain", values = [1, 2] },
//! ]
//! resolution = 5                       # of a fraction, 4 or 5; default 4
//! # size = 100                         # of a sample: its combinations
//! # seed = 1                           # of a sample; default 1
//! ```
//!
//! A flag without `values` has, beside the base's answer, all other answers of the catalog's
//! settings; in the kinds `full` and `fractional` only the first of them.

mod resolve;

use super::VARIANTS_MAX;
use crate::limits::DESIGN_FLAGS_MAX as FLAGS_MAX;
use crate::limits::DESIGN_LEVELS_MAX as LEVELS_MAX;
use crate::limits::DESIGNS_MAX;
use crate::rules::catalog::{self, FLAGS, Flag, Value};
use crate::rules::{Ruleset, Setup};
use crate::stats::fraction::{FACTORS_MAX, Resolution};
use crate::study::design::{Design, DesignKind};
use crate::study::plan::PlannedVariant;
use crate::variant::file::read_value;
use crate::variant::problems::{Problem, Problems, Spot};
use crate::variant::suggest::{nearest, one_of, shown};
use crate::variant::table::{Located, Node, Raw, Table};

const KEYS: [&str; 6] = ["kind", "base", "flags", "resolution", "size", "seed"];
const FLAG_KEYS: [&str; 2] = ["flag", "values"];
/// The word for all flags that the sources leave open.
const OPEN: &str = "open";
const FLAGS_ALLOWED: &str = "a list of flags, or `\"open\"`";
const FLAGS_EXAMPLE: &str = "write for example `flags = [\"capture.mandatory\", \"hop.chain\"]`";

/// Finds the base that a text names: its name and rules, or nothing with a problem.
pub(super) type FindBase<'a> =
    dyn Fn(&str, Option<&Spot>, &mut Problems) -> Option<(String, Ruleset)> + 'a;

/// A design as its table says it, every value checked by itself.
struct Draft {
    kind: Kind,
    base_name: String,
    base: Ruleset,
    factors: Vec<Varied>,
    spot: Option<Spot>,
}

/// The kind with what it needs.
#[derive(Clone, Copy)]
enum Kind {
    OneAtATime,
    Full,
    Fractional(Resolution),
    Sample { size: usize, seed: u64 },
}

/// A flag that is varied; the first value is the base's.
struct Varied {
    flag: &'static Flag,
    values: Vec<Value>,
    spot: Option<Spot>,
}

/// Takes all designs of a study file out, and adds their variants.
pub(super) fn read(
    table: &mut Table,
    find_base: &FindBase<'_>,
    variants: &mut Vec<PlannedVariant>,
    problems: &mut Problems,
) -> Vec<Design> {
    let Some(entry) = table.take("design") else { return Vec::new() };
    let nodes = match entry.node.value {
        Raw::List(nodes) => nodes,
        Raw::Table(_) => vec![entry.node],
        Raw::Text(_)
        | Raw::Bool(_)
        | Raw::Integer(_)
        | Raw::Huge(_)
        | Raw::Float(_)
        | Raw::Date(_)
        | Raw::Null => {
            problems.push(entry.node.unfit("design", "a table under `[design]`"));
            return Vec::new();
        }
    };
    if nodes.is_empty() || nodes.len() > DESIGNS_MAX {
        let message = format!("the study has {} designs", nodes.len());
        let allowed = format!("expected 1 to {DESIGNS_MAX}");
        problems.push(Problem::error(message).at(entry.key_spot.as_ref(), allowed));
        return Vec::new();
    }
    let many = nodes.len() > 1;
    let first = variants.first().map(|first| (first.name.clone(), first.ruleset));
    let mut designs = Vec::new();
    for (number, node) in (1..).zip(nodes) {
        let spot = if many { node.spot.clone() } else { entry.key_spot.clone() };
        let Some(table) = node.into_table("design", problems) else { continue };
        let Some(draft) = read_draft(table, spot, find_base, first.as_ref(), problems) else {
            continue;
        };
        let mark = if many { format!("{number}.") } else { String::new() };
        designs.extend(resolve::resolve(&draft, &mark, variants, problems));
    }
    designs
}

fn read_draft(
    mut table: Table,
    spot: Option<Spot>,
    find_base: &FindBase<'_>,
    first: Option<&(String, Ruleset)>,
    problems: &mut Problems,
) -> Option<Draft> {
    let errors = problems.error_count();
    let has_kind = table.entries.iter().any(|entry| entry.key == "kind");
    let word = table.word("kind", &DesignKind::WORDS, problems);
    if !has_kind {
        let kinds = DesignKind::WORDS.map(|word| format!("\"{word}\""));
        let allowed = one_of(kinds.iter().map(String::as_str));
        problems.push(
            Problem::error("a design needs a `kind`")
                .at(spot.as_ref(), "")
                .with_help(format!("expected {allowed}")),
        );
    }
    let kind = match word {
        Some(word) => read_kind(&mut table, &word, spot.as_ref(), problems),
        None => {
            // Whose they are nobody knows.
            for key in ["resolution", "size", "seed"] {
                table.take(key);
            }
            None
        }
    };
    let base = match table.text("base", problems) {
        Some(name) => find_base(&name.value, name.spot.as_ref(), problems),
        None => first.cloned().or_else(|| find_base("keny", None, problems)),
    };
    let flags = table.take("flags");
    if flags.is_none() {
        problems.push(
            Problem::error("a design needs `flags`").at(spot.as_ref(), "").with_help(FLAGS_EXAMPLE),
        );
    }
    table.finish(&KEYS, problems);
    // Where the kind or the base is wrong, the flags are read with the likeliest.
    let ruleset = base.as_ref().map(|(_, ruleset)| *ruleset).unwrap_or_default();
    let flags = flags.map(|entry| entry.node);
    let factors = read_flags(flags?, kind.unwrap_or(Kind::OneAtATime), &ruleset, problems)?;
    let (base_name, base) = base?;
    let draft = Draft { kind: kind?, base_name, base, factors, spot };
    (problems.error_count() == errors).then_some(draft)
}

/// The kind with its own keys; a key of another kind is a problem.
fn read_kind(
    table: &mut Table,
    word: &Located<&str>,
    spot: Option<&Spot>,
    problems: &mut Problems,
) -> Option<Kind> {
    let mut own: &[&str] = &[];
    let kind = match word.value {
        "one-at-a-time" => Some(Kind::OneAtATime),
        "full" => Some(Kind::Full),
        "fractional" => {
            own = &["resolution"];
            let given = table.entries.iter().any(|entry| entry.key == "resolution");
            match table.integer("resolution", 4, 5, problems).map(|number| number.value) {
                Some(5) => Some(Kind::Fractional(Resolution::Five)),
                Some(_) => Some(Kind::Fractional(Resolution::Four)),
                None => (!given).then_some(Kind::Fractional(Resolution::Four)),
            }
        }
        _ => {
            own = &["size", "seed"];
            let given = table.entries.iter().any(|entry| entry.key == "size");
            let most = i64::try_from(VARIANTS_MAX).unwrap_or(i64::MAX);
            let size = table.integer("size", 3, most, problems);
            if !given {
                problems.push(
                    Problem::error("a sample needs its `size`")
                        .at(spot, "")
                        .with_help("write for example `size = 100`, the combinations to draw"),
                );
            }
            let seed = table.integer("seed", 0, i64::MAX, problems).map_or(1, |seed| seed.value);
            let size = size.and_then(|size| usize::try_from(size.value).ok());
            size.map(|size| Kind::Sample { size, seed: seed.cast_unsigned() })
        }
    };
    for (key, whose) in [("resolution", "fractional"), ("size", "sample"), ("seed", "sample")] {
        if own.contains(&key) {
            continue;
        }
        if let Some(entry) = table.take(key) {
            problems.push(
                Problem::error(format!("a design of the kind `{}` has no `{key}`", word.value))
                    .at(entry.key_spot.as_ref(), "")
                    .with_context(word.spot.as_ref(), "")
                    .with_help(format!("`{key}` belongs to `kind = \"{whose}\"`")),
            );
        }
    }
    kind
}

fn read_flags(
    node: Node,
    kind: Kind,
    base: &Ruleset,
    problems: &mut Problems,
) -> Option<Vec<Varied>> {
    let spot = node.spot.clone();
    let varied = match node.value {
        Raw::Text(ref text) if text == OPEN => {
            let open = FLAGS.iter().filter(|flag| flag.open);
            open.map(|flag| Varied { flag, values: settings(flag, kind, base), spot: spot.clone() })
                .collect()
        }
        Raw::Text(_) => {
            node.into_word("design.flags", &[OPEN], problems)?;
            return None;
        }
        Raw::List(nodes) => {
            if nodes.is_empty() || nodes.len() > FLAGS_MAX {
                let message = format!("`design.flags` lists {} flags", nodes.len());
                let allowed = format!("expected 1 to {FLAGS_MAX}");
                problems.push(Problem::error(message).at(spot.as_ref(), allowed));
                return None;
            }
            let mut list: Vec<Varied> = Vec::new();
            for node in nodes {
                let Some(one) = read_flag(node, kind, base, problems) else { continue };
                if let Some(first) = list.iter().find(|other| other.flag.key == one.flag.key) {
                    problems.push(
                        Problem::error(format!("`design.flags` lists `{}` twice", one.flag.key))
                            .at(one.spot.as_ref(), "")
                            .with_context(first.spot.as_ref(), "first here"),
                    );
                } else {
                    list.push(one);
                }
            }
            list
        }
        Raw::Bool(_)
        | Raw::Integer(_)
        | Raw::Huge(_)
        | Raw::Float(_)
        | Raw::Date(_)
        | Raw::Null
        | Raw::Table(_) => {
            problems.push(node.unfit("design.flags", FLAGS_ALLOWED));
            return None;
        }
    };
    judge_levels(&varied, kind, base, problems);
    Some(varied)
}

/// Whether each flag has the levels that the kind and the base allow.
fn judge_levels(varied: &[Varied], kind: Kind, base: &Ruleset, problems: &mut Problems) {
    for Varied { flag, values, spot } in varied {
        if values.len() < 2 {
            let message = format!("`{}` has no other answer to compare with", flag.key);
            let help = format!("name them: `{{ flag = \"{}\", values = […] }}`", flag.key);
            problems.push(Problem::error(message).at(spot.as_ref(), "").with_help(help));
        } else if matches!(kind, Kind::Fractional(_)) && values.len() > 2 {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            let message = format!(
                "a fractional design has two levels of each flag, but `{}` has {}: {}",
                flag.key,
                values.len(),
                values.join(", ")
            );
            let help = format!("the base has {}; name one other value", values[0]);
            problems.push(Problem::error(message).at(spot.as_ref(), "").with_help(help));
        }
        let placed = matches!(base.setup.pieces, Setup::Position(_));
        if placed && flag.table() == "board" {
            let message = format!(
                "`{}` cannot be varied where the start is a position: its squares are those of \
                 one board",
                flag.key
            );
            problems.push(Problem::error(message).at(spot.as_ref(), ""));
        }
    }
    let most = FACTORS_MAX as usize;
    if let (Kind::Fractional(_), Some(extra)) = (kind, varied.get(most)) {
        let message = format!("a fractional design has at most {most} flags, not {}", varied.len());
        let help = "take `kind = \"sample\"`, or fewer flags";
        problems.push(Problem::error(message).at(extra.spot.as_ref(), "").with_help(help));
    }
}

fn read_flag(node: Node, kind: Kind, base: &Ruleset, problems: &mut Problems) -> Option<Varied> {
    let spot = node.spot.clone();
    let (name, values) = match node.value {
        Raw::Text(name) => (Located { value: name, spot: spot.clone() }, None),
        Raw::Table(mut table) => {
            let given = table.entries.iter().any(|entry| entry.key == "flag");
            let name = table.text("flag", problems);
            let values = table.list("values", problems);
            table.finish(&FLAG_KEYS, problems);
            if !given {
                problems.push(
                    Problem::error("a flag with its own values needs its name")
                        .at(spot.as_ref(), "")
                        .with_help("write `{ flag = \"hop.chain\", values = [1, 2] }`"),
                );
            }
            (name?, values)
        }
        Raw::Bool(_)
        | Raw::Integer(_)
        | Raw::Huge(_)
        | Raw::Float(_)
        | Raw::Date(_)
        | Raw::Null
        | Raw::List(_) => {
            let allowed = "a flag such as `\"hop.chain\"`, or a table of a flag and its values";
            problems.push(node.unfit("design.flags", allowed));
            return None;
        }
    };
    let Some(flag) = catalog::flag(&name.value) else {
        problems.push(unknown_flag(&name));
        return None;
    };
    let values = match values {
        None => settings(flag, kind, base),
        Some(list) => own_values(flag, list, base, problems)?,
    };
    Some(Varied { flag, values, spot: name.spot })
}

fn unknown_flag(name: &Located<String>) -> Problem {
    let problem = Problem::error(format!("there is no flag `{}`", shown(&name.value)))
        .at(name.spot.as_ref(), "");
    let homes: Vec<&str> =
        FLAGS.iter().filter(|flag| flag.name() == name.value).map(|flag| flag.key).collect();
    if !homes.is_empty() {
        return problem.with_help(format!("did you mean {}?", one_of(homes)));
    }
    match nearest(&name.value, FLAGS.iter().map(|flag| flag.key)) {
        Some(key) => problem.with_help(format!("did you mean `{key}`?")),
        None => problem.with_help("`keny rules` lists all flags"),
    }
}

/// The base's answer, and the others of the catalog that the kind takes.
fn settings(flag: &'static Flag, kind: Kind, base: &Ruleset) -> Vec<Value> {
    let own = flag.get(base);
    let others = flag.settings.iter().filter(|value| **value != own).cloned();
    let most = match kind {
        Kind::OneAtATime | Kind::Sample { .. } => usize::MAX,
        Kind::Full | Kind::Fractional(_) => 1,
    };
    std::iter::once(own.clone()).chain(others.take(most)).collect()
}

/// The base's answer, and the others that the study lists.
fn own_values(
    flag: &'static Flag,
    list: Located<Vec<Node>>,
    base: &Ruleset,
    problems: &mut Problems,
) -> Option<Vec<Value>> {
    let errors = problems.error_count();
    if list.value.is_empty() || list.value.len() > LEVELS_MAX {
        let message = format!("`values` of `{}` lists {} values", flag.key, list.value.len());
        let allowed = format!("expected 1 to {LEVELS_MAX}");
        problems.push(Problem::error(message).at(list.spot.as_ref(), allowed));
        return None;
    }
    let mut found: Vec<(Value, Option<Spot>)> = Vec::new();
    for node in list.value {
        let spot = node.spot.clone();
        let Some(value) = read_value(flag, node, problems) else { continue };
        if let Some((_, first)) = found.iter().find(|(other, _)| *other == value) {
            problems.push(
                Problem::error(format!("`values` of `{}` lists `{value}` twice", flag.key))
                    .at(spot.as_ref(), "")
                    .with_context(first.as_ref(), "first here"),
            );
        }
        found.push((value, spot));
    }
    let own = flag.get(base);
    let others = found.into_iter().map(|(value, _)| value).filter(|value| *value != own);
    let values = std::iter::once(own.clone()).chain(others).collect();
    (problems.error_count() == errors).then_some(values)
}
