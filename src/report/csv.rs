//! A report as tables of comma-separated values, one number a line, in full precision. A number
//! that does not exist is an empty field, with its reason in `missing`.

mod designs;

use super::cells::Cell;
use super::contrast::Sample;
use super::view::View;
use crate::stats::histogram::Histogram;
use crate::stats::{Interval, Known};
use crate::study::metrics::METRICS;
use crate::study::thinking::Thinking;

/// The tables with the names of their files: every metric of every variant, the comparisons with
/// the first variant, the distributions of plies and legal turns, the order of the variants under
/// each pairing, how often their legal turns differ, ratings and scores of the players, what larger
/// budgets are worth, and for a study with designs the findings, effects, interactions, shares of
/// variance, aliases and what was left out; and how long players think, where it was measured.
#[must_use]
pub fn csv(view: &View) -> Vec<(&'static str, String)> {
    let mut tables = vec![
        ("metrics.csv", metrics(view)),
        ("comparisons.csv", comparisons(view)),
        ("distributions.csv", distributions(view)),
        ("rankings.csv", rankings(view)),
        ("relevance.csv", relevance(view)),
        ("ratings.csv", ratings(view)),
        ("cross-tables.csv", cross_tables(view)),
        ("ladder.csv", ladder(view)),
    ];
    tables.extend(designs::tables(view));
    tables.extend(view.thinking.as_ref().map(|found| ("thinking.csv", thinking(view, found))));
    tables
}

fn metrics(view: &View) -> String {
    let mut table = Table::new(&[
        "pairing",
        "variant",
        "fingerprint",
        "metric",
        "unit",
        "value",
        "low",
        "high",
        "level",
        "n",
        "units",
        "unit_of_observation",
        "method",
        "missing",
    ]);
    for pairing in &view.pairings {
        for row in &pairing.rows {
            let variant = &view.variants[row.variant];
            let seat = row.seat.as_ref().map(|seat| ("seat-score", "share", &seat.score));
            let cells = METRICS.iter().zip(&row.cells);
            let cells = cells.map(|(metric, cell)| (metric.key, metric.unit, cell)).chain(seat);
            for (key, unit, cell) in cells {
                let mut fields = vec![
                    pairing.name.clone(),
                    variant.name.clone(),
                    variant.fingerprint.clone(),
                    key.to_owned(),
                    unit.to_owned(),
                    number(cell.value),
                ];
                fields.extend(ends(cell.interval));
                fields.extend([
                    view.confidence.level().to_string(),
                    cell.n.to_string(),
                    cell.units.to_string(),
                    pairing.unit.name().to_owned(),
                    cell.method.name().to_owned(),
                    missing(cell),
                ]);
                table.push(&fields);
            }
        }
    }
    table.text()
}

fn comparisons(view: &View) -> String {
    let mut table = Table::new(&[
        "pairing",
        "variant",
        "against",
        "metric",
        "unit",
        "difference",
        "low",
        "high",
        "level",
        "p",
        "p_holm",
        "family",
        "paired",
        "n",
        "n_against",
        "correlation",
        "unit_of_observation",
        "method",
        "missing",
    ]);
    for pairing in &view.pairings {
        for contrast in &pairing.contrasts {
            let (paired, n, n_against) = match contrast.sample {
                Sample::Paired(n) => ("yes", n, n),
                Sample::Independent(this, first) => ("no", this, first),
            };
            let mut fields = vec![
                pairing.name.clone(),
                view.variants[contrast.variant].name.clone(),
                view.variants[0].name.clone(),
                contrast.metric.key.to_owned(),
                contrast.metric.unit.to_owned(),
                number(contrast.difference),
            ];
            fields.extend(ends(Some(contrast.interval)));
            fields.extend([
                view.confidence.level().to_string(),
                number(contrast.p),
                contrast.p_adjusted.map_or_else(String::new, |p| p.to_string()),
                pairing.family.to_string(),
                paired.to_owned(),
                n.to_string(),
                n_against.to_string(),
                contrast.correlation.map_or_else(String::new, number),
                pairing.unit.name().to_owned(),
                contrast.method.name().to_owned(),
                contrast.missing().map_or_else(String::new, |missing| missing.to_string()),
            ]);
            table.push(&fields);
        }
    }
    table.text()
}

