//! Inputs: a corpus, its mutations, and some that are nasty on purpose. Reads nothing.

use keny::player::Rng;

/// The largest input that mutations grow to, in bytes; one in a few hundred grows further.
const USUAL_MAX: usize = 20_000;
/// The largest input of all, in bytes.
const MOST: usize = 1_200_000;

/// Pieces that inputs are made of, so that mutations get past the first sign.
pub(crate) const PIECES: &[&str] = &[
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "(",
    ")",
    "=",
    ".",
    ",",
    ":",
    ";",
    "-",
    "x",
    "×",
    "*",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "#",
    "\\",
    "\\u0000",
    "\\ud800",
    "%",
    "/",
    "$1",
    "\u{0}",
    "\u{1b}[31m",
    "\u{feff}",
    "\u{301}",
    "\u{202e}",
    "\u{200d}",
    "\u{2028}",
    "é",
    "💥",
    "👩‍👩‍👧‍👦",
    "ﷺ",
    "i̇",
    "ß",
    "man",
    "king",
    "hop",
    "capture",
    "setup",
    "board",
    "draw",
    "end",
    "promotion",
    "step",
    "chain",
    "priority",
    "position",
    "extends",
    "name",
    "files",
    "ranks",
    "squares",
    "notation",
    "variants",
    "players",
    "stage",
    "design",
    "factors",
    "openings",
    "seed",
    "plies_max",
    "stop_when",
    "weights",
    "kind",
    "rules",
    "variant",
    "turns",
    "from",
    "to",
    "captures",
    "forward",
    "sideways",
    "backward",
    "diagonal-forward",
    "unlimited",
    "keny",
    "turkish",
    "international",
    "random",
    "greedy",
    "alphabeta:nodes=1",
    "mcts:playouts=1",
    "W:Wa2:Ba7",
    "B:WK1:BK50",
    "a3-a4",
    "a3xa5",
    "1-0",
    "0-1",
    "1/2-1/2",
    "[Variant \"keny\"]",
    "[Event \"x\"]",
    "1.",
    "1...",
    "true",
    "false",
    "null",
    "0",
    "-0",
    "1",
    "-1",
    "1e9",
    "1e999",
    "-1e-999",
    "0x",
    "nan",
    "inf",
    "255",
    "256",
    "65535",
    "65536",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "1979-05-27T07:32:00Z",
    "99999999999999999999999999999999999999999999",
    "full",
    "sample",
    "one-at-a-time",
    "fractional",
    "resolution",
    "runs",
];

/// The most texts that are mutated.
const CORPUS_MAX: usize = 4_000;

/// Where inputs come from: the same ones in every run.
pub(super) struct Source {
    rng: Rng,
    corpus: Vec<String>,
}

impl Source {
    /// From these texts.
    pub(super) fn new(mut corpus: Vec<String>) -> Self {
        corpus.push(String::new());
        Self { rng: Rng::from_seed(1), corpus }
    }

    pub(super) fn corpus(&self) -> &[String] {
        &self.corpus
    }

    /// Takes an input that was answered in a new way.
    pub(super) fn learn(&mut self, input: String) {
        if self.corpus.len() < CORPUS_MAX {
            self.corpus.push(input);
        } else {
            let at = self.rng.below(CORPUS_MAX);
            self.corpus[at] = input;
        }
    }

    /// A text of the corpus, changed in one to twelve places.
    pub(super) fn next(&mut self) -> String {
        let mut text = self.any();
        for _ in 0..=self.rng.below(12) {
            self.change(&mut text);
            if text.len() > USUAL_MAX {
                cut(&mut text, USUAL_MAX);
            }
        }
        if self.rng.below(400) == 0 {
            self.swell(&mut text);
        }
        text
    }

    fn any(&mut self) -> String {
        let at = self.rng.below(self.corpus.len());
        self.corpus[at].clone()
    }

