//! The tables in which two are held against each other: the players of a pairing, and each variant
//! against the first. Draws nothing and computes nothing.

use super::{
    Reasons, Table, TableCell, TableRow, judged, level, metric, tournament, unit_of, whole,
};
use crate::report::contrast::{CONTRASTS, Contrast, Sample};
use crate::report::number::{Style, chance, correlation, count};
use crate::report::view::{PairingView, View};

/// How the first of two different players scores against the second.
pub(super) fn seat_table(view: &View, pairing: &PairingView) -> Option<Table> {
    let [first, second] = &pairing.players;
    let mut reasons = Reasons::default();
    let mut rows = Vec::new();
    for row in &pairing.rows {
        let seat = row.seat.as_ref()?;
        let label = view.variants[row.variant].name.clone();
        for missing in [seat.score.value.err(), tournament::elo_missing(&seat.elo)] {
            missing.into_iter().for_each(|missing| reasons.add(missing, "Elo", &label));
        }
        let mut cells = vec![whole(seat.score.n), judged(Style::PERCENT, &seat.score)];
        cells.push(tournament::elo_cell(&seat.elo));
        cells.extend(seat.pairs.iter().map(|&pairs| whole(pairs)));
        rows.push(TableRow { label, cells });
    }
    let heads = ["pairs", "score %", "Elo", "LL", "LD", "DD WL", "WD", "WW"];
    Some(Table {
        title: "who is stronger".to_owned(),
        corner: "variant",
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

/// The comparisons with the first variant, one block of rows a metric.
pub(super) fn contrast_table(view: &View, pairing: &PairingView) -> Option<Table> {
    let first = view.variants.first()?;
    let mut reasons = Reasons::default();
    let mut rows = Vec::new();
    for key in CONTRASTS {
        let block: Vec<&Contrast> =
            pairing.contrasts.iter().filter(|contrast| contrast.metric.key == key).collect();
        if block.iter().all(|contrast| contrast.difference.is_err()) {
            continue;
        }
        let metric = metric(key);
        let style = Style::of(metric);
        rows.push(TableRow { label: unit_of(metric), cells: Vec::new() });
        for contrast in block {
            let label = view.variants[contrast.variant].name.clone();
            let correlation_missing = contrast.correlation.and_then(Result::err);
            if let Some(missing) = contrast.missing() {
                reasons.add(missing, metric.name, &label);
            } else if let Some(missing) = correlation_missing {
                reasons.add(missing, &format!("r of {}", metric.name), &label);
            }
            rows.push(TableRow { label, cells: contrast_cells(style, contrast) });
        }
    }
    if rows.is_empty() {
        return None;
    }
    Some(Table {
        title: format!("difference from {}", first.name),
        corner: "variant",
        caption: format!(
            "{}, each variant minus {}. Unit: {}; n: openings played on both and compared opening \
             by opening, or a / b: units of this one and of {}, where the openings differ; r: \
             correlation over openings. {} in brackets, each on its own; p two-sided; p Holm: \
             adjusted over the {} comparisons of this table.",
            pairing.name,
            first.name,
            pairing.unit.name(),
            first.name,
            level(view),
            pairing.family
        ),
        heads: ["n", "difference", "p", "p Holm", "r"].map(str::to_owned).to_vec(),
        rows,
        notes: reasons.notes(),
    })
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

fn contrast_cells(style: Style, contrast: &Contrast) -> Vec<TableCell> {
    vec![
        sample_cell(contrast.sample),
        TableCell {
            text: style.difference(contrast.difference, contrast.interval),
            value: contrast.difference.ok(),
        },
        TableCell { text: chance(contrast.p.ok()), value: contrast.p.ok() },
        TableCell { text: chance(contrast.p_adjusted), value: contrast.p_adjusted },
        TableCell {
            text: correlation(contrast.correlation),
            value: contrast.correlation.and_then(Result::ok),
        },
    ]
}
