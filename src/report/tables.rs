//! What the tables of a report say: captions, headings, finished texts and notes, the same for
//! every format. Draws nothing and computes nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::{Cell, Method};
use super::contrast::{CONTRASTS, Contrast, Sample};
use super::number::{NONE, Style, chance, correlation, count};
use super::view::{PairingView, Row, Unit, VariantId, View};
use crate::stats::{Known, Missing};
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
}

/// A table, each row about one variant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    /// A few words.
    pub(super) title: String,
    /// Subject, unit, n, level, correction.
    pub(super) caption: String,
    /// Headings of the columns after the first, which holds the variant.
    pub(super) heads: Vec<String>,
    /// The rows.
    pub(super) rows: Vec<TableRow>,
    /// Why something is missing.
    pub(super) notes: Vec<String>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TableRow {
    /// The variant's name.
    pub(super) label: String,
    /// One cell for each heading.
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
    if view.games_done < view.games_planned {
        lines.push("the run is not complete: the numbers are those of the games so far".to_owned());
    }
    lines
}

/// The sections of a report, one for each pairing.
pub(super) fn sections(view: &View) -> Vec<Section> {
    view.pairings
        .iter()
        .map(|pairing| {
            let mut tables: Vec<Table> =
                SPECS.iter().filter_map(|spec| numbers_table(view, pairing, spec)).collect();
            tables.extend(seat_table(view, pairing));
            tables.extend(contrast_tables(view, pairing));
            Section {
                heading: pairing.name.clone(),
                intro: intro(pairing),
                warnings: pairing.warnings.clone(),
                tables,
            }
        })
        .collect()
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

/// A column of a table of numbers.
enum Column {
    /// What the metric is a share or a mean of, under its own heading.
    N(&'static str, &'static str),
    /// The value of a metric.
    Value(&'static str),
    /// The value of a metric that most often is 0; left out where it is 0 in every row.
    Rare(&'static str),
    /// The value of a metric with its interval.
    Judged(&'static str),
    /// The share of units that differ.
    Distinct,
}

/// What a table of numbers shows.
struct Spec {
    title: &'static str,
    what: &'static str,
    columns: &'static [Column],
}

const SPECS: &[Spec] = &[
    Spec {
        title: "who wins",
        what: "results for the side that moves first, as shares of finished games in %; balance \
               is 1 where both sides have the same chance",
        columns: &[
            Column::N("finished games", "first-player-score"),
            Column::Judged("first-player-score"),
            Column::Value("first-player-wins"),
            Column::Judged("draws"),
            Column::Value("first-player-losses"),
            Column::Value("balance"),
        ],
    },
    Spec {
        title: "how games end",
        what: "reasons as shares of games in %; unfinished games reached the ply cap; distinct is \
               the share of units that differ from each other",
        columns: &[
            Column::N("games", "unfinished"),
            Column::Rare("ended-captured-all"),
            Column::Rare("ended-blocked"),
            Column::Rare("ended-quiet-turns"),
            Column::Rare("ended-repetition"),
            Column::Rare("ended-one-piece-each"),
            Column::Rare("ended-king-beats-man"),
            Column::Judged("unfinished"),
            Column::Distinct,
        ],
    },
    Spec {
        title: "how long games are",
        what: "plies of finished games: mean, deviation, median, 5th and 95th percentile",
        columns: &[
            Column::N("finished games", "plies"),
            Column::Judged("plies"),
            Column::Value("plies-deviation"),
            Column::Judged("plies-median"),
            Column::Value("plies-5"),
            Column::Value("plies-95"),
        ],
    },
    Spec {
        title: "how much choice there is",
        what: "legal turns of the positions in which a turn was played; forced turns were the \
               only legal one",
        columns: &[
            Column::N("turns", "branching"),
            Column::Judged("branching"),
            Column::Value("branching-median"),
            Column::Value("branching-95"),
            Column::Judged("forced"),
        ],
    },
    Spec {
        title: "captures",
        what: "pieces taken; turns that take something as a share of turns in %; pieces taken by \
               such a turn (chain)",
        columns: &[
            Column::N("games", "taken"),
            Column::Judged("taken"),
            Column::N("turns", "capturing"),
            Column::Judged("capturing"),
            Column::Judged("chain"),
        ],
    },
    Spec {
        title: "hops",
        what: "hopping turns as a share of turns that take nothing in %; hops of a hopping turn; \
               share of hopping turns that end on no higher rank in %",
        columns: &[
            Column::N("quiet turns", "hopping"),
            Column::Judged("hopping"),
            Column::N("hopping turns", "hops"),
            Column::Judged("hops"),
            Column::Judged("hops-not-forward"),
        ],
    },
    Spec {
        title: "kings",
        what: "men crowned per game; of these in a capture and in a hop in %; turns before which \
               a king was on the board in %",
        columns: &[
            Column::N("games", "promotions"),
            Column::Judged("promotions"),
            Column::N("promo- tions", "promotions-in-capture"),
            Column::Value("promotions-in-capture"),
            Column::Value("promotions-in-hop"),
            Column::Judged("king-on-board"),
        ],
    },
    Spec {
        title: "first capture and first king",
        what: "median ply of the first one, over games that have one; share of games that have \
               one in %",
        columns: &[
            Column::N("games with capture", "first-capture-median"),
            Column::Judged("first-capture-median"),
            Column::Value("with-capture"),
            Column::N("games with king", "first-king-median"),
            Column::Judged("first-king-median"),
            Column::Value("with-king"),
        ],
    },
    Spec {
        title: "tension",
        what: "changes of the lead in material per game; decisive games whose winner was two men \
               behind in %; last moment at which the winner was not ahead, as a share of the \
               length in %",
        columns: &[
            Column::N("games", "lead-changes"),
            Column::Judged("lead-changes"),
            Column::N("decisive games", "comebacks"),
            Column::Judged("comebacks"),
            Column::Judged("decision-point"),
        ],
    },
];

/// A metric that this program names.
fn metric(key: &str) -> &'static Metric {
    Metric::find(key).unwrap_or_else(|| panic!("there is no metric `{key}`"))
}

fn heading(metric: &Metric) -> String {
    let unit = Style::of(metric).unit(metric);
    match unit {
        "%" => format!("{} %", metric.name),
        _ => metric.name.to_owned(),
    }
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
            Column::Value(_) | Column::Rare(_) | Column::Judged(_) | Column::Distinct => true,
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
        Column::N(name, _) => (*name).to_owned(),
        Column::Value(key) | Column::Rare(key) | Column::Judged(key) => heading(metric(key)),
        Column::Distinct => "distinct %".to_owned(),
    });
    Some(Table {
        title: spec.title.to_owned(),
        caption: caption(view, pairing, spec, &methods),
        heads: heads.collect(),
        rows,
        notes: reasons.notes(),
    })
}

fn shown(column: &Column, rows: &[Row]) -> bool {
    match column {
        Column::Rare(key) => rows.iter().any(|row| row.cell(key).value.is_ok_and(|x| x > 0.0)),
        Column::N(..) | Column::Value(_) | Column::Judged(_) | Column::Distinct => true,
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
        Column::Distinct => {
            let share = row.distinct();
            miss(share.err(), "distinct");
            TableCell { text: Style::PERCENT.value(share), value: share.ok() }
        }
        Column::Value(key) | Column::Rare(key) => {
            let (metric, value) = (metric(key), row.cell(key).value);
            miss(value.err(), metric.name);
            TableCell { text: Style::of(metric).value(value), value: value.ok() }
        }
        Column::Judged(key) => {
            let (metric, cell) = (metric(key), row.cell(key));
            let interval_missing = cell.interval.and_then(Result::err);
            miss(cell.value.err().or(interval_missing), metric.name);
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
    format!("{}, {}: {}. Unit: {unit}.{judging}", pairing.name, spec.title, spec.what)
}

fn level(view: &View) -> String {
    let level = 100.0 * view.confidence.level();
    format!("{level:.0} % intervals")
}

/// A method in a caption.
const fn words(method: Method) -> Option<&'static str> {
    match method {
        Method::Wilson | Method::WilsonOfUnits => Some("shares: Wilson"),
        Method::Score => Some("score: normal"),
        Method::RatioT => Some("means and rates: t over units"),
        Method::OrderStatistics => Some("medians: order statistics"),
        Method::OfScore | Method::Descriptive => None,
    }
}

/// How the first of two different players scores against the second.
fn seat_table(view: &View, pairing: &PairingView) -> Option<Table> {
    let [first, second] = &pairing.players;
    let mut reasons = Reasons::default();
    let mut rows = Vec::new();
    for row in &pairing.rows {
        let seat = row.seat.as_ref()?;
        let label = view.variants[row.variant].name.clone();
        let elo = |end: fn(&crate::stats::score::EloRange) -> Known<f64>| {
            seat.elo.as_ref().map_err(|missing| *missing).and_then(end)
        };
        let (value, low, high) = (elo(|e| e.value), elo(|e| e.low), elo(|e| e.high));
        for missing in [seat.score.value.err(), value.err().or(low.err()).or(high.err())] {
            if let Some(missing) = missing {
                reasons.add(missing, "Elo", &label);
            }
        }
        let mut cells = vec![whole(seat.score.n), judged(Style::PERCENT, &seat.score)];
        let [value_text, low, high] = [value, low, high].map(|end| Style::WHOLE.value(end));
        let text = match seat.score.value {
            Ok(_) => format!("{value_text} [{low}, {high}]"),
            Err(_) => NONE.to_owned(),
        };
        cells.push(TableCell { text, value: value.ok() });
        cells.extend(seat.pairs.iter().map(|&pairs| whole(pairs)));
        rows.push(TableRow { label, cells });
    }
    let heads = ["pairs", "score %", "Elo", "LL", "LD", "DD WL", "WD", "WW"];
    Some(Table {
        title: "who is stronger".to_owned(),
        caption: format!(
            "{first} against {second}: score of {first} in %, and the same as Elo (logistic, not \
             anchored). Unit: pair of finished games from one opening; LL to WW count pairs by \
             the results of {first}. {} in brackets, each on its own (normal over pairs).",
            level(view)
        ),
        heads: heads.map(str::to_owned).to_vec(),
        rows,
        notes: reasons.notes(),
    })
}

/// The comparisons with the first variant: metrics with the same n share a table, two by two.
fn contrast_tables(view: &View, pairing: &PairingView) -> Vec<Table> {
    let Some(first) = view.variants.first() else { return Vec::new() };
    let columns: Vec<Vec<&Contrast>> = CONTRASTS
        .iter()
        .map(|key| pairing.contrasts.iter().filter(|c| c.metric.key == *key).collect())
        .filter(|column: &Vec<&Contrast>| column.iter().any(|c| c.difference.is_ok()))
        .collect();
    let samples = |column: &[&Contrast]| column.iter().map(|c| c.sample).collect::<Vec<_>>();
    let mut tables = Vec::new();
    let mut rest = columns.as_slice();
    while let Some((one, after)) = rest.split_first() {
        let two = after.first().filter(|two| samples(two) == samples(one));
        rest = if two.is_some() { &after[1..] } else { after };
        let together: Vec<&[&Contrast]> =
            [Some(one), two].into_iter().flatten().map(Vec::as_slice).collect();
        tables.push(contrast_table(view, pairing, first, &together));
    }
    tables
}

fn contrast_table(
    view: &View,
    pairing: &PairingView,
    first: &VariantId,
    columns: &[&[&Contrast]],
) -> Table {
    let mut reasons = Reasons::default();
    let mut heads = vec!["n".to_owned()];
    let mut names = Vec::new();
    for column in columns {
        let metric = column[0].metric;
        names.push(metric.name);
        heads.extend([heading(metric), "p".to_owned(), "r".to_owned()]);
    }
    let paired = columns.iter().flat_map(|column| column.iter());
    let paired = paired.filter(|c| matches!(c.sample, Sample::Paired(_))).count();
    let rows = (0..columns[0].len()).map(|place| {
        let label = view.variants[columns[0][place].variant].name.clone();
        let mut cells = vec![sample_cell(columns[0][place].sample)];
        for column in columns {
            let contrast = column[place];
            if let Some(missing) = contrast.missing() {
                reasons.add(missing, contrast.metric.name, &label);
            }
            cells.extend(contrast_cells(contrast));
        }
        TableRow { label, cells }
    });
    let rows = rows.collect();
    let how = if paired > 0 {
        "n: openings played on both, compared opening by opening (a / b: units of each, where \
         openings differ); r: correlation over openings"
    } else {
        "n: units of each variant, with openings of their own"
    };
    let points = if heads.iter().any(|head| head.ends_with('%')) { " (% in points)" } else { "" };
    Table {
        title: format!("difference from {}: {}", first.name, names.join(", ")),
        caption: format!(
            "{}, this variant minus {}: {}{points}. Unit: {}; {how}. {} in brackets, each on its \
             own; p two-sided, adjusted by Holm over the {} comparisons of this pairing.",
            pairing.name,
            first.name,
            names.join(", "),
            pairing.unit.name(),
            level(view),
            pairing.family
        ),
        heads,
        rows,
        notes: reasons.notes(),
    }
}

fn sample_cell(sample: Sample) -> TableCell {
    match sample {
        Sample::Paired(n) => whole(n),
        Sample::Independent(this, first) => TableCell {
            text: format!("{} / {}", count(this), count(first)),
            value: Some(crate::stats::real(this)),
        },
    }
}

fn contrast_cells(contrast: &Contrast) -> [TableCell; 3] {
    let style = Style::of(contrast.metric);
    [
        TableCell {
            text: style.difference(contrast.difference, contrast.interval),
            value: contrast.difference.ok(),
        },
        TableCell { text: chance(contrast.p_adjusted), value: contrast.p_adjusted },
        TableCell {
            text: correlation(contrast.correlation),
            value: contrast.correlation.and_then(Result::ok),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::{CONTRASTS, Column, SPECS};
    use crate::study::metrics::METRICS;

    #[test]
    fn every_key_is_a_metric() {
        let known = |key: &str| METRICS.iter().any(|metric| metric.key == key);
        for spec in SPECS {
            for column in spec.columns {
                match column {
                    Column::N(_, key)
                    | Column::Value(key)
                    | Column::Rare(key)
                    | Column::Judged(key) => assert!(known(key), "{key}"),
                    Column::Distinct => {}
                }
            }
        }
        assert!(CONTRASTS.iter().all(|key| known(key)));
    }
}