fn distributions(view: &View) -> String {
    let mut table = Table::new(&["pairing", "variant", "of", "value", "count"]);
    for pairing in &view.pairings {
        for row in &pairing.rows {
            let variant = &view.variants[row.variant].name;
            let mut add = |of: &str, histogram: &Histogram| {
                for (value, count) in histogram.counts().iter().enumerate() {
                    if *count > 0 {
                        let (value, count) = (value.to_string(), count.to_string());
                        let fields = [pairing.name.clone(), variant.clone(), of.to_owned()];
                        table.push(&[fields.as_slice(), &[value, count]].concat());
                    }
                }
            };
            add("plies", &row.plies);
            add("branching", &row.branching);
        }
    }
    table.text()
}

fn rankings(view: &View) -> String {
    let mut table = Table::new(&["metric", "pairing", "variant", "value", "place"]);
    for ranking in &view.rankings {
        for (pairing, places) in view.pairings.iter().zip(&ranking.places) {
            for (row, place) in pairing.rows.iter().zip(places) {
                table.push(&[
                    ranking.metric.key.to_owned(),
                    pairing.name.clone(),
                    view.variants[row.variant].name.clone(),
                    number(row.cell(ranking.metric.key).value),
                    place.map_or_else(String::new, |place| place.to_string()),
                ]);
            }
        }
    }
    table.text()
}

fn ratings(view: &View) -> String {
    let mut table = Table::new(&[
        "variant",
        "player",
        "elo",
        "low",
        "high",
        "level",
        "place",
        "games",
        "tau_with_first_variant",
        "missing",
    ]);
    for (tournament, standing) in
        view.tournament.iter().flat_map(|all| all.standings.iter().map(move |one| (all, one)))
    {
        let change = tournament.orders.iter().find(|change| change.variant == standing.variant);
        for (player, name) in tournament.players.iter().enumerate() {
            let rated = standing.ratings.as_ref().map_err(|missing| *missing);
            let rating = rated.and_then(|rated| rated.players[player]);
            let interval = rating.and_then(|estimate| Ok(estimate.judgement?.interval));
            let place = rated.ok().and_then(|rated| rated.places[player]);
            let mut fields = vec![
                view.variants[standing.variant].name.clone(),
                name.clone(),
                number(rating.map(|estimate| estimate.value)),
            ];
            fields.extend(ends(Some(interval)));
            fields.extend([
                view.confidence.level().to_string(),
                place.map_or_else(String::new, |place| place.to_string()),
                standing.games.to_string(),
                change.map_or_else(String::new, |change| number(change.tau)),
                interval.err().map_or_else(String::new, |missing| missing.to_string()),
            ]);
            table.push(&fields);
        }
    }
    table.text()
}

fn cross_tables(view: &View) -> String {
    let mut table =
        Table::new(&["variant", "player", "against", "score", "low", "high", "level", "pairs"]);
    for (tournament, standing) in
        view.tournament.iter().flat_map(|all| all.standings.iter().map(move |one| (all, one)))
    {
        for (player, scores) in tournament.players.iter().zip(&standing.scores) {
            for (other, score) in tournament.players.iter().zip(scores) {
                let Some(score) = score else { continue };
                let variant = &view.variants[standing.variant].name;
                let mut fields = [variant, player, other].map(Clone::clone).to_vec();
                fields.push(number(score.value));
                fields.extend(ends(score.interval));
                fields.extend([view.confidence.level().to_string(), score.n.to_string()]);
                table.push(&fields);
            }
        }
    }
    table.text()
}

fn ladder(view: &View) -> String {
    let mut table = Table::new(&[
        "stronger",
        "weaker",
        "step",
        "steps",
        "variant",
        "score",
        "low",
        "high",
        "level",
        "pairs",
        "elo",
        "elo_low",
        "elo_high",
        "elo_per_step",
        "per_step_low",
        "per_step_high",
    ]);
    for rung in &view.ladder {
        for (variant, row) in view.variants.iter().zip(&rung.rows) {
            let mut fields = vec![
                rung.stronger.clone(),
                rung.weaker.clone(),
                rung.step.name().to_owned(),
                rung.steps.to_string(),
                variant.name.clone(),
                number(row.score.value),
            ];
            fields.extend(ends(row.score.interval));
            fields.extend([view.confidence.level().to_string(), row.score.n.to_string()]);
            for elo in [row.elo, row.elo_per_step] {
                fields.extend([
                    number(elo.and_then(|elo| elo.value)),
                    number(elo.and_then(|elo| elo.low)),
                    number(elo.and_then(|elo| elo.high)),
                ]);
            }
            table.push(&fields);
        }
    }
    table.text()
}

