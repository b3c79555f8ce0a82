//! The section about how often each open question comes up. Computes nothing.

use super::{
    Drawing, Picture, Reasons, Section, Style, Table, TableCell, TableRow, judged, level, whole,
};
use crate::report::cells::Cell;
use crate::report::relevance::{RelevanceCells, RelevanceRow};
use crate::report::view::{PairingView, Unit, View};

/// The most examples that are drawn.
const DRAWN_MAX: usize = 8;

/// How often the legal turns of the variants differ from the base's; nothing with one variant.
pub(super) fn section(view: &View) -> Option<Section> {
    let base = view.variants.get(view.relevance_base)?;
    if view.relevance.is_empty() {
        return None;
    }
    let of_pairing = |number: usize| -> Vec<&RelevanceRow> {
        view.relevance.iter().filter(|row| row.pairing == number).collect()
    };
    let tables = view.pairings.iter().enumerate().flat_map(|(number, pairing)| {
        let rows = of_pairing(number);
        [turns_table(view, pairing, &rows), endings_table(view, pairing, &rows)]
    });
    Some(Section {
        heading: "How often the questions come up".to_owned(),
        intro: format!(
            "The first games of {} in each pairing, replayed; in every position in which a turn was \
             played the legal turns of each other variant are listed too. Turns are equal that \
             begin and end on the same squares, take the same pieces and leave a piece of the same \
             kind. Rules of draws and ends change no turn: for them the same turns are judged by \
             the other variant's rules, and a game ends otherwise where one variant ends it and \
             the other does not, or names another winner. Games with the same turns count once.",
            base.name
        ),
        warnings: Vec::new(),
        tables: tables.flatten().collect(),
        picture: Picture::None,
        drawings: drawings(view, &base.name),
    })
}

fn label(view: &View, row: &RelevanceRow) -> String {
    view.variants[row.variant].name.clone()
}

/// Rows that could be compared; the notes name the others.
fn compared<'a>(
    view: &View,
    rows: &[&'a RelevanceRow],
) -> (Vec<(&'a RelevanceRow, &'a RelevanceCells)>, Vec<String>) {
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    for row in rows {
        match &row.found {
            Ok(cells) => found.push((*row, cells)),
            Err(reason) => notes.push(format!("not compared: {}: {reason}", label(view, row))),
        }
    }
    (found, notes)
}

fn turns_table(view: &View, pairing: &PairingView, rows: &[&RelevanceRow]) -> Option<Table> {
    let (found, mut notes) = compared(view, rows);
    if found.is_empty() && notes.is_empty() {
        return None;
    }
    let mut reasons = Reasons::default();
    let mut alike = Vec::new();
    let rows = found.iter().map(|(row, cells)| {
        let label = label(view, row);
        if cells.turns_alike {
            alike.push(label.clone());
        }
        let mut cell = |style, cell: &Cell, head: &str| {
            let missing = cell.value.err().or(cell.interval.and_then(Result::err));
            if let Some(missing) = missing.filter(|_| !cells.turns_alike) {
                reasons.add(missing, head, &label);
            }
            judged(style, cell)
        };
        let cells = vec![
            whole(cells.games.n),
            whole(cells.positions.n),
            cell(Style::PERCENT, &cells.positions, "positions"),
            cell(Style::PERCENT, &cells.games, "games"),
            cell(Style::PLIES, &cells.first_ply, "first ply"),
        ];
        TableRow { label, cells }
    });
    let rows = rows.collect();
    if !alike.is_empty() {
        notes.push(format!("no turn can differ: only ends and draws do ({})", alike.join(", ")));
    }
    notes.extend(reasons.notes());
    Some(Table {
        title: format!("{}: positions with other legal turns", pairing.name),
        corner: "variant",
        caption: format!(
            "{}, games of {}: positions whose legal turns differ under the variant, and games with \
             such a position, in %; median ply of the first one, over the games that have one. \
             Unit: {}. {}.",
            pairing.name,
            view.variants[view.relevance_base].name,
            pairing.unit.name(),
            judging(view, pairing)
        ),
        heads: ["games", "positions", "other turns %", "games with %", "first ply"]
            .map(str::to_owned)
            .to_vec(),
        rows,
        notes,
    })
}

fn endings_table(view: &View, pairing: &PairingView, rows: &[&RelevanceRow]) -> Option<Table> {
    let (found, _) = compared(view, rows);
    if found.is_empty() {
        return None;
    }
    let mut reasons = Reasons::default();
    let rows = found.iter().map(|(row, cells)| {
        let label = label(view, row);
        let never = cells.first_ending.n == 0;
        let missing = cells.first_ending.value.err();
        let missing = missing.or(cells.first_ending.interval.and_then(Result::err));
        if let Some(missing) = missing {
            reasons.add(missing, "after plies", &label);
        }
        let plies = if never {
            TableCell { text: super::NONE.to_owned(), value: None }
        } else {
            judged(Style::PLIES, &cells.first_ending)
        };
        let cells = vec![whole(cells.endings.n), judged(Style::PERCENT, &cells.endings), plies];
        TableRow { label, cells }
    });
    let rows = rows.collect();
    Some(Table {
        title: format!("{}: games that end otherwise", pairing.name),
        corner: "variant",
        caption: format!(
            "{}, games of {}: games that end otherwise under the variant, by the same turns, in %; \
             median number of plies until then, over those games. Unit: {}. {}.",
            pairing.name,
            view.variants[view.relevance_base].name,
            pairing.unit.name(),
            judging(view, pairing)
        ),
        heads: ["games", "end otherwise %", "after plies"].map(str::to_owned).to_vec(),
        rows,
        notes: reasons.notes(),
    })
}

fn judging(view: &View, pairing: &PairingView) -> String {
    let how = match pairing.unit {
        Unit::Game => "positions: t over games; games: Wilson; medians: order statistics",
        Unit::Pair => "t over pairs; medians describe these games",
    };
    format!("{} in brackets, each on its own ({how})", level(view))
}

/// For each variant the example of the first pairing that has one.
fn drawings(view: &View, base: &str) -> Vec<Drawing> {
    let mut drawings = Vec::new();
    for (variant, id) in view.variants.iter().enumerate() {
        let rows = view.relevance.iter().filter(|row| row.variant == variant);
        let mut found = rows.filter_map(|row| row.found.as_ref().ok()?.example.as_ref());
        if let Some(example) = found.next().filter(|_| drawings.len() < DRAWN_MAX) {
            drawings.push(Drawing {
                title: format!("an example for {}", id.name),
                lines: example.lines(base, &id.name),
                drawing: example.drawing.clone(),
            });
        }
    }
    drawings
}
