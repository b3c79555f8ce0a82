//! Texts that the program makes, kept as files of the repository.

/// Compares a text with a file of the repository, or writes the file when `KENY_BLESS=1`.
pub(crate) fn same_as_file(path: &str, text: &str) -> Result<(), String> {
    let whole = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("KENY_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&whole, text).map_err(|error| format!("{path}: {error}"))?;
    }
    let stored = std::fs::read_to_string(&whole).map_err(|error| format!("{path}: {error}"))?;
    if stored == text {
        return Ok(());
    }
    Err(format!("{path} is not what it should be now; it should be\n{text}"))
}
