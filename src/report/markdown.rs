//! A report in GitHub's Markdown. Names are escaped, so that they stay names.

use super::tables::{FINDINGS, Table, head_lines, sections};
use super::view::View;

/// The report as Markdown.
#[must_use]
pub fn markdown(view: &View) -> String {
    let mut text = format!("# {}\n\n", escaped(&view.title));
    for line in head_lines(view) {
        text.push_str(&format!("{}\n\n", escaped(&line)));
    }
    if !view.findings.is_empty() {
        text.push_str(&format!("## {FINDINGS}\n\n"));
        for (number, finding) in view.findings.iter().enumerate() {
            text.push_str(&format!("{}. {}\n", number + 1, escaped(&finding.text)));
        }
        text.push('\n');
    }
    for section in sections(view) {
        text.push_str(&format!("## {}\n\n", escaped(&section.heading)));
        text.push_str(&format!("{}\n\n", escaped(&section.intro)));
        for warning in &section.warnings {
            text.push_str(&format!("> **Warning:** {}\n\n", escaped(warning)));
        }
        for table in &section.tables {
            text.push_str(&table_text(table));
        }
        for drawing in &section.drawings {
            text.push_str(&format!("### {}\n\n", escaped(&capital(&drawing.title))));
            text.push_str(&fenced("text", &drawing.drawing));
            let lines: Vec<String> = drawing.lines.iter().map(|line| escaped(line)).collect();
            text.push_str(&format!("\n{}\n\n", lines.join("  \n")));
        }
    }
    text.push_str("## The study file\n\n");
    text.push_str(&fenced("toml", &view.study_text));
    text
}

fn table_text(table: &Table) -> String {
    let mut text = format!("### {}\n\n", escaped(&capital(&table.title)));
    let heads = table.heads.iter().map(|head| escaped(&head.replace("- ", "")));
    text.push_str(&line(std::iter::once(table.corner.to_owned()).chain(heads)));
    text.push_str(&line(
        std::iter::once("---".to_owned()).chain(table.heads.iter().map(|_| "---:".to_owned())),
    ));
    for row in &table.rows {
        if row.cells.is_empty() {
            let heading = format!("**{}**", escaped(&row.label));
            let blank = table.heads.iter().map(|_| String::new());
            text.push_str(&line(std::iter::once(heading).chain(blank)));
            continue;
        }
        let cells = row.cells.iter().map(|cell| escaped(&cell.text));
        text.push_str(&line(std::iter::once(escaped(&row.label)).chain(cells)));
    }
    text.push_str(&format!("\n{}\n\n", escaped(&table.caption)));
    for note in &table.notes {
        text.push_str(&format!("{}\n\n", escaped(note)));
    }
    text
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for cell in cells {
        text.push_str("| ");
        text.push_str(&cell);
        text.push(' ');
    }
    text.push_str("|\n");
    text
}

/// The text with every character that Markdown gives a meaning inside a line made plain.
fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '|' | '*' | '_' | '`' | '<' | '[' | '#' | '~' => {
                plain.push('\\');
                plain.push(letter);
            }
            '&' => plain.push_str("&amp;"),
            _ => plain.push(letter),
        }
    }
    plain
}

/// A block of text in a language, between fences longer than any inside it.
fn fenced(language: &str, text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
