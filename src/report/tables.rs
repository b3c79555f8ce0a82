//! What the tables of a report say: captions, headings, finished texts and notes, the same for
//! every format. Draws nothing and computes nothing.

mod comparisons;
mod effects;
mod relevance;
mod specs;
mod thinking;
mod tournament;

use std::collections::{BTreeMap, BTreeSet};

use specs::{CUT, Column, SPECS, Spec};

use super::cells::{Cell, Method};
use super::number::{NONE, Style, count};
use super::robust::Ranking;
use super::unfinished::Unfinished;
use super::view::{PairingView, Row, Unit, View};
use crate::stats::Missing;
use crate::study::metrics::Metric;

/// The tables about one pairing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Section {
    /// The name of the pairing.
    pub(super) heading: String,
    /// What was played, and what the unit of observation is.
    pub(super) intro: String,
    /// What a reader must know first.
    pub(super) warnings: Vec<String>,
    /// The tables.
    pub(super) tables: Vec<Table>,
    /// What may be drawn beside them.
    pub(super) picture: Picture,
    /// Boards.
    pub(super) drawings: Vec<Drawing>,
}

/// A board with what is to be said of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Drawing {
    /// A few words.
    pub(super) title: String,
    /// What is to be seen, in lines.
    pub(super) lines: Vec<String>,
    /// The board, in lines of one width.
    pub(super) drawing: String,
}

/// What the charts of a section are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picture {
    /// There is nothing to draw.
    None,
    /// A pairing, by its number.
    Pairing(usize),
    /// The effects of a design under a pairing.
    Effects {
        /// The number of the design.
        design: usize,
        /// The number of the pairing.
        pairing: usize,
    },
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    /// A few words.
    pub(super) title: String,
    /// The heading of the first column: what a row is about.
    pub(super) corner: &'static str,
    /// Subject, unit, n, level, correction.
    pub(super) caption: String,
    /// Headings of the columns after the first.
    pub(super) heads: Vec<String>,
    /// The rows.
    pub(super) rows: Vec<TableRow>,
    /// Why something is missing.
    pub(super) notes: Vec<String>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TableRow {
    /// What the row is about, or the heading of a block of rows.
    pub(super) label: String,
    /// One cell for each heading; none where the label is the heading of the rows below.
    pub(super) cells: Vec<TableCell>,
}

/// A finished text and the number behind it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TableCell {
    /// What is read.
    pub(super) text: String,
    /// What is sorted by.
    pub(super) value: Option<f64>,
}

/// The heading of the findings.
pub(super) const FINDINGS: &str = "What was found";

/// What the view is about, in lines.
pub(super) fn head_lines(view: &View) -> Vec<String> {
    let mut lines = vec![format!(
        "{} of {} games; seed {}, {} random plies at the start, ply cap {}; played by {}, plan {}",
        count(view.games_done),
        count(view.games_planned),
        view.seed,
        view.opening_plies,
        count(view.plies_max.into()),
        view.program,
        view.plan_hash
    )];
    let spared = view.games_spared();
    if let Some(stopping) = &view.stopping {
        lines.push(format!(
            "{}; {} games were spared so; the intervals of other numbers take no account of that",
            stopping.rule.sentence(),
            count(spared)
        ));
        lines.extend(stopping.told(view));
    }
    if view.games_done + spared < view.games_planned {
        lines.push(
            "partial: games are missing, and the numbers are those of the games so far".to_owned(),
        );
    }
    lines
}

/// The sections of a report: one for each pairing, and what all of them say together.
pub(super) fn sections(view: &View) -> Vec<Section> {
    let together = (!view.rankings.is_empty()).then(|| across(view));
    let designs = (0..view.designs.len()).flat_map(|design| effects::sections(view, design));
    let pairings = view.pairings.iter().enumerate();
    designs
        .chain(pairings.map(|(number, pairing)| {
            let mut tables: Vec<Table> =
                SPECS.iter().filter_map(|spec| numbers_table(view, pairing, spec)).collect();
            tables.extend(comparisons::seat_table(view, pairing));
            tables.extend(comparisons::contrast_table(view, pairing));
            Section {
                heading: pairing.name.clone(),
                intro: intro(pairing),
                warnings: pairing.warnings.clone(),
                tables,
                picture: Picture::Pairing(number),
                drawings: Vec::new(),
            }
        }))
        .chain(tournament::section(view))
        .chain(tournament::ladder_section(view))
        .chain(thinking::section(view))
        .chain(relevance::section(view))
        .chain(together)
        .collect()
}

