//! Study files: what is accepted, and every kind of problem as it is drawn.

use std::path::Path;

use keny::study::file::{self, check_text};
use keny::variant::learned;

use crate::stored::same_as_file;

/// Every `tests/data/broken-studies/NAME.toml` has its exact messages in `NAME.txt`.
#[test]
fn broken_studies_are_told_as_stored() {
    let folder = "tests/data/broken-studies";
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
        .collect();
    names.sort();
    assert!(names.len() >= 20, "{} broken studies", names.len());
    let mut wrong = Vec::new();
    for name in names {
        let report = file::check_file(format!("{folder}/{name}.toml"));
        let problems = &report.problems;
        assert!(!problems.is_empty(), "{name} has nothing wrong");
        assert_eq!(report.study.is_none(), problems.has_errors(), "{name}");
        let told = format!(
            "{problems}\n\n{} errors, {} warnings\n",
            problems.error_count(),
            problems.warning_count()
        );
        wrong.extend(same_as_file(&format!("{folder}/{name}.txt"), &told).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn plan(text: &str) -> keny::study::Plan {
    let report = check_text("folder/a-study.toml", text, Path::new("tests/data"));
    let problems = report.problems;
    report.study.unwrap_or_else(|| panic!("{problems}")).plan
}

#[test]
fn a_short_study_has_its_defaults() {
    let plan = plan("variants = [\"keny\"]\nplayers = [\"random\"]");
    assert_eq!(plan.title, "a-study");
    assert_eq!((plan.seed, plan.opening_plies, plan.plies_max), (1, 4, 400));
    assert_eq!(plan.pairings.len(), 1);
    assert_eq!((plan.pairings[0].openings, plan.games_total()), (100, 100));
}

#[test]
fn stages_and_pairings_are_resolved_in_order() {
    let plan = plan(
        "variants = [\"keny\", { name = \"one hop\", extends = \"keny\", hop = { chain = 1 } }]
         openings = 7
         pairings = \"round-robin\"
         [[stage]]
         players = [\"random\"]
         pairings = \"self\"
         openings = 1000
         [[stage]]
         players = [\"random\", \"greedy\", \"alphabeta:depth=2\"]
         [[stage]]
         players = [\"mcts:playouts=10\", \"alphabeta:depth=3\", \"random\"]
         pairings = { gauntlet = \"random\" }
         openings = 5
         [[stage]]
         players = [\"alphabeta:depth=2\", \"greedy\"]
         pairings = [[\"greedy\"], [\"alphabeta:depth=2\"]]",
    );
    let pairings: Vec<String> =
        plan.pairings.iter().map(|pair| format!("{pair}: {}", pair.openings)).collect();
    assert_eq!(
        pairings,
        [
            "random: 1000",
            "random - greedy: 7",
            "random - alphabeta:depth=2: 7",
            "greedy - alphabeta:depth=2: 7",
            "random - mcts:playouts=10: 5",
            "random - alphabeta:depth=3: 5",
            "greedy: 7",
            "alphabeta:depth=2: 7",
        ]
    );
    assert_eq!(plan.variants[1].name, "one hop");
    assert_ne!(plan.variants[0].fingerprint, plan.variants[1].fingerprint);
    assert_eq!(plan.games_total(), 2 * (1000 + 3 * 14 + 2 * 10 + 2 * 7));
    let keys: Vec<_> = plan.keys().collect();
    assert_eq!(keys.len() as u64, plan.games_total());
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
    for (number, key) in (0..).zip(&keys) {
        assert_eq!(plan.number_of(key), Some(number));
    }
}

#[test]
fn what_does_not_change_the_games_does_not_change_the_plan_hash() {
    let text = "variants = [\"keny\", \"turkish\"]\nplayers = [\"random\"]\nseed = 5";
    let same = "title = \"T\"\nseed = 5 # five\nvariants = [\"keny\", { name = \"t\", extends = \
                \"turkish\", king = { flying_hop = true } }]\n[[stage]]\nplayers = [\"random\"]";
    assert_eq!(plan(text).hash(), plan(same).hash());
    // Stored stores depend on it.
    assert_eq!(plan(text).hash().to_string(), "56e1378404c5d581529971741f5747c3");
    for (from, to) in [
        ("seed = 5", "seed = 6"),
        ("\"keny\", \"turkish\"", "\"turkish\", \"keny\""),
        ("[\"random\"]", "[\"greedy\"]"),
        ("seed = 5", "seed = 5\nopenings = 101"),
        ("seed = 5", "seed = 5\nopening_plies = 5"),
        ("seed = 5", "seed = 5\nplies_max = 401"),
    ] {
        assert_ne!(plan(text).hash(), plan(&text.replace(from, to)).hash(), "{to}");
    }
}

#[test]
fn learned_weights_are_part_of_a_plan_if_a_player_wants_them() {
    let with = |players: &str, weights: &str| {
        plan(&format!("{weights}\nvariants = [\"keny\"]\nplayers = [\"{players}\"]"))
    };
    let shipped = with("greedy", "");
    assert_eq!(shipped.variants[0].weights, learned(&shipped.variants[0].ruleset));
    assert!(shipped.variants[0].weights.is_some());
    for players in ["random", "greedy:weights=material"] {
        assert_eq!(with(players, "").variants[0].weights, None, "{players}");
        // What is wrong with weights that nobody uses is nobody's trouble.
        let unused = with(players, "weights = \"broken-studies/weights\"");
        assert_eq!(unused.hash(), with(players, "").hash());
    }
    let mut other = shipped.clone();
    let weights = other.variants[0].weights.as_mut().expect("learned weights");
    weights.weights.king[0] += 1;
    assert_ne!(shipped.hash(), other.hash());
    assert_eq!(shipped.differences(&other), ["learned weights of variant `keny`"]);
    other.variants[0].weights = None;
    assert_ne!(shipped.hash(), other.hash());
}

#[test]
fn studies_are_told_from_variants() {
    assert!(file::looks_like_study("variants = []"));
    assert!(file::looks_like_study("[[stage]]"));
    assert!(!file::looks_like_study(""));
    assert!(!file::looks_like_study("name = \"x\"\n[hop]\nchain = 1"));
}

#[test]
fn unreadable_studies_are_told() {
    let told = |path: &str| file::load(path).expect_err("no study").to_string();
    assert_eq!(
        told("tests/no-such.toml"),
        "error: cannot read `tests/no-such.toml`: no such file or directory"
    );
    assert_eq!(told("tests"), "error: cannot read `tests`: it is a folder");
}
