//! Games as PDN text: tags, turns as they are written, comments. Knows no rules: whether the turns
//! are legal is for [`super::replay`] to say.

use super::square::cut;
use crate::limits::PDN_TAGS_MAX as TAGS_MAX;
use crate::limits::PDN_TURNS_MAX as TURNS_MAX;
use crate::rules::Outcome;

/// Columns after which movetext is broken into lines.
const COLUMNS: usize = 80;

/// One game as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PdnGame {
    /// Names and values of the tags, in order, each name once.
    pub tags: Vec<(String, String)>,
    /// What is said before the first turn; may be empty.
    pub comment: String,
    /// The turns, in order.
    pub turns: Vec<PdnTurn>,
    /// The result at the end of the movetext.
    pub result: PdnResult,
    /// The line, from 1, where the game begins; 0 when it was not read from a text.
    pub line: usize,
}

/// One turn as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnTurn {
    /// The text of the turn.
    pub text: String,
    /// What is said after it; may be empty.
    pub comment: String,
    /// The line, from 1, where it stands; 0 when it was not read from a text.
    pub line: usize,
}

/// The result of a game as it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PdnResult {
    /// Who won.
    Ended(Outcome),
    /// `*`: nobody says.
    #[default]
    Unknown,
}

/// What is wrong with a PDN text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct PdnError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: PdnFault,
}

/// What can be wrong with a PDN text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PdnFault {
    /// A tag is not written `[Name "value"]`.
    #[error("a tag is written `[Name \"value\"]`, not `{0}`")]
    Tag(String),
    /// A tag stands twice in one game.
    #[error("the tag `{0}` stands twice")]
    TagTwice(String),
    /// A comment does not end.
    #[error("the comment that begins here does not end: `}}` is missing")]
    OpenComment,
    /// A side line does not end.
    #[error("the side line that begins here does not end: `)` is missing")]
    OpenSideLine,
    /// A closing sign without its opening one.
    #[error("`{0}` closes nothing")]
    Unopened(char),
    /// A game is longer than any that is read.
    #[error("a game of more than {TURNS_MAX} turns or {TAGS_MAX} tags is not read")]
    TooLong,
    /// Tags, but the movetext of the game before has no result.
    #[error("the game before this tag has no result; end it with `1-0`, `0-1`, `1/2-1/2` or `*`")]
    NoResult,
    /// The tag and the movetext give different results.
    #[error("the tag `Result` says `{tag}`, the movetext ends with `{movetext}`")]
    TwoResults {
        /// The tag's value, cut if long.
        tag: String,
        /// The result after the turns.
        movetext: &'static str,
    },
}

impl PdnResult {
    /// The text: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Ended(Outcome::White) => "1-0",
            Self::Ended(Outcome::Black) => "0-1",
            Self::Ended(Outcome::Draw) => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// The result that a text means; the points of international draughts (`2-0`) are accepted.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        match text {
            "1-0" | "2-0" => Some(Self::Ended(Outcome::White)),
            "0-1" | "0-2" => Some(Self::Ended(Outcome::Black)),
            "1/2-1/2" | "1-1" | "½-½" => Some(Self::Ended(Outcome::Draw)),
            "*" => Some(Self::Unknown),
            _ => None,
        }
    }
}

impl PdnGame {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Gives a tag a value, at the end if it is new.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }

    fn is_blank(&self) -> bool {
        self.tags.is_empty() && self.turns.is_empty()
    }
}

/// The text of a game: tags, an empty line, movetext of at most 80 columns, an empty line.
///
/// `first_is_black` says who makes the first turn, for the numbers before the turns.
#[must_use]
pub fn print_game(game: &PdnGame, first_is_black: bool) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        let value = one_line(value).replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    text.push('\n');
    let mut words = Vec::new();
    push_comment(&mut words, &game.comment);
    let mut after_comment = true;
    for (index, turn) in game.turns.iter().enumerate() {
        let ply = index + usize::from(first_is_black);
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        } else if after_comment {
            words.push(format!("{}...", ply / 2 + 1));
        }
        words.push(turn.text.clone());
        push_comment(&mut words, &turn.comment);
        after_comment = !turn.comment.is_empty();
    }
    words.push(game.result.text().to_owned());
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > COLUMNS {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += width;
    }
    text.push_str("\n\n");
    text
}

