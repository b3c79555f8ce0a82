//! The stages of a study file: players, who plays whom, and how many openings. Judges no variant.

use super::{OPENINGS_MAX, PLAYERS_MAX, STAGES_MAX, count};
use crate::player::PlayerSpec;
use crate::study::plan::Pairing;
use crate::variant::problems::{Problem, Problems, Spot};
use crate::variant::suggest::{nearest, one_of, shown};
use crate::variant::table::{Located, Node, Raw, Table};

const STAGE_KEYS: [&str; 3] = ["players", "pairings", "openings"];
const OPENINGS_DEFAULT: u32 = 100;
const SCHEMES: [&str; 2] = ["self", "round-robin"];
const ALLOWED: &str =
    "`\"self\"`, `\"round-robin\"`, `{ gauntlet = \"PLAYER\" }` or a list of pairs";
const EXAMPLE: &str = "write for example `players = [\"random\"]`, above or in each `[[stage]]`";

/// Who plays whom.
enum Scheme {
    /// Each player with itself.
    Itself,
    /// Each player with each other one.
    RoundRobin,
    /// One player with each other one.
    Gauntlet(PlayerSpec),
    /// These pairs.
    Listed(Vec<Listed>),
}

type Listed = ([PlayerSpec; 2], Option<Spot>);
type Players = Located<Vec<Located<PlayerSpec>>>;

/// What a study writes above its stages, or a stage in itself.
struct Part {
    players: Option<Players>,
    /// Whether there is a key `players`, however wrong.
    has_players: bool,
    players_spot: Option<Spot>,
    /// Read when the players are known.
    pairings: Option<Node>,
    openings: Option<u32>,
}

/// Takes all pairings of a study file out.
pub(super) fn read(table: &mut Table, problems: &mut Problems) -> Vec<Pairing> {
    let top = Part::read(table, problems);
    let mut pairings = Vec::new();
    let stages = table.take("stage");
    let Some(stages) = stages else {
        if top.has_players {
            add_stage(&top, None, &mut pairings, problems);
        } else {
            problems.push(Problem::error("a study needs `players`").with_help(EXAMPLE));
        }
        return pairings.into_iter().map(|(pairing, _)| pairing).collect();
    };
    if top.has_players {
        problems.push(
            Problem::error("`players` stands above the stages")
                .at(top.players_spot.as_ref(), "")
                .with_context(stages.key_spot.as_ref(), "a stage")
                .with_help("name the players in each `[[stage]]`"),
        );
    }
    let spot = stages.node.spot.clone();
    let Raw::List(nodes) = stages.node.value else {
        problems.push(stages.node.unfit("stage", "tables, each under `[[stage]]`"));
        return Vec::new();
    };
    if nodes.is_empty() || nodes.len() > STAGES_MAX {
        let message = format!("the study has {} stages", nodes.len());
        let allowed = format!("expected 1 to {STAGES_MAX}");
        problems.push(Problem::error(message).at(spot.as_ref(), allowed));
        return Vec::new();
    }
    for node in nodes {
        let spot = node.spot.clone();
        let Some(mut table) = node.into_table("stage", problems) else { continue };
        let stage = Part::read(&mut table, problems);
        table.finish(&STAGE_KEYS, problems);
        if !stage.has_players {
            problems.push(
                Problem::error("a stage needs `players`").at(spot.as_ref(), "").with_help(EXAMPLE),
            );
        }
        add_stage(&stage, Some(&top), &mut pairings, problems);
    }
    pairings.into_iter().map(|(pairing, _)| pairing).collect()
}

impl Part {
    fn read(table: &mut Table, problems: &mut Problems) -> Self {
        let key = table.entries.iter().find(|entry| entry.key == "players");
        let has_players = key.is_some();
        let players_spot = key.and_then(|entry| entry.key_spot.clone());
        let players = read_players(table, problems);
        let openings = count(table, "openings", 1, OPENINGS_MAX, problems).map(|n| n.value);
        let pairings = table.take("pairings").map(|entry| entry.node);
        Self { players, has_players, players_spot, pairings, openings }
    }
}

