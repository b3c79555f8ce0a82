//! Tables for a terminal: no line wider than asked, wide tables split by columns. Prints nothing.

use tabled::builder::Builder;
use tabled::grid::util::string::get_string_width;
use tabled::settings::object::{Columns, Rows};
use tabled::settings::style::{HorizontalLine, Style};
use tabled::settings::{Alignment, Padding, Span};

use super::tables::{FINDINGS, Table, TableRow, head_lines, sections};
use super::view::View;

/// The least width that tables are made for.
const WIDTH_MIN: usize = 60;
/// The widest the first column may become before it is wrapped, if that leaves no room for others.
const LABEL_MAX: usize = 24;
/// The widest the first column may become at all.
const LABEL_ROOM: usize = 44;
/// The widest a column of words may become before it is wrapped.
const WORDS_MAX: usize = 60;
/// Between two columns.
const GAP: usize = 2;

/// The report as text for a terminal, no line wider than `width` columns (60 at least), with ANSI
/// colours if wanted.
#[must_use]
pub fn terminal(view: &View, width: usize, colour: bool) -> String {
    let mut page = Page { text: String::new(), width: width.max(WIDTH_MIN), colour };
    page.paragraph(&view.title, Ink::Title);
    for line in head_lines(view) {
        page.paragraph(&line, Ink::Plain);
    }
    if !view.findings.is_empty() {
        page.gap();
        page.paragraph(FINDINGS, Ink::Title);
        for (number, finding) in view.findings.iter().enumerate() {
            page.paragraph(&format!("{}. {}", number + 1, finding.text), Ink::Plain);
        }
    }
    for section in sections(view) {
        page.gap();
        page.paragraph(&section.heading, Ink::Title);
        page.paragraph(&section.intro, Ink::Plain);
        for warning in &section.warnings {
            page.paragraph(&format!("warning: {warning}"), Ink::Warning);
        }
        for table in &section.tables {
            page.gap();
            page.paragraph(&table.caption, Ink::Caption);
            page.table(table);
            for note in &table.notes {
                page.paragraph(note, Ink::Plain);
            }
        }
        for drawing in &section.drawings {
            page.gap();
            page.paragraph(&drawing.title, Ink::Caption);
            page.text.push_str(&drawing.drawing);
            for line in &drawing.lines {
                page.paragraph(line, Ink::Plain);
            }
        }
    }
    page.text
}

#[derive(Clone, Copy)]
enum Ink {
    Plain,
    Title,
    Caption,
    Warning,
}

impl Ink {
    /// The ANSI codes before and after.
    const fn codes(self) -> (&'static str, &'static str) {
        match self {
            Self::Plain => ("", ""),
            Self::Title => ("\u{1b}[1m", "\u{1b}[0m"),
            Self::Caption => ("\u{1b}[36m", "\u{1b}[0m"),
            Self::Warning => ("\u{1b}[33m", "\u{1b}[0m"),
        }
    }
}

/// A text that grows.
struct Page {
    text: String,
    width: usize,
    colour: bool,
}

impl Page {
    fn gap(&mut self) {
        self.text.push('\n');
    }

    fn paragraph(&mut self, text: &str, ink: Ink) {
        let (before, after) = if self.colour { ink.codes() } else { ("", "") };
        for line in wrapped(text, self.width) {
            self.text.push_str(before);
            self.text.push_str(&line);
            self.text.push_str(after);
            self.text.push('\n');
        }
    }

    /// As many columns side by side as fit; the rest below, with the names again.
    fn table(&mut self, table: &Table) {
        let most = WORDS_MAX.min(self.width - LABEL_MAX - 2 * GAP);
        let widths = (0..table.heads.len()).map(|at| column_width(table, at).min(most));
        let widths: Vec<usize> = widths.collect();
        let all: usize = widths.iter().map(|width| GAP + width).sum();
        let room = self.width.saturating_sub(all).clamp(LABEL_MAX, LABEL_ROOM);
        let names = table.rows.iter().filter(|row| !row.cells.is_empty());
        let names = names.flat_map(|row| label_lines(row, table, room));
        let label = names.map(|name| get_string_width(&name)).max().unwrap_or(0).max(7);
        let mut from = 0;
        while from < widths.len() {
            let mut used = label;
            let mut to = from;
            while to < widths.len() && (to == from || used + GAP + widths[to] <= self.width) {
                used += GAP + widths[to];
                to += 1;
            }
            if from > 0 {
                self.gap();
            }
            self.columns(table, label, &widths, from..to);
            from = to;
        }
    }

