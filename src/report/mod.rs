//! Reports: a stored run as tables, Markdown, CSV, JSON and HTML, all from one [`View`] of its numbers.
//!
//! [`view`] measures the stored games and judges the numbers once; the other functions only write
//! them down, so that every format says the same. Nothing here plays, judges or prints.

mod cells;
mod charts;
mod contrast;
mod csv;
mod effects;
mod findings;
mod html;
mod json;
mod ladder;
mod markdown;
pub(crate) mod number;
mod relevance;
mod robust;
mod stopped;
mod tables;
mod terminal;
mod tournament;
mod unfinished;
mod view;

pub use cells::{Cell, Method};
pub use contrast::{CONTRASTS, Contrast, ContrastMethod, Sample};
pub use csv::csv;
pub use effects::{
    Basis, DesignView, EFFECTS, Effect, EffectFlip, EffectMethod, EffectRanking, FactorShares,
    MeanOfRuns, Means, PairingEffects, Shares, Step, Term, Turned,
};
pub use findings::{Evidence, Finding};
pub use html::html;
pub use json::{json, relevance_value};
pub use ladder::{Rung, RungRow, RungStep};
pub use markdown::markdown;
pub use relevance::{DrawnExample, RelevanceCells, RelevanceRow, relevance_cells};
pub use robust::{Flip, FlipBy, RANKED, Ranking};
pub use stopped::Stopped;
pub use terminal::{Extent, terminal};
pub use tournament::{OrderChange, Rated, Standing, Tournament};
pub use unfinished::Unfinished;
pub use view::{PairingView, Row, SeatScore, Unit, VariantId, View, view};