/// Adds the pairings of a stage, with what stands above the stages as defaults.
fn add_stage(
    stage: &Part,
    defaults: Option<&Part>,
    pairings: &mut Vec<(Pairing, Option<Spot>)>,
    problems: &mut Problems,
) {
    let node = stage.pairings.as_ref().or_else(|| defaults.and_then(|top| top.pairings.as_ref()));
    let openings = stage.openings.or_else(|| defaults.and_then(|top| top.openings));
    let openings = openings.unwrap_or(OPENINGS_DEFAULT);
    let Some(players) = &stage.players else { return };
    let mut found = Problems::new();
    let scheme = read_scheme(node, players, &mut found);
    for problem in found.items() {
        // What stands above the stages is read with each of them.
        if !problems.items().contains(problem) {
            problems.push(problem.clone());
        }
    }
    let Some(scheme) = scheme else { return };
    let spot = node.map_or(&players.spot, |node| &node.spot);
    for (pair, own_spot) in pairs_of(&scheme, players, spot.as_ref(), problems) {
        let spot = own_spot.or_else(|| spot.clone());
        let same = |other: &Pairing| {
            other.players == pair || (other.players[0] == pair[1] && other.players[1] == pair[0])
        };
        let earlier = pairings.iter().find(|(other, _)| same(other));
        let pairing = Pairing { players: pair, openings };
        if let Some((_, first)) = earlier {
            problems.push(
                Problem::error(format!("the pairing `{pairing}` stands twice"))
                    .at(spot.as_ref(), "")
                    .with_context(first.as_ref().filter(|first| Some(*first) != spot.as_ref()), "")
                    .with_help("play it once, with more openings"),
            );
        } else {
            pairings.push((pairing, spot));
        }
    }
}

fn read_players(table: &mut Table, problems: &mut Problems) -> Option<Players> {
    let given = table.entries.iter().find(|entry| entry.key == "players");
    let count = given.map(|entry| match &entry.node.value {
        Raw::List(items) => items.len(),
        Raw::Text(_)
        | Raw::Bool(_)
        | Raw::Integer(_)
        | Raw::Huge(_)
        | Raw::Float(_)
        | Raw::Date(_)
        | Raw::Null
        | Raw::Table(_) => 0,
    });
    let list = table.texts("players", problems)?;
    if let Some(count) = count.filter(|count| !(1..=PLAYERS_MAX).contains(count)) {
        let message = format!("`players` lists {count} players");
        let allowed = format!("expected 1 to {PLAYERS_MAX}");
        problems.push(Problem::error(message).at(list.spot.as_ref(), allowed));
        return None;
    }
    let mut players: Vec<Located<PlayerSpec>> = Vec::new();
    for text in list.value {
        let Some(value) = player(&text, problems) else { continue };
        if let Some(first) = players.iter().find(|other| other.value == value) {
            problems.push(
                Problem::error(format!("`players` lists `{value}` twice"))
                    .at(text.spot.as_ref(), "")
                    .with_context(first.spot.as_ref(), "first here"),
            );
            continue;
        }
        players.push(Located { value, spot: text.spot });
    }
    Some(Located { value: players, spot: list.spot })
}

fn player(text: &Located<String>, problems: &mut Problems) -> Option<PlayerSpec> {
    match text.value.parse() {
        Ok(player) => Some(player),
        Err(error) => {
            let error: <PlayerSpec as std::str::FromStr>::Err = error;
            problems.push(Problem::error(error.to_string()).at(text.spot.as_ref(), ""));
            None
        }
    }
}

