//! A report as JSON, in full precision. A number that does not exist is null, with its reason in
//! `missing`; never NaN.

mod designs;

use serde::Serialize;
use serde_json::{Value, json};

use super::cells::Cell;
use super::contrast::{Contrast, Sample};
use super::ladder::Rung;
use super::relevance::{DrawnExample, RelevanceCells, RelevanceRow};
use super::robust::{FlipBy, Ranking};
use super::tournament::{OrderChange, Standing, Tournament};
use super::view::{PairingView, Row, View};
use crate::stats::score::EloRange;
use crate::stats::{Estimate, Interval, Known};
use crate::study::metrics::METRICS;
use crate::study::relevance::OnlyUnderOne;
use crate::study::thinking::{Spent, Thinking};
use designs::{DesignJson, FindingJson, design_json, finding_json};

pub(super) use designs::basis;

/// The report as one JSON object, indented, with a line break at its end.
#[must_use]
pub fn json(view: &View) -> String {
    let report = Report {
        title: &view.title,
        plan_hash: &view.plan_hash,
        program: &view.program,
        study: &view.study_text,
        seed: view.seed,
        opening_plies: view.opening_plies,
        plies_max: view.plies_max,
        games_done: view.games_done,
        games_planned: view.games_planned,
        stop_when: view.stopping.as_ref().map(|stopping| stopping.rule.to_string()),
        games_spared: view.games_spared(),
        stopped_early: stopped_json(view),
        level: view.confidence.level(),
        findings: view.findings.iter().map(finding_json).collect(),
        designs: view.designs.iter().map(|design| design_json(view, design)).collect(),
        metrics: METRICS
            .iter()
            .map(|metric| Definition {
                key: metric.key,
                name: metric.name,
                unit: metric.unit,
                definition: metric.definition,
                source: Some(metric.source).filter(|source| !source.is_empty()),
            })
            .collect(),
        pairings: view.pairings.iter().map(|pairing| pairing_json(view, pairing)).collect(),
        rankings: view.rankings.iter().map(|ranking| ranking_json(view, ranking)).collect(),
        relevance: view.relevance.iter().map(|row| relevance_json(view, row)).collect(),
        tournament: view.tournament.as_ref().map(|found| tournament_json(view, found)),
        ladder: view.ladder.iter().map(|rung| rung_json(view, rung)).collect(),
        thinking: view.thinking.as_ref().map(|found| thinking_json(view, found)),
    };
    let mut text = serde_json::to_string_pretty(&report)
        .expect("texts, numbers and lists can be written as JSON");
    text.push('\n');
    text
}

/// A variant and pairing on which play stopped before the last opening.
#[derive(Serialize)]
struct StoppedJson<'a> {
    variant: &'a str,
    pairing: &'a str,
    openings: u32,
    games_spared: u64,
}

fn stopped_json(view: &View) -> Vec<StoppedJson<'_>> {
    let plays = view.stopping.iter().flat_map(|stopping| &stopping.plays);
    plays
        .map(|play| StoppedJson {
            variant: &view.variants[play.variant as usize].name,
            pairing: &view.pairings[play.pairing as usize].name,
            openings: play.openings,
            games_spared: play.games_spared,
        })
        .collect()
}

/// Games without an end, by what cut them.
#[derive(Serialize)]
struct UnfinishedJson {
    ply_cap: u64,
    too_many_turns: u64,
}

#[derive(Serialize)]
struct Report<'a> {
    title: &'a str,
    plan_hash: &'a str,
    program: &'a str,
    study: &'a str,
    seed: u64,
    opening_plies: u32,
    plies_max: u32,
    games_done: u64,
    games_planned: u64,
    stop_when: Option<String>,
    games_spared: u64,
    stopped_early: Vec<StoppedJson<'a>>,
    level: f64,
    findings: Vec<FindingJson<'a>>,
    designs: Vec<DesignJson<'a>>,
    metrics: Vec<Definition>,
    pairings: Vec<PairingJson<'a>>,
    rankings: Vec<RankingJson<'a>>,
    relevance: Vec<RelevanceJson<'a>>,
    tournament: Option<Value>,
    ladder: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Value>,
}

/// How often the turns of a variant differ from those of `against`.
#[derive(Serialize)]
struct RelevanceJson<'a> {
    pairing: &'a str,
    variant: &'a str,
    against: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_compared: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<Value>,
}

#[derive(Serialize)]
struct Definition {
    key: &'static str,
    name: &'static str,
    unit: &'static str,
    definition: &'static str,
    source: Option<&'static str>,
}

#[derive(Serialize)]
struct PairingJson<'a> {
    name: &'a str,
    players: &'a [String; 2],
    unit: &'static str,
    warnings: &'a [String],
    variants: Vec<RowJson<'a>>,
    against: Option<&'a str>,
    correction: &'static str,
    family: usize,
    comparisons: Vec<ContrastJson<'a>>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    name: &'a str,
    fingerprint: &'a str,
    openings: u64,
    units: u64,
    openings_incomplete: u64,
    unfinished: UnfinishedJson,
    metrics: Vec<CellJson>,
    king_counted: f64,
    seat: Option<SeatJson<'a>>,
    plies: &'a [u64],
    branching: &'a [u64],
}

