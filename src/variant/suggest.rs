//! "Did you mean": the likeliest of the words that were allowed. Knows no rule and no file.

/// The longest word that is compared; longer ones are no slip of the finger.
const WORD_MAX: usize = 40;

/// The candidate most like a word, or the only one that begins with it, if there is such a one.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = plain(word);
    if word.is_empty() || word.chars().count() > WORD_MAX {
        return None;
    }
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let mut longer = candidates.iter().filter(|candidate| plain(candidate).starts_with(&word));
    if let (true, Some(only), None) = (word.len() >= 3, longer.next(), longer.next()) {
        return Some(only);
    }
    candidates
        .into_iter()
        .map(|candidate| {
            let other = plain(candidate);
            let distance = strsim::osa_distance(&word, &other);
            let longer = word.chars().count().max(other.chars().count());
            (distance, longer, candidate)
        })
        .filter(|&(distance, longer, _)| distance * 3 <= longer && distance < longer)
        .min_by_key(|&(distance, _, _)| distance)
        .map(|(_, _, candidate)| candidate)
}

/// Words in back quotes: "`a`, `b` or `c`".
#[must_use]
pub fn one_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

/// A text short enough, and free of control characters, for a message.
#[must_use]
pub fn shown(text: &str) -> String {
    let short: String = text.chars().take(WORD_MAX).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("{}{more}", short.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'"))
}

/// Lower case, with one sign for all that joins words.
fn plain(word: &str) -> String {
    word.trim()
        .chars()
        .map(|letter| if matches!(letter, '_' | ' ') { '-' } else { letter.to_ascii_lowercase() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{nearest, one_of, shown};

    #[test]
    fn slips_are_understood_and_strangers_are_not() {
        let words = ["most-pieces", "by-king", "most-kings", "king-first"];
        assert_eq!(nearest("most_pieces", words), Some("most-pieces"));
        assert_eq!(nearest("MOST-KINGS", words), Some("most-kings"));
        assert_eq!(nearest("bykng", words), Some("by-king"));
        assert_eq!(nearest("king", words), Some("king-first"));
        assert_eq!(nearest("most", words), None);
        assert_eq!(nearest("elephant", words), None);
        assert_eq!(nearest("", words), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), words), None);
    }

    #[test]
    fn lists_and_long_texts_read_well() {
        assert_eq!(one_of([]), "");
        assert_eq!(one_of(["a"]), "`a`");
        assert_eq!(one_of(["a", "b", "c"]), "`a`, `b` or `c`");
        assert_eq!(shown("a\nb"), "a\\nb");
        assert_eq!(shown(&"x".repeat(50)).chars().count(), 41);
    }
}
