//! A report as one HTML page that needs nothing else: style, script and charts are in it, and it
//! asks for nothing from a network. Writes only what the view holds.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::charts;
use super::contrast::CONTRASTS;
use super::number::NONE;
use super::tables::{Section, Table, TableCell, TableRow, head_lines, overview, sections};
use super::view::{PairingView, View};
use crate::study::metrics::METRICS;

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// The report as an HTML page.
#[must_use]
pub fn html(view: &View) -> String {
    let sections = sections(view);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
                    style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
                link rel="icon" href="data:,";
                title { (view.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the numbers" }
                header {
                    h1 { (view.title) }
                    @for line in head_lines(view) { p { (line) } }
                    (contents(&sections))
                }
                main #main {
                    section aria-labelledby="overview" {
                        h2 #overview { "Overview" }
                        (table(&overview(view), "overview-table", true))
                    }
                    @for (number, section) in sections.iter().enumerate() {
                        (section_html(view, section, number))
                    }
                    (definitions())
                    (again(view))
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn contents(sections: &[Section]) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul {
                li { a href="#overview" { "Overview" } }
                @for (number, section) in sections.iter().enumerate() {
                    li { a href=(format!("#s{number}")) { (section.heading) } }
                }
                li { a href="#definitions" { "What is measured" } }
                li { a href="#again" { "How to run it again" } }
            }
        }
    }
}

/// The sections of the pairings come first, in their order; the last may be about all.
fn section_html(view: &View, section: &Section, number: usize) -> Markup {
    let id = format!("s{number}");
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (section.heading) }
            p { (section.intro) }
            @for warning in &section.warnings {
                p.warning { strong { "Warning: " } (warning) }
            }
            @if let Some(pairing) = view.pairings.get(number) {
                (charts_html(view, pairing, &id))
            }
            @for (place, one) in section.tables.iter().enumerate() {
                h3 { (capital(&one.title)) }
                (table(one, &format!("{id}-{place}"), false))
            }
            @for drawing in &section.drawings {
                figure {
                    figcaption { (capital(&drawing.title)) }
                    pre.board tabindex="0" role="img" aria-label=(drawing.lines.join("; ")) {
                        (drawing.drawing)
                    }
                    @for line in &drawing.lines { p.note { (line) } }
                }
            }
        }
    }
}

fn charts_html(view: &View, pairing: &PairingView, id: &str) -> Markup {
    let hidden = pairing.rows.len().saturating_sub(charts::ROWS_MAX);
    let figure = |caption: &str, chart: Markup| {
        html! { figure { figcaption { (caption) } (chart) } }
    };
    html! {
        @if hidden > 0 {
            p { "Charts show the first " (charts::ROWS_MAX) " variants; the tables show all." }
        }
        div.charts {
            (figure(
                "Results of the side that moves first",
                html! {
                    p.legend {
                        span.win { "win" } " " span.draw { "draw" } " " span.loss { "loss" }
                    }
                    (charts::results(view, pairing, &format!("{id}-results")))
                },
            ))
            @if let Some(chart) = charts::distributions(
                view, pairing, "length in plies", &format!("{id}-plies"), |row| &row.plies,
            ) {
                (figure("Length of finished games in plies", chart))
            }
            @if let Some(chart) = charts::distributions(
                view, pairing, "legal turns", &format!("{id}-branching"), |row| &row.branching,
            ) {
                (figure("Legal turns of a position", chart))
            }
            @for key in CONTRASTS {
                @if let Some(chart) = charts::forest(view, pairing, key, &format!("{id}-difference-{key}")) {
                    (figure(&forest_caption(view, key), chart))
                }
            }
        }
    }
}

fn forest_caption(view: &View, key: &str) -> String {
    let name = METRICS.iter().find(|metric| metric.key == key).map_or(key, |metric| metric.name);
    let first = view.variants.first().map_or("", |first| first.name.as_str());
    format!(
        "Difference from {first}: {name}, with {:.0}% intervals; filled where p Holm is at most \
         0.05",
        100.0 * view.confidence.level()
    )
}

/// A table in a frame that scrolls on its own where the page is too narrow for it.
fn table(table: &Table, id: &str, sorts: bool) -> Markup {
    let caption = format!("{id}-caption");
    html! {
        div.frame role="region" tabindex="0" aria-labelledby=(caption) {
            table.sorts[sorts] {
                caption id=(caption) { (table.caption) }
                thead { tr {
                    (head_cell(table.corner, sorts))
                    @for head in &table.heads { (head_cell(&head.replace("- ", ""), sorts)) }
                } }
                tbody { @for row in &table.rows { (row_html(row, table.heads.len())) } }
            }
        }
        @for note in &table.notes { p.note { (note) } }
    }
}

fn head_cell(text: &str, sorts: bool) -> Markup {
    html! {
        th scope="col" {
            @if sorts { button type="button" { (text) } } @else { (text) }
        }
    }
}

fn row_html(row: &TableRow, columns: usize) -> Markup {
    html! {
        @if row.cells.is_empty() {
            tr { th.block scope="colgroup" colspan=(columns + 1) { (row.label) } }
        } @else {
            tr {
                th scope="row" { (row.label) }
                @for cell in &row.cells { (cell_html(cell)) }
            }
        }
    }
}

/// A cell without a number may wrap, unless it says that there is none.
fn cell_html(cell: &TableCell) -> Markup {
    let words = cell.value.is_none() && cell.text.chars().any(char::is_alphabetic);
    html! {
        td.text[words && cell.text != NONE] data-value=[cell.value] { (cell.text) }
    }
}

fn definitions() -> Markup {
    html! {
        section aria-labelledby="definitions" {
            h2 #definitions { "What is measured" }
            dl {
                @for metric in METRICS {
                    dt { (metric.name) " (" (metric.unit) ")" }
                    dd {
                        (capital(metric.definition)) "."
                        @if !metric.source.is_empty() { " Source: " (metric.source) "." }
                    }
                }
            }
        }
    }
}

fn again(view: &View) -> Markup {
    html! {
        section aria-labelledby="again" {
            h2 #again { "How to run it again" }
            p {
                "Save the study below as " code { "study.toml" } ". The same program plays the "
                "same games on any machine and any number of threads; the plan of this report is "
                code { (view.plan_hash) } "."
            }
            pre tabindex="0" aria-label="Commands" {
                code {
                    "keny run study.toml\n"
                    "keny report study.sqlite --format html --out report.html"
                }
            }
            p { "The study:" }
            pre tabindex="0" aria-label="The study file" { code { (view.study_text.trim_end()) } }
            p { "Rules, by their fingerprints:" }
            div.frame role="region" tabindex="0" aria-label="Fingerprints" {
                table {
                    thead { tr { th scope="col" { "variant" } th scope="col" { "fingerprint" } } }
                    tbody {
                        @for variant in &view.variants {
                            tr {
                                th scope="row" { (variant.name) }
                                td.text { code { (variant.fingerprint) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