#[derive(Serialize)]
struct CellJson {
    metric: &'static str,
    value: Option<f64>,
    interval: Option<[f64; 2]>,
    n: u64,
    units: u64,
    method: &'static str,
    missing: Option<String>,
}

#[derive(Serialize)]
struct SeatJson<'a> {
    pairs: &'a [u64; 5],
    score: CellJson,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
}

#[derive(Serialize)]
struct ContrastJson<'a> {
    variant: &'a str,
    metric: &'static str,
    difference: Option<f64>,
    interval: Option<[f64; 2]>,
    p: Option<f64>,
    p_adjusted: Option<f64>,
    paired: bool,
    n: u64,
    n_against: u64,
    correlation: Option<f64>,
    method: &'static str,
    missing: Option<String>,
}

#[derive(Serialize)]
struct RankingJson<'a> {
    metric: &'static str,
    /// By pairing and variant, in their order.
    places: &'a [Vec<Option<usize>>],
    flips: Vec<FlipJson<'a>>,
    signs_unsure: usize,
}

#[derive(Serialize)]
struct FlipJson<'a> {
    above: &'a str,
    below: &'a str,
    under: &'a str,
    reversed_under: &'a str,
    by: &'static str,
}

fn tournament_json(view: &View, tournament: &Tournament) -> Value {
    let estimate = |rating: Known<Estimate>| {
        let interval = rating.and_then(|estimate| Ok(estimate.judgement?.interval));
        json!({
            "elo": rating.ok().map(|estimate| estimate.value),
            "interval": ends(Some(interval)),
            "missing": interval.err().map(|missing| missing.to_string()),
        })
    };
    let standing = |standing: &Standing| {
        let rated = standing.ratings.as_ref();
        let scores = standing.scores.iter().map(|row| -> Vec<Option<CellJson>> {
            let cell = |score: &Option<Cell>| score.as_ref().map(|one| cell_json("score", one));
            row.iter().map(cell).collect()
        });
        json!({
            "variant": view.variants[standing.variant].name,
            "games": standing.games,
            "ratings": rated.ok().map(|rated| -> Vec<Value> {
                rated.players.iter().map(|rating| estimate(*rating)).collect()
            }),
            "places": rated.ok().map(|rated| &rated.places),
            "first_move": rated.ok().map(|rated| estimate(rated.first_move)),
            "missing": rated.err().map(ToString::to_string),
            "scores": scores.collect::<Vec<_>>(),
        })
    };
    let change = |change: &OrderChange| {
        let flips = change.flips.iter().map(|flip| flip.map(|player| &tournament.players[player]));
        json!({
            "variant": view.variants[change.variant].name,
            "players": change.players,
            "tau": change.tau.ok(),
            "flips": flips.collect::<Vec<_>>(),
            "unsure": change.unsure,
        })
    };
    json!({
        "model": "Bradley-Terry with draws (Davidson) and first move, mean 0",
        "players": tournament.players,
        "standings": tournament.standings.iter().map(standing).collect::<Vec<_>>(),
        "orders": tournament.orders.iter().map(change).collect::<Vec<_>>(),
        "family": tournament.family,
    })
}

fn rung_json(view: &View, rung: &Rung) -> Value {
    let range = |elo: Known<EloRange>| {
        let elo = elo.ok();
        json!({
            "value": elo.and_then(|elo| elo.value.ok()),
            "low": elo.and_then(|elo| elo.low.ok()),
            "high": elo.and_then(|elo| elo.high.ok()),
        })
    };
    let rows = view.variants.iter().zip(&rung.rows).map(|(variant, row)| {
        json!({
            "variant": variant.name,
            "score": cell_json("score", &row.score),
            "elo": range(row.elo),
            "elo_per_step": range(row.elo_per_step),
        })
    });
    json!({
        "pairing": view.pairings[rung.pairing].name,
        "stronger": rung.stronger,
        "weaker": rung.weaker,
        "step": rung.step.name(),
        "steps": rung.steps,
        "variants": rows.collect::<Vec<_>>(),
    })
}

fn thinking_json(view: &View, found: &Thinking) -> Value {
    let player_json = |pairing: &PairingView, variant: usize, seat: usize, spent: &Spent| {
        json!({
            "pairing": pairing.name,
            "player": pairing.players[seat],
            "variant": view.variants[variant].name,
            "games": spent.games,
            "turns": spent.turns,
            "looked_at": spent.looked_at,
            "seconds": spent.time.as_secs_f64(),
        })
    };
    let mut players = Vec::new();
    for (pairing, variants) in view.pairings.iter().zip(&found.spent) {
        for (variant, both) in variants.iter().enumerate() {
            let seats = both.iter().enumerate().filter(|(_, spent)| spent.games > 0);
            players.extend(seats.map(|(seat, spent)| player_json(pairing, variant, seat, spent)));
        }
    }
    json!({ "openings": found.openings, "clock": found.clock, "players": players })
}