/// The most flips of one metric that are told one by one.
const FLIPS_TOLD: usize = 6;

/// The order of the variants under each pairing, side by side.
fn across(view: &View) -> Section {
    Section {
        heading: "All pairings side by side".to_owned(),
        intro: "Whether the answer depends on the players. In parentheses the place of the \
                variant, the largest value first. A warning is given where a difference from the \
                first variant turns round with an adjusted p of at most 0.05 on both sides, or \
                where the intervals of two other variants are apart in opposite order."
            .to_owned(),
        warnings: view.rankings.iter().flat_map(|ranking| flips_told(view, ranking)).collect(),
        tables: view.rankings.iter().map(|ranking| ranking_table(view, ranking)).collect(),
        picture: Picture::None,
        drawings: Vec::new(),
    }
}

fn flips_told(view: &View, ranking: &Ranking) -> Vec<String> {
    let style = Style::of(ranking.metric);
    let key = ranking.metric.key;
    let told = ranking.flips.iter().take(FLIPS_TOLD).map(|flip| {
        let [high, low] = flip.variants.map(|variant| &view.variants[variant].name);
        let side = |place: usize| {
            let pairing = &view.pairings[flip.pairings[place]];
            let [one, two] =
                flip.variants.map(|variant| style.value(pairing.rows[variant].cell(key).value));
            format!("{} ({one} and {two})", pairing.name)
        };
        format!(
            "{}: `{high}` is above `{low}` under {}, but below it under {}",
            ranking.metric.name,
            side(0),
            side(1)
        )
    });
    let mut lines: Vec<String> = told.collect();
    if ranking.flips.len() > FLIPS_TOLD {
        let more = ranking.flips.len() - FLIPS_TOLD;
        lines.push(format!("{}: {more} more pairs of variants turn round", ranking.metric.name));
    }
    lines
}

fn ranking_table(view: &View, ranking: &Ranking) -> Table {
    let mut reasons = Reasons::default();
    let style = Style::of(ranking.metric);
    let rows = view.variants.iter().enumerate().map(|(variant, id)| {
        let cells = view.pairings.iter().zip(&ranking.places).map(|(pairing, places)| {
            let value = pairing.rows[variant].cell(ranking.metric.key).value;
            if let Err(missing) = value {
                reasons.add(missing, &pairing.name, &id.name);
            }
            let place = places[variant].map_or_else(String::new, |place| format!(" ({place})"));
            TableCell { text: format!("{}{place}", style.value(value)), value: value.ok() }
        });
        TableRow { label: id.name.clone(), cells: cells.collect() }
    });
    let rows = rows.collect();
    let unit = match ranking.metric.unit {
        _ if style == Style::PERCENT => ", in %".to_owned(),
        unit if unit == ranking.metric.name => String::new(),
        unit => format!(", in {unit}"),
    };
    let unsure = match ranking.signs_unsure {
        0 => String::new(),
        n => format!(
            " The sign of {n} difference{} from {} turns round between two pairings, but not \
             beyond what chance explains.",
            if n == 1 { "" } else { "s" },
            view.variants[0].name
        ),
    };
    Table {
        title: format!("{} under each pairing", ranking.metric.name),
        corner: "variant",
        caption: format!(
            "{} under each pairing{unit}, and the place of the variant. Unit: that of each \
             pairing; n and intervals stand in its tables.{unsure}",
            ranking.metric.name
        ),
        heads: view.pairings.iter().map(|pairing| pairing.name.clone()).collect(),
        rows,
        notes: reasons.notes(),
    }
}

/// The columns of the overview.
const OVERVIEW: [(&str, &str); 9] = [
    ("score %", "first-player-score"),
    ("draws %", "draws"),
    ("unfinished %", "unfinished"),
    ("plies", "plies"),
    ("branching", "branching"),
    ("forced %", "forced"),
    ("taken", "taken"),
    ("hopping %", "hopping"),
    ("crowned", "promotions"),
];