/// A player that the stage has, named by a text.
fn known_player(
    text: &Located<String>,
    players: &Players,
    problems: &mut Problems,
) -> Option<PlayerSpec> {
    let value = player(text, problems)?;
    if players.value.iter().any(|other| other.value == value) {
        return Some(value);
    }
    let names: Vec<String> = players.value.iter().map(|other| other.value.to_string()).collect();
    let names = names.iter().map(String::as_str);
    let mut problem =
        Problem::error(format!("`{}` is not among the `players`", shown(&text.value)))
            .at(text.spot.as_ref(), format!("expected {}", one_of(names.clone())));
    if let Some(name) = nearest(&text.value, names) {
        problem = problem.with_help(format!("did you mean `{name}`?"));
    }
    problems.push(problem);
    None
}

fn read_scheme(node: Option<&Node>, players: &Players, problems: &mut Problems) -> Option<Scheme> {
    let Some(node) = node else { return Some(Scheme::Itself) };
    let node = node.clone();
    match &node.value {
        Raw::Text(_) => match node.into_word("pairings", &SCHEMES, problems)?.value {
            "self" => Some(Scheme::Itself),
            _ => Some(Scheme::RoundRobin),
        },
        Raw::Table(_) => {
            let mut table = node.clone().into_table("pairings", problems)?;
            let text = table.text("gauntlet", problems);
            let empty = text.is_none() && table.entries.is_empty();
            table.finish(&["gauntlet"], problems);
            if empty {
                problems.push(node.unfit("pairings", ALLOWED));
            }
            known_player(&text?, players, problems).map(Scheme::Gauntlet)
        }
        Raw::List(_) => {
            let Located { value: pairs, spot } = node.into_list("pairings", problems)?;
            if pairs.is_empty() {
                let problem = Problem::error("`pairings` lists no pair");
                problems.push(problem.at(spot.as_ref(), format!("expected {ALLOWED}")));
            }
            let read = |node| read_pair(node, players, problems);
            Some(Scheme::Listed(pairs.into_iter().filter_map(read).collect()))
        }
        Raw::Bool(_)
        | Raw::Integer(_)
        | Raw::Huge(_)
        | Raw::Float(_)
        | Raw::Date(_)
        | Raw::Null => {
            problems.push(node.unfit("pairings", ALLOWED));
            None
        }
    }
}

fn read_pair(node: Node, players: &Players, problems: &mut Problems) -> Option<Listed> {
    let spot = node.spot.clone();
    let Raw::List(names) = node.value else {
        let allowed = "a list of one or two players, such as `[\"random\", \"greedy\"]`";
        problems.push(node.unfit("pairings", allowed));
        return None;
    };
    let count = names.len();
    let mut pair = Vec::new();
    for name in names {
        let text = name.into_text("pairings", problems)?;
        pair.push(known_player(&text, players, problems)?);
    }
    match pair[..] {
        [one] => Some(([one, one], spot)),
        [one, other] => Some(([one, other], spot)),
        _ => {
            problems.push(
                Problem::error(format!("a pairing has one player or two, not {count}"))
                    .at(spot.as_ref(), ""),
            );
            None
        }
    }
}

/// The pairs of a stage, in the order of its players.
fn pairs_of(
    scheme: &Scheme,
    players: &Players,
    spot: Option<&Spot>,
    problems: &mut Problems,
) -> Vec<Listed> {
    let names: Vec<PlayerSpec> = players.value.iter().map(|player| player.value).collect();
    let pairs: Vec<Listed> = match scheme {
        Scheme::Itself => names.iter().map(|&one| ([one, one], None)).collect(),
        Scheme::RoundRobin => {
            let with_later = |(index, &one): (usize, &PlayerSpec)| {
                let later: Vec<_> =
                    names[index + 1..].iter().map(|&two| ([one, two], None)).collect();
                later
            };
            names.iter().enumerate().flat_map(with_later).collect()
        }
        Scheme::Gauntlet(one) => {
            let others = names.iter().filter(|other| *other != one);
            others.map(|&other| ([*one, other], None)).collect()
        }
        Scheme::Listed(pairs) => return pairs.clone(),
    };
    if pairs.is_empty() && !names.is_empty() {
        problems.push(
            Problem::error("one player alone has nobody to play with")
                .at(spot, "")
                .with_help("name two players or more, or take `pairings = \"self\"`"),
        );
    }
    pairs
}
