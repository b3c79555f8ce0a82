//! Whether the answers of a ruleset fit together: impossible set-ups and contradictions.
//!
//! It looks at rulesets alone, wherever they come from, and knows no file.

use crate::board::{Side, SquareSet};
use crate::rules::{Landing, Ruleset, Setup};

use super::problems::Severity;

/// Answers that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// How bad it is.
    pub severity: Severity,
    /// Keys of the flags that it is about, the likeliest culprit first.
    pub flags: &'static [&'static str],
    /// The one item of a list of ranks that it is about, if there is one.
    pub rank: Option<u32>,
    /// What does not fit: lower case, no full stop.
    pub message: String,
    /// What would fit.
    pub help: String,
}

/// All faults of a ruleset; with none of severity [`Severity::Error`] it can be played.
#[must_use]
pub fn faults(ruleset: &Ruleset) -> Vec<Fault> {
    let mut faults = Vec::new();
    let squares = u16::from(ruleset.board.files) * u16::from(ruleset.board.ranks);
    if squares > Ruleset::SQUARES_MAX {
        faults.push(Fault {
            severity: Severity::Error,
            flags: &["board.files", "board.ranks"],
            rank: None,
            message: format!(
                "the board is too large: {} files by {} ranks are {squares} squares",
                ruleset.board.files, ruleset.board.ranks
            ),
            help: format!("a board has at most {} squares", Ruleset::SQUARES_MAX),
        });
    } else {
        match ruleset.setup.pieces {
            Setup::Ranks(ranks) => rank_faults(ranks, ruleset.board.ranks.into(), &mut faults),
            Setup::Position(_) => position_faults(ruleset, &mut faults),
        }
    }
    // Where kings do not fly, the landing is dormant and contradicts nothing.
    if ruleset.king.landing == Landing::Continuing
        && ruleset.king.flying
        && !ruleset.capture.complete
    {
        faults.push(Fault {
            severity: Severity::Error,
            flags: &["king.landing", "capture.complete", "king.flying"],
            rank: None,
            message: "`king.landing = \"continuing\"` contradicts `capture.complete = false`: a \
                      king cannot be bound to go on where a chain may stop"
                .to_owned(),
            help: "take `capture.complete = true`, or another `king.landing`".to_owned(),
        });
    }
    faults
}

const SETUP: &[&str] = &["setup.ranks", "board.ranks"];

fn rank_faults(bits: u16, board_ranks: u32, faults: &mut Vec<Fault>) {
    let filled: Vec<u32> = (1..=16).filter(|rank| bits >> (rank - 1) & 1 == 1).collect();
    let mut add = |rank: Option<u32>, message: String, help: &str| {
        let severity = Severity::Error;
        faults.push(Fault { severity, flags: SETUP, rank, message, help: help.to_owned() });
    };
    if filled.is_empty() {
        let help = "name at least one rank, or give `setup.position`";
        return add(None, "`setup.ranks` is empty, so neither side has a piece".to_owned(), help);
    }
    let mut overlap = None;
    for &rank in &filled {
        if rank > board_ranks {
            let message = format!("`setup.ranks` has rank {rank}, but the board has {board_ranks}");
            add(Some(rank), message, "ranks are counted from each side's own edge");
        } else if rank == board_ranks {
            let message =
                format!("`setup.ranks` puts men on rank {rank}, their own far rank, as men");
            add(Some(rank), message, "a man on the far rank would be a king");
        } else if filled.contains(&(board_ranks + 1 - rank)) {
            overlap = overlap.or(Some(rank));
        }
    }
    if let Some(rank) = overlap {
        let other = board_ranks + 1 - rank;
        let message = format!(
            "the camps overlap: rank {rank} of one side is rank {other} of the other on a board \
             of {board_ranks} ranks"
        );
        add(Some(rank.max(other)), message, "take fewer ranks, or more `board.ranks`");
    }
}

fn position_faults(ruleset: &Ruleset, faults: &mut Vec<Fault>) {
    let start = ruleset.start();
    for side in Side::ALL {
        if start.of(side).is_empty() {
            faults.push(Fault {
                severity: Severity::Warning,
                flags: &["setup.position"],
                rank: None,
                message: format!(
                    "`setup.position` gives {} no piece, so it loses as soon as it is to move",
                    side.name()
                ),
                help: "a side to move without pieces has lost".to_owned(),
            });
        }
    }
}
