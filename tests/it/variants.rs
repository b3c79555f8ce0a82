//! Variant files: the shipped ones, what is accepted, and every kind of problem as it is drawn.

use keny::rules::catalog::FLAGS;
use keny::variant::{self, library};

use crate::stored::same_as_file;

#[test]
fn shipped_variants_resolve_without_a_warning() {
    for name in library::NAMES {
        let variant = variant::load(name).unwrap_or_else(|problems| panic!("{problems}"));
        assert!(variant.warnings.is_empty(), "{}", variant.warnings);
        assert_eq!(variant.id, name);
        assert!(!variant.summary.is_empty() && !variant.sources.is_empty(), "{name}");
    }
}

#[test]
fn rules_of_the_vectors_are_accepted_as_json() {
    for (file, lines_min) in [("positions.jsonl", 2_000), ("games.jsonl", 200)] {
        let path = format!("{}/tests/data/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the vectors are there");
        let mut lines = 0;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let line: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
            let ruleset = variant::from_json(&line["rules"]).unwrap_or_else(|p| panic!("{p}"));
            for flag in FLAGS {
                let (table, name) = flag.key.split_once('.').expect("a dotted key");
                if let Some(written) = line["rules"].get(table).and_then(|table| table.get(name)) {
                    let got = flag.get(&ruleset).to_string();
                    assert_eq!(got.replace(' ', ""), written.to_string(), "{}", flag.key);
                }
            }
            for key in ["position", "final"] {
                let Some(text) = line[key].as_str() else { continue };
                let (first, placement) =
                    keny::notation::parse_position(text, &ruleset.board).expect(text);
                let again = keny::notation::print_position(first, &placement, &ruleset.board);
                assert_eq!(again, text);
            }
            lines += 1;
        }
        assert!(lines >= lines_min, "{file} has {lines} lines");
    }
}

