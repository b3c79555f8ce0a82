//! `keny pipe`: one JSON request a line, one JSON answer a line.
//!
//! A bad request is answered with its error, and the next line is served. Compiled rules are kept,
//! so that thousands of requests under one ruleset are fast.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Stdin};
use std::rc::Rc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::exit::{Exit, Failure, Outcome};
use super::input::position_of;
use super::output::Output;
use super::turn_json::{TurnJson, turns_json};
use crate::board::SquareSet;
use crate::limits::PIPE_BYTES_MAX as LINE_MAX;
use crate::limits::PIPE_RULES_KEPT as KEPT_MAX;
use crate::notation::{TurnTexts, print_position};
use crate::rules::{Choices, Engine, Game, Position, Rules, Ruleset, Stop, TooManyTurns, Turn};
use crate::variant::suggest::{nearest, shown};
use crate::variant::{self, Problems, Severity};
use crate::with_rules;

/// The keys that a request is read for.
const KEYS: [&str; 4] = ["rules", "variant", "position", "turns"];

/// Serves standard input until it ends.
pub(super) fn run(output: &mut Output) -> Outcome {
    let mut reader = BufReader::with_capacity(1 << 16, std::io::stdin());
    let mut kept = Kept::default();
    let mut line = Vec::new();
    loop {
        let answer = match read_line(&mut reader, &mut line, output)? {
            Line::End => return Ok(Exit::Done),
            Line::TooLong => Err(format!("a line is longer than {LINE_MAX} bytes")),
            Line::Whole if line.trim_ascii().is_empty() => continue,
            Line::Whole => answer(&line, &mut kept),
        };
        let text = match answer {
            Ok(answer) => answer,
            Err(error) => serde_json::json!({ "error": error }).to_string(),
        };
        output.line(&text)?;
    }
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads up to a line end; of a line that is too long nothing is kept.
fn read_line(
    reader: &mut BufReader<Stdin>,
    line: &mut Vec<u8>,
    output: &mut Output,
) -> Result<Line, Failure> {
    line.clear();
    let (mut too_long, mut any) = (false, false);
    loop {
        if reader.buffer().is_empty() {
            // Whoever asks may wait for the answers so far before asking more.
            output.flush()?;
        }
        let unreadable =
            |error| Failure::say(Exit::Io, format!("cannot read standard input: {error}"));
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unreadable(error)),
        };
        if buffer.is_empty() {
            return Ok(match (too_long, any) {
                (true, _) => Line::TooLong,
                (false, true) => Line::Whole,
                (false, false) => Line::End,
            });
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        too_long |= line.len() + part.len() > LINE_MAX;
        if too_long {
            line.clear();
        } else {
            line.extend_from_slice(part);
        }
        let used = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            return Ok(if too_long { Line::TooLong } else { Line::Whole });
        }
    }
}

/// A compiled ruleset with the texts of its board.
struct Compiled {
    engine: Engine,
    texts: TurnTexts,
}

