//! The sections about several players: cross-tables with ratings, how their order changes from
//! variant to variant, and whether thought pays. Computes nothing.

use super::{
    Drawing, NONE, Picture, Reasons, Section, Style, Table, TableCell, TableRow, judged, level,
    whole,
};
use crate::report::cells::Cell;
use crate::report::ladder::{Rung, RungRow};
use crate::report::number::{correlation, count};
use crate::report::tournament::{OrderChange, Standing, Tournament};
use crate::report::view::View;
use crate::stats::score::EloRange;
use crate::stats::{Estimate, Known, Missing};

/// The most flips of one variant that are told one by one.
const FLIPS_TOLD: usize = 6;

/// Cross-tables, ratings and orders; nothing unless three players or more met.
pub(super) fn section(view: &View) -> Option<Section> {
    let tournament = view.tournament.as_ref()?;
    let mut tables: Vec<Table> = tournament
        .standings
        .iter()
        .map(|standing| cross_table(view, tournament, standing))
        .collect();
    if tournament.standings.len() > 1 {
        tables.push(order_table(view, tournament));
    }
    Some(Section {
        heading: "Who beats whom".to_owned(),
        intro: "Each player against each other that it met, on each variant; players in the order \
                of their ratings. Elo by the model of Bradley and Terry with draws (Davidson) and \
                first move, fitted to the games of one variant; the mean of its rated players is \
                0, so ratings of two variants cannot be compared, but their order can."
            .to_owned(),
        warnings: tournament
            .orders
            .iter()
            .flat_map(|change| flips_told(view, tournament, change))
            .collect(),
        tables,
        picture: Picture::None,
        drawings: Vec::<Drawing>::new(),
    })
}

fn flips_told(view: &View, tournament: &Tournament, change: &OrderChange) -> Vec<String> {
    let [first, this] = [0, change.variant].map(|variant| &view.variants[variant].name);
    let told = change.flips.iter().take(FLIPS_TOLD).map(|flip| {
        let [high, low] = flip.map(|player| &tournament.players[player]);
        format!("{high} is above {low} on `{first}`, but below it on `{this}`")
    });
    let mut lines: Vec<String> = told.collect();
    if change.flips.len() > FLIPS_TOLD {
        let more = change.flips.len() - FLIPS_TOLD;
        lines.push(format!("{more} more pairs of players turn round on `{this}`"));
    }
    lines
}

/// The players by their place; those without one last.
fn order(tournament: &Tournament, standing: &Standing) -> Vec<usize> {
    let mut players: Vec<usize> = (0..tournament.players.len()).collect();
    if let Ok(rated) = &standing.ratings {
        players.sort_by_key(|&player| rated.places[player].unwrap_or(usize::MAX));
    }
    players
}

fn cross_table(view: &View, tournament: &Tournament, standing: &Standing) -> Table {
    let mut reasons = Reasons::default();
    let players = order(tournament, standing);
    let rows = players.iter().enumerate().map(|(place, &player)| {
        let name = &tournament.players[player];
        let rating = standing
            .ratings
            .as_ref()
            .map_err(|missing| *missing)
            .and_then(|rated| rated.players[player]);
        if let Err(missing) = rating {
            reasons.add(missing, "Elo", name);
        }
        let mut cells = vec![rating_cell(rating)];
        cells.extend(players.iter().map(|&other| match &standing.scores[player][other] {
            None => TableCell { text: "-".to_owned(), value: None },
            Some(score) => {
                if let Err(missing) = score.value {
                    reasons.add(missing, "score", name);
                }
                score_cell(score)
            }
        }));
        TableRow { label: format!("{} {name}", place + 1), cells }
    });
    let rows = rows.collect();
    let first_move = standing.ratings.as_ref().ok().and_then(|rated| rated.first_move.ok());
    let first_move = first_move.map_or_else(String::new, |estimate| {
        format!(" Moving first is worth {} Elo.", rating_cell(Ok(estimate)).text)
    });
    let name = &view.variants[standing.variant].name;
    let numbers = (1..=players.len()).map(|number| format!("against {number} %"));
    Table {
        title: format!("cross-table of {name}"),
        corner: "player",
        caption: format!(
            "{name}: rating of each player in Elo (Bradley-Terry, mean 0) over {} finished games, \
             and its score against each other in %, with the number of pairs in parentheses.\
             {first_move} Unit: pair of finished games from one opening. {} in brackets, each on \
             its own (ratings: t over pairs; scores: normal over pairs).",
            count(standing.games),
            level(view)
        ),
        heads: std::iter::once("Elo".to_owned()).chain(numbers).collect(),
        rows,
        notes: reasons.notes(),
    }
}

fn rating_cell(rating: Known<Estimate>) -> TableCell {
    let interval = rating.and_then(|estimate| Ok(estimate.judgement?.interval));
    let value = rating.map(|estimate| estimate.value);
    TableCell { text: Style::WHOLE.difference(value, interval), value: value.ok() }
}

fn score_cell(score: &Cell) -> TableCell {
    let cell = judged(Style::PERCENT, score);
    TableCell { text: format!("{} ({})", cell.text, count(score.n)), ..cell }
}