/// The words of a comment in braces; a closing brace inside becomes a parenthesis.
fn push_comment(words: &mut Vec<String>, comment: &str) {
    let comment = one_line(comment).replace('}', ")");
    let first = words.len();
    words.extend(comment.split_whitespace().map(str::to_owned));
    if words.len() > first {
        words[first].insert(0, '{');
        words.last_mut().expect("a word was pushed").push('}');
    }
}

fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// All games of a text.
///
/// Accepts several games, comments in braces or from `;` to the end of the line, numbers with or
/// without spaces, `!` and `?` after turns, `$` codes, side lines (all of which are skipped but
/// comments), and spaces around the signs of a turn.
///
/// # Errors
/// With the line of the first fault.
pub fn parse_games(text: &str) -> Result<Vec<PdnGame>, PdnError> {
    let mut reader = Reader { rest: text.trim_start_matches('\u{feff}'), line: 1 };
    let mut games = Vec::new();
    let mut game = PdnGame { line: 1, ..PdnGame::default() };
    loop {
        reader.skip_space();
        let line = reader.line;
        let fault = |fault| PdnError { line, fault };
        let Some(first) = reader.rest.chars().next() else { break };
        if game.is_blank() {
            game.line = line;
        }
        match first {
            '[' => {
                if !game.turns.is_empty() {
                    return Err(fault(PdnFault::NoResult));
                }
                let (name, value) = reader.tag().map_err(fault)?;
                if game.tag(&name).is_some() {
                    return Err(fault(PdnFault::TagTwice(name)));
                }
                game.tags.push((name, value));
            }
            '{' => {
                let comment = reader.comment().map_err(fault)?;
                let place =
                    game.turns.last_mut().map_or(&mut game.comment, |turn| &mut turn.comment);
                if !place.is_empty() {
                    place.push(' ');
                }
                place.push_str(&comment);
            }
            ';' => reader.skip_line(),
            '%' if reader.at_line_start(text) => reader.skip_line(),
            '(' => reader.side_line().map_err(fault)?,
            ')' | '}' | ']' => return Err(fault(PdnFault::Unopened(first))),
            '$' => {
                reader.advance(1);
                reader.take_while(|letter| letter.is_ascii_digit());
            }
            _ => {
                let word = reader.word();
                if let Some(result) = PdnResult::read(&word) {
                    game.result = result;
                    check_result(&game).map_err(fault)?;
                    games.push(std::mem::take(&mut game));
                } else if let Some(text) = turn_text(&word) {
                    let text = text.to_owned();
                    game.turns.push(PdnTurn { text, comment: String::new(), line });
                }
            }
        }
        if game.turns.len() > TURNS_MAX || game.tags.len() > TAGS_MAX {
            return Err(fault(PdnFault::TooLong));
        }
    }
    if !game.is_blank() {
        let tag = game.tag("Result").and_then(PdnResult::read);
        game.result = tag.unwrap_or_default();
        games.push(game);
    }
    Ok(games)
}

fn check_result(game: &PdnGame) -> Result<(), PdnFault> {
    match game.tag("Result").filter(|tag| !matches!(*tag, "?" | "")) {
        Some(tag) if PdnResult::read(tag) != Some(game.result) => {
            Err(PdnFault::TwoResults { tag: cut(tag), movetext: game.result.text() })
        }
        Some(_) | None => Ok(()),
    }
}

