//! `keny play`: a game in the terminal, between a person and a player or two of either.

use std::io::BufRead;
use std::path::Path;

use super::args::{PlayArgs, Seat};
use super::exit::{Exit, Failure, Message, Outcome as CommandOutcome};
use super::output::{Output, Style};
use super::replay::won;
use super::wrap::wrap;
use super::{analyse, clock, input};
use crate::board::{Side, SquareSet};
use crate::notation::{Diagram, Marks, PdnResult, Replayed, TurnTexts, print_game, print_position};
use crate::player::{Budget, Player, Rng, Weights, build_with};
use crate::rules::{Choices, Engine, Outcome, Rules, Stop, TooManyTurns, Turn};
use crate::variant::Variant;
use crate::with_rules;

const WORDS: &str = "\
type a turn (a3-a4, a3xa5xc5; start and end are enough where only one turn has them), or
  ?           the legal turns, and these words
  hint        a good turn, and what it leads to
  undo        take back your last turn
  board       draw the board again
  resign      give the game up
  save FILE   write the game so far as PDN
  quit        leave the game";

/// Positions that are visited for a hint.
const HINT_NODES: u64 = 500_000;

/// Plays one game.
pub(super) fn run(args: &PlayArgs, output: &mut Output) -> CommandOutcome {
    let variant = input::variant(&args.variant, output)?;
    let engine = Engine::new(&variant.ruleset);
    let weights = input::weights(args.weights.as_deref(), &variant.ruleset)?;
    with_rules!(&engine, rules => {
        let start = input::position(args.position.as_deref(), rules)?;
        let players = Side::ALL.map(|side| match seat(args, side) {
            Seat::Human => None,
            Seat::Player(spec) => {
                Some(build_with(&spec, rules, weights.as_ref(), seed(args, side)))
            }
        });
        let mut table = Table {
            rules,
            variant: &variant,
            args,
            texts: TurnTexts::new(&variant.ruleset.board),
            marks: input::marks(args.ascii),
            played: Replayed::begin(rules, start),
            players,
            weights,
            output,
        };
        table.play()
    })
}

fn seat(args: &PlayArgs, side: Side) -> Seat {
    match side {
        Side::White => args.white,
        Side::Black => args.black,
    }
}

/// The seed of one side's player.
fn seed(args: &PlayArgs, side: Side) -> u64 {
    Rng::from_bytes(format!("keny play\nseed {}\n{}\n", args.seed, side.name()).as_bytes()).bits()
}

/// How a game was left, where the board does not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Resigned(Side),
    Cut,
    Quit,
}

/// What a typed line asks for.
enum Step {
    Goes,
    Ends(Left),
}

struct Table<'a, S> {
    rules: &'a Rules<S>,
    variant: &'a Variant,
    args: &'a PlayArgs,
    texts: TurnTexts,
    marks: Marks,
    played: Replayed<S>,
    players: [Option<Box<dyn Player<S> + Send>>; 2],
    /// What was learned for the rules.
    weights: Option<Weights>,
    output: &'a mut Output,
}

