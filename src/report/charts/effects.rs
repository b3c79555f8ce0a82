//! Charts of effects: a forest plot for each metric, and plots of interactions.

use maud::{Markup, html};

use super::{AXIS, ForestRow, ROWS_MAX, Scale, WIDTH, at, chart, forest_of, tick_text};
use crate::report::effects::{DesignView, Effect, Means, PairingEffects};
use crate::report::number::Style;
use crate::report::tables::unit_of;
use crate::report::view::{PairingView, clean};
use crate::stats::{Interval, Known, real_len};

/// The main effects on one metric, the largest first; nothing where none is known.
pub(in crate::report) fn forest(
    design: &DesignView,
    pairing: &PairingView,
    effects: &PairingEffects,
    key: &str,
    id: &str,
) -> Option<Markup> {
    let known = effects.main.iter().filter(|e| e.metric.key == key && e.value.is_ok());
    let mut known: Vec<&Effect> = known.collect();
    let size = |effect: &Effect| effect.value.map_or(-1.0, f64::abs);
    known.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let metric = known.first()?.metric;
    let rows = known.iter().take(ROWS_MAX).map(|effect| ForestRow {
        name: design.term_name(effect.term),
        value: effect.value,
        interval: effect.interval,
        sure: effect.clear(),
    });
    let rows: Vec<ForestRow> = rows.collect();
    let title = format!("{}: effects on {}", pairing.name, unit_of(metric));
    let description = "One interval an answer around its effect, the largest effect first; filled \
                       where the adjusted p is at most 0.05. The numbers are in the table of main \
                       effects.";
    Some(forest_of(Style::of(metric), &rows, id, &title, description))
}

/// The height of the plotted area of an interaction.
const HEIGHT: f64 = 190.0;
/// Room on the left for the scale.
const LEFT: f64 = 58.0;
/// Room on the right for the names of the lines.
const RIGHT: f64 = 120.0;
/// The most lines that a plot is readable with.
const LINES_MAX: usize = 6;

/// The mean of a metric over the levels of one flag, a line for each level of another.
pub(in crate::report) fn interaction(
    design: &DesignView,
    pairing: &PairingView,
    means: &Means,
    id: &str,
) -> Option<Markup> {
    let style = Style::of(means.metric);
    let [across, lines] = means.factors.map(|factor| &design.design.factors[factor]);
    let scale = vertical(means, style)?;
    let y = |value: f64| {
        HEIGHT - (style.shown(value) - scale.low) / (scale.high - scale.low) * (HEIGHT - 12.0)
    };
    let step = (WIDTH - LEFT - RIGHT) / real_len(across.levels.len());
    // Lines stand a little apart, so that their intervals can be seen.
    let x = |place: usize, line: usize| {
        let apart = real_len(line) - (real_len(lines.levels.len().min(LINES_MAX)) - 1.0) / 2.0;
        LEFT + (real_len(place) + 0.5) * step + 7.0 * apart
    };
    let shown = lines.levels.len().min(LINES_MAX);
    let points = |line: usize| -> Vec<(f64, f64, Known<Interval>)> {
        let cells = means.cells.iter().enumerate();
        cells
            .filter_map(|(place, row)| {
                let (value, interval) = row[line].ok()?;
                Some((x(place, line), y(value), interval))
            })
            .collect()
    };
    let ends = named_ends((0..shown).map(|line| points(line).last().map(|end| end.1)).collect());
    let inside = html! {
        @for tick in scale.ticks() {
            @let height = HEIGHT - (tick - scale.low) / (scale.high - scale.low) * (HEIGHT - 12.0);
            line.grid x1=(at(LEFT)) x2=(at(WIDTH - RIGHT)) y1=(at(height)) y2=(at(height)) {}
            text.value x=(at(LEFT - 6.0)) y=(at(height + 4.0)) { (tick_text(tick)) }
        }
        @for (place, level) in across.levels.iter().enumerate() {
            text.tick x=(at(LEFT + (real_len(place) + 0.5) * step)) y=(at(HEIGHT + 16.0)) {
                (short(&clean(level), 18))
            }
        }
        text.tick x=(at(f64::midpoint(LEFT, WIDTH - RIGHT))) y=(at(HEIGHT + 34.0)) {
            (clean(&across.flag))
        }
        text.label x=(at(WIDTH - RIGHT + 4.0)) y="10" { (short(&clean(&lines.flag), 19)) }
        @for line in 0..shown {
            @let class = format!("line line-{line}");
            @let points = points(line);
            polyline class=(class) points=(path(&points)) {}
            @for (x, y_mean, interval) in &points {
                @if let Ok(interval) = interval {
                    line class=(class) x1=(at(*x)) x2=(at(*x)) y1=(at(y(interval.low())))
                        y2=(at(y(interval.high()))) {}
                }
                (mark(line, *x, *y_mean))
            }
            @if let Some(end) = ends[line] {
                (mark(line, WIDTH - RIGHT + 10.0, end))
                text.label x=(at(WIDTH - RIGHT + 20.0)) y=(at(end + 4.0)) {
                    (short(&clean(&lines.levels[line]), 15))
                }
            }
        }
    };
    let title = format!(
        "{}: {} by {} and {}",
        pairing.name,
        unit_of(means.metric),
        clean(&across.flag),
        clean(&lines.flag)
    );
    Some(chart(id, HEIGHT + AXIS + 16.0, &title, &in_words(means, design, style), &inside))
}

