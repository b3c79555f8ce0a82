//! Whether effects depend on the players: the effects of a design under each pairing, side by side.
//! Draws nothing and computes nothing.

use super::super::{Picture, Reasons, Section, Table, TableCell, TableRow, unit_of};
use super::title;
use crate::report::effects::{DesignView, Effect, EffectRanking, PairingEffects, Term, Turned};
use crate::report::number::{NONE, Style};
use crate::report::view::View;

/// The most things that turn round and are told one by one, for one metric.
const FLIPS_TOLD: usize = 6;

/// The effects under each pairing, side by side.
pub(super) fn section(view: &View, number: usize) -> Option<Section> {
    let design = &view.designs[number];
    if design.robust.is_empty() {
        return None;
    }
    let tables = design.robust.iter().filter_map(|ranking| ranking_table(view, design, ranking));
    let warnings = design.robust.iter().flat_map(|ranking| flips_told(view, design, ranking));
    Some(Section {
        heading: format!("{}: effects side by side", title(view, number)),
        intro: "Whether an effect depends on the players. In parentheses the place of the answer \
                by the size of its effect, the largest first; * marks effects with an adjusted p \
                of at most 0.05. A warning is given where the sign turns round and both effects \
                are so marked, or where the sizes of two effects turn round and their intervals \
                are apart on both sides."
            .to_owned(),
        warnings: warnings.collect(),
        tables: tables.collect(),
        picture: Picture::None,
        drawings: Vec::new(),
    })
}

fn find(effects: &PairingEffects, key: &str, term: Term) -> Option<Effect> {
    let same = |effect: &&Effect| effect.metric.key == key && effect.term == term;
    effects.main.iter().find(same).copied()
}

fn ranking_table(view: &View, design: &DesignView, ranking: &EffectRanking) -> Option<Table> {
    let style = Style::of(ranking.metric);
    let key = ranking.metric.key;
    let mut any = false;
    let mut reasons = Reasons::default();
    let rows = ranking.terms.iter().enumerate().map(|(place, &term)| {
        let label = design.term_name(term);
        let cells = design.pairings.iter().zip(&ranking.places).zip(&view.pairings);
        let cells = cells.map(|((effects, places), pairing)| {
            let effect = find(effects, key, term);
            let value = effect.map_or(Err(crate::stats::Missing::Empty), |effect| effect.value);
            any |= value.is_ok();
            if let Err(missing) = value {
                reasons.add(missing, &pairing.name, &label);
            }
            let clear = effect.is_some_and(|effect| effect.clear());
            let mark = if clear { "*" } else { "" };
            let place = places[place].map_or_else(String::new, |place| format!(" ({place})"));
            TableCell { text: format!("{}{mark}{place}", style.change(value)), value: value.ok() }
        });
        TableRow { label: label.clone(), cells: cells.collect() }
    });
    let rows = rows.collect();
    let unsure = match ranking.signs_unsure {
        0 => String::new(),
        n => format!(
            " The sign of {n} effect{} turns round between two pairings, but not beyond what \
             chance explains.",
            if n == 1 { "" } else { "s" }
        ),
    };
    any.then(|| Table {
        title: format!("effects on {} under each pairing", ranking.metric.name),
        caption: format!(
            "Effects on {} under each pairing, and the place of each by size. Unit: that of each \
             pairing; n, intervals and p stand in its table of main effects.{unsure}",
            unit_of(ranking.metric)
        ),
        corner: "answer",
        heads: view.pairings.iter().map(|pairing| pairing.name.clone()).collect(),
        rows,
        notes: reasons.notes(),
    })
}

fn flips_told(view: &View, design: &DesignView, ranking: &EffectRanking) -> Vec<String> {
    let style = Style::of(ranking.metric);
    let key = ranking.metric.key;
    let value = |pairing: usize, term: Term| {
        let effect = find(&design.pairings[pairing], key, term);
        effect.map_or_else(
            || NONE.to_owned(),
            |effect| style.difference(effect.value, effect.interval),
        )
    };
    let told = ranking.flips.iter().take(FLIPS_TOLD).map(|flip| {
        let [one, two] = flip.pairings;
        let names = [one, two].map(|pairing| view.pairings[pairing].name.as_str());
        let name = unit_of(ranking.metric);
        match flip.what {
            Turned::Sign(term) => format!(
                "{name}: the effect of `{}` turns round with the players: {} under {}, {} under {}",
                design.term_name(term),
                value(one, term),
                names[0],
                value(two, term),
                names[1]
            ),
            Turned::Size(a, b) => format!(
                "{name}: `{}` matters more than `{}` under {} ({} and {}), but less under {} ({} \
                 and {})",
                design.term_name(a),
                design.term_name(b),
                names[0],
                value(one, a),
                value(one, b),
                names[1],
                value(two, a),
                value(two, b)
            ),
        }
    });
    let mut lines: Vec<String> = told.collect();
    if ranking.flips.len() > FLIPS_TOLD {
        let more = ranking.flips.len() - FLIPS_TOLD;
        lines.push(format!("{}: {more} more turn round", ranking.metric.name));
    }
    lines
}