impl<S: SquareSet> Table<'_, S> {
    fn play(&mut self) -> CommandOutcome {
        self.output.line(&self.output.styled(Style::Bold, &self.variant.name))?;
        let names = Side::ALL.map(|side| self.name_of(side));
        self.output.line(&format!("white: {}, black: {}", names[0], names[1]))?;
        self.output.line(&self.marks.legend())?;
        self.draw()?;
        let left = self.turns()?;
        let (result, reason) = self.result(left);
        match (result, left) {
            (PdnResult::Ended(outcome), _) => {
                self.output.line(&format!("{} ({reason})", won(outcome)))?;
            }
            (PdnResult::Unknown, _) => self.output.line(&format!("no result ({reason})"))?,
        }
        if let Some(path) = &self.args.save {
            self.save(path, left)?;
        }
        Ok(Exit::Done)
    }

    /// Plays until the end; how it was left if not on the board.
    fn turns(&mut self) -> Result<Option<Left>, Failure> {
        let mut choices = Choices::new();
        loop {
            if self.played.ending.is_some() {
                return Ok(None);
            }
            if self.played.game.plies() >= self.args.plies_max {
                return Ok(Some(Left::Cut));
            }
            let side = self.played.game.position().side;
            if self.players[side.index()].is_none() {
                match self.ask(side)? {
                    Step::Goes => continue,
                    Step::Ends(left) => return Ok(Some(left)),
                }
            }
            if self.played.game.choices(self.rules, &mut choices) == Some(Stop::TooManyTurns) {
                self.output.line(&TooManyTurns.to_string())?;
                return Ok(Some(Left::Cut));
            }
            let player = self.players[side.index()].as_mut().expect("asked for above");
            let chosen = player.choose(self.rules, &self.played.game, &choices);
            let turn = choices.get(self.rules, chosen);
            let text = self.text_of(&turn);
            self.output.line(&format!("{} plays {text}", side.name()))?;
            self.played.play(self.rules, &turn);
            self.draw()?;
        }
    }

    /// Asks whoever types for one line, and does what it says.
    fn ask(&mut self, side: Side) -> Result<Step, Failure> {
        self.output.write(&format!("{}> ", side.name()))?;
        self.output.flush()?;
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        let read = match read {
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                self.output.line("")?;
                self.output.line("that is not UTF-8 text")?;
                return Ok(Step::Goes);
            }
            Err(error) => {
                let message = format!("cannot read standard input: {error}");
                return Err(Failure::say(Exit::Io, message));
            }
        };
        let line = line.trim();
        if !std::io::IsTerminal::is_terminal(&std::io::stdin()) {
            // Nobody has seen the line yet.
            self.output.line(line)?;
        } else if read == 0 {
            self.output.line("")?;
        }
        if read == 0 {
            return Ok(Step::Ends(Left::Quit));
        }
        self.obey(line, side)
    }

    fn obey(&mut self, line: &str, side: Side) -> Result<Step, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "?" | "help" => self.help()?,
            "board" => self.draw()?,
            "hint" => self.hint()?,
            "undo" => self.undo(side)?,
            "resign" => return Ok(Step::Ends(Left::Resigned(side))),
            "quit" | "exit" => return Ok(Step::Ends(Left::Quit)),
            "save" if rest.trim().is_empty() => {
                self.output.line("say where: save FILE")?;
            }
            "save" => {
                // A wrong path is no reason to lose the game.
                if let Err(failure) = self.save(Path::new(rest.trim()), None)
                    && let Message::Error(error) = failure.message
                {
                    self.output.line(&error.to_string())?;
                }
            }
            _ => {
                let position = *self.played.game.position();
                let found = self.texts.parse(self.rules, &position.placement, side, line);
                match found {
                    Ok(turn) => {
                        self.played.play(self.rules, &turn);
                        self.draw()?;
                    }
                    Err(error) => self.output.line(&format!("{error} (`?` helps)"))?,
                }
            }
        }
        Ok(Step::Goes)
    }

    fn help(&mut self) -> Result<(), Failure> {
        let position = self.played.game.position();
        let mut turns = Vec::new();
        if let Err(error) = self.rules.turns(&position.placement, position.side, &mut turns) {
            self.output.line(&error.to_string())?;
            return self.output.line(WORDS);
        }
        let mut texts: Vec<String> = turns.iter().map(|turn| self.text_of(turn)).collect();
        texts.sort();
        self.output.line("legal turns:")?;
        self.output.write(&wrap("  ", "  ", &texts.join(" ")))?;
        self.output.line(WORDS)
    }

    /// Says what a search of the position finds.
    fn hint(&mut self) -> Result<(), Failure> {
        let budget = Budget::Nodes(HINT_NODES);
        let found = analyse::search(self.rules, &self.played.game, budget, 1, self.weights.clone());
        let Some(found) = found.last().and_then(|lines| lines.first()) else {
            return self.output.line("the game is over");
        };
        let position = self.played.game.position();
        let line = analyse::texts(self.rules, position, &found.line).join(" ");
        let score = analyse::score_text(found.score);
        let text =
            format!("hint: {line} ({score} for {}, depth {})", position.side.name(), found.depth);
        self.output.write(&wrap("", "  ", &text))
    }

    /// Takes back the last turn of this side and what followed it.
    fn undo(&mut self, side: Side) -> Result<(), Failure> {
        let other_is_human = self.players[side.other().index()].is_none();
        let count = if other_is_human { 1 } else { 2 };
        if self.played.turns.len() < count {
            return self.output.line("there is nothing to take back");
        }
        self.played.take_back(self.rules, count);
        for side in Side::ALL {
            if let Some(player) = &mut self.players[side.index()] {
                player.restart(seed(self.args, side));
            }
        }
        self.draw()
    }

    fn draw(&mut self) -> Result<(), Failure> {
        let lit: Vec<_> = self.played.turns.last().map_or(vec![], |turn| vec![turn.from, turn.to]);
        let board = &self.rules.ruleset().board;
        let drawn =
            Diagram { board, marks: self.marks }.draw(&self.played.game.position().placement, &lit);
        self.output.line("")?;
        self.output.write(&drawn)?;
        self.output.line("")
    }

    fn text_of(&self, turn: &Turn<S>) -> String {
        let position = self.played.game.position();
        self.texts.print(self.rules, &position.placement, position.side, turn)
    }

    fn name_of(&self, side: Side) -> String {
        match seat(self.args, side) {
            Seat::Human => "human".to_owned(),
            Seat::Player(spec) => spec.to_string(),
        }
    }

    /// Who won and why; `unfinished` where nobody did.
    fn result(&self, left: Option<Left>) -> (PdnResult, &'static str) {
        match (self.played.ending, left) {
            (Some(ending), _) => (PdnResult::Ended(ending.outcome), ending.reason.name()),
            (None, Some(Left::Resigned(side))) => {
                (PdnResult::Ended(Outcome::win(side.other())), "resigned")
            }
            (None, Some(Left::Cut | Left::Quit) | None) => (PdnResult::Unknown, "unfinished"),
        }
    }

    fn save(&mut self, path: &Path, left: Option<Left>) -> Result<(), Failure> {
        let (result, reason) = self.result(left);
        let mut game = self.played.to_pdn(self.rules);
        let end = std::mem::take(&mut game.tags);
        game.set_tag("Event", "keny play");
        game.set_tag("Date", clock::today());
        game.set_tag("White", self.name_of(Side::White));
        game.set_tag("Black", self.name_of(Side::Black));
        game.set_tag("Result", result.text());
        game.set_tag("Variant", self.variant_tag());
        game.set_tag("Fingerprint", self.variant.fingerprint().to_string());
        for (name, value) in end.into_iter().filter(|(name, _)| name != "Result") {
            game.set_tag(&name, value);
        }
        game.set_tag("Reason", reason);
        game.result = result;
        let text = print_game(&game, self.played.start.side == Side::Black);
        std::fs::write(path, text).map_err(|error| {
            Failure::say(Exit::Io, format!("cannot write `{}`: {error}", path.display()))
        })?;
        let position = self.played.game.position();
        let board = &self.rules.ruleset().board;
        self.output.line(&format!("saved to {}", path.display()))?;
        self.output.line(&print_position(position.side, &position.placement, board))
    }

    /// The name by which a replay finds the variant: a shipped name, or the whole path of a file.
    fn variant_tag(&self) -> String {
        if !input::is_path(&self.args.variant) {
            return self.variant.id.clone();
        }
        let path = std::path::absolute(&self.args.variant);
        path.map_or_else(|_| self.args.variant.clone(), |path| path.display().to_string())
    }
}
