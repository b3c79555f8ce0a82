//! All numbers of a stored run, computed once. Every format is written from this and nothing else.

use std::collections::BTreeMap;

use super::cells::{Cell, Method, cell};
use super::contrast::{Contrast, adjust, contrasts};
use super::effects::{self, DesignView, Gathered, PairingEffects};
use super::findings::{Finding, findings};
use super::ladder::{Rung, ladder};
use super::relevance::{RelevanceRow, relevance_rows};
use super::robust::{Ranking, rankings};
use super::stopped::{Stopped, Watched};
use super::tournament::{Games, Tournament, tournament};
use super::unfinished::Unfinished;
use crate::player::PlayerSpec;
use crate::stats::histogram::Histogram;
use crate::stats::interval::Share;
use crate::stats::score::{EloRange, Pentanomial};
use crate::stats::{Confidence, Known};
use crate::study::design::{Design, DesignKind};
use crate::study::metrics::{
    Distribution, KingValue, METRICS, MeasureError, Measured, Options, measure,
};
use crate::study::thinking::Thinking;
use crate::study::{Pairing, Plan, Store, stopped_play};

/// The numbers of a stored run.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The study's title, without control characters.
    pub title: String,
    /// The hash of the plan, in hexadecimal digits.
    pub plan_hash: String,
    /// Name and version of the program that played.
    pub program: String,
    /// The text of the study file.
    pub study_text: String,
    /// The seed.
    pub seed: u64,
    /// Random plies at the start of each game.
    pub opening_plies: u32,
    /// The ply cap.
    pub plies_max: u32,
    /// Games in the store.
    pub games_done: u64,
    /// Games of the plan.
    pub games_planned: u64,
    /// The level of all intervals.
    pub confidence: Confidence,
    /// The variants, in the order of the study.
    pub variants: Vec<VariantId>,
    /// The pairings, in the order of the study.
    pub pairings: Vec<PairingView>,
    /// The rule to stop early, if the study has one.
    pub stopping: Option<Stopped>,
    /// Whether the answer depends on the pairing; empty with one pairing or one variant.
    pub rankings: Vec<Ranking>,
    /// What was varied, and the effects of that.
    pub designs: Vec<DesignView>,
    /// What the designs say, in sentences; none without a design.
    pub findings: Vec<Finding>,
    /// The results of several players against each other; nothing unless three or more met.
    pub tournament: Option<Tournament>,
    /// Players against weaker ones of their kind.
    pub ladder: Vec<Rung>,
    /// How often each variant's legal turns differ from those of [`Self::relevance_base`]; empty
    /// with one variant.
    pub relevance: Vec<RelevanceRow>,
    /// The number of the variant whose games the turns are compared in.
    pub relevance_base: usize,
    /// How long the players think, where somebody has measured that; [`view`] does not.
    pub thinking: Option<Thinking>,
}

impl View {
    /// Games that its rule to stop early has spared.
    #[must_use]
    pub fn games_spared(&self) -> u64 {
        self.stopping.as_ref().map_or(0, Stopped::games_spared)
    }
}

/// Which variant a row is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantId {
    /// Its name, without control characters.
    pub name: String,
    /// The fingerprint of its rules.
    pub fingerprint: String,
}

/// The unit of observation of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// One game of a player against itself.
    Game,
    /// Two games of two players from one opening, with sides swapped.
    Pair,
}

impl Unit {
    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Pair => "pair",
        }
    }
}

/// The numbers of one pairing.
#[derive(Clone, Debug, PartialEq)]
pub struct PairingView {
    /// The name: `random`, or `random - greedy`.
    pub name: String,
    /// The player in the first and in the second seat.
    pub players: [String; 2],
    /// The unit of observation.
    pub unit: Unit,
    /// One row a variant, in the order of the study.
    pub rows: Vec<Row>,
    /// Every variant that is in no design, against the first.
    pub contrasts: Vec<Contrast>,
    /// How many p were adjusted together.
    pub family: usize,
    /// What a reader must know before believing the numbers, in sentences.
    pub warnings: Vec<String>,
}