fn relevance_json<'a>(view: &'a View, row: &RelevanceRow) -> RelevanceJson<'a> {
    RelevanceJson {
        pairing: &view.pairings[row.pairing].name,
        variant: &view.variants[row.variant].name,
        against: &view.variants[view.relevance_base].name,
        not_compared: row.found.as_ref().err().map(ToString::to_string),
        found: row.found.as_ref().ok().map(relevance_value),
    }
}

/// How often the legal turns of two rulesets differ, as a JSON object: each number as a cell of a
/// report, and an example.
#[must_use]
pub fn relevance_value(cells: &RelevanceCells) -> Value {
    let numbers: Vec<CellJson> =
        cells.named().into_iter().map(|(name, cell)| cell_json(name, cell)).collect();
    let only = |only: &OnlyUnderOne| json!({ "count": only.count, "turns": only.texts });
    json!({
        "turns_alike": cells.turns_alike,
        "units_repeated": cells.units_repeated,
        "numbers": numbers,
        "example": cells.example.as_ref().map(|DrawnExample { example, .. }| json!({
            "opening": example.key.opening,
            "ply": example.ply,
            "position": example.position,
            "both": example.both,
            "only_base": only(&example.only_base),
            "only_other": only(&example.only_other),
        })),
    })
}

fn ranking_json<'a>(view: &'a View, ranking: &'a Ranking) -> RankingJson<'a> {
    let flips = ranking.flips.iter().map(|flip| {
        let [above, below] = flip.variants.map(|number| view.variants[number].name.as_str());
        let [under, reversed_under] =
            flip.pairings.map(|number| view.pairings[number].name.as_str());
        let by = match flip.by {
            FlipBy::Sign => "sign",
            FlipBy::Order => "order",
        };
        FlipJson { above, below, under, reversed_under, by }
    });
    RankingJson {
        metric: ranking.metric.key,
        places: &ranking.places,
        flips: flips.collect(),
        signs_unsure: ranking.signs_unsure,
    }
}

fn pairing_json<'a>(view: &'a View, pairing: &'a PairingView) -> PairingJson<'a> {
    PairingJson {
        name: &pairing.name,
        players: &pairing.players,
        unit: pairing.unit.name(),
        warnings: &pairing.warnings,
        variants: pairing.rows.iter().map(|row| row_json(view, row)).collect(),
        against: view.variants.first().map(|first| first.name.as_str()),
        correction: "Holm",
        family: pairing.family,
        comparisons: pairing.contrasts.iter().map(|c| contrast_json(view, c)).collect(),
    }
}

fn row_json<'a>(view: &'a View, row: &'a Row) -> RowJson<'a> {
    let variant = &view.variants[row.variant];
    let cells = METRICS.iter().zip(&row.cells);
    RowJson {
        name: &variant.name,
        fingerprint: &variant.fingerprint,
        openings: row.openings,
        units: row.units,
        openings_incomplete: row.openings_incomplete,
        unfinished: UnfinishedJson {
            ply_cap: row.unfinished.capped,
            too_many_turns: row.unfinished.given_up,
        },
        metrics: cells.map(|(metric, cell)| cell_json(metric.key, cell)).collect(),
        king_counted: f64::from(row.king_value.0) / 1000.0,
        seat: row.seat.as_ref().map(|seat| {
            let elo = seat.elo.ok();
            SeatJson {
                pairs: &seat.pairs,
                score: cell_json("seat-score", &seat.score),
                elo: elo.and_then(|elo| elo.value.ok()),
                elo_low: elo.and_then(|elo| elo.low.ok()),
                elo_high: elo.and_then(|elo| elo.high.ok()),
            }
        }),
        plies: row.plies.counts(),
        branching: row.branching.counts(),
    }
}

fn cell_json(metric: &'static str, cell: &Cell) -> CellJson {
    let missing = cell.value.err().or(cell.interval.and_then(Result::err));
    CellJson {
        metric,
        value: cell.value.ok(),
        interval: ends(cell.interval),
        n: cell.n,
        units: cell.units,
        method: cell.method.name(),
        missing: missing.map(|missing| missing.to_string()),
    }
}

fn contrast_json<'a>(view: &'a View, contrast: &Contrast) -> ContrastJson<'a> {
    let (paired, n, n_against) = match contrast.sample {
        Sample::Paired(n) => (true, n, n),
        Sample::Independent(this, first) => (false, this, first),
    };
    ContrastJson {
        variant: &view.variants[contrast.variant].name,
        metric: contrast.metric.key,
        difference: contrast.difference.ok(),
        interval: ends(Some(contrast.interval)),
        p: contrast.p.ok(),
        p_adjusted: contrast.p_adjusted,
        paired,
        n,
        n_against,
        correlation: contrast.correlation.and_then(Result::ok),
        method: contrast.method.name(),
        missing: contrast.missing().map(|missing| missing.to_string()),
    }
}

fn ends(interval: Option<Known<Interval>>) -> Option<[f64; 2]> {
    let interval = interval?.ok()?;
    Some([interval.low(), interval.high()])
}
