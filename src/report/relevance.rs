//! How often each open question comes up, judged: shares with intervals clustered by unit, and an
//! example drawn. Counts nothing itself.

use super::cells::{Cell, Method, median_cell, share_cell};
use super::number::{NONE, Style, count};
use super::view::Unit;
use crate::notation::{Diagram, Marks, parse_position};
use crate::rules::BoardRules;
use crate::stats::Confidence;
use crate::study::metrics::MeasureError;
use crate::study::relevance::{Example, Incomparable, OnlyUnderOne, Relevance, of_stored};
use crate::study::{Plan, Store};

/// One variant against the base, in the games of one pairing under the base.
#[derive(Clone, Debug, PartialEq)]
pub struct RelevanceRow {
    /// The pairing's number in the study.
    pub pairing: usize,
    /// The variant's number in the study.
    pub variant: usize,
    /// The numbers, or why the variant cannot be compared turn by turn.
    pub found: Result<RelevanceCells, Incomparable>,
}

/// How often the legal turns of two rulesets differ, and how often their ends do.
#[derive(Clone, Debug, PartialEq)]
pub struct RelevanceCells {
    /// Whether the rulesets differ in nothing but ends and draws, so that no turn can.
    pub turns_alike: bool,
    /// Units with the turns of another one, left out.
    pub units_repeated: u64,
    /// Share of positions in which the turns differ.
    pub positions: Cell,
    /// Share of games with such a position.
    pub games: Cell,
    /// Median ply, from 1, of the first such position, over the games that have one.
    pub first_ply: Cell,
    /// Share of games that the same turns end elsewhere, or with another winner.
    pub endings: Cell,
    /// Median number of plies after which the ends first differ, over those games.
    pub first_ending: Cell,
    /// A position in which the turns differ.
    pub example: Option<DrawnExample>,
}

/// A position in which the turns of two rulesets differ, with its diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnExample {
    /// The position and the turns.
    pub example: Example,
    /// The board, in lines.
    pub drawing: String,
}

/// The rows of a stored run: each variant against `base`, for each pairing; none for one variant.
///
/// # Errors
/// When the store cannot be read or holds a game that does not fit its rules.
pub(super) fn relevance_rows(
    store: &Store,
    base: u32,
    confidence: Confidence,
) -> Result<Vec<RelevanceRow>, MeasureError> {
    let plan: &Plan = store.plan();
    let mut rows = Vec::new();
    if plan.variants.len() < 2 {
        return Ok(rows);
    }
    let board = &plan.variants[base as usize].ruleset.board;
    for (number, (pairing, planned)) in (0..).zip(plan.pairings.iter().enumerate()) {
        let unit = if planned.is_self() { Unit::Game } else { Unit::Pair };
        let found = of_stored(store, base, number)?.into_iter().enumerate();
        rows.extend(found.filter_map(|(variant, found)| {
            let found = found?.map(|counts| relevance_cells(&counts, board, unit, confidence));
            Some(RelevanceRow { pairing, variant, found })
        }));
    }
    Ok(rows)
}

/// The counts, judged; `board` is the base's.
#[must_use]
pub fn relevance_cells(
    counts: &Relevance,
    board: &BoardRules,
    unit: Unit,
    confidence: Confidence,
) -> RelevanceCells {
    let turns = |cell: Cell| {
        // What cannot be otherwise needs no interval.
        let certain = Cell { interval: None, method: Method::Descriptive, ..cell };
        if counts.turns_alike { certain } else { cell }
    };
    RelevanceCells {
        turns_alike: counts.turns_alike,
        units_repeated: counts.units_repeated,
        positions: turns(share_cell(&counts.positions, confidence)),
        games: turns(share_cell(&counts.games, confidence)),
        first_ply: median_cell(&counts.first_ply, unit, confidence),
        endings: share_cell(&counts.endings, confidence),
        first_ending: median_cell(&counts.first_ending, unit, confidence),
        example: counts.example.as_ref().map(|example| DrawnExample {
            example: example.clone(),
            drawing: drawing(&example.position, board, Marks::Unicode),
        }),
    }
}

/// The board of a position that [`crate::notation::print_position`] wrote.
fn drawing(position: &str, board: &BoardRules, marks: Marks) -> String {
    parse_position(position, board).map_or_else(
        |_| position.to_owned(),
        |(_, placement)| Diagram { board, marks }.draw(&placement, &[]),
    )
}

impl DrawnExample {
    /// Where it came up and which turns are legal under one ruleset alone, in lines.
    #[must_use]
    pub fn lines(&self, base: &str, other: &str) -> Vec<String> {
        let Example { ply, both, only_base, only_other, position, .. } = &self.example;
        let side = if position.starts_with('B') { "black" } else { "white" };
        vec![
            format!("ply {ply}, {side} to move: {position}"),
            format!("legal under {base} alone: {}", only_text(only_base)),
            format!("legal under {other} alone: {}", only_text(only_other)),
            format!("legal under both: {}", count(*both as u64)),
        ]
    }
}

fn only_text(only: &OnlyUnderOne) -> String {
    let more = only.count - only.texts.len();
    match (only.count, more) {
        (0, _) => "none".to_owned(),
        (_, 0) => only.texts.join(", "),
        (_, more) => format!("{} and {more} more", only.texts.join(", ")),
    }
}

impl RelevanceCells {
    /// Each number by its name in files.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, &Cell); 5] {
        [
            ("positions", &self.positions),
            ("games", &self.games),
            ("first-ply", &self.first_ply),
            ("endings", &self.endings),
            ("first-ending", &self.first_ending),
        ]
    }

    /// The numbers and the example as lines for a person.
    #[must_use]
    pub fn text(&self, base: &str, other: &str) -> String {
        let mut text = String::new();
        let mut line = |name: &str, style: Style, cell: &Cell, of: &str| {
            let value = match cell.interval {
                Some(interval) => style.with_interval(cell.value, interval),
                None => style.value(cell.value),
            };
            let percent = if style == Style::PERCENT && value != NONE { " %" } else { "" };
            text.push_str(&format!("  {name:<36} {value}{percent}, of {} {of}\n", count(cell.n)));
        };
        let percent = Style::PERCENT;
        line("positions with other legal turns", percent, &self.positions, "positions");
        line("games with such a position", percent, &self.games, "games");
        if self.first_ply.n > 0 {
            line("first such ply, median", Style::PLIES, &self.first_ply, "games that have one");
        }
        line("games that end otherwise", percent, &self.endings, "games");
        if self.first_ending.n > 0 {
            let of = "games that end otherwise";
            line("plies until then, median", Style::PLIES, &self.first_ending, of);
        }
        let never = self.games.n.saturating_sub(self.first_ply.n);
        text.push_str(&format!("  games without other legal turns      {}\n", count(never)));
        if self.turns_alike {
            text.push_str(&format!(
                "no turn can differ: {base} and {other} differ in ends and draws alone\n"
            ));
        }
        if let Some(drawn) = &self.example {
            text.push_str(
                "an example, the one with the fewest pieces among the first of each game:\n",
            );
            text.push_str(&drawn.drawing);
            for line in drawn.lines(base, other) {
                text.push_str(&format!("  {line}\n"));
            }
        }
        text
    }
}
