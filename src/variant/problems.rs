//! What is wrong with a file: problems, collected and drawn into the text they stand in.
//!
//! It renders text and never prints, and it decides nothing about rules.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};

pub use crate::limits::PROBLEMS_MAX;
/// The longest stretch of one line, in bytes, that is drawn whole.
const LINE_MAX: usize = 400;
/// How much of a longer line is drawn on each side of the place, in bytes.
const WINDOW: usize = 60;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but says something that is probably not meant.
    Warning,
}

/// A text that problems point into, by its number in one [`Problems`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(usize);

/// A range of bytes in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The text.
    pub file: FileId,
    /// The bytes; clamped to the text when drawn.
    pub span: Range<usize>,
}

/// A spot and the words drawn beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where.
    pub spot: Spot,
    /// The words; may be empty.
    pub label: Box<str>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, naming the key: lower case, no full stop.
    pub message: String,
    /// Where it stands, if it stands in a text.
    pub place: Option<Place>,
    /// Other places that have to do with it.
    pub context: Vec<Place>,
    /// What to do about it.
    pub help: Vec<String>,
}

impl Problem {
    /// An error without a place.
    #[must_use]
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message.into())
    }

    /// A warning without a place.
    #[must_use]
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message.into())
    }

    const fn new(severity: Severity, message: String) -> Self {
        Self { severity, message, place: None, context: Vec::new(), help: Vec::new() }
    }

    /// Puts the problem at a spot; without one (in JSON) the label becomes part of the message.
    #[must_use]
    pub fn at(mut self, spot: Option<&Spot>, label: impl Into<Box<str>>) -> Self {
        let label = label.into();
        match spot {
            Some(spot) => self.place = Some(Place { spot: spot.clone(), label }),
            None if label.is_empty() => {}
            None => self.message = format!("{}: {label}", self.message),
        }
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn with_context(mut self, spot: Option<&Spot>, label: impl Into<Box<str>>) -> Self {
        if let Some(spot) = spot {
            self.context.push(Place { spot: spot.clone(), label: label.into() });
        }
        self
    }

    /// Adds a line of help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct SourceText {
    name: String,
    text: String,
}

/// Problems in the order in which they were found, with the texts that they point into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems {
    texts: Vec<SourceText>,
    items: Vec<Problem>,
    untold: usize,
    errors: usize,
}

impl Problems {
    /// No problem, no text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a text that problems will point into.
    pub fn add_text(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.texts.push(SourceText { name: name.into(), text: text.into() });
        FileId(self.texts.len() - 1)
    }

    /// The name of a text.
    #[must_use]
    pub fn name_of(&self, file: FileId) -> &str {
        self.texts.get(file.0).map_or("", |text| &text.name)
    }

    /// The characters of a text at a spot; empty when the spot is not one.
    #[must_use]
    pub fn text_at(&self, spot: &Spot) -> &str {
        self.texts.get(spot.file.0).and_then(|text| text.text.get(spot.span.clone())).unwrap_or("")
    }

    /// The line of a spot, from 1.
    #[must_use]
    pub fn line_of(&self, spot: &Spot) -> usize {
        let text = self.texts.get(spot.file.0).map_or("", |text| &text.text);
        let before = &text.as_bytes()[..spot.span.start.min(text.len())];
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }

    /// Adds a problem; beyond [`PROBLEMS_MAX`] it is only counted.
    pub fn push(&mut self, problem: Problem) {
        self.errors += usize::from(problem.severity == Severity::Error);
        if self.items.len() < PROBLEMS_MAX {
            self.items.push(problem);
        } else {
            self.untold += 1;
        }
    }

    /// Adds the problems of another collection about the same texts, but those that `drop` says.
    pub fn append(&mut self, other: Self, drop: impl Fn(&Self, &Problem) -> bool) {
        for problem in other.items {
            if !drop(self, &problem) {
                self.push(problem);
            }
        }
        self.untold += other.untold;
        self.errors += other.untold;
    }

    /// The problems kept, in the order in which they were found.
    #[must_use]
    pub fn items(&self) -> &[Problem] {
        &self.items
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many errors were found, those not kept among them.
    #[must_use]
    pub const fn error_count(&self) -> usize {
        self.errors
    }

    /// How many warnings were found, those not kept among them.
    #[must_use]
    pub fn warning_count(&self) -> usize {
        self.items.len() + self.untold - self.errors
    }

    /// Whether an error was found.
    #[must_use]
    pub const fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// All problems drawn into their texts, one blank line between them, without a line end.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let mut drawn: Vec<String> =
            self.items.iter().map(|problem| self.draw(problem, &renderer)).collect();
        if self.untold > 0 {
            drawn.push(format!("… and {} more problems", self.untold));
        }
        drawn.join("\n\n")
    }

    fn draw(&self, problem: &Problem, renderer: &Renderer) -> String {
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut elements: Vec<Element<'_>> = Vec::new();
        let mut places: Vec<(&Place, AnnotationKind)> =
            problem.place.iter().map(|place| (place, AnnotationKind::Primary)).collect();
        places.extend(problem.context.iter().map(|place| (place, AnnotationKind::Context)));
        while let Some(&(first, _)) = places.first() {
            let file = first.spot.file;
            let here: Vec<_> =
                places.iter().copied().filter(|(place, _)| place.spot.file == file).collect();
            places.retain(|(place, _)| place.spot.file != file);
            if let Some(source) = self.texts.get(file.0) {
                elements.push(snippet(source, &here).into());
            }
        }
        elements.extend(problem.help.iter().map(|help| Level::HELP.message(help.as_str()).into()));
        let title = level.primary_title(problem.message.as_str());
        renderer.render(&[Group::with_title(title).elements(elements)])
    }
}

/// The text as [`Problems::render`] draws it, without colour.
impl fmt::Display for Problems {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.render(false))
    }
}

impl std::error::Error for Problems {}

/// The lines of a text from the first place to the last; of a very long line only a part.
fn snippet<'a>(
    source: &'a SourceText,
    places: &[(&'a Place, AnnotationKind)],
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let text = source.text.as_str();
    let spans: Vec<Range<usize>> =
        places.iter().map(|(place, _)| clamped(text, &place.spot.span)).collect();
    let first = spans.iter().map(|span| span.start).min().unwrap_or(0);
    let last = spans.iter().map(|span| span.end).max().unwrap_or(0);
    let mut start = text[..first].rfind('\n').map_or(0, |end| end + 1);
    let mut end = text[last..].find('\n').map_or(text.len(), |length| last + length);
    let line = 1 + text[..start].bytes().filter(|&byte| byte == b'\n').count();
    if text[last..end].ends_with('\r') {
        end -= 1;
    }
    if first - start > LINE_MAX {
        start = boundary(text, first - WINDOW);
    }
    if end - last > LINE_MAX {
        end = boundary(text, last + WINDOW);
    }
    let annotations = places.iter().zip(spans).map(|((place, kind), span)| {
        let label = (!place.label.is_empty()).then_some(&*place.label);
        kind.span(span.start - start..span.end - start).label(label)
    });
    Snippet::source(&text[start..end])
        .line_start(line)
        .path(source.name.as_str())
        .annotations(annotations)
}

/// The span within the text, at borders of characters, and not so long that it drowns the rest.
fn clamped(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = boundary(text, span.start.min(text.len()));
    let end = span.end.clamp(start, text.len()).min(start + LINE_MAX);
    start..boundary(text, end).max(start)
}

/// The nearest border of a character at or below a byte number.
fn boundary(text: &str, index: usize) -> usize {
    text.floor_char_boundary(index)
}
