//! The committed reports: none says NaN or infinity or has an interval without width, and each is of
//! the study that lies beside it.

use std::fs;
use std::path::{Path, PathBuf};

use keny::study::file;

/// Every committed report's folder.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let entries = fs::read_dir(root).expect("reports").map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// The texts of a report: name and content.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let files =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let report = |path: &PathBuf| {
        path.extension().is_some_and(|end| ["md", "csv", "json", "html"].iter().any(|e| end == *e))
    };
    let read = |path: PathBuf| {
        (path.display().to_string(), fs::read_to_string(&path).expect("a text file"))
    };
    files.filter(report).map(read).collect()
}

/// A page without its style, its script and the insides of its tags.
fn without_tags(page: &str) -> String {
    let mut text = String::new();
    for part in page.split('<').skip(1) {
        let name = part.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let (_, inside) = part.split_once('>').expect("a closed tag");
        if !["style", "script"].contains(&name) {
            text.push_str(inside);
            text.push('\n');
        }
    }
    text
}

/// The ends of every interval that is written as `[low, high]`.
fn intervals(text: &str) -> Vec<(String, String)> {
    let parts = text.split('[').skip(1);
    let ends = parts.filter_map(|part| part.split_once(']')?.0.split_once(", "));
    let number = |end: &str| end.parse::<f64>().is_ok();
    ends.filter(|(low, high)| number(low) && number(high))
        .map(|(low, high)| (low.to_owned(), high.to_owned()))
        .collect()
}

fn is_sound(name: &str, text: &str) -> usize {
    let read = if name.ends_with(".html") { without_tags(text) } else { text.to_owned() };
    for word in read.split(|c: char| !c.is_alphanumeric() && c != '.') {
        let word = word.to_lowercase();
        assert!(!["nan", "inf", "infinity"].contains(&word.as_str()), "{name}: {word}");
    }
    if name.ends_with(".csv") {
        return sound_rows(name, text);
    }
    let found = intervals(&read.replace("\\[", "["));
    for (low, high) in &found {
        assert!(low != high, "{name}: [{low}, {high}]");
    }
    found.len()
}

/// The columns of intervals in tables: both ends or none, the lower one first.
fn sound_rows(name: &str, text: &str) -> usize {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads: Vec<String> =
        reader.headers().expect("headings").iter().map(str::to_owned).collect();
    let places: Vec<(usize, usize)> = heads
        .iter()
        .enumerate()
        .filter(|(_, head)| head.contains("low"))
        .filter_map(|(low, head)| {
            let high = head.replace("low", "high");
            Some((low, heads.iter().position(|other| *other == high)?))
        })
        .collect();
    let mut found = 0;
    for row in reader.records() {
        let row = row.expect("a row");
        for &(low, high) in &places {
            let ends = [low, high].map(|at| row[at].parse::<f64>().ok());
            assert_eq!(ends[0].is_some(), ends[1].is_some(), "{name}: {row:?}");
            if let [Some(low), Some(high)] = ends {
                assert!(low < high, "{name}: {row:?}");
                found += 1;
            }
        }
    }
    found
}

#[test]
fn no_number_is_nan_and_no_interval_without_width() {
    let mut intervals = 0;
    for folder in folders() {
        for (name, text) in texts(&folder) {
            intervals += is_sound(&name, &text);
        }
    }
    assert!(intervals > 10_000, "only {intervals} intervals were looked at");
}

#[test]
fn the_check_of_reports_sees_what_is_wrong() {
    let wrong = [
        ("a.md", "draws 1.0 \\[2.0, 2.0]"),
        ("a.md", "NaN"),
        ("a.html", "<p>2.0 [1.5, 1.5]</p>"),
        ("a.json", "{\"value\": [0.5, 0.5]}"),
        ("a.csv", "value,low,high\n1,2,2\n"),
        ("a.csv", "value,low_90,high_90\n1,2,\n"),
    ];
    for (name, text) in wrong {
        assert!(std::panic::catch_unwind(|| is_sound(name, text)).is_err(), "{name}: {text}");
    }
    assert_eq!(is_sound("a.html", "<style>[1, 1]</style><p>1 [0.5, 1.5]</p>"), 1);
}

#[test]
fn every_report_is_of_the_study_beside_it() {
    for folder in folders() {
        let study = file::load(folder.join("study.toml")).expect("a study");
        let hash = study.plan.hash().to_string();
        let report = fs::read_to_string(folder.join("report.md")).expect("a report");
        assert!(report.contains(&format!("plan {hash}")), "{}: {hash}", folder.display());
    }
}

/// Whatever the README quotes of a report stands in it.
#[test]
fn what_the_readme_quotes_stands_in_the_report() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("a README");
    let report = fs::read_to_string(root.join("reports/open-questions/report.md")).expect("one");
    let (_, after) = readme.split_once("## The answer so far").expect("an answer");
    let (answer, _) = after.split_once("\n## ").expect("more after the answer");
    // The report's Markdown makes every special character plain; the quotes show code as code.
    let report = report.replace('\\', "");
    let quotes: Vec<&str> = answer.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    assert!(!quotes.is_empty(), "nothing is quoted");
    for quote in quotes {
        let found = report.lines().any(|line| {
            line.split_once(". ")
                .is_some_and(|(number, text)| number.parse::<u32>().is_ok() && text == quote)
        });
        assert!(found, "not in the report: {quote}");
    }
}
