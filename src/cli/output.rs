//! Standard output and standard error: the only place that writes to them.
//!
//! A closed pipe (`| head`) ends the program quietly; it is no fault and no panic.

use std::io::{self, BufWriter, IsTerminal, Stderr, Stdout, Write};

use super::exit::{Exit, Failure};
use super::wrap::COLUMNS;

/// Both streams, with what is known about them. Not locked: other threads may tell of progress.
#[derive(Debug)]
pub(super) struct Output {
    out: BufWriter<Stdout>,
    err: Stderr,
    colour: Colour,
}

/// Where colour is wanted: on terminals, unless `NO_COLOR` is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Colour {
    out: bool,
    err: bool,
}

/// A way to set off a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// A heading.
    Bold,
    /// A remark of less weight.
    Dim,
}

impl Output {
    /// The streams of this process.
    pub(super) fn new() -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let (stdout, stderr) = (io::stdout(), io::stderr());
        let colour =
            Colour { out: !plain && stdout.is_terminal(), err: !plain && stderr.is_terminal() };
        Self { out: BufWriter::new(stdout), err: stderr, colour }
    }

    /// Writes a text to standard output.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes()).map_err(failed)
    }

    /// Writes a text and a line end to standard output.
    pub(super) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.write(text)?;
        self.write("\n")
    }

    /// Writes a JSON value as one line.
    pub(super) fn json(&mut self, value: &serde_json::Value) -> Result<(), Failure> {
        self.line(&value.to_string())
    }

    /// Hands on what was written so far.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(failed)
    }

    /// Writes a text and a line end to standard error; a closed stream is not minded.
    pub(super) fn note(&mut self, text: &str) {
        // Keeps the order of both streams where they go to one place.
        drop(self.out.flush());
        drop(writeln!(self.err, "{text}"));
    }

    /// Whether standard output takes colour.
    pub(super) const fn colour(&self) -> bool {
        self.colour.out
    }

    /// Columns of standard output: those of the terminal, or [`COLUMNS`].
    pub(super) fn width(&self) -> usize {
        let size = terminal_size::terminal_size_of(io::stdout());
        size.map_or(COLUMNS, |(width, _)| usize::from(width.0))
    }

    /// Whether standard error takes colour.
    pub(super) const fn colour_of_notes(&self) -> bool {
        self.colour.err
    }

    /// The text set off, where standard output takes colour.
    pub(super) fn styled(&self, style: Style, text: &str) -> String {
        if !self.colour.out || text.is_empty() {
            return text.to_owned();
        }
        let code = match style {
            Style::Bold => 1,
            Style::Dim => 2,
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

fn failed(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Failure::nobody_reads()
    } else {
        Failure::say(Exit::Io, format!("cannot write to standard output: {error}"))
    }
}