/// Every `tests/data/broken/NAME.toml` has its exact messages in `NAME.txt`.
#[test]
fn broken_files_are_told_as_stored() {
    let folder = "tests/data/broken";
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
        .collect();
    names.sort();
    assert!(names.len() >= 40, "{} broken files", names.len());
    let mut wrong = Vec::new();
    for name in names {
        let report = variant::check_file(format!("{folder}/{name}.toml"));
        let problems = &report.problems;
        assert_eq!(report.variant.is_none(), problems.has_errors(), "{name}");
        let mut told = problems.render(false);
        told.push_str(&format!(
            "\n\n{} errors, {} warnings\n",
            problems.error_count(),
            problems.warning_count()
        ));
        wrong.extend(same_as_file(&format!("{folder}/{name}.txt"), told.trim_start()).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// `KENY_BLESS=1 cargo test generated` writes them anew.
#[test]
fn generated_files_are_fresh() {
    let reference = same_as_file("variants/README.md", &variant::reference::reference());
    let schema = same_as_file("variants/schema.json", &variant::schema::schema());
    assert!(reference.is_ok() && schema.is_ok(), "{reference:?} {schema:?}");
}

/// A fingerprint names rules for good: a change here breaks stored games and results.
#[test]
fn fingerprints_are_those_stored() {
    let mut text = String::new();
    for name in library::NAMES {
        let print = variant::load(name).expect("it is shipped").fingerprint();
        assert_eq!(print.to_string().parse(), Ok(print));
        text.push_str(&format!("{name} {print}\n"));
    }
    same_as_file("tests/data/fingerprints.txt", &text).expect("fingerprints never change");
    let mut prints: Vec<&str> =
        text.lines().filter_map(|line| line.split_once(' ')).map(|(_, print)| print).collect();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), library::NAMES.len(), "two shipped variants have one fingerprint");
}

#[test]
fn fingerprint_does_not_see_the_form_of_a_file() {
    let forms = [
        "[capture]\nmandatory = false\n[hop]\nchain = 1\n[man]\nstep = [\"forward\", \"sideways\"]",
        "# a remark\nhop.chain = 1\nname = \"x\"\ncapture = { mandatory = false, complete = true }",
        "extends = \"keny-other-sources\"",
        "extends = \"keny-collection\"\n[man]\ncapture = [\"backward\", \"sideways\", \"forward\"]\n\
         hop = [\"sideways\", \"backward\", \"forward\"]\n[king]\nreversal = true\n[promotion]\n\
         in_capture = \"continue-as-king\"\n[draw]\nquiet_turns = 10\n[capture]\nmandatory = false",
        "extends = \"keny-other-sources\"\n[hop]\nreturn_to_start = true",
    ];
    let expected = variant::load("keny-other-sources").expect("it is shipped").fingerprint();
    for form in forms {
        let report = variant::check_text("form", form);
        let found = report.variant.unwrap_or_else(|| panic!("{}", report.problems));
        assert_eq!(found.fingerprint(), expected, "{form}");
    }
    let other = variant::check_text("other", "extends = \"keny-other-sources\"\n[hop]\nchain = 2");
    assert_ne!(other.variant.expect("it is valid").fingerprint(), expected);
}

/// Live flags, and only they, change the fingerprint; dormancy is what the reference says.
#[test]
fn only_live_flags_change_the_fingerprint() {
    for name in library::NAMES {
        let ruleset = variant::load(name).expect("it is shipped").ruleset;
        for flag in FLAGS {
            for (value, other) in flag.alternatives(&ruleset) {
                let same = variant::fingerprint(&other) == variant::fingerprint(&ruleset);
                assert_eq!(same, !flag.live(&ruleset), "{name}: {} = {value}", flag.key);
                assert_eq!(flag.live(&other), flag.live(&ruleset), "{} judges itself", flag.key);
            }
        }
    }
}

#[test]
fn dormant_flags_of_turkish_draughts() {
    let ruleset = variant::load("turkish").expect("it is shipped").ruleset;
    let dormant: Vec<&str> =
        FLAGS.iter().filter(|flag| !flag.live(&ruleset)).map(|flag| flag.key).collect();
    let expected = [
        "man.hop",
        "king.hop",
        "king.flying_hop",
        "hop.chain",
        "hop.return_to_start",
        "hop.then_capture",
        "promotion.in_hop",
        "draw.counted",
        "draw.starts",
        "draw.reset_by",
    ];
    assert_eq!(dormant, expected);
    let ruleset = variant::load("english").expect("it is shipped").ruleset;
    for (key, live) in
        [("king.landing", false), ("king.reversal", false), ("draw.repetition_result", true)]
    {
        let flag = keny::rules::catalog::flag(key).expect("a flag");
        assert_eq!(flag.live(&ruleset), live, "{key}");
    }
}

/// What the table of the shipped variants says, flag by flag, for those that extend another.
#[test]
fn shipped_variants_differ_from_keny_as_documented() {
    let told = |name: &str| -> Vec<String> {
        let ruleset = variant::load(name).expect("it is shipped").ruleset;
        variant::reference::differences(&ruleset)
            .into_iter()
            .map(|(flag, value)| format!("{} = {value}", flag.key))
            .collect()
    };
    assert_eq!(told("keny"), [""; 0]);
    assert_eq!(told("keny-other-sources"), ["capture.mandatory = false", "hop.chain = 1"]);
    assert_eq!(
        told("keny-collection-variant"),
        [
            "man.capture = [\"forward\", \"sideways\"]",
            "man.hop = [\"forward\", \"sideways\"]",
            "king.reversal = false",
            "hop.then_capture = true",
            "promotion.in_capture = \"stop\"",
            "draw.quiet_turns = 0",
        ]
    );
    assert_eq!(
        told("international"),
        [
            "board.files = 10",
            "board.ranks = 10",
            "board.squares = \"dark\"",
            "setup.ranks = [1, 2, 3, 4]",
            "man.step = [\"diagonal-forward\"]",
            "man.capture = [\"diagonal-forward\", \"diagonal-backward\"]",
            "man.hop_over = []",
            "king.move = [\"diagonal-forward\", \"diagonal-backward\"]",
            "king.capture = [\"diagonal-forward\", \"diagonal-backward\"]",
            "capture.priority = [\"most-pieces\"]",
            "capture.removal = \"end-of-turn\"",
            "promotion.in_capture = \"only-if-ends-there\"",
            "draw.quiet_turns = 0",
            "draw.repetition = 3",
        ]
    );
}

fn written(folder: &std::path::Path, name: &str, text: &str) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a new folder");
    std::fs::write(&path, text).expect("a new file");
    path
}