/// The rules that a request asks for.
enum Asked<'a> {
    Rules(&'a Value),
    Variant(&'a str),
}

impl<'a> Asked<'a> {
    fn read(request: &'a Map<String, Value>) -> Result<Self, String> {
        let ask = |key| request.get(key).filter(|value| !value.is_null());
        match (ask("rules"), ask("variant")) {
            (Some(rules), None) => Ok(Self::Rules(rules)),
            (None, Some(Value::String(name))) => Ok(Self::Variant(name)),
            (None, Some(other)) => {
                Err(format!("`variant` must be a name, not `{}`", shown(&other.to_string())))
            }
            (Some(_), Some(_)) => Err("give `rules` or `variant`, not both".to_owned()),
            (None, None) => Err(nothing_to_play(request)),
        }
    }

    /// The same for the same rules, if they are written the same way.
    fn key(&self) -> String {
        match self {
            Self::Rules(rules) => format!("rules {rules}"),
            Self::Variant(name) => format!("variant {name}"),
        }
    }

    fn load(&self) -> Result<Ruleset, Problems> {
        match self {
            Self::Rules(rules) => variant::from_json(rules),
            Self::Variant(name) => variant::load(name).map(|variant| variant.ruleset),
        }
    }
}

/// Compiled rulesets by a hash of what was asked for.
#[derive(Default)]
struct Kept(BTreeMap<[u8; 32], Rc<Compiled>>);

impl Kept {
    fn rules(&mut self, request: &Map<String, Value>) -> Result<Rc<Compiled>, String> {
        let asked = Asked::read(request)?;
        // A request may be long; what is kept of it is not.
        let key = *blake3::hash(asked.key().as_bytes()).as_bytes();
        if let Some(compiled) = self.0.get(&key) {
            return Ok(Rc::clone(compiled));
        }
        let ruleset = asked.load().map_err(|problems| told(&problems))?;
        let texts = TurnTexts::new(&ruleset.board);
        let compiled = Rc::new(Compiled { engine: Engine::new(&ruleset), texts });
        if self.0.len() >= KEPT_MAX {
            self.0.clear();
        }
        self.0.insert(key, Rc::clone(&compiled));
        Ok(compiled)
    }
}

/// All errors in one line.
fn told(problems: &Problems) -> String {
    let errors = problems.items().iter().filter(|problem| problem.severity == Severity::Error);
    let texts: Vec<String> = errors
        .map(|problem| match problem.help.is_empty() {
            true => problem.message.clone(),
            false => format!("{} ({})", problem.message, problem.help.join("; ")),
        })
        .collect();
    texts.join("; ")
}

fn nothing_to_play(request: &Map<String, Value>) -> String {
    let rules = "a request needs `rules` (an object of tables) or `variant` (a name)";
    match misspelt(request) {
        Some(slip) => format!("{rules}; {slip}"),
        None => rules.to_owned(),
    }
}

/// A key that looks like one that is read, but is not.
fn misspelt(request: &Map<String, Value>) -> Option<String> {
    request.keys().filter(|key| !KEYS.contains(&key.as_str())).find_map(|key| {
        nearest(key, KEYS)
            .map(|meant| format!("`{}` is not a key; did you mean `{meant}`?", shown(key)))
    })
}

fn answer(line: &[u8], kept: &mut Kept) -> Result<String, String> {
    let text = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8 text".to_owned())?;
    let request: Value =
        serde_json::from_str(text).map_err(|error| format!("the line is not JSON: {error}"))?;
    let Value::Object(request) = &request else {
        return Err(format!("a request is a JSON object, not `{}`", shown(text)));
    };
    let compiled = kept.rules(request)?;
    if let Some(slip) = misspelt(request) {
        return Err(slip);
    }
    with_rules!(&compiled.engine, rules => answer_under(rules, &compiled.texts, request))
}

fn answer_under<S: SquareSet>(
    rules: &Rules<S>,
    texts: &TurnTexts,
    request: &Map<String, Value>,
) -> Result<String, String> {
    let start = match request.get("position") {
        None | Some(Value::Null) => rules.start_position(),
        Some(Value::String(text)) => position_of(text, rules.ruleset())?,
        Some(other) => {
            let other = shown(&other.to_string());
            return Err(format!("`position` must be a text or null, not `{other}`"));
        }
    };
    match request.get("turns") {
        None | Some(Value::Null) => list(rules, texts, &start),
        Some(Value::Array(turns)) => play(rules, texts, start, turns),
        Some(other) => Err(format!("`turns` must be a list, not `{}`", shown(&other.to_string()))),
    }
}

#[derive(Serialize)]
struct Turns {
    turns: Vec<TurnJson>,
}

#[derive(Serialize)]
struct Played {
    result: Option<&'static str>,
    reason: Option<&'static str>,
    #[serde(rename = "final")]
    last: String,
}

fn to_text(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("texts, lists and truths are JSON")
}

fn list<S: SquareSet>(
    rules: &Rules<S>,
    texts: &TurnTexts,
    position: &Position<S>,
) -> Result<String, String> {
    let Position { placement, side, .. } = position;
    let mut turns = Vec::new();
    rules.turns(placement, *side, &mut turns).map_err(|error| error.to_string())?;
    Ok(to_text(&Turns { turns: turns_json(rules, texts, placement, *side, &turns) }))
}

fn play<S: SquareSet>(
    rules: &Rules<S>,
    texts: &TurnTexts,
    start: Position<S>,
    turns: &[Value],
) -> Result<String, String> {
    let mut game = Game::from_position(rules, start);
    let mut choices = Choices::new();
    let mut legal = Vec::new();
    let mut stop = game.choices(rules, &mut choices);
    for (index, wanted) in turns.iter().enumerate() {
        let number = index + 1;
        match stop {
            Some(Stop::Ended(ending)) => {
                return Err(format!(
                    "turn {number}: the game has ended ({}, {})",
                    ending.outcome.name(),
                    ending.reason.name()
                ));
            }
            Some(Stop::TooManyTurns) => return Err(format!("turn {number}: {TooManyTurns}")),
            None => {}
        }
        legal.clear();
        legal.extend((0..choices.len()).map(|index| choices.get(rules, index)));
        let turn = find(rules, texts, game.position(), &legal, wanted)
            .map_err(|error| format!("turn {number}: {error}"))?;
        game.play(rules, &turn);
        stop = game.choices(rules, &mut choices);
    }
    let ending = stop.and_then(Stop::ending);
    let Position { placement, side, .. } = game.position();
    Ok(to_text(&Played {
        result: ending.map(|ending| ending.outcome.name()),
        reason: ending.map(|ending| ending.reason.name()),
        last: print_position(*side, placement, &rules.ruleset().board),
    }))
}

/// The legal turn that a text or an object means.
fn find<S: SquareSet>(
    rules: &Rules<S>,
    texts: &TurnTexts,
    position: &Position<S>,
    legal: &[Turn<S>],
    wanted: &Value,
) -> Result<Turn<S>, String> {
    let Position { placement, side, .. } = position;
    let by_text = |text: &str| {
        texts.parse_among(rules, placement, *side, legal, text).map_err(|error| error.to_string())
    };
    let object = match wanted {
        Value::String(text) => return by_text(text),
        Value::Object(object) => object,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            let other = shown(&wanted.to_string());
            return Err(format!("a turn is a text or an object, not `{other}`"));
        }
    };
    let wanted = Wanted::read(object, texts)?;
    let fitting: Vec<&Turn<S>> = legal.iter().filter(|turn| wanted.fits(turn)).collect();
    match fitting[..] {
        [turn] => Ok(*turn),
        [] => {
            // The message of the text says what is legal instead.
            let ends = format!("{} {}", wanted.from.1, wanted.to.1);
            Err(match by_text(&ends) {
                Err(error) => error,
                Ok(turn) => format!(
                    "`{ends}` is legal, but only as {}",
                    to_text(&TurnJson::new(&turn, texts))
                ),
            })
        }
        _ => Err(format!(
            "`{} {}` is several turns: give `captures` and `promotes`",
            wanted.from.1, wanted.to.1
        )),
    }
}

