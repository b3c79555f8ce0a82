//! Numbers as people read them. Never writes NaN or infinity; what is missing is "n/a".

use crate::stats::{Interval, Known};
use crate::study::metrics::Metric;

/// The text of what does not exist; its reason stands in a note.
pub(super) const NONE: &str = "n/a";

/// How a metric's numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Shown times 100.
    percent: bool,
    /// Decimals.
    decimals: usize,
}

impl Style {
    /// Shares and scores in per cent.
    pub(super) const PERCENT: Self = Self { percent: true, decimals: 1 };
    /// Plies, and medians of them.
    pub(super) const PLIES: Self = Self { percent: false, decimals: 1 };
    /// Whole numbers.
    pub(super) const WHOLE: Self = Self { percent: false, decimals: 0 };

    /// The style for a metric.
    pub(super) fn of(metric: &Metric) -> Self {
        let plain = |decimals| Self { percent: false, decimals };
        match metric.unit {
            unit if unit.starts_with("share") => Self::PERCENT,
            "0 to 1" => plain(3),
            "plies" | "ply" => plain(1),
            _ => plain(2),
        }
    }

    /// The value as it is shown: shares times 100.
    pub(super) fn shown(self, value: f64) -> f64 {
        if self.percent { 100.0 * value } else { value }
    }

    fn number(self, value: f64) -> String {
        let shown = self.shown(value);
        let text = format!("{shown:.*}", self.decimals);
        let zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
        if zero { text.trim_start_matches('-').to_owned() } else { text }
    }

    /// A value.
    pub(super) fn value(self, value: Known<f64>) -> String {
        value.map_or_else(|_| NONE.to_owned(), |value| self.number(value))
    }

    /// A value with its interval: `48.3 [46.1, 50.5]`.
    pub(super) fn with_interval(self, value: Known<f64>, interval: Known<Interval>) -> String {
        value.map_or_else(
            |_| NONE.to_owned(),
            |value| format!("{} {}", self.number(value), self.interval(interval, Self::number)),
        )
    }

    /// A difference with its interval: `+1.2 [-0.3, +2.7]`.
    pub(super) fn difference(self, value: Known<f64>, interval: Known<Interval>) -> String {
        value.map_or_else(
            |_| NONE.to_owned(),
            |value| format!("{} {}", self.signed(value), self.interval(interval, Self::signed)),
        )
    }

    /// A difference without its interval: `+1.2`.
    pub(super) fn change(self, value: Known<f64>) -> String {
        value.map_or_else(|_| NONE.to_owned(), |value| self.signed(value))
    }

    /// A value with its sign.
    pub(super) fn signed(self, value: f64) -> String {
        let text = self.number(value);
        let zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        if zero || text.starts_with('-') { text } else { format!("+{text}") }
    }

    /// An interval that rounding would leave without width is written with more decimals.
    fn interval(self, interval: Known<Interval>, write: fn(Self, f64) -> String) -> String {
        let Ok(interval) = interval else { return format!("[{NONE}]") };
        let ends = |style| (write(style, interval.low()), write(style, interval.high()));
        let styles = (self.decimals..12).map(|decimals| Self { decimals, ..self });
        let (low, high) = styles
            .map(ends)
            .find(|(low, high)| low != high)
            .unwrap_or_else(|| (format!("{:e}", interval.low()), format!("{:e}", interval.high())));
        format!("[{low}, {high}]")
    }
}

/// A chance: three decimals, or below a thousandth.
pub(super) fn chance(p: Option<f64>) -> String {
    match p {
        None => NONE.to_owned(),
        Some(p) if p < 0.001 => "<0.001".to_owned(),
        Some(p) => format!("{p:.3}"),
    }
}

/// A correlation with its sign.
pub(super) fn correlation(r: Option<Known<f64>>) -> String {
    match r {
        None => "-".to_owned(),
        Some(r) => Style { percent: false, decimals: 2 }.value(r).replace("-0.00", "0.00"),
    }
}

/// A count with thousands apart: `12,345`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Style, chance, count};
    use crate::stats::{Interval, Missing};

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(chance(Some(0.000_4)), "<0.001");
        assert_eq!(chance(None), "n/a");
        let ends = Interval::new(0.461_2, 0.504_9);
        assert_eq!(Style::PERCENT.with_interval(Ok(0.483), ends), "48.3 [46.1, 50.5]");
        assert_eq!(Style::PERCENT.difference(Ok(-0.000_1), ends), "0.0 [+46.1, +50.5]");
        assert_eq!(Style::PERCENT.with_interval(Err(Missing::Empty), ends), "n/a");
        let missing = Err(Missing::Single);
        assert_eq!(Style::WHOLE.with_interval(Ok(7.0), missing), "7 [n/a]");
    }

    #[test]
    fn a_narrow_interval_keeps_a_width() {
        let ends = Interval::new(0.100_01, 0.100_02);
        assert_eq!(Style::PERCENT.with_interval(Ok(0.1), ends), "10.0 [10.001, 10.002]");
    }
}