#[test]
fn names_and_paths_are_found_from_any_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let base = written(root, "base.toml", "extends = \"turkish\"\n[king]\nflying = false");
    // A file called like a shipped variant does not hide it: a bare name is never a path.
    written(root, "deep/turkish.toml", "[board]\nfiles = 4");
    let child = written(
        root,
        "deep/er/child.toml",
        "name = \"Child\"\nextends = \"../../base.toml\"\n[draw]\nrepetition = 5",
    );
    let sibling = written(root, "deep/sibling.toml", "extends = './er/child.toml'");
    let absolute = written(root, "absolute.toml", &format!("extends = '{}'", base.display()));
    let load = |path: &std::path::Path| {
        variant::load(&path.display().to_string()).unwrap_or_else(|problems| panic!("{problems}"))
    };
    let variant = load(&sibling);
    assert_eq!((variant.id.as_str(), variant.name.as_str()), ("sibling", "sibling"));
    assert_eq!(variant.ruleset.draw.repetition, 5);
    assert!(!variant.ruleset.king.flying && variant.ruleset.board.files == 8);
    assert_eq!(load(&absolute).ruleset, load(&base).ruleset);
    let variant::Origin::File { name, line } = variant.provenance.of("draw.repetition") else {
        panic!("a file says it");
    };
    assert_eq!((name.as_str(), *line), (child.display().to_string().as_str(), 4));
    let variant::Origin::File { name, line } = variant.provenance.of("man.hop_over") else {
        panic!("a file says it");
    };
    assert_eq!((name.as_str(), *line), ("turkish (shipped)", 11));
    assert_eq!(*variant.provenance.of("board.files"), variant::Origin::Default);
}

#[test]
fn a_name_that_is_not_shipped_is_told_with_the_likely_one() {
    for (wrong, hint) in [
        ("turkis", "did you mean `turkish`?"),
        ("Keny", "did you mean `keny`?"),
        ("keny-other", "did you mean `keny-other-sources`?"),
        ("", "the shipped variants are `keny`"),
        ("no/such/file.toml", "cannot read `no/such/file.toml`"),
        ("src/", "it is a folder"),
        ("\u{0}.toml", "cannot read"),
    ] {
        let told = variant::load(wrong).expect_err(wrong).to_string();
        assert!(told.contains(hint), "{told}");
    }
}

#[test]
fn the_nearest_of_ranks_and_position_holds_and_the_position_says_who_is_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let position = "B:Wa2,b2:Ba7,Kb7";
    let parent = format!("[setup]\nposition = \"{position}\"\n");
    written(folder.path(), "position.toml", &parent);
    let load = |text: &str| {
        let path = written(folder.path(), "child.toml", text);
        let report = variant::check_file(path);
        report.variant.unwrap_or_else(|| panic!("{}", report.problems))
    };
    let text = |variant: &variant::Variant| {
        let ruleset = &variant.ruleset;
        keny::notation::print_position(ruleset.setup.first, &ruleset.start(), &ruleset.board)
    };
    let keny = text(&variant::load("keny").expect("it is shipped"));
    assert_eq!(text(&load("extends = \"./position.toml\"")), position);
    let first = load("extends = \"./position.toml\"\n[setup]\nfirst = \"white\"");
    assert_eq!(text(&first), "W:Wa2,b2:Ba7,Kb7");
    let ranks = load("extends = \"./position.toml\"\n[setup]\nranks = [2, 3]");
    assert_eq!(text(&ranks), keny);
    assert!(ranks.warnings.is_empty());
    let none = load("extends = \"./position.toml\"\n[setup]\nposition = \"none\"");
    assert_eq!(text(&none), keny);
    let both = load("[setup]\nfirst = \"black\"\nposition = \"B:Wa2,b2:Ba7,Kb7\"");
    assert_eq!(text(&both), position);
    // The child's board decides where the parent's men can stand.
    let path =
        written(folder.path(), "small.toml", "extends = \"./position.toml\"\n[board]\nranks = 6");
    let told = variant::check_file(path).problems.to_string();
    assert!(told.contains("`a7` is not on the board: its squares are a1 to h6"), "{told}");
    assert!(told.contains("position.toml:2:23"), "{told}");
}