/// A turn as an object says it; what it leaves out may be anything.
struct Wanted {
    from: (crate::board::Square, String),
    to: (crate::board::Square, String),
    captures: Option<u128>,
    promotes: Option<bool>,
}

impl Wanted {
    fn read(object: &Map<String, Value>, texts: &TurnTexts) -> Result<Self, String> {
        let square = |key: &str, value: Option<&Value>| match value {
            Some(Value::String(name)) => match texts.names().read(name) {
                Ok(square) => Ok((square, name.clone())),
                Err(error) => Err(format!("`{key}`: {error}")),
            },
            Some(_) | None => Err(format!("a turn needs `{key}`, the name of a square")),
        };
        let captures = match object.get("captures") {
            None | Some(Value::Null) => None,
            Some(Value::Array(names)) => {
                let mut set = u128::EMPTY;
                for name in names {
                    set |= u128::single(square("captures", Some(name))?.0);
                }
                Some(set)
            }
            Some(_) => return Err("`captures` must be a list of squares".to_owned()),
        };
        let promotes = match object.get("promotes") {
            None | Some(Value::Null) => None,
            Some(Value::Bool(promotes)) => Some(*promotes),
            Some(_) => return Err("`promotes` must be true or false".to_owned()),
        };
        let (from, to) = (square("from", object.get("from"))?, square("to", object.get("to"))?);
        Ok(Self { from, to, captures, promotes })
    }

    fn fits<S: SquareSet>(&self, turn: &Turn<S>) -> bool {
        turn.from == self.from.0
            && turn.to == self.to.0
            && self.captures.is_none_or(|taken| taken == turn.taken.to_bits())
            && self.promotes.is_none_or(|promotes| promotes == turn.promotes())
    }
}