    fn columns(
        &mut self,
        table: &Table,
        label: usize,
        widths: &[usize],
        range: std::ops::Range<usize>,
    ) {
        let mut builder = Builder::new();
        let heads = range.clone().map(|at| wrapped(&table.heads[at], widths[at]).join("\n"));
        builder.push_record(std::iter::once(table.corner.to_owned()).chain(heads));
        for row in &table.rows {
            let cells = range.clone().map(|at| wrapped(cell_text(row, at), widths[at]).join("\n"));
            let used: usize = range.clone().map(|at| GAP + widths[at]).sum();
            // The heading of a block stands across all columns.
            let room = if row.cells.is_empty() { label + used } else { label };
            let name = label_lines(row, table, room).join("\n");
            builder.push_record(std::iter::once(name).chain(cells));
        }
        let mut drawn = builder.build();
        let rule = HorizontalLine::new('-');
        drawn
            .with(Style::empty().horizontals([(1, rule)]))
            .with(Padding::new(GAP, 0, 0, 0))
            .modify(Columns::first(), Padding::zero())
            .modify(Columns::new(1..), Alignment::right())
            .modify(Rows::first(), Alignment::bottom());
        for (place, _) in range.clone().enumerate().filter(|(_, at)| is_words(table, *at)) {
            drawn.modify(Columns::one(place + 1), Alignment::left());
        }
        let columns = isize::try_from(range.len() + 1).expect("a line has few columns");
        for (number, _) in table.rows.iter().enumerate().filter(|(_, row)| row.cells.is_empty()) {
            drawn.modify((number + 1, 0), Span::column(columns));
        }
        for line in drawn.to_string().lines() {
            self.text.push_str(line.trim_end());
            self.text.push('\n');
        }
    }
}

/// The label in lines; below the heading of a block it is set in.
fn label_lines(row: &TableRow, table: &Table, width: usize) -> Vec<String> {
    let blocks = table.rows.iter().any(|row| row.cells.is_empty());
    let indent = if blocks && !row.cells.is_empty() { "  " } else { "" };
    let lines = wrapped(&row.label, width - indent.len());
    lines.into_iter().map(|line| format!("{indent}{line}")).collect()
}

/// The text of a cell; none in a row that is a heading.
fn cell_text(row: &TableRow, at: usize) -> &str {
    row.cells.get(at).map_or("", |cell| cell.text.as_str())
}

/// Whether a column has words and no number.
fn is_words(table: &Table, at: usize) -> bool {
    table.rows.iter().filter_map(|row| row.cells.get(at)).all(|cell| {
        cell.value.is_none() && cell.text.chars().any(|c| c.is_alphabetic() || c == '[')
    })
}

/// The width of a column: its widest cell, or the longest word of its heading.
fn column_width(table: &Table, at: usize) -> usize {
    let cells = table.rows.iter().map(|row| get_string_width(cell_text(row, at)));
    let words = table.heads[at].split(' ').map(get_string_width);
    cells.chain(words).max().unwrap_or(0)
}

/// Lines of whole words, none wider than `width`; a word that is too wide is cut.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let space = usize::from(used > 0);
        let needed = get_string_width(word);
        if used > 0 && used + space + needed > width {
            lines.push(String::new());
            used = 0;
        } else if used > 0 {
            push(&mut lines, ' ');
            used += 1;
        }
        for letter in word.chars() {
            let size = get_string_width(letter.encode_utf8(&mut [0; 4]));
            if used + size > width {
                lines.push(String::new());
                used = 0;
            }
            push(&mut lines, letter);
            used += size;
        }
    }
    lines
}

fn push(lines: &mut [String], letter: char) {
    if let Some(line) = lines.last_mut() {
        line.push(letter);
    }
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn words_stay_whole_where_they_can() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}
