//! The page about clusters: its recipes are the files that the scripts run, and the README has its
//! exit codes from the program. `KENY_BLESS=1` writes both into the pages.

use std::path::{Path, PathBuf};

use keny::cli::Exit;

use crate::stored::same_as_file;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the recipes, in order.
fn recipes() -> Vec<String> {
    let entries = std::fs::read_dir(folder().join("recipes")).expect("the recipes are there");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

/// The page with the text of its recipe in the block after each `recipes/NAME` that begins a line,
/// and the names in the order of the page.
fn with_recipes(page: &str) -> (String, Vec<String>) {
    let (mut text, mut shown, mut next) = (String::new(), Vec::new(), None);
    let mut inside = false;
    for line in page.lines() {
        if let Some((name, _)) = line.strip_prefix("`recipes/").and_then(|it| it.split_once('`')) {
            next = Some(name.to_owned());
        }
        if inside && line != "```" {
            continue;
        }
        inside = false;
        text.push_str(line);
        text.push('\n');
        if line.starts_with("```") && line.len() > 3 {
            let name = next.take().expect("a block follows the name of its recipe");
            text.push_str(&read(&folder().join("recipes").join(&name)));
            shown.push(name);
            inside = true;
        }
    }
    (text, shown)
}

#[test]
fn the_page_has_the_recipes_that_are_run() {
    let page = read(&folder().join("README.md"));
    let (wanted, mut shown) = with_recipes(&page);
    if let Err(told) = same_as_file("tests/cluster/README.md", &wanted) {
        panic!("{told}");
    }
    shown.sort();
    assert_eq!(shown, recipes(), "every recipe is shown once");
}

#[test]
fn every_recipe_is_run_by_a_script() {
    let scripts =
        ["parallel", "slurm", "hyperqueue", "stand-ins"].map(|name| read(&folder().join(name)));
    let run = read(&folder().join("run"));
    assert!(run.contains("parallel slurm hyperqueue stand-ins"), "all scripts are run");
    for name in recipes() {
        let by_name = format!("\"$RECIPES/{name}\"");
        // Job scripts are submitted by the recipes, which name them.
        let submitted = name.ends_with(".sbatch")
            && scripts[1].contains("\"$RECIPES\"/*.sbatch")
            && read(&folder().join("recipes/slurm.sh")).contains(&name);
        let runs = scripts.iter().any(|script| script.contains(&by_name));
        assert!(runs || submitted, "no script runs {name}");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(read(&root.join(".ci/run")).contains("step tests/cluster/run"));
    assert!(read(&root.join("README.md")).contains("(tests/cluster/README.md)"));
}

#[test]
fn the_readme_has_every_exit_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = read(&root.join("README.md"));
    let head = "| exit code | means |\n|---:|---|\n";
    let (before, rest) = readme.split_once(head).expect("a table of exit codes");
    let (_, after) = rest.split_once("\n\n").expect("more after the table");
    let rows = Exit::ALL.map(|exit| format!("| {} | {} |", exit.code(), exit.meaning()));
    let wanted = format!("{before}{head}{}\n\n{after}", rows.join("\n"));
    if let Err(told) = same_as_file("README.md", &wanted) {
        panic!("{told}");
    }
}
