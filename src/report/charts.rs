//! Charts as SVG, drawn by hand from the view: results, differences, distributions. Colours come
//! from the page's style sheet; every number also stands in a table. Computes no statistic.

mod effects;

use maud::{Markup, html};

use super::number::{Style, count};
use super::view::{PairingView, Row, View};
use crate::stats::histogram::Histogram;
use crate::stats::{Interval, Known, real, real_len};

pub(super) use effects::{forest as effects_forest, interaction};

/// The most variants of one chart.
pub(super) const ROWS_MAX: usize = 40;
/// The width of a chart in its own units; a text line is 12 high.
const WIDTH: f64 = 440.0;
/// Where the drawing begins and ends.
const MARGIN: f64 = 8.0;
/// The height of the axis below a chart.
const AXIS: f64 = 24.0;
/// The most bars of a distribution.
const BINS: usize = 48;

/// A coordinate in an attribute.
fn at(place: f64) -> String {
    format!("{place:.1}")
}

/// From values to places across the chart.
#[derive(Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn place(self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        MARGIN + part * (WIDTH - 2.0 * MARGIN)
    }

    /// Round values, a few of them, inside the scale.
    fn ticks(self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
        let step = step.into_iter().find(|step| *step >= rough).unwrap_or(rough);
        let first = (self.low / step).ceil();
        let ticks = (0..12).map(|number| (first + f64::from(number)) * step);
        // Adding 0 makes a negative zero positive.
        ticks.take_while(|tick| *tick <= self.high).map(|tick| tick + 0.0).collect()
    }

    fn axis(self, y: f64) -> Markup {
        html! {
            line.axis x1=(at(MARGIN)) x2=(at(WIDTH - MARGIN)) y1=(at(y)) y2=(at(y)) {}
            @for tick in self.ticks() {
                @let x = at(self.place(tick));
                line.axis x1=(x) x2=(x) y1=(at(y)) y2=(at(y + 4.0)) {}
                text.tick x=(x) y=(at(y + 17.0)) { (tick_text(tick)) }
            }
        }
    }
}

