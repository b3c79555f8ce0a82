//! The table of limits in ARCHITECTURE.md is that of the program. `KENY_BLESS=1` writes it anew.

use std::fmt::Write as _;
use std::path::Path;

use keny::limits::LIMITS;

use crate::stored::same_as_file;

const BEGIN: &str = "| limit | at most |\n| --- | ---: |\n";

#[test]
fn the_table_is_that_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&path).expect("a page");
    let (before, rest) = text.split_once(BEGIN).expect("a table of limits");
    let after: String = rest
        .lines()
        .skip_while(|line| line.starts_with('|'))
        .map(|line| format!("{line}\n"))
        .collect();
    let mut table = BEGIN.to_owned();
    for limit in LIMITS {
        writeln!(table, "| {} | {} |", limit.what, limit.most).expect("a text takes all");
    }
    let wanted = format!("{before}{table}{after}");
    same_as_file("ARCHITECTURE.md", &wanted).unwrap_or_else(|error| panic!("{error}"));
}
