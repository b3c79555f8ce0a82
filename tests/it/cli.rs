//! Whole command lines with what they print, and `keny pipe` on the vectors.
//!
//! `tests/data/cli/*.txt` hold commands and their output; `KENY_BLESS=1` writes the output anew.
//! In such a file
//!
//! - `$ keny …` is a command, run in a folder with the files of `tests/data/cli/files`;
//! - `< …` after it is a line of standard input;
//! - `! …` is a line of standard error, `= N` an exit code other than 0, and any other line one of
//!   standard output, after a backslash if it begins like one of these;
//! - `[..]` stands for anything within a line, and a line `...` for any lines;
//! - `# …` is a remark.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

fn keny() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keny"));
    for name in ["NO_COLOR", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

struct Ran {
    out: String,
    err: String,
    code: i32,
}

/// Runs a command to its end.
fn run(command: &mut Command, input: &[u8]) -> Ran {
    let mut child = command.spawn().expect("keny starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("keny ends");
    writer.join().expect("the writer ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Ran {
        out: text(output.stdout),
        err: text(output.stderr),
        code: output.status.code().expect("an exit code"),
    }
}

/// The words of a command line; quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut any) = (Vec::new(), String::new(), None, false);
    for letter in line.chars() {
        match (quote, letter) {
            (None, '\'' | '"') => (quote, any) = (Some(letter), true),
            (Some(open), _) if open == letter => quote = None,
            (None, ' ') => {
                if any {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            _ => {
                word.push(letter);
                any = true;
            }
        }
    }
    if any {
        words.push(word);
    }
    words
}

/// Whether lines match a pattern with `[..]` and `...`.
fn matches(pattern: &[String], lines: &[String]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, others)| line_matches(first, line) && matches(rest, others)),
    }
}

fn line_matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once("[..]") {
        None => pattern == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len())
                .filter(|&skipped| rest.is_char_boundary(skipped))
                .any(|skipped| line_matches(after, &rest[skipped..]))
        }),
    }
}

/// What a command printed, as such a file writes it.
fn transcript(ran: &Ran) -> Vec<String> {
    let mut lines: Vec<String> = ran
        .out
        .lines()
        .map(|line| match line.starts_with(['$', '<', '!', '=', '\\', '#']) {
            true => format!("\\{line}"),
            false => line.to_owned(),
        })
        .collect();
    lines.extend(ran.err.lines().map(|line| format!("! {line}").trim_end().to_owned()));
    if ran.code != 0 {
        lines.push(format!("= {}", ran.code));
    }
    lines
}

/// Runs the commands of one file; the file as it should be, and whether it is.
fn run_file(text: &str, folder: &Path) -> (String, Vec<String>) {
    let (mut blessed, mut faults) = (String::new(), Vec::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        blessed.push_str(line);
        blessed.push('\n');
        let Some(command) = line.strip_prefix("$ keny") else {
            assert!(line.is_empty() || line.starts_with('#'), "no command before `{line}`");
            continue;
        };
        let mut input = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with('<')) {
            blessed.push_str(line);
            blessed.push('\n');
            let line = &line[1..];
            input.push_str(line.strip_prefix(' ').unwrap_or(line));
            input.push('\n');
        }
        let mut wanted = Vec::new();
        while let Some(line) =
            lines.next_if(|line| !line.starts_with("$ keny") && !line.starts_with('#'))
        {
            wanted.push(line.to_owned());
        }
        // One empty line stands between an output and the next command.
        let separated = wanted.last().is_some_and(String::is_empty);
        if separated {
            wanted.pop();
        }
        let ran = run(keny().args(words(command)).current_dir(folder), input.as_bytes());
        let printed = transcript(&ran);
        let lines = if matches(&wanted, &printed) {
            wanted
        } else {
            faults.push(format!("$ keny{command}\nprinted\n{}", printed.join("\n")));
            printed
        };
        for line in lines {
            blessed.push_str(&line);
            blessed.push('\n');
        }
        if separated {
            blessed.push('\n');
        }
    }
    (blessed, faults)
}