#[test]
fn json_goes_through_the_same_checks_and_names_the_key() {
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("valid JSON");
    for (text, told) in [
        (r#"[]"#, "rules must be an object of tables"),
        (r#"{"man":{"stp":[]}}"#, "unknown key `stp` in the table `man`"),
        (r#"{"man":{"stp":[]}}"#, "did you mean `step`?"),
        (r#"{"man.step":[]}"#, "`step` is a key in the table `man`"),
        (r#"{"man":[]}"#, "`man` cannot be a list: expected a table"),
        (r#"{"man":{"step":null}}"#, "`man.step` cannot be null"),
        (r#"{"hop":{"chain":18446744073709551615}}"#, "`hop.chain` is out of range"),
        (r#"{"hop":{"chain":1.0}}"#, "`hop.chain` cannot be the number 1.0"),
        (r#"{"king":{"landing":"nerest"}}"#, "`king.landing` has no choice `nerest`"),
        (r#"{"setup":{"ranks":[2,7]}}"#, "the camps overlap"),
        (r#"{"setup":{"position":"W:Wz1:B"}}"#, "`setup.position`: `z1` is not on the board"),
        (
            r#"{"king":{"landing":"continuing"},"capture":{"complete":false}}"#,
            "contradicts `capture.complete = false`",
        ),
        (r#"{"extends":"./file.toml"}"#, "no variant can be read from a file here"),
        (r#"{"extends":"grek"}"#, "did you mean `greek`?"),
    ] {
        let found = variant::from_json(&json(text)).expect_err(text).to_string();
        assert!(found.contains(told), "{text}: {found}");
    }
    let dormant = json(r#"{"extends":"greek","hop":{"chain":1},"king":{"flying":false}}"#);
    let ruleset = variant::from_json(&dormant).expect("a warning is no error");
    assert!(
        !ruleset.king.flying && !ruleset.man.capture.contains(keny::rules::Direction::Backward)
    );
}

#[test]
fn a_file_too_large_is_refused_and_a_long_chain_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let large = written(folder.path(), "large.toml", &"# ten million bytes\n".repeat(500_000));
    let told = variant::check_file(&large).problems.to_string();
    assert!(told.contains("is larger than 1000000 bytes, so it was not read"), "{told}");
    let full = format!("{}\n", "#".repeat(999_999));
    let full = written(folder.path(), "full.toml", &full);
    assert!(variant::check_file(&full).variant.is_some());
    let links = variant::extends::DEPTH_MAX;
    written(folder.path(), "0.toml", "");
    for link in 1..=links {
        let text = format!("extends = \"{}.toml\"", link - 1);
        written(folder.path(), &format!("{link}.toml"), &text);
    }
    let check = |link: usize| variant::check_file(folder.path().join(format!("{link}.toml")));
    assert!(check(links - 1).variant.is_some());
    let told = check(links).problems.to_string();
    assert!(told.contains("`extends` goes through more than 16 files"), "{told}");
}

#[test]
fn colour_adds_nothing_but_colour() {
    let problems = variant::check_text("x.toml", "[man]\nstep = 1").problems;
    let coloured = problems.render(true);
    assert!(coloured.contains('\u{1b}') && !problems.render(false).contains('\u{1b}'));
}

/// A table in another file, such as a study, shares its text and its problems.
#[test]
fn a_table_in_another_file_is_a_variant() {
    let text = "title = \"a study\"\n[variant]\nextends = \"greek\"\nhop = { chain = 0 }\n";
    let mut problems = variant::Problems::new();
    let file = problems.add_text("study.toml", text);
    let (mut root, bad) = variant::table::Table::from_toml(file, text, &mut problems);
    assert!(bad.is_empty());
    assert_eq!(root.text("title", &mut problems).expect("it is there").value, "a study");
    let table = root.table("variant", &mut problems).expect("it is there");
    let folder = std::path::Path::new("");
    assert!(variant::from_table("inline", table, folder, &mut problems).is_none());
    let told = problems.to_string();
    assert!(told.contains("`hop.chain` is out of range: 0\n --> study.toml:4:17"), "{told}");
}
