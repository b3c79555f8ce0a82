//! The tables of how long players think: time a game and a turn, and what they look at.

use super::{Picture, Section, Table, TableCell, TableRow, whole};
use crate::report::view::View;
use crate::stats::real;
use crate::study::thinking::{Spent, Thinking};

/// What the players of each pairing spend; nothing where it was not measured.
pub(super) fn section(view: &View) -> Option<Section> {
    let thinking = view.thinking.as_ref()?;
    let measured = format!(
        "the games of the first {} openings of each pairing, played once more for the clock",
        thinking.openings
    );
    let tables = [
        table(
            view,
            thinking,
            "thinking time a game",
            &format!(
                "Milliseconds that the player thinks in one game: mean over {measured}. Games: of \
                 each variant. {}; other machines have other times, so there is no interval.",
                thinking.clock
            ),
            |spent| per(milliseconds(spent), spent.games),
        ),
        table(
            view,
            thinking,
            "thinking time a turn",
            "The same milliseconds for one turn of the player, those included that it has no \
             choice in.",
            |spent| per(milliseconds(spent), spent.turns),
        ),
        table(
            view,
            thinking,
            "looked at for a turn",
            &format!(
                "Positions that alphabeta visits, or playouts of mcts, for one turn: mean over \
                 {measured}; turns without a choice need none. The same on every machine. -: the \
                 player searches nothing."
            ),
            |spent| per(real(spent.looked_at), spent.turns).filter(|&mean| mean > 0.0),
        ),
    ];
    Some(Section {
        heading: "How long players think".to_owned(),
        intro: "What each player spends on its side of a game, against each player that it meets. \
                Budgets are positions or playouts and never time, so the games do not depend on \
                these times."
            .to_owned(),
        warnings: Vec::new(),
        tables: tables.into(),
        picture: Picture::None,
        drawings: Vec::new(),
    })
}

fn milliseconds(spent: &Spent) -> f64 {
    1000.0 * spent.time.as_secs_f64()
}

fn per(sum: f64, n: u64) -> Option<f64> {
    (n > 0).then(|| sum / real(n))
}

fn table(
    view: &View,
    thinking: &Thinking,
    title: &str,
    caption: &str,
    number: impl Fn(&Spent) -> Option<f64>,
) -> Table {
    let mut rows = Vec::new();
    for (pairing, spent) in view.pairings.iter().zip(&thinking.spent) {
        let [first, second] = &pairing.players;
        let seats = [(first, second), (second, first)];
        for (seat, (player, other)) in seats.into_iter().enumerate() {
            if first == second && seat == 1 {
                continue;
            }
            let games = spent.first().map_or(0, |both| both[seat].games);
            let numbers = spent.iter().map(|both| {
                let value = number(&both[seat]);
                let text = value.map_or_else(|| "-".to_owned(), three_digits);
                TableCell { text, value }
            });
            rows.push(TableRow {
                label: format!("{player} (against {other})"),
                cells: std::iter::once(whole(games)).chain(numbers).collect(),
            });
        }
    }
    let variants = view.variants.iter().map(|variant| variant.name.clone());
    Table {
        title: title.to_owned(),
        corner: "player",
        caption: caption.to_owned(),
        heads: std::iter::once("games".to_owned()).chain(variants).collect(),
        rows,
        notes: Vec::new(),
    }
}

/// A number above 0 with about three digits that count, and at most three decimals.
fn three_digits(value: f64) -> String {
    let decimals = match value {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::three_digits;

    #[test]
    fn small_numbers_have_decimals() {
        let texts = [1234.5, 99.96, 9.876, 0.0521, 0.0].map(three_digits);
        assert_eq!(texts, ["1234", "100.0", "9.88", "0.052", "0.000"]);
    }
}