/// The main numbers of all pairings in one table, to be sorted.
pub(super) fn overview(view: &View) -> Table {
    let mut heads = vec!["players".to_owned(), "games".to_owned()];
    heads.extend(OVERVIEW.iter().map(|(head, _)| (*head).to_owned()));
    let mut reasons = Reasons::default();
    let rows =
        view.pairings.iter().flat_map(|pairing| pairing.rows.iter().map(move |row| (pairing, row)));
    let rows = rows.map(|(pairing, row)| {
        let label = view.variants[row.variant].name.clone();
        let name = TableCell { text: pairing.name.clone(), value: None };
        let mut cells = vec![name, whole(row.cell("unfinished").n)];
        for (head, key) in OVERVIEW {
            let value = row.cell(key).value;
            if let Err(missing) = value {
                reasons.add(missing, bare(head), &label);
            }
            let text = Style::of(metric(key)).value(value);
            cells.push(TableCell { text, value: value.ok() });
        }
        TableRow { label, cells }
    });
    let rows = rows.collect();
    Table {
        title: "overview".to_owned(),
        corner: "variant",
        caption: "The main numbers of every variant and pairing, over games or pairs that differ: \
                  first-player score, draws (of finished games), unfinished games, mean plies, \
                  mean number of legal turns, forced turns, pieces taken per game, hopping turns \
                  (of those that take nothing), men crowned per game. Intervals and n of each \
                  stand in the tables below."
            .to_owned(),
        heads,
        rows,
        notes: reasons.notes(),
    }
}

fn intro(pairing: &PairingView) -> String {
    let [first, second] = &pairing.players;
    match pairing.unit {
        Unit::Game => format!(
            "{first} plays both sides, one game an opening. The unit of observation is the game; \
             games with the same turns count once."
        ),
        Unit::Pair => format!(
            "{first} and {second} play each opening twice, with sides swapped. The unit of \
             observation is the pair of games; pairs with the same turns count once. Scores of \
             the side that moves first are over both players in turn."
        ),
    }
}

/// A metric that this program names.
fn metric(key: &str) -> &'static Metric {
    Metric::find(key).unwrap_or_else(|| panic!("there is no metric `{key}`"))
}

/// A heading without its unit, for notes.
fn bare(head: &str) -> &str {
    head.trim_end_matches(" %")
}

/// The reasons of what is missing in a table: which columns, for which variants.
#[derive(Default)]
struct Reasons(BTreeMap<Missing, (BTreeSet<String>, Vec<String>)>);

impl Reasons {
    fn add(&mut self, missing: Missing, column: &str, variant: &str) {
        let (columns, variants) = self.0.entry(missing).or_default();
        columns.insert(column.to_owned());
        if !variants.iter().any(|known| known == variant) {
            variants.push(variant.to_owned());
        }
    }

    fn notes(self) -> Vec<String> {
        self.0
            .into_iter()
            .map(|(missing, (columns, variants))| {
                let columns: Vec<String> = columns.into_iter().collect();
                format!("{NONE}: {missing} ({}; {})", columns.join(", "), variants.join(", "))
            })
            .collect()
    }
}

/// A table of numbers; nothing where there is nothing to count in any row.
fn numbers_table(view: &View, pairing: &PairingView, spec: &Spec) -> Option<Table> {
    let columns: Vec<&Column> =
        spec.columns.iter().filter(|column| shown(column, &pairing.rows)).collect();
    let empty = pairing.rows.iter().all(|row| {
        columns.iter().all(|column| match column {
            Column::N(_, key) => row.cell(key).n == 0,
            Column::Value(..)
            | Column::Rare(..)
            | Column::Judged(..)
            | Column::KingCounted(..)
            | Column::Distinct => true,
        })
    });
    if empty {
        return None;
    }
    let mut reasons = Reasons::default();
    let mut methods = BTreeSet::new();
    let rows = pairing.rows.iter().map(|row| {
        let label = &view.variants[row.variant].name;
        let cells =
            columns.iter().map(|column| table_cell(column, row, label, &mut reasons, &mut methods));
        TableRow { label: label.clone(), cells: cells.collect() }
    });
    let rows = rows.collect();
    let heads = columns.iter().map(|column| match column {
        Column::N(name, _)
        | Column::Value(name, _)
        | Column::Rare(name, _)
        | Column::Judged(name, _)
        | Column::KingCounted(name) => (*name).to_owned(),
        Column::Distinct => "distinct %".to_owned(),
    });
    Some(Table {
        title: spec.title.to_owned(),
        corner: "variant",
        caption: caption(view, pairing, spec, &methods),
        heads: heads.collect(),
        rows,
        notes: reasons.notes(),
    })
}

fn shown(column: &Column, rows: &[Row]) -> bool {
    match column {
        Column::Rare(_, key) => rows.iter().any(|row| row.cell(key).value.is_ok_and(|x| x > 0.0)),
        Column::N(..)
        | Column::Value(..)
        | Column::Judged(..)
        | Column::KingCounted(..)
        | Column::Distinct => true,
    }
}