/// The ratings of the players side by side, one row a variant.
fn order_table(view: &View, tournament: &Tournament) -> Table {
    let mut reasons = Reasons::default();
    let rows = tournament.standings.iter().map(|standing| {
        let name = &view.variants[standing.variant].name;
        let cells = (0..tournament.players.len()).map(|player| {
            let rated = standing.ratings.as_ref().map_err(|missing| *missing);
            let rating = rated.and_then(|rated| rated.players[player]);
            let place = rated.ok().and_then(|rated| rated.places[player]);
            let value = rating.map(|estimate| estimate.value);
            if let Err(missing) = rating {
                reasons.add(missing, &tournament.players[player], name);
            }
            let place = place.map_or_else(String::new, |place| format!(" ({place})"));
            TableCell {
                text: value.map_or_else(
                    |_| NONE.to_owned(),
                    |elo| format!("{}{place}", Style::WHOLE.signed(elo)),
                ),
                value: value.ok(),
            }
        });
        let mut cells: Vec<TableCell> = cells.collect();
        let change = tournament.orders.iter().find(|change| change.variant == standing.variant);
        if let Some(missing) = change.and_then(|change| change.tau.err()) {
            reasons.add(missing, "tau", name);
        }
        cells.extend(change_cells(change));
        TableRow { label: name.clone(), cells }
    });
    let rows = rows.collect();
    let first = &view.variants[0].name;
    let mut heads = tournament.players.clone();
    heads.extend(["tau", "flips", "unsure"].map(str::to_owned));
    Table {
        title: "the order of the players".to_owned(),
        corner: "variant",
        caption: format!(
            "Rating of each player in Elo (Bradley-Terry, mean 0 on each variant) and its place. \
             tau: Kendall's tau-b with the order on {first}, over the players rated on both; flips: \
             pairs of players that stand the other way round than on {first}, with an adjusted p of \
             at most 0.05 on both (Holm over {} differences); unsure: those that chance explains. \
             Unit: pair of finished games from one opening; intervals and n stand in the \
             cross-tables.",
            count(tournament.family as u64)
        ),
        heads,
        rows,
        notes: reasons.notes(),
    }
}

fn change_cells(change: Option<&OrderChange>) -> [TableCell; 3] {
    match change {
        None => ["-", "-", "-"].map(|text| TableCell { text: text.to_owned(), value: None }),
        Some(change) => [
            TableCell { text: correlation(Some(change.tau)), value: change.tau.ok() },
            whole(change.flips.len() as u64),
            whole(change.unsure as u64),
        ],
    }
}

/// Each player against the next weaker one of its kind; nothing where no two players differ in
/// their budget alone.
pub(super) fn ladder_section(view: &View) -> Option<Section> {
    if view.ladder.is_empty() {
        return None;
    }
    Some(Section {
        heading: "Whether thought pays".to_owned(),
        intro:
            "Pairs of players that differ in nothing but how much they may look at: rules under \
                which more thought wins more often have more to think about."
                .to_owned(),
        warnings: Vec::new(),
        tables: view.ladder.iter().map(|rung| rung_table(view, rung)).collect(),
        picture: Picture::None,
        drawings: Vec::new(),
    })
}

fn rung_table(view: &View, rung: &Rung) -> Table {
    let Rung { stronger, weaker, step, steps, .. } = rung;
    let mut reasons = Reasons::default();
    let rows = rung.rows.iter().enumerate().map(|(variant, row)| {
        let label = view.variants[variant].name.clone();
        let RungRow { score, elo, elo_per_step } = row;
        for missing in [score.value.err(), elo_missing(elo)].into_iter().flatten() {
            reasons.add(missing, "Elo", &label);
        }
        let cells = vec![
            whole(score.n),
            judged(Style::PERCENT, score),
            elo_cell(elo),
            elo_cell(elo_per_step),
        ];
        TableRow { label, cells }
    });
    let rows = rows.collect();
    let step = step.name();
    Table {
        title: format!("{stronger} against {weaker}"),
        corner: "variant",
        caption: format!(
            "{stronger} against {weaker}: score of the first in %, the same as Elo of the first \
             against the second (logistic, not anchored), and that for one {step} of the budget \
             ({steps:.2} between them). Unit: pair of finished games from one opening. {} in \
             brackets, each on its own (normal over pairs).",
            level(view)
        ),
        heads: ["pairs".to_owned(), "score %".to_owned(), "Elo".to_owned(), format!("per {step}")]
            .to_vec(),
        rows,
        notes: reasons.notes(),
    }
}

/// Why an Elo, or an end of its interval, is missing.
pub(super) fn elo_missing(elo: &Known<EloRange>) -> Option<Missing> {
    match elo {
        Ok(elo) => elo.value.err().or(elo.low.err()).or(elo.high.err()),
        Err(missing) => Some(*missing),
    }
}

/// An Elo with both ends of its interval.
pub(super) fn elo_cell(elo: &Known<EloRange>) -> TableCell {
    let part =
        |end: fn(&EloRange) -> Known<f64>| elo.as_ref().map_err(|missing| *missing).and_then(end);
    let (value, low, high) = (part(|e| e.value), part(|e| e.low), part(|e| e.high));
    let [value_text, low, high] = [value, low, high].map(|end| Style::WHOLE.value(end));
    let text = match elo {
        Ok(_) => format!("{value_text} [{low}, {high}]"),
        Err(_) => NONE.to_owned(),
    };
    TableCell { text, value: value.ok() }
}
