//! Tables for a terminal: no line wider than asked, wide tables split by columns. Prints nothing.

use tabled::builder::Builder;
use tabled::grid::util::string::get_string_width;
use tabled::settings::object::{Columns, Rows};
use tabled::settings::style::{HorizontalLine, Style};
use tabled::settings::{Alignment, Padding, Span};

use super::number::count;
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
/// The most rows of a table that is not shortened.
const ROWS_MAX: usize = 40;
/// The rows that a shortened table shows of each of its blocks.
const BLOCK_ROWS: usize = 8;
/// The most warnings of a section.
const WARNINGS_MAX: usize = 12;

/// How much of each table is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// Of a table of more than 40 rows the first, or those with the least p; a line says how many
    /// there are and where to see them.
    Short,
    /// Everything.
    All,
}

/// The report as text for a terminal, no line wider than `width` columns (60 at least), with ANSI
/// colours if wanted.
#[must_use]
pub fn terminal(view: &View, width: usize, colour: bool, extent: Extent) -> String {
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
        let warnings = match extent {
            Extent::Short => WARNINGS_MAX,
            Extent::All => section.warnings.len(),
        };
        for warning in section.warnings.iter().take(warnings) {
            page.paragraph(&format!("warning: {warning}"), Ink::Warning);
        }
        if let Some(more) = section.warnings.len().checked_sub(warnings).filter(|more| *more > 0) {
            page.paragraph(&format!("warning: {} more {SEE_ALL}", told(more)), Ink::Warning);
        }
        for table in &section.tables {
            page.gap();
            page.paragraph(&table.caption, Ink::Caption);
            let short = match extent {
                Extent::Short => shortened(table),
                Extent::All => None,
            };
            match &short {
                None => page.table(table),
                Some((table, note)) => {
                    page.table(table);
                    page.paragraph(note, Ink::Plain);
                }
            }
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

/// How to see what is not shown.
const SEE_ALL: &str = "(all with `--all`, and in the other formats)";

fn told(n: usize) -> String {
    count(n as u64)
}

/// The rows of a long table that tell most, and a line that says so; nothing of a short one. Where
/// the table has a column of p, these are the rows with the least p, else the first ones.
fn shortened(table: &Table) -> Option<(Table, String)> {
    let all = table.rows.iter().filter(|row| !row.cells.is_empty()).count();
    if all <= ROWS_MAX {
        return None;
    }
    let blocks = all < table.rows.len();
    let p = table.heads.iter().position(|head| head == "p");
    let mut rows: Vec<TableRow> = Vec::new();
    for block in table.rows.chunk_by(|_, next| !next.cells.is_empty()) {
        let heading = block.iter().take_while(|row| row.cells.is_empty()).count();
        rows.extend_from_slice(&block[..heading]);
        let block = &block[heading..];
        let most = if blocks { BLOCK_ROWS } else { ROWS_MAX };
        let mut order: Vec<usize> = (0..block.len()).collect();
        if let Some(p) = p {
            let least = |row: usize| block[row].cells[p].value.unwrap_or(f64::INFINITY);
            order.sort_by(|&a, &b| least(a).total_cmp(&least(b)));
        }
        order.truncate(most);
        order.sort_unstable();
        rows.extend(order.into_iter().map(|row| block[row].clone()));
    }
    let kept = rows.iter().filter(|row| !row.cells.is_empty()).count();
    let which = if p.is_some() { "those with the least p" } else { "the first" };
    let each = if blocks { " of each block" } else { "" };
    let note = format!("{} of {} rows, {which}{each} {SEE_ALL}", told(kept), told(all));
    Some((Table { rows, ..table.clone() }, note))
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
    use super::{BLOCK_ROWS, ROWS_MAX, Table, TableRow, shortened, wrapped};
    use crate::report::tables::TableCell;

    fn table(rows: Vec<TableRow>) -> Table {
        Table {
            title: String::new(),
            corner: "variant",
            caption: String::new(),
            heads: vec!["n".to_owned(), "p".to_owned()],
            rows,
            notes: Vec::new(),
        }
    }

    fn row(number: usize, p: Option<f64>) -> TableRow {
        let cell = |value| TableCell { text: String::new(), value };
        TableRow { label: number.to_string(), cells: vec![cell(None), cell(p)] }
    }

    #[test]
    fn a_long_table_shows_what_tells_most_and_how_to_see_all() {
        let p = |number: usize| Some(1.0 / (1.0 + crate::stats::real_len(number)));
        let few = table((0..ROWS_MAX).map(|number| row(number, p(number))).collect());
        assert!(shortened(&few).is_none());
        // The last rows have the least p; they stay in their order.
        let many = table((0..1000).map(|number| row(number, p(number))).collect());
        let (short, note) = shortened(&many).expect("a long table");
        let labels: Vec<String> = short.rows.iter().map(|row| row.label.clone()).collect();
        let wanted: Vec<String> = (1000 - ROWS_MAX..1000).map(|n| n.to_string()).collect();
        assert_eq!(labels, wanted);
        assert!(note.starts_with("40 of 1,000 rows, those with the least p"), "{note}");
        assert!(note.contains("--all"), "{note}");
        // Of blocks each has its heading and its share; rows without a p come last.
        let heading = || TableRow { label: "draws".to_owned(), cells: Vec::new() };
        let mut rows = vec![heading()];
        rows.extend((0..30).map(|number| row(number, None)));
        rows.push(heading());
        rows.extend((0..30).map(|number| row(number, p(number))));
        let (short, note) = shortened(&table(rows)).expect("a long table");
        assert_eq!(short.rows.len(), 2 + 2 * BLOCK_ROWS);
        assert_eq!(short.rows[1].label, "0");
        assert_eq!(short.rows[2 + BLOCK_ROWS].label, "22");
        assert!(note.contains("of each block"), "{note}");
    }

    #[test]
    fn words_stay_whole_where_they_can() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}