/// A word without its number (`12.`, `3...`, `7`) and its praise or blame; nothing if no more is
/// left.
fn turn_text(word: &str) -> Option<&str> {
    let after_digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_number = after_digits.is_empty() || after_digits.starts_with(['.', '…']);
    let word = if is_number { after_digits.trim_start_matches(['.', '…']) } else { word };
    let word = word.trim_end_matches(['!', '?']);
    (!word.is_empty()).then_some(word)
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Reader<'a> {
    /// Goes on by this many bytes and counts the lines passed.
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        passed
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|letter| !wanted(letter)).unwrap_or(self.rest.len());
        self.advance(end)
    }

    fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    fn skip_line(&mut self) {
        self.take_while(|letter| letter != '\n');
    }

    fn at_line_start(&self, text: &str) -> bool {
        let passed = text.len() - self.rest.len();
        passed == 0 || text.as_bytes()[passed - 1] == b'\n'
    }

    /// Name and value of a tag that begins here.
    fn tag(&mut self) -> Result<(String, String), PdnFault> {
        let shape = {
            let line = self.rest.lines().next().unwrap_or("");
            PdnFault::Tag(cut(line))
        };
        self.advance(1);
        self.skip_space();
        let name = self.take_while(|letter| letter.is_alphanumeric() || letter == '_').to_owned();
        self.skip_space();
        if name.is_empty() || !self.rest.starts_with('"') {
            return Err(shape);
        }
        self.advance(1);
        let mut value = String::new();
        loop {
            value.push_str(self.take_while(|letter| !matches!(letter, '"' | '\\' | '\n')));
            match self.rest.chars().next() {
                Some('\\') => {
                    self.advance(1);
                    let Some(escaped) = self.rest.chars().next() else { return Err(shape) };
                    if !matches!(escaped, '"' | '\\') {
                        value.push('\\');
                    }
                    value.push(escaped);
                    self.advance(escaped.len_utf8());
                }
                Some('"') => break,
                Some(_) | None => return Err(shape),
            }
        }
        self.advance(1);
        self.skip_space();
        if !self.rest.starts_with(']') {
            return Err(shape);
        }
        self.advance(1);
        Ok((name, value))
    }

    /// The text of a comment that begins here, its white space made single spaces.
    fn comment(&mut self) -> Result<String, PdnFault> {
        let end = self.rest.find('}').ok_or(PdnFault::OpenComment)?;
        let inside = &self.advance(end + 1)[1..end];
        Ok(inside.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Skips a side line that begins here, with those inside it.
    fn side_line(&mut self) -> Result<(), PdnFault> {
        let mut depth = 0_usize;
        loop {
            match self.rest.chars().next() {
                None => return Err(PdnFault::OpenSideLine),
                Some('{') => drop(self.comment()?),
                Some('(') => {
                    depth += 1;
                    self.advance(1);
                }
                Some(')') => {
                    depth -= 1;
                    self.advance(1);
                    if depth == 0 {
                        return Ok(());
                    }
                }
                Some(other) => drop(self.advance(other.len_utf8())),
            }
        }
    }

    /// The word that begins here, with what a sign at its end or after it joins to it.
    fn word(&mut self) -> String {
        const JOINS: [char; 5] = ['-', 'x', 'X', ':', '×'];
        let ends_word = |letter: char| {
            letter.is_whitespace()
                || matches!(letter, '{' | '}' | '(' | ')' | '[' | ']' | ';' | '$')
        };
        let mut word = String::new();
        loop {
            word.push_str(self.take_while(|letter| !ends_word(letter)));
            let next = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
            let joined = word.ends_with(JOINS) || next.starts_with(JOINS);
            if !joined || next.is_empty() || next.starts_with(ends_word) {
                return word;
            }
            self.skip_space();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PdnFault, PdnGame, PdnResult, parse_games, print_game};
    use crate::rules::Outcome;

    fn one(text: &str) -> PdnGame {
        let mut games = parse_games(text).expect(text);
        assert_eq!(games.len(), 1, "{text}");
        games.remove(0)
    }

    fn turns(text: &str) -> Vec<String> {
        one(text).turns.into_iter().map(|turn| turn.text).collect()
    }

    #[test]
    fn movetext_is_read_in_every_usual_form() {
        let plain = ["a3-a4", "a6-a5", "b3-b4"];
        for text in [
            "1. a3-a4 a6-a5 2. b3-b4 *",
            "1.a3-a4 a6-a5 2.b3-b4",
            "1. a3-a4 1... a6-a5 2. b3-b4 1-0",
            "a3-a4 a6-a5\nb3-b4\n",
            "1 a3-a4 a6-a5 2 b3-b4 0-1",
            "1. a3-a4 1… a6-a5 2. b3-b4!! *",
            "1. a3-a4! $1 a6-a5?! (1... b6-b5 (2. c3-c4) {no) }) 2. b3 - b4 ; the end\n*",
            "%skipped\n1. a3-\na4 a6-a5 {fine} 2. b3-b4 0-1",
        ] {
            assert_eq!(turns(text), plain, "{text}");
        }
        assert_eq!(turns("1. 32-28 19x23 2. 28 x 19 2-0"), ["32-28", "19x23", "28x19"]);
    }

    #[test]
    fn several_games_keep_their_lines() {
        let text = "[White \"a \\\"b\\\" \\\\\"]\n[Result \"1-0\"]\n\n1. a3-a4 1-0\n\n\
                    [White \"c\"]\n\n1. a3-a4 {so} *\n";
        let games = parse_games(text).expect("two games");
        assert_eq!(games.len(), 2);
        assert_eq!((games[0].line, games[1].line), (1, 6));
        assert_eq!(games[0].tag("White"), Some("a \"b\" \\"));
        assert_eq!(games[0].result, PdnResult::Ended(Outcome::White));
        assert_eq!((games[1].turns[0].line, games[1].turns[0].comment.as_str()), (8, "so"));
        assert_eq!(games[1].result, PdnResult::Unknown);
        for game in games {
            let again = one(&print_game(&game, false));
            assert_eq!((again.tags, again.result), (game.tags, game.result));
        }
    }

    #[test]
    fn faults_name_their_line() {
        let fault = |text: &str| {
            let error = parse_games(text).expect_err(text);
            (error.line, error.fault)
        };
        assert_eq!(fault("\n[White]"), (2, PdnFault::Tag("[White]".to_owned())));
        assert_eq!(fault("[White \"a\n\"]"), (1, PdnFault::Tag("[White \\\"a".to_owned())));
        assert_eq!(fault("[A \"1\"]\n[A \"2\"]"), (2, PdnFault::TagTwice("A".to_owned())));
        assert_eq!(fault("1. a3-a4\n{never"), (2, PdnFault::OpenComment));
        assert_eq!(fault("1. a3-a4\n\n(2. a4 ("), (3, PdnFault::OpenSideLine));
        assert_eq!(fault("1. a3-a4 }"), (1, PdnFault::Unopened('}')));
        assert_eq!(fault("1. a3-a4\n[White \"b\"]"), (2, PdnFault::NoResult));
        let two = PdnFault::TwoResults { tag: "0-1".to_owned(), movetext: "1-0" };
        assert_eq!(fault("[Result \"0-1\"]\n1. a3-a4 1-0"), (2, two));
        let deep = "(".repeat(1_000_000);
        assert_eq!(fault(&deep), (1, PdnFault::OpenSideLine));
        assert_eq!(fault(&"a3-a4 ".repeat(100_001)), (1, PdnFault::TooLong));
    }

    #[test]
    fn long_games_are_broken_into_lines() {
        let mut game = one(&"a3-a4 ".repeat(100));
        game.comment = "a long { comment } that says much ".repeat(5);
        let text = print_game(&game, true);
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert!(text.contains("1... a3-a4 2. a3-a4 a3-a4 3."), "{text}");
        assert_eq!(one(&text).turns.len(), 100);
    }
}