    fn piece(&mut self) -> &'static str {
        PIECES[self.rng.below(PIECES.len())]
    }

    /// A place in the text, between two characters.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.rng.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    fn range(&mut self, text: &str) -> (usize, usize) {
        let (one, two) = (self.place(text), self.place(text));
        let (from, to) = (one.min(two), one.max(two));
        // Short ranges are the usual ones.
        let mut near = to.min(from + 1 + self.rng.below(40));
        while !text.is_char_boundary(near) {
            near += 1;
        }
        if self.rng.below(4) == 0 { (from, to) } else { (from, near) }
    }

    fn change(&mut self, text: &mut String) {
        let (from, to) = self.range(text);
        match self.rng.below(9) {
            0 | 1 => text.insert_str(from, self.piece()),
            2 => text.replace_range(from..to, ""),
            3 => text.replace_range(from..to, self.piece()),
            4 => {
                let part = text[from..to].to_owned();
                text.insert_str(from, &part);
            }
            5 => {
                let other = self.any();
                let (begin, end) = self.range(&other);
                text.insert_str(from, &other[begin..end]);
            }
            6 => {
                let piece = self.piece().repeat(1 + self.rng.below(300));
                text.insert_str(from, &piece);
            }
            7 => text.truncate(from),
            _ => {
                let any = u32::try_from(self.rng.below(0x11_0000)).ok().and_then(char::from_u32);
                text.insert(from, any.unwrap_or('\u{fffd}'));
            }
        }
    }

    /// A piece so often that the input is a megabyte.
    fn swell(&mut self, text: &mut String) {
        let (at, piece) = (self.place(text), self.piece());
        text.insert_str(at, &piece.repeat(MOST / piece.len()));
        cut(text, MOST);
    }
}

fn cut(text: &mut String, most: usize) {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
}

/// Deep nesting, huge numbers, a megabyte of one line, odd Unicode.
pub(super) fn nasty(kind: &str) -> Vec<String> {
    const MANY: usize = 100_000;
    let mut inputs = vec![
        "[".repeat(MANY),
        "(".repeat(MANY),
        "{".repeat(MANY),
        "{\"a\":".repeat(MANY),
        "a=[".repeat(MANY),
        "x".repeat(1 << 20),
        "1".repeat(1 << 20),
        "\"".repeat(1 << 20),
        "\u{301}".repeat(1 << 19),
        "\u{202e}💥\u{0}".repeat(1 << 16),
        "\n".repeat(1 << 20),
        "\r".repeat(1 << 16),
        "\u{feff}\u{feff}".to_owned(),
    ];
    inputs.extend(match kind {
        "variants" | "studies" => vec![
            format!("a = {}{}", "[".repeat(MANY), "]".repeat(MANY)),
            format!("a = {}1{}", "{b=".repeat(MANY), "}".repeat(MANY)),
            format!("{}a = 1", "b.".repeat(MANY)),
            format!("[{}a]", "b.".repeat(MANY)),
            format!("name = \"{}\"", "é".repeat(400_000)),
            format!("name = \"\"\"{}\"\"\"", "\n".repeat(900_000)),
            format!("[hop]\nchain = {}", "9".repeat(900_000)),
            format!("[setup]\nranks = [{}]", "2,".repeat(400_000)),
            format!("[setup]\nposition = \"W:W{}\"", "a2,".repeat(300_000)),
            format!("variants = [{}]\nplayers = [\"random\"]", "\"keny\",".repeat(100_000)),
            format!("variants = [\"keny\"]\nplayers = [{}]", "\"random\",".repeat(100_000)),
            format!("{}\nplayers = []", "[[stage]]\n".repeat(90_000)),
            (0..60_000).map(|n| format!("k{n} = 1\n")).collect(),
        ],
        "positions" => vec![
            format!("W:W{}:B", "a2,".repeat(MANY)),
            format!("W:W{}:B", "K".repeat(MANY)),
            ":".repeat(MANY),
        ],
        "turns" => vec!["a3-".repeat(MANY), "a3xa5x".repeat(30), "a3 ".repeat(330)],
        "games" => vec![
            format!("{}*", "a3-a4 ".repeat(170_000)),
            format!("{}*", "[A \"b\"]\n".repeat(130_000)),
            "[Variant \"keny\"]\n*\n".repeat(40_000),
            format!("{{{}", "{".repeat(MANY)),
            format!("1. {}", "a3-a4 a6-a5 a4-a3 a5-a6 ".repeat(20_000)),
        ],
        _ => Vec::new(),
    });
    inputs
}