/// The numbers of one variant in one pairing, over units that differ from each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The variant's number in the study.
    pub variant: usize,
    /// Openings played to the end of all their games.
    pub openings: u64,
    /// Units that differ from each other; all numbers are over these.
    pub units: u64,
    /// Openings of which a game is still missing.
    pub openings_incomplete: u64,
    /// Games without an end, by what cut them.
    pub unfinished: Unfinished,
    /// One number for each of [`METRICS`], in their order.
    pub cells: Vec<Cell>,
    /// How the player in the first seat scores, between two different players.
    pub seat: Option<SeatScore>,
    /// What a king counted where material was compared: as learned for the rules, else three men.
    pub king_value: KingValue,
    /// Plies of finished games.
    pub plies: Histogram,
    /// Legal turns of positions in which a turn was played.
    pub branching: Histogram,
}

/// The score of the player in the first seat against the other, over pairs of finished games.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatScore {
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points for the first seat.
    pub pairs: [u64; 5],
    /// The score, as a share.
    pub score: Cell,
    /// The same as logistic Elo, with the ends of its interval.
    pub elo: Known<EloRange>,
}

impl Row {
    /// The number of a metric.
    ///
    /// # Panics
    /// When the catalog has no metric of this key, which is a fault of the program.
    #[must_use]
    pub fn cell(&self, key: &str) -> &Cell {
        &self.cells[place(key)]
    }

    /// The same, to be changed.
    pub(super) fn cell_mut(&mut self, key: &str) -> &mut Cell {
        &mut self.cells[place(key)]
    }

    /// Units that differ, as a share of those played.
    ///
    /// # Errors
    /// When nothing was played.
    pub fn distinct(&self) -> Known<f64> {
        Share { count: self.units, n: self.openings }.value()
    }
}

/// The place of a metric in the catalog.
fn place(key: &str) -> usize {
    let place = METRICS.iter().position(|metric| metric.key == key);
    place.unwrap_or_else(|| panic!("there is no metric `{key}`"))
}

/// The least share of distinct units that raises no warning.
const DISTINCT_MIN: f64 = 0.95;
/// The largest share of unfinished games that raises no warning.
const UNFINISHED_MAX: f64 = 0.05;

/// Measures the games of a store, on the threads of the current rayon pool; the numbers do not
/// depend on how many those are.
///
/// # Errors
/// When the store cannot be read or holds a game that does not fit its rules.
pub fn view(store: &Store) -> Result<View, MeasureError> {
    let (plan, confidence) = (store.plan(), Confidence::P95);
    let variants = plan.variants.iter().map(|variant| VariantId {
        name: clean(&variant.name),
        fingerprint: variant.fingerprint.to_string(),
    });
    let variants: Vec<VariantId> = variants.collect();
    let mut games = Games::default();
    let base = base_of(plan);
    let pairings = (0..).zip(&plan.pairings).map(|(number, pairing)| {
        pairing_view(store, number, pairing, &variants, confidence, &mut games)
    });
    let pairings: Vec<(PairingView, Vec<PairingEffects>)> = pairings.collect::<Result<_, _>>()?;
    let (pairings, effects): (Vec<_>, Vec<_>) = pairings.into_iter().unzip();
    let done = store.done()?;
    let plays = stopped_play(store, &done)?;
    let mut view = View {
        title: clean(&plan.title),
        plan_hash: plan.hash().to_string(),
        program: store.about().created_by.clone(),
        study_text: store.about().study_text.clone(),
        seed: plan.seed,
        opening_plies: plan.opening_plies,
        plies_max: plan.plies_max,
        games_done: done.count(),
        games_planned: plan.games_total(),
        confidence,
        stopping: plan.stopping.map(|rule| Stopped { rule, plays }),
        rankings: rankings(&pairings),
        tournament: tournament(&games, &pairings, variants.len(), confidence),
        ladder: ladder(&pairings, &plan.pairings),
        relevance: relevance_rows(store, base, confidence)?,
        relevance_base: base as usize,
        designs: effects::designs(&plan.designs, &effects),
        findings: Vec::new(),
        thinking: None,
        pairings,
        variants,
    };
    view.findings = findings(&view);
    Ok(view)
}

