//! A report as one HTML page that needs nothing else: style, script and charts are in it, and it
//! asks for nothing from a network. Writes only what the view holds.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::charts;
use super::contrast::CONTRASTS;
use super::effects::EFFECTS;
use super::number::NONE;
use super::tables::{
    FINDINGS, Picture, Section, Table, TableCell, TableRow, head_lines, overview, sections, unit_of,
};
use super::view::{PairingView, View};
use crate::study::metrics::{METRICS, Metric};

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
                    (contents(view, &sections))
                }
                main #main {
                    (findings_html(view))
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

/// The findings, if there are any.
fn findings_html(view: &View) -> Markup {
    html! {
        @if !view.findings.is_empty() {
            section aria-labelledby="findings" {
                h2 #findings { (FINDINGS) }
                ol.findings { @for finding in &view.findings { li { (coded(&finding.text)) } } }
            }
        }
    }
}

/// Text with what stands between backticks as code.
fn coded(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn contents(view: &View, sections: &[Section]) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul {
                @if !view.findings.is_empty() { li { a href="#findings" { (FINDINGS) } } }
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

fn section_html(view: &View, section: &Section, number: usize) -> Markup {
    let id = format!("s{number}");
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (section.heading) }
            p { (section.intro) }
            @for warning in &section.warnings {
                p.warning { strong { "Warning: " } (warning) }
            }
            @match section.picture {
                Picture::None => {}
                Picture::Pairing(pairing) => (charts_html(view, &view.pairings[pairing], &id)),
                Picture::Effects { design, pairing } => (effects_html(view, design, pairing, &id)),
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

/// Forest plots of the effects of a design under a pairing, and plots of its interactions.
fn effects_html(view: &View, design: usize, pairing: usize, id: &str) -> Markup {
    let (design, players) = (&view.designs[design], &view.pairings[pairing]);
    let effects = &design.pairings[pairing];
    let level = 100.0 * view.confidence.level();
    let forests = EFFECTS.iter().filter_map(|key| {
        let id = format!("{id}-effect-{key}");
        let chart = charts::effects_forest(design, players, effects, key, &id)?;
        let caption = format!(
            "Effects on {}, with {level:.0}% intervals; filled where p Holm is at most 0.05",
            unit_of(Metric::find(key)?)
        );
        Some((caption, chart))
    });
    let interactions = effects.means.iter().filter_map(|means| {
        let id = format!("{id}-interaction-{}", means.metric.key);
        let chart = charts::interaction(design, players, means, &id)?;
        let caption = format!(
            "The interaction with the least p on {}: means over the rulesets with both levels, \
             with {level:.0}% intervals",
            unit_of(means.metric)
        );
        Some((caption, chart))
    });
    html! {
        div.charts {
            @for (caption, chart) in forests.chain(interactions) {
                figure { figcaption { (caption) } (chart) }
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