fn thinking(view: &View, found: &Thinking) -> String {
    let mut table = Table::new(&[
        "pairing",
        "player",
        "against",
        "variant",
        "games",
        "turns",
        "looked_at",
        "seconds",
        "clock",
    ]);
    for (pairing, spent) in view.pairings.iter().zip(&found.spent) {
        for (variant, both) in view.variants.iter().zip(spent) {
            for (seat, spent) in both.iter().enumerate().filter(|(_, spent)| spent.games > 0) {
                table.push(&[
                    pairing.name.clone(),
                    pairing.players[seat].clone(),
                    pairing.players[1 - seat].clone(),
                    variant.name.clone(),
                    spent.games.to_string(),
                    spent.turns.to_string(),
                    spent.looked_at.to_string(),
                    spent.time.as_secs_f64().to_string(),
                    found.clock.clone(),
                ]);
            }
        }
    }
    table.text()
}

fn relevance(view: &View) -> String {
    let mut table = Table::new(&[
        "pairing",
        "variant",
        "against",
        "of",
        "value",
        "low",
        "high",
        "level",
        "n",
        "units",
        "unit_of_observation",
        "method",
        "missing",
        "example_position",
        "example_only_against",
        "example_only_variant",
    ]);
    for row in &view.relevance {
        let pairing = &view.pairings[row.pairing];
        let head = [&pairing.name, &view.variants[row.variant].name];
        let head = head.map(Clone::clone);
        let against = view.variants[view.relevance_base].name.clone();
        let cells = match &row.found {
            Ok(cells) => cells,
            Err(reason) => {
                let mut fields = head.to_vec();
                fields.extend([against, "not-compared".to_owned()]);
                fields.extend(std::iter::repeat_n(String::new(), 8));
                fields.push(reason.to_string());
                fields.extend(std::iter::repeat_n(String::new(), 3));
                table.push(&fields);
                continue;
            }
        };
        let drawn = cells.example.as_ref().map(|drawn| &drawn.example);
        for (of, cell) in cells.named() {
            let mut fields = head.to_vec();
            fields.extend([against.clone(), of.to_owned(), number(cell.value)]);
            fields.extend(ends(cell.interval));
            fields.extend([
                view.confidence.level().to_string(),
                cell.n.to_string(),
                cell.units.to_string(),
                pairing.unit.name().to_owned(),
                cell.method.name().to_owned(),
                missing(cell),
            ]);
            let example = drawn.filter(|_| of == "positions");
            fields.extend(example.map_or_else(Default::default, |example| {
                let (base, other) = (&example.only_base.texts, &example.only_other.texts);
                [example.position.clone(), base.join(" "), other.join(" ")]
            }));
            table.push(&fields);
        }
    }
    table.text()
}

fn number(value: Known<f64>) -> String {
    value.map_or_else(|_| String::new(), |value| value.to_string())
}

fn ends(interval: Option<Known<Interval>>) -> [String; 2] {
    match interval {
        Some(Ok(interval)) => [interval.low().to_string(), interval.high().to_string()],
        Some(Err(_)) | None => [String::new(), String::new()],
    }
}

fn missing(cell: &Cell) -> String {
    let reason = cell.value.err().or(cell.interval.and_then(Result::err));
    reason.map_or_else(String::new, |missing| missing.to_string())
}

/// Rows of one length, quoted where needed.
struct Table(::csv::Writer<Vec<u8>>);

impl Table {
    fn new(heads: &[&str]) -> Self {
        let mut table = Self(::csv::Writer::from_writer(Vec::new()));
        table.push(&heads.iter().map(|head| (*head).to_owned()).collect::<Vec<_>>());
        table
    }

    fn push(&mut self, fields: &[String]) {
        let fields = fields.iter().map(|field| plain(field));
        self.0.write_record(fields).expect("rows of one length can be written to memory");
    }

    fn text(self) -> String {
        let bytes = self.0.into_inner().expect("memory takes all that is written");
        String::from_utf8(bytes).expect("fields that are text make text")
    }
}

/// A field that no spreadsheet takes for a formula: a text that begins like one has an apostrophe
/// before it. Numbers stay as they are.
fn plain(field: &str) -> String {
    let formula = field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
    if formula { format!("'{field}") } else { field.to_owned() }
}