fn table_cell(
    column: &Column,
    row: &Row,
    label: &str,
    reasons: &mut Reasons,
    methods: &mut BTreeSet<Method>,
) -> TableCell {
    let mut miss = |missing: Option<Missing>, head: &str| {
        if let Some(missing) = missing {
            reasons.add(missing, head, label);
        }
    };
    match column {
        Column::N(_, key) => whole(row.cell(key).n),
        Column::KingCounted(_) => {
            let men = crate::stats::real(row.king_value.0.into()) / 1000.0;
            TableCell { text: format!("{men:.2}"), value: Some(men) }
        }
        Column::Distinct => {
            let share = row.distinct();
            miss(share.err(), "distinct");
            TableCell { text: Style::PERCENT.value(share), value: share.ok() }
        }
        Column::Value(head, key) | Column::Rare(head, key) => {
            let (metric, value) = (metric(key), row.cell(key).value);
            miss(value.err(), bare(head));
            TableCell { text: Style::of(metric).value(value), value: value.ok() }
        }
        Column::Judged(head, key) => {
            let (metric, cell) = (metric(key), row.cell(key));
            let interval_missing = cell.interval.and_then(Result::err);
            miss(cell.value.err().or(interval_missing), bare(head));
            methods.insert(cell.method);
            judged(Style::of(metric), cell)
        }
    }
}

fn whole(n: u64) -> TableCell {
    TableCell { text: count(n), value: Some(crate::stats::real(n)) }
}

fn judged(style: Style, cell: &Cell) -> TableCell {
    let text = match cell.interval {
        Some(interval) => style.with_interval(cell.value, interval),
        None => style.value(cell.value),
    };
    TableCell { text, value: cell.value.ok() }
}

fn caption(view: &View, pairing: &PairingView, spec: &Spec, methods: &BTreeSet<Method>) -> String {
    let unit = pairing.unit.name();
    let mut methods: Vec<&str> = methods.iter().filter_map(|method| words(*method)).collect();
    methods.dedup();
    let judging = if methods.is_empty() {
        String::new()
    } else {
        format!(" {} in brackets, each on its own ({}).", level(view), methods.join("; "))
    };
    let cut = Unfinished::sum(pairing.rows.iter().map(|row| row.unfinished));
    let what = spec.what.replace(CUT, &cut.words());
    format!("{}, {}: {what}. Unit: {unit}.{judging}", pairing.name, spec.title)
}

fn level(view: &View) -> String {
    let level = 100.0 * view.confidence.level();
    format!("{level:.0}% intervals")
}

/// A method in a caption.
const fn words(method: Method) -> Option<&'static str> {
    match method {
        Method::Wilson | Method::WilsonOfUnits => Some("shares: Wilson"),
        Method::Score => Some("score: normal"),
        Method::RatioT => Some("means and rates: t over units"),
        Method::OrderStatistics => Some("medians: order statistics"),
        Method::LogisticRatio => Some("value of a king: Fieller, clustered by unit"),
        Method::KaplanMeier => Some("median of all: Kaplan-Meier"),
        Method::Entropy => Some("entropy: normal"),
        Method::Anytime => Some("what the rule to stop looks at: anytime-valid"),
        Method::OfScore | Method::Descriptive => None,
    }
}

/// A metric with the unit of its differences.
pub(super) fn unit_of(metric: &Metric) -> String {
    let unit = if Style::of(metric) == Style::PERCENT { "% points" } else { metric.unit };
    if unit == metric.name { unit.to_owned() } else { format!("{}, {unit}", metric.name) }
}

#[cfg(test)]
mod tests {
    use super::super::contrast::CONTRASTS;
    use super::{Column, SPECS};
    use crate::study::metrics::METRICS;

    #[test]
    fn every_key_is_a_metric() {
        let known = |key: &str| METRICS.iter().any(|metric| metric.key == key);
        for spec in SPECS {
            for column in spec.columns {
                match column {
                    Column::N(_, key)
                    | Column::Value(_, key)
                    | Column::Rare(_, key)
                    | Column::Judged(_, key) => assert!(known(key), "{key}"),
                    Column::KingCounted(..) | Column::Distinct => {}
                }
            }
        }
        assert!(CONTRASTS.iter().all(|key| known(key)));
    }
}
