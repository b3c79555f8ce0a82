//! Text broken into lines of [`COLUMNS`] columns.

/// Columns of a line.
pub(super) const COLUMNS: usize = 100;

/// The text as lines, the first after `first`, the others after `rest`, each with a line end.
///
/// A word longer than a line stands alone. Counts characters, so it is right for Latin and
/// Cyrillic text.
pub(super) fn wrap(first: &str, rest: &str, text: &str) -> String {
    let mut lines = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        let width = line.chars().count() + usize::from(!empty) + word.chars().count();
        if !empty && width > COLUMNS {
            lines.push_str(line.trim_end());
            lines.push('\n');
            line.clear();
            line.push_str(rest);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    lines.push_str(line.trim_end());
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, wrap};

    #[test]
    fn lines_stay_within_the_columns() {
        let text = wrap("- ", "  ", &"word ".repeat(60));
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS));
        assert!(text.starts_with("- word word"));
        assert!(text.lines().skip(1).all(|line| line.starts_with("  word")));
        assert_eq!(wrap("", "", "a  b\nc"), "a b c\n");
        assert_eq!(wrap("  ", "  ", ""), "\n");
        let long = "x".repeat(200);
        assert_eq!(wrap("- ", "  ", &format!("a {long} b")), format!("- a\n  {long}\n  b\n"));
    }
}
