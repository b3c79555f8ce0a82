//! The floors of the house: each module imports only from floors below its own, or from itself.

use std::fs;
use std::path::{Path, PathBuf};

/// The floors, the lowest first. Modules of one floor do not import each other, but for the pairs
/// of [`BESIDE`].
const FLOORS: [&[&str]; 8] = [
    &["limits"],
    &["board"],
    &["rules"],
    &["player", "notation", "record"],
    &["variant", "stats"],
    &["study", "report"],
    &["cli"],
    &["main"],
];

/// Who may import whom on its own floor: reports are made of what studies stored.
const BESIDE: [(&str, &str); 1] = [("report", "study")];

fn floor(module: &str) -> usize {
    FLOORS
        .iter()
        .position(|floor| floor.contains(&module))
        .unwrap_or_else(|| panic!("src/{module} stands on no floor: give it one here"))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn imports_go_downward_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.sort();
    let mut upward = Vec::new();
    let mut seen = 0;
    for file in files {
        let inside = file.strip_prefix(&root).expect("a file of src");
        let first = inside.iter().next().expect("a name").to_str().expect("UTF-8");
        let module = first.trim_end_matches(".rs");
        if module == "lib" {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source file");
        for (number, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            for path in ["crate::", "keny::"].iter().flat_map(|start| line.split(start).skip(1)) {
                let name: String =
                    path.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                assert!(!path.starts_with('{'), "{}: one import a floor, please", inside.display());
                // Macros of the crate's root are no floor.
                if name.is_empty() || path[name.len()..].starts_with('!') || name == "with_rules" {
                    continue;
                }
                seen += 1;
                let beside = BESIDE.contains(&(module, name.as_str()));
                if name != module && floor(&name) >= floor(module) && !beside {
                    upward.push(format!("{}:{}: {line}", inside.display(), number + 1));
                }
            }
        }
    }
    assert!(seen > 40, "the test read only {seen} imports: does it still see them?");
    assert!(upward.is_empty(), "imports that go up or sideways:\n{}", upward.join("\n"));
}
