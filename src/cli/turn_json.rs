//! Turns as JSON: `{"from":…,"to":…,"captures":[…],"promotes":…,"text":…}`.

use serde::{Deserialize, Serialize};

use crate::board::{Placement, Side, SquareSet};
use crate::notation::TurnTexts;
use crate::rules::{Rules, Turn};

/// One turn as requests and answers carry it. Equal without their texts: one turn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct TurnJson {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) captures: Vec<String>,
    pub(super) promotes: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

impl TurnJson {
    /// The turn without its text; squares taken in the order of their names.
    pub(super) fn new<S: SquareSet>(turn: &Turn<S>, texts: &TurnTexts) -> Self {
        let name = |square| texts.names().name(square);
        let mut captures: Vec<String> = turn.taken.squares().map(name).collect();
        captures.sort_unstable();
        Self {
            from: name(turn.from),
            to: name(turn.to),
            captures,
            promotes: turn.promotes(),
            text: None,
        }
    }
}

/// The turns, sorted by from, to, captures and promotes, with their texts.
pub(super) fn turns_json<S: SquareSet>(
    rules: &Rules<S>,
    texts: &TurnTexts,
    placement: &Placement<S>,
    side: Side,
    turns: &[Turn<S>],
) -> Vec<TurnJson> {
    let mut listed: Vec<TurnJson> = turns
        .iter()
        .map(|turn| {
            let text = Some(texts.print(rules, placement, side, turn));
            TurnJson { text, ..TurnJson::new(turn, texts) }
        })
        .collect();
    listed.sort_unstable();
    listed
}
