//! Reports: a stored run as tables, Markdown, CSV and JSON, all from one [`View`] of its numbers.
//!
//! [`view`] measures the stored games and judges the numbers once; the other functions only write
//! them down, so that every format says the same. Nothing here plays, judges or prints.

mod cells;
mod contrast;
mod csv;
mod json;
mod markdown;
mod number;
mod tables;
mod terminal;
mod view;

pub use cells::{Cell, Method};
pub use contrast::{CONTRASTS, Contrast, ContrastMethod, Sample};
pub use csv::csv;
pub use json::json;
pub use markdown::markdown;
pub use terminal::terminal;
pub use view::{PairingView, Row, SeatScore, Unit, VariantId, View, view};
