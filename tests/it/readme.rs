//! The README's console blocks: every `$ keny …` in them is run and must print what stands there.
//! `KENY_BLESS=1` writes what is printed instead.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const FENCE: &str = "```console";

/// Runs one `$ keny …` line in the project's folder; what it prints, errors after the rest.
fn run(line: &str) -> String {
    let words =
        line.strip_prefix("$ keny ").unwrap_or_else(|| panic!("not a keny command: {line}"));
    let output = Command::new(env!("CARGO_BIN_EXE_keny"))
        .args(words.split_whitespace().map(|word| word.trim_matches('\'')))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .output()
        .expect("the program runs");
    let mut text = String::from_utf8(output.stdout).expect("UTF-8");
    text.push_str(&String::from_utf8(output.stderr).expect("UTF-8"));
    text
}

/// The README with every console block as the program prints it now, and how many commands ran.
fn as_printed(readme: &str) -> (String, usize) {
    let (mut text, mut commands, mut inside) = (String::new(), 0, false);
    for line in readme.lines() {
        if inside && line == "```" {
            inside = false;
        }
        if !inside || line.starts_with("$ ") {
            writeln!(text, "{line}").expect("a string takes all");
        }
        if inside && line.starts_with("$ ") {
            commands += 1;
            for printed in run(line).lines() {
                writeln!(text, "{}", printed.trim_end()).expect("a string takes all");
            }
        }
        inside |= line == FENCE;
    }
    (text, commands)
}

#[test]
fn console_blocks_print_what_stands_there() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).expect("a README");
    let (printed, commands) = as_printed(&readme);
    assert!(commands >= 3, "only {commands} commands stand in the README");
    if std::env::var_os("KENY_BLESS").is_some() {
        std::fs::write(&path, &printed).expect("the README is written");
    } else {
        assert_eq!(readme, printed, "run KENY_BLESS=1 cargo test readme, and read the difference");
    }
}

/// The rows of the answer's table: those between its heading and the next one.
#[test]
fn the_answer_stands_in_the_report() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("a README");
    let report = std::fs::read_to_string(root.join("reports/first-look/report.md"));
    let report = report.expect("the first study's report");
    let (_, after) = readme.split_once("## The answer so far").expect("an answer");
    let (answer, _) = after.split_once("\n## ").expect("more after the answer");
    let rows: Vec<&str> = answer.lines().filter(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 7, "only {} rows", rows.len());
    for row in rows {
        assert!(report.lines().any(|line| line == row), "not in the report: {row}");
    }
}