/// The base of the first design that plays it, else the first variant.
fn base_of(plan: &Plan) -> u32 {
    let plays_base = |design: &&Design| match design.kind {
        DesignKind::OneAtATime | DesignKind::Full | DesignKind::Sample { .. } => true,
        DesignKind::Fractional { .. } => false,
    };
    let design = plan.designs.iter().find(plays_base);
    design.and_then(|design| design.runs.first()).map_or(0, |run| run.variant)
}

fn pairing_view(
    store: &Store,
    number: u32,
    pairing: &Pairing,
    variants: &[VariantId],
    confidence: Confidence,
    games: &mut Games,
) -> Result<(PairingView, Vec<PairingEffects>), MeasureError> {
    let unit = if pairing.is_self() { Unit::Game } else { Unit::Pair };
    let players = pairing.players.each_ref().map(ToString::to_string);
    let plan = store.plan();
    let king_value = |variant: u32| KingValue::of(&plan.variants[variant as usize]);
    let measured_of = |variant: u32| {
        let king_value = king_value(variant);
        let options = Options { king_value, keep_units: true, ..Options::default() };
        measure(store, variant, number, options)
    };
    // Those that others are compared with are measured first and kept.
    let mut kept: BTreeMap<u32, Measured> = BTreeMap::new();
    if !variants.is_empty() {
        for variant in Gathered::bases(&plan.designs).chain(std::iter::once(0)) {
            kept.insert(variant, measured_of(variant)?);
        }
    }
    let units_of = kept.iter().map(|(&base, measured)| (base, measured.units.as_slice()));
    let mut gathered = Gathered::new(&plan.designs, units_of.collect());
    let (mut rows, mut differences) = (Vec::new(), Vec::new());
    for (variant, id) in (0..).zip(0..variants.len()) {
        let new;
        let measured = match kept.get(&variant) {
            Some(measured) => measured,
            None => {
                new = measured_of(variant)?;
                &new
            }
        };
        if unit == Unit::Pair {
            let first = plan.variants[id].ruleset.setup.first;
            games.add(id, number, &players, first, measured);
        }
        let king_value = king_value(variant);
        rows.push(Row { king_value, ..row(id, measured, unit, confidence) });
        let in_design = gathered.add(variant, &measured.units, confidence);
        if !in_design && id > 0 {
            differences.extend(contrasts(id, &measured.units, &kept[&0].units, confidence));
        }
    }
    let watched = Watched::of(plan, pairing, &rows);
    if let Some(watched) = &watched {
        watched.govern_cells(&mut rows);
        for contrast in &mut differences {
            watched.govern_contrast(contrast, &rows, 0, confidence);
        }
    }
    let family = adjust(&mut differences);
    let learned: Vec<bool> = plan.variants.iter().map(|v| v.weights.is_some()).collect();
    let wanted = pairing.players.iter().any(PlayerSpec::wants_learned);
    let learned = wanted.then_some(learned.as_slice());
    let mut effects = gathered.effects(&rows, watched.as_ref(), learned, confidence);
    for (design, effects) in plan.designs.iter().zip(&mut effects) {
        effects.warnings.extend(unfinished_of(design, &rows, variants));
    }
    let warnings = rows.iter().flat_map(|row| warnings(row, &variants[row.variant].name, unit));
    let view = PairingView {
        name: clean(&pairing.to_string()),
        players,
        unit,
        warnings: warnings.collect(),
        rows,
        contrasts: differences,
        family,
    };
    Ok((view, effects))
}