#[test]
fn command_lines_print_what_is_stored() {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/cli");
    let bless = std::env::var_os("KENY_BLESS").is_some_and(|value| value == "1");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&data)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut faults = Vec::new();
    for path in files {
        let folder = tempfile::tempdir().expect("a folder");
        for entry in std::fs::read_dir(data.join("files")).expect("the files are there") {
            let from = entry.expect("an entry").path();
            let name = from.file_name().expect("a name");
            std::fs::copy(&from, folder.path().join(name)).expect("a copy");
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        let (blessed, found) = run_file(&text, folder.path());
        if bless && blessed != text {
            std::fs::write(&path, blessed).expect("the file is written");
        } else {
            faults.extend(found.into_iter().map(|fault| format!("{}: {fault}", path.display())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Lines of a file of vectors, as JSON.
fn vectors(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/data/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

/// The answers of `keny pipe`, one for each request.
fn piped(requests: &[Value]) -> Vec<Value> {
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let ran = run(keny().arg("pipe"), input.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answers: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect();
    assert_eq!(answers.len(), requests.len());
    answers
}

/// A question without what it should answer.
fn question(line: &Value) -> Value {
    let mut request = json!({ "position": line["position"] });
    for key in ["rules", "variant"] {
        if let Some(value) = line.get(key) {
            request[key] = value.clone();
        }
    }
    request
}

#[test]
fn pipe_lists_the_turns_of_the_vectors() {
    let lines = [vectors("positions.jsonl"), vectors("cases.jsonl")].concat();
    assert!(lines.len() > 2_000);
    let questions: Vec<Value> = lines.iter().map(question).collect();
    let mut with_texts = Vec::new();
    for (line, mut answer) in lines.iter().zip(piped(&questions)) {
        let turns = answer["turns"].as_array_mut().unwrap_or_else(|| panic!("{line}"));
        let mut texts: Vec<String> = Vec::new();
        for turn in turns.iter_mut() {
            let turn = turn.as_object_mut().expect("an object");
            let text = turn.shift_remove("text").expect("a text");
            texts.push(text.as_str().expect("a text").to_owned());
        }
        assert_eq!(answer, json!({ "turns": line["turns"] }), "{line}");
        with_texts.push(texts);
    }
    // Each turn, played as an object and as a text, leads to one position.
    let mut plays = Vec::new();
    for (line, texts) in lines.iter().zip(&with_texts).step_by(7) {
        for (turn, text) in line["turns"].as_array().expect("turns").iter().zip(texts) {
            for turn in [turn.clone(), json!(text)] {
                let mut request = question(line);
                request["turns"] = json!([turn]);
                plays.push(request);
            }
        }
    }
    for (request, pair) in plays.chunks(2).zip(piped(&plays).chunks(2)) {
        assert_eq!(pair[0], pair[1], "{}", request[0]);
    }
}

#[test]
fn pipe_plays_the_games_of_the_vectors() {
    let lines = vectors("games.jsonl");
    // The lines as they stand: what they should answer is in keys that are ignored.
    for (line, answer) in lines.iter().zip(piped(&lines)) {
        for key in ["result", "final"] {
            assert_eq!(answer[key], line[key], "{line}");
        }
        let reason = if line["result"].is_null() { &Value::Null } else { &line["reason"] };
        assert_eq!(&answer["reason"], reason, "{line}");
    }
}

#[test]
fn pipe_answers_bad_lines_and_goes_on() {
    let good = "{\"variant\":\"keny\"}\n";
    let mut input = Vec::new();
    let bad: [&[u8]; 14] = [
        b"{",
        b"[]",
        b"7",
        b"\xff\xfe",
        b"{}",
        b"{\"variant\":\"kenny\"}",
        b"{\"variant\":7}",
        b"{\"variant\":\"keny\",\"rules\":{}}",
        b"{\"rules\":{\"man\":{\"stepp\":[]}}}",
        b"{\"rules\":{\"board\":{\"files\":16,\"ranks\":16}}}",
        b"{\"variant\":\"keny\",\"position\":\"W:Wa9:B\"}",
        b"{\"variant\":\"keny\",\"turns\":[\"a3-a5\"]}",
        b"{\"variant\":\"keny\",\"turns\":[{\"from\":\"a3\",\"to\":\"z9\"}]}",
        b"{\"variant\":\"keny\",\"postion\":null}",
    ];
    for line in bad {
        input.extend_from_slice(line);
        input.push(b'\n');
        input.extend_from_slice(good.as_bytes());
    }
    input.extend(std::iter::repeat_n(b'[', 3 << 20));
    input.push(b'\n');
    input.extend(std::iter::repeat_n(b'[', 1 << 19));
    input.extend_from_slice(b"\n\n  \n");
    // The last line has no end.
    input.extend_from_slice(good.trim_end().as_bytes());
    let ran = run(keny().arg("pipe"), &input);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answers: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect();
    let kinds: Vec<bool> = answers.iter().map(|answer| answer["error"].is_string()).collect();
    let mut wanted = [true, false].repeat(bad.len());
    wanted.extend([true, true, false]);
    assert_eq!(kinds, wanted, "{answers:?}");
    let said = |index: usize| answers[2 * index]["error"].as_str().expect("an error").to_owned();
    assert!(said(5).contains("`keny`"), "{}", said(5));
    assert!(said(8).contains("`step`"), "{}", said(8));
    assert!(said(10).contains("a9"), "{}", said(10));
    assert!(said(11).contains("`a3-a4`"), "{}", said(11));
    assert!(said(13).contains("`position`"), "{}", said(13));
}

#[test]
fn pipe_answers_before_more_is_asked() {
    let mut child = keny().arg("pipe").spawn().expect("keny starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    for variant in ["keny", "turkish", "keny"] {
        // The beginning of the next request waits behind this one.
        stdin
            .write_all(format!("{{\"variant\":\"{variant}\"}}\n ").as_bytes())
            .expect("keny listens");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("an answer");
        assert!(line.starts_with("{\"turns\":[{\"from\":"), "{line}");
    }
    drop(stdin);
    assert!(child.wait().expect("keny ends").success());
}

#[test]
fn a_closed_pipe_is_no_fault() {
    for args in [vec!["rules"], vec!["explain", "keny"], vec!["pipe"], vec!["completions", "bash"]]
    {
        let mut child = keny().args(&args).spawn().expect("keny starts");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("a pipe");
        for _ in 0..100 {
            // Once keny has ended, nobody listens.
            drop(stdin.write_all(b"{\"variant\":\"keny\"}\n"));
        }
        drop(stdin);
        let mut err = String::new();
        let mut stderr = child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut err).expect("a text");
        let code = child.wait().expect("keny ends").code();
        assert_eq!((code, err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn threads_change_nothing_but_the_time() {
    let json = |args: &[&str], threads: &str| {
        let ran = run(keny().args(args).args(["--json", "--threads", threads]), b"");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let mut answer: Value = serde_json::from_str(&ran.out).expect("a JSON object");
        let seconds = answer.as_object_mut().expect("an object").shift_remove("seconds");
        assert!(seconds.is_some_and(|seconds| seconds.is_f64()));
        answer
    };
    let perft = ["perft", "--variant", "keny", "--depth", "4", "--divide"];
    let one = json(&perft, "1");
    assert_eq!(one, json(&perft, "3"));
    let sum: u64 = one["divide"]
        .as_object()
        .expect("an object")
        .values()
        .map(|n| n.as_u64().expect("a count"))
        .sum();
    assert_eq!(one["nodes"], sum);
    let playouts = ["playouts", "--variant", "turkish", "--games", "500", "--seed", "5"];
    let one = json(&playouts, "1");
    assert_eq!(one, json(&playouts, "3"));
    let count = |key: &str| one[key].as_u64().expect("a count");
    assert_eq!(count("white") + count("black") + count("draw") + count("unfinished"), 500);
    let other = json(&["playouts", "--variant", "turkish", "--games", "500", "--seed", "6"], "1");
    assert_ne!(one["plies"], other["plies"]);
    let cut = json(&["playouts", "--variant", "turkish", "--games", "9", "--plies-max", "3"], "2");
    assert_eq!((&cut["unfinished"], &cut["plies"]), (&json!(9), &json!(27)));
}

#[test]
fn catalog_and_rules_are_printed_in_a_hundred_columns() {
    for args in [["rules", "hop"], ["explain", "keny-collection-variant"], ["explain", "italian"]] {
        let ran = run(keny().args(args), b"");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(ran.out.lines().count() > 20, "{}", ran.out);
        for line in ran.out.lines() {
            assert!(line.chars().count() <= 100 && !line.ends_with(' '), "{line}");
        }
    }
}

#[test]
fn perft_counts_as_the_tables_do() {
    let path = format!("{}/tests/data/perft.tsv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the table is there");
    let mut rows = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [variant, position, depth, counted, count, _] = fields[..] else { panic!("{line}") };
        if !matches!(depth, "0" | "1" | "2" | "3") || count.parse::<u64>().expect("a count") > 5_000
        {
            continue;
        }
        let mut command = keny();
        command.args(["perft", "--variant", variant, "--depth", depth, "--threads", "1"]);
        if !position.is_empty() {
            command.args(["--position", position]);
        }
        if counted == "paths" {
            command.arg("--paths");
        }
        let ran = run(&mut command, b"");
        assert_eq!((ran.code, ran.out.trim_end()), (0, count), "{line}");
        rows += 1;
    }
    assert!(rows > 80, "only {rows} rows");
}

#[test]
fn a_saved_game_replays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pdn");
    let path = path.to_str().expect("UTF-8");
    let args = ["play", "keny", "--white", "greedy", "--black", "random", "--save", path];
    let played = run(keny().args(args), b"");
    assert_eq!((played.code, played.err.as_str()), (0, ""));
    let replayed = run(keny().args(["replay", path]), b"");
    assert_eq!((replayed.code, replayed.err.as_str()), (0, ""));
    let last = played.out.lines().last().expect("the position");
    assert_eq!(replayed.out.lines().last(), Some(last));
    // With one turn spoilt it does not.
    let text = std::fs::read_to_string(path).expect("the game");
    std::fs::write(path, text.replacen("1. ", "1. a3-a7 ", 1)).expect("it is written");
    let spoilt = run(keny().args(["replay", path]), b"");
    assert_eq!(spoilt.code, 1);
    assert!(spoilt.err.contains("ply 1: `a3-a7` is not legal"), "{}", spoilt.err);
}

#[cfg(unix)]
#[test]
fn a_stopped_run_keeps_its_games_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = "seed = 1\nvariants = [\"keny\"]\nplayers = [\"random\"]\nopenings = 1000000\n";
    std::fs::write(folder.path().join("study.toml"), study).expect("it is written");
    let mut before = 0;
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let mut command = keny();
        let child = command.args(["run", "study.toml"]).current_dir(folder.path()).spawn();
        let mut child = child.expect("keny starts");
        // Long enough for some games to be stored, much too short for all.
        std::thread::sleep(std::time::Duration::from_millis(1_500));
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(killed.expect("kill runs").success());
        let mut err = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("a text");
        assert_eq!(child.wait().expect("keny ends").code(), Some(code), "{err}");
        let rest = err.strip_prefix("stopped: ").unwrap_or_else(|| panic!("{err}"));
        let (done, rest) = rest.split_once(' ').expect("a number");
        let done: u64 = done.parse().expect("a number");
        assert!(done > before, "{done} games after {before}");
        assert!(rest.starts_with("of 1000000 games are in `study.sqlite`"), "{err}");
        before = done;
    }
}

#[test]
fn a_ruleset_is_trained_without_its_dormant_flags() {
    // Without anyone who hops the flags of hops change nothing but the order of turns.
    let plain = "[man]\nhop_over = []\n";
    let dormant = "[man]\nhop_over = []\n[hop]\nthen_capture = true\nchain = 3\n";
    let learned = [plain, dormant].map(|text| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("mine.toml"), text).expect("a file");
        let options = ["--rounds", "1", "--plies", "3000", "--nodes", "40", "--threads", "1"];
        let ran =
            run(keny().current_dir(folder.path()).args(["train", "mine.toml"]).args(options), b"");
        assert_eq!(ran.code, 0, "{}", ran.err);
        let entries = std::fs::read_dir(folder.path().join("weights")).expect("the folder");
        let files: Vec<_> = entries.map(|entry| entry.expect("an entry")).collect();
        assert_eq!(files.len(), 1);
        let text = std::fs::read_to_string(files[0].path()).expect("a file");
        (files[0].file_name(), text)
    });
    assert_eq!(learned[0], learned[1]);
}