/// The scale of the means and their intervals, in what is shown.
fn vertical(means: &Means, style: Style) -> Option<Scale> {
    let cells = means.cells.iter().flatten().filter_map(|cell| cell.as_ref().ok());
    let ends = cells.flat_map(|(value, interval)| {
        let ends = interval.ok().map(|interval| [interval.low(), interval.high()]);
        ends.into_iter().flatten().chain(std::iter::once(*value))
    });
    let range = ends.map(|end| style.shown(end)).fold(None, |range: Option<(f64, f64)>, end| {
        Some(range.map_or((end, end), |(low, high)| (low.min(end), high.max(end))))
    });
    let (low, high) = range?;
    let room = (0.05 * (high - low)).max(1e-6);
    Some(Scale { low: low - room, high: high + room })
}

/// The heights of the names of lines: at the end of their line, but one below the other.
fn named_ends(ends: Vec<Option<f64>>) -> Vec<Option<f64>> {
    let mut order: Vec<usize> = (0..ends.len()).filter(|&line| ends[line].is_some()).collect();
    order.sort_by(|&a, &b| ends[a].unwrap_or(0.0).total_cmp(&ends[b].unwrap_or(0.0)));
    let mut placed = vec![None; ends.len()];
    let mut least = 26.0;
    for line in order {
        let height = ends[line].unwrap_or(0.0).max(least);
        placed[line] = Some(height);
        least = height + 16.0;
    }
    placed
}

fn path(points: &[(f64, f64, Known<Interval>)]) -> String {
    points.iter().map(|(x, y, _)| format!("{},{}", at(*x), at(*y))).collect::<Vec<_>>().join(" ")
}

/// A mark whose shape, not only its colour, says which line it belongs to.
fn mark(line: usize, x: f64, y: f64) -> Markup {
    let class = format!("mark line-{line}");
    let points = |corners: &[(f64, f64)]| -> String {
        corners
            .iter()
            .map(|(dx, dy)| format!("{},{}", at(x + dx), at(y + dy)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    html! {
        @match line % 3 {
            0 => { circle class=(class) cx=(at(x)) cy=(at(y)) r="4" {} }
            1 => { rect class=(class) x=(at(x - 3.8)) y=(at(y - 3.8)) width="7.6" height="7.6" {} }
            _ => { polygon class=(class) points=(points(&[(0.0, -5.0), (4.8, 3.6), (-4.8, 3.6)])) {} }
        }
    }
}

/// The means, for those who cannot see the plot.
fn in_words(means: &Means, design: &DesignView, style: Style) -> String {
    let [across, lines] = means.factors.map(|factor| &design.design.factors[factor]);
    let mut parts = Vec::new();
    for (row, one) in means.cells.iter().zip(&across.levels) {
        for (cell, two) in row.iter().zip(&lines.levels) {
            let text = match cell {
                Ok((value, interval)) => style.with_interval(Ok(*value), *interval),
                Err(missing) => missing.cell(),
            };
            parts.push(format!(
                "{} = {}, {} = {}: {text}",
                clean(&across.flag),
                clean(one),
                clean(&lines.flag),
                clean(two)
            ));
        }
    }
    format!("Means over the rulesets with both levels, with intervals. {}.", parts.join("; "))
}

/// A text that fits: cut with an ellipsis.
pub(super) fn short(text: &str, letters_max: usize) -> String {
    if text.chars().count() <= letters_max {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(letters_max.saturating_sub(1)).collect();
    cut.push('…');
    cut
}