fn row(variant: usize, measured: &Measured, unit: Unit, confidence: Confidence) -> Row {
    let tally = &measured.tally;
    let seat = match unit {
        Unit::Game => None,
        Unit::Pair => {
            Some(seat_score(tally.distribution(Distribution::PairHalfPoints), confidence))
        }
    };
    Row {
        variant,
        openings: tally.units() + tally.units_repeated(),
        units: tally.units(),
        openings_incomplete: measured.openings_incomplete,
        unfinished: Unfinished::of(&measured.tally),
        cells: METRICS.iter().map(|metric| cell(metric, measured, unit, confidence)).collect(),
        seat,
        king_value: KingValue::default(),
        plies: tally.distribution(Distribution::Plies).clone(),
        branching: tally.distribution(Distribution::Branching).clone(),
    }
}

fn seat_score(half_points: &Histogram, confidence: Confidence) -> SeatScore {
    let mut pairs = [0; 5];
    for (pair, count) in pairs.iter_mut().zip(half_points.counts()) {
        *pair = *count;
    }
    let pentanomial = Pentanomial { pairs };
    let score = pentanomial.score();
    let n = pentanomial.n();
    SeatScore {
        pairs,
        score: Cell {
            value: score.map(|score| score.value),
            interval: Some(score.and_then(|score| score.interval(confidence))),
            n,
            units: n,
            method: Method::Score,
        },
        elo: score.map(|score| score.elo(confidence)),
    }
}

fn warnings(row: &Row, name: &str, unit: Unit) -> Vec<String> {
    let mut lines = Vec::new();
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    if row.openings == 0 {
        lines.push(format!("`{name}`: no games yet"));
        return lines;
    }
    if let Some(share) = row.distinct().ok().filter(|share| *share < DISTINCT_MIN) {
        let what = match unit {
            Unit::Game => "games",
            Unit::Pair => "pairs",
        };
        lines.push(format!(
            "`{name}`: only {} of the {what} differ from each other ({} of {}); copies are counted \
             once, and more openings or players that vary would tell more",
            percent(share),
            row.units,
            row.openings
        ));
    }
    let unfinished = row.cell("unfinished").value.ok();
    if let Some(share) = unfinished.filter(|share| *share > UNFINISHED_MAX) {
        lines.push(format!(
            "`{name}`: {} of the games {} and have no result; scores, draws and lengths are those \
             of the other games{}",
            percent(share),
            row.unfinished.words(),
            bounds(row, share)
        ));
    }
    lines
}

/// What the unfinished games could make of the score and the draws: whatever they were worth.
fn bounds(row: &Row, unfinished: f64) -> String {
    let [score, draws] = ["first-player-score", "draws"].map(|key| row.cell(key).value);
    let (Ok(score), Ok(draws)) = (score, draws) else { return String::new() };
    let finished = 1.0 - unfinished;
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let between = |share: f64| {
        format!("{} and {} %", percent(share * finished), percent(share * finished + unfinished))
    };
    format!(
        "; over all games the score lies between {} whatever the others are worth (at {} % if all \
         are draws), and the share of draws between {}",
        between(score),
        percent(score * finished + unfinished / 2.0),
        between(draws)
    )
}

/// Readings whose effects are those of the games that end, told once for each design.
fn unfinished_of(design: &Design, rows: &[Row], variants: &[VariantId]) -> Option<String> {
    let all = design.variants();
    let share = |&variant: &u32| {
        let share = rows[variant as usize].cell("unfinished").value.ok()?;
        Some((share, variant as usize)).filter(|_| share > UNFINISHED_MAX)
    };
    let many: Vec<(f64, usize)> = all.iter().filter_map(share).collect();
    let (most, variant) = many.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!(
        "{} of {} rulesets {} more than {:.0} % of {} games unfinished, the most `{}` with {:.1} %: \
         effects on the score, on draws and on the length are those over the games that end, and \
         these may differ from the others",
        many.len(),
        all.len(),
        if many.len() == 1 { "leaves" } else { "leave" },
        100.0 * UNFINISHED_MAX,
        if many.len() == 1 { "its" } else { "their" },
        variants[variant].name,
        100.0 * most
    ))
}

/// A name without control characters, which a terminal might obey, and without marks that turn the
/// direction of what is written after it.
pub(super) fn clean(name: &str) -> String {
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    name.chars().map(|c| if c.is_control() || turns(c) { ' ' } else { c }).collect()
}