/// Up to three decimals, as few as the value needs.
fn tick_text(tick: f64) -> String {
    let text = format!("{tick:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A chart with its name and a sentence for those who cannot see it.
fn chart(id: &str, height: f64, title: &str, description: &str, inside: &Markup) -> Markup {
    let (title_id, description_id) = (format!("{id}-t"), format!("{id}-d"));
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {}", at(height))) role="img"
            aria-labelledby=(format!("{title_id} {description_id}")) {
            title id=(title_id) { (title) }
            desc id=(description_id) { (description) }
            (inside)
        }
    }
}

fn rows(pairing: &PairingView) -> impl Iterator<Item = (f64, &Row)> {
    pairing.rows.iter().take(ROWS_MAX).enumerate().map(|(place, row)| (real_len(place), row))
}

/// Wins, draws and losses of the side that moves first, one bar a variant.
pub(super) fn results(view: &View, pairing: &PairingView, id: &str) -> Markup {
    const ROW: f64 = 40.0;
    let parts = [("first-player-wins", "win"), ("draws", "draw"), ("first-player-losses", "loss")];
    let inside = html! {
        @for (place, row) in rows(pairing) {
            @let y = place * ROW;
            text.label x=(at(MARGIN)) y=(at(y + 13.0)) { (view.variants[row.variant].name) }
            text.value x=(at(WIDTH - MARGIN)) y=(at(y + 13.0)) {
                (count(row.cell("draws").n)) " games"
            }
            @if row.cell("draws").value.is_err() {
                text.label x=(at(MARGIN)) y=(at(y + 30.0)) { "n/a" }
            }
            (segments(row, &parts, y + 18.0))
        }
    };
    let shown = rows(pairing).count();
    let title = format!("{}: wins, draws and losses of the side that moves first", pairing.name);
    let description = "One bar a variant; the numbers are in the table \"who wins\".";
    chart(id, real_len(shown) * ROW, &title, description, &inside)
}

fn segments(row: &Row, parts: &[(&str, &str)], y: f64) -> Markup {
    let scale = Scale { low: 0.0, high: 1.0 };
    let mut from = 0.0;
    html! {
        @for (key, class) in parts {
            @if let Ok(share) = row.cell(key).value {
                @let (left, right) = (scale.place(from), scale.place(from + share));
                rect class=(class) x=(at(left)) y=(at(y)) width=(at(right - left)) height="16" {}
                @if right - left > 34.0 {
                    text class={ "in " (class) } x=(at(f64::midpoint(left, right)))
                        y=(at(y + 12.0)) { (Style::PERCENT.value(Ok(share))) "%" }
                }
                ({ from += share; "" })
            }
        }
    }
}

/// The differences from the first variant in one metric, with their intervals; nothing where none
/// is known.
pub(super) fn forest(view: &View, pairing: &PairingView, key: &str, id: &str) -> Option<Markup> {
    let contrasts: Vec<_> = pairing
        .contrasts
        .iter()
        .filter(|contrast| contrast.metric.key == key && contrast.difference.is_ok())
        .take(ROWS_MAX)
        .collect();
    let metric = contrasts.first()?.metric;
    let rows = contrasts.iter().map(|contrast| ForestRow {
        name: view.variants[contrast.variant].name.clone(),
        value: contrast.difference,
        interval: contrast.interval,
        sure: contrast.p_adjusted.is_some_and(|p| p <= 0.05),
    });
    let rows: Vec<ForestRow> = rows.collect();
    let title = format!("{}: {}, difference from the first variant", pairing.name, metric.name);
    let description = "One interval a variant around its difference; filled where the adjusted p \
                       is at most 0.05. The numbers are in the table of differences.";
    Some(forest_of(Style::of(metric), &rows, id, &title, description))
}

/// A row of a forest plot.
struct ForestRow {
    name: String,
    value: Known<f64>,
    interval: Known<Interval>,
    /// Whether it is told apart from 0.
    sure: bool,
}

/// The longest name of a row, in letters.
const NAME_MAX: usize = 36;

fn forest_of(style: Style, rows: &[ForestRow], id: &str, title: &str, description: &str) -> Markup {
    const ROW: f64 = 34.0;
    let ends = rows.iter().flat_map(|row| {
        let ends = row.interval.ok().map(|interval| [interval.low(), interval.high()]);
        row.value.into_iter().chain(ends.into_iter().flatten())
    });
    let (low, high) = ends
        .map(|end| style.shown(end))
        .fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    let room = (0.04 * (high - low)).max(1e-6);
    let scale = Scale { low: low - room, high: high + room };
    let bottom = real_len(rows.len()) * ROW;
    let zero = at(scale.place(0.0));
    let inside = html! {
        line.zero x1=(zero) x2=(zero) y1="0" y2=(at(bottom)) {}
        @for (number, row) in rows.iter().enumerate() {
            @let y = real_len(number) * ROW;
            text.label x=(at(MARGIN)) y=(at(y + 13.0)) { (effects::short(&row.name, NAME_MAX)) }
            text.value x=(at(WIDTH - MARGIN)) y=(at(y + 13.0)) {
                (style.difference(row.value, row.interval))
            }
            @if let Ok(interval) = row.interval {
                line.interval x1=(at(scale.place(style.shown(interval.low()))))
                    x2=(at(scale.place(style.shown(interval.high()))))
                    y1=(at(y + 24.0)) y2=(at(y + 24.0)) {}
            }
            @if let Ok(value) = row.value {
                circle class=(if row.sure { "sure" } else { "unsure" }) r="4.5"
                    cx=(at(scale.place(style.shown(value)))) cy=(at(y + 24.0)) {}
            }
        }
        (scale.axis(bottom))
    };
    chart(id, bottom + AXIS, title, description, &inside)
}

/// How often each value was seen, one row of bars a variant, all on one scale; nothing without
/// observations.
pub(super) fn distributions(
    view: &View,
    pairing: &PairingView,
    what: &str,
    id: &str,
    of: fn(&Row) -> &Histogram,
) -> Option<Markup> {
    const ROW: f64 = 64.0;
    const HEIGHT: f64 = 44.0;
    let largest = rows(pairing).filter_map(|(_, row)| of(row).largest()).max()?;
    let wide = (largest + 1).div_ceil(BINS);
    let scale = Scale { low: 0.0, high: real_len((largest + 1).div_ceil(wide) * wide) };
    let bottom = real_len(rows(pairing).count()) * ROW;
    let inside = html! {
        @for (place, row) in rows(pairing) {
            @let base = place * ROW + ROW - 2.0;
            text.label x=(at(MARGIN)) y=(at(place * ROW + 13.0)) {
                (view.variants[row.variant].name)
            }
            @if let Ok(median) = of(row).median() {
                @let x = at(scale.place(median + 0.5));
                (bars(of(row), wide, scale, base, HEIGHT))
                line.median x1=(x) x2=(x) y1=(at(base - HEIGHT)) y2=(at(base)) {}
                text.value x=(at(WIDTH - MARGIN)) y=(at(place * ROW + 13.0)) {
                    "median " (tick_text(median))
                }
            }
        }
        (scale.axis(bottom))
    };
    let title = format!("{}: distribution of {what}", pairing.name);
    let description = "One row of bars a variant, its height scaled to the fullest bar of the \
                       row; a line stands at the median.";
    Some(chart(id, bottom + AXIS, &title, description, &inside))
}

fn bars(histogram: &Histogram, wide: usize, scale: Scale, base: f64, height: f64) -> Markup {
    let counts: Vec<u64> = histogram.counts().chunks(wide).map(|bin| bin.iter().sum()).collect();
    let fullest = real(counts.iter().copied().max().unwrap_or(1).max(1));
    html! {
        @for (number, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            @let left = scale.place(real_len(number * wide));
            @let right = scale.place(real_len((number + 1) * wide));
            @let tall = real(*count) / fullest * height;
            rect.bar x=(at(left)) y=(at(base - tall)) width=(at((right - left - 0.6).max(0.6)))
                height=(at(tall)) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Scale, tick_text};

    #[test]
    fn ticks_are_round_and_inside() {
        let ticks = |low, high| -> Vec<String> {
            Scale { low, high }.ticks().into_iter().map(tick_text).collect()
        };
        assert_eq!(ticks(-12.0, 31.0), ["-10", "0", "10", "20", "30"]);
        assert_eq!(ticks(0.0, 1.0), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(ticks(-0.5, 0.1), ["-0.4", "-0.2", "0"]);
    }
}
