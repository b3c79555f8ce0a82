//! Runs that are killed, stopped, or left without room: what was reported as done is kept, and the
//! same command goes on to the same rows. The program is run as its users run it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use keny::player::Rng;
use keny::record::Record;
use keny::study::{Store, StoreError};

/// Enough games for about a second.
const STUDY: &str = "title = \"Killed\"\nvariants = [\"keny\", \"turkish\"]\nplies_max = 200\n\
                     players = [\"random\", \"greedy\"]\npairings = \"round-robin\"\n\
                     openings = 700\n";
/// Few games, and players that think for hours.
const SLOW: &str = "variants = [\"keny\"]\n[[stage]]\nplayers = [\"random\"]\nopenings = 16\n\
                    [[stage]]\nplayers = [\"alphabeta:nodes=1000000000000\"]\nopenings = 4\n";

fn folder_with(study: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("study.toml"), study).expect("a study");
    let store = folder.path().join("study.sqlite");
    (folder, store)
}

fn keny(args: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keny"));
    command.args(args).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ended(command: &mut Command) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = command.output().expect("keny runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (status.code(), text(&stdout) + &text(&stderr))
}

/// The games of a sound store; none where the run ended as it began.
fn games(store: &Path) -> Vec<Record> {
    let store = match Store::open(store) {
        Err(StoreError::Empty { .. }) => return Vec::new(),
        store => store.expect("a store"),
    };
    store.done().expect("a sound store");
    let plan = store.plan();
    let mut games = Vec::new();
    for (variant, _) in (0..).zip(&plan.variants) {
        for (pairing, _) in (0..).zip(&plan.pairings) {
            games.extend(store.games(variant, pairing).map(|game| game.expect("a game")));
        }
    }
    games
}

/// The games of the study played without a break, elsewhere.
fn expected(study: &str) -> Vec<Record> {
    let (folder, store) = folder_with(study);
    let (code, said) = ended(&mut keny(&["run", "study.toml"], folder.path()));
    assert_eq!(code, Some(0), "{said}");
    games(&store)
}

/// The games that a run last said to be stored: `120 of 960 games`.
fn reported(log: &str) -> usize {
    let lines = log.lines().filter(|line| line.ends_with(" games"));
    let counts = lines.filter_map(|line| line.split_once(" of ")?.0.parse().ok());
    counts.max().unwrap_or(0)
}

/// Sends a signal by its name.
fn send(child: &Child, signal: &str) {
    let command = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &command]).status().expect("a shell").success());
}

#[test]
fn killed_fifty_times_a_study_loses_nothing() {
    let expected = expected(STUDY);
    let (folder, store) = folder_with(STUDY);
    let mut rng = Rng::from_seed(50);
    let (mut killed, mut cut_short) = (0, 0);
    while killed < 50 {
        let mut command = keny(&["run", "study.toml", "--log", "0"], folder.path());
        let mut child = command.stdout(Stdio::null()).spawn().expect("keny starts");
        std::thread::sleep(Duration::from_micros(rng.below(90_000) as u64));
        child.kill().expect("it can be killed");
        let output = child.wait_with_output().expect("it has ended");
        let log = String::from_utf8(output.stderr).expect("UTF-8");
        killed += u32::from(output.status.code().is_none());
        let stored = if store.exists() { games(&store) } else { Vec::new() };
        assert!(stored.len() >= reported(&log), "{} stored, but: {log}", stored.len());
        assert!(
            stored.iter().all(|game| expected.binary_search_by_key(&game.key, |g| g.key).is_ok())
        );
        cut_short += u32::from(!stored.is_empty() && stored.len() < expected.len());
        if stored.len() == expected.len() {
            assert!(stored == expected);
            std::fs::remove_file(&store).expect("the next round begins anew");
        }
    }
    assert!(cut_short > 5, "only {cut_short} runs were killed while they played");
    let (code, said) = ended(&mut keny(&["run", "study.toml"], folder.path()));
    assert_eq!(code, Some(0), "{said}");
    assert!(games(&store) == expected);
}

/// A run of [`SLOW`] that has stored its quick games.
fn thinking(folder: &Path) -> Child {
    let args = ["run", "study.toml", "--threads", "2", "--log", "0"];
    let mut child = keny(&args, folder).spawn().expect("keny starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while line != "16 of 20 games\n" {
        line.clear();
        assert!(lines.read_line(&mut line).expect("a line") > 0, "it ended");
    }
    child.stderr = Some(lines.into_inner());
    child
}

#[test]
fn a_signal_ends_a_run_whose_players_think() {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let (folder, store) = folder_with(SLOW);
        let child = thinking(folder.path());
        let sent = Instant::now();
        send(&child, signal);
        let output = child.wait_with_output().expect("it ends");
        assert!(sent.elapsed() < Duration::from_secs(10), "{signal}: {:?}", sent.elapsed());
        assert_eq!(output.status.code(), Some(code), "{signal}");
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(
            said,
            "stopped: 16 of 20 games are in `study.sqlite`; the same command goes on from there\n"
        );
        assert_eq!(games(&store).len(), 16);
        assert!(!folder.path().join("study.sqlite-journal").exists());
    }
}

#[test]
fn a_store_in_use_is_left_to_its_process() {
    let (folder, store) = folder_with(SLOW);
    let mut child = thinking(folder.path());
    let before = std::fs::read(&store).expect("a store");
    for args in [
        vec!["run", "study.toml"],
        vec!["report", "study.sqlite"],
        vec!["merge", "out.sqlite", "study.sqlite", "--allow-partial"],
    ] {
        let (code, said) = ended(&mut keny(&args, folder.path()));
        assert_eq!(code, Some(75), "{args:?}: {said}");
        assert_eq!(said, "error: `study.sqlite` is in use by another process\n", "{args:?}");
    }
    assert!(std::fs::read(&store).expect("a store") == before);
    assert!(!folder.path().join("out.sqlite").exists());
    assert!(child.try_wait().expect("it runs").is_none(), "the first process has ended");
    child.kill().expect("it can be killed");
    child.wait().expect("it has ended");
    assert_eq!(games(&store).len(), 16);
}

/// After a run without room: told with the file's name, temporary, and nothing reported is lost.
fn without_room(command: &mut Command, store: &Path) -> usize {
    let (code, said) = ended(command);
    assert_eq!(code, Some(75), "{said}");
    let error = said.lines().find(|line| line.starts_with("error: ")).expect("an error");
    let named = ["no room left to write `study.sqlite`", "`study.sqlite` could not be written"];
    assert!(named.iter().any(|text| error.contains(text)), "{error}");
    assert!(error.ends_with("what was reported as done is safe"), "{error}");
    let stored = games(store).len();
    assert!(stored >= reported(&said), "{stored} stored, but: {said}");
    stored
}

#[test]
fn a_size_limit_is_told_and_the_run_goes_on_without_it() {
    let expected = expected(STUDY);
    let (folder, store) = folder_with(STUDY);
    // A quarter of a megabyte; the signal that comes with the limit is ignored, as daemons do.
    let script = "trap '' XFSZ; ulimit -f 512; exec \"$0\" run study.toml --log 0";
    for _ in 0..2 {
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_keny")]).current_dir(folder.path());
        let stored = without_room(&mut command, &store);
        assert!(stored > 0 && stored < expected.len(), "{stored} games");
    }
    let (code, said) = ended(&mut keny(&["run", "study.toml"], folder.path()));
    assert_eq!(code, Some(0), "{said}");
    assert!(games(&store) == expected);
}

/// Runs a command; whether it succeeded.
fn done(program: &str, args: &[&str]) -> bool {
    let command = Command::new(program).args(args).stderr(Stdio::null()).status();
    command.is_ok_and(|status| status.success())
}

/// A mounted folder, until it is dropped.
struct Mount(PathBuf);

impl Mount {
    /// Nothing where this machine or user cannot mount; that is said.
    #[expect(clippy::print_stderr, reason = "a test that tests nothing says so")]
    fn new(folder: &Path, args: &[&str]) -> Option<Self> {
        let place = folder.to_string_lossy().into_owned();
        if done("mount", &[args, &[place.as_str()]].concat()) {
            return Some(Self(folder.to_owned()));
        }
        eprintln!("skipped: `mount {}` is not allowed here", args.join(" "));
        None
    }

    fn again(&self, options: &str) {
        assert!(done("mount", &["-o", options, &self.0.to_string_lossy()]), "mount -o {options}");
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        done("umount", &["-l", &self.0.to_string_lossy()]);
    }
}

#[test]
fn a_full_disk_is_told_and_the_run_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = ["-t", "tmpfs", "-o", "size=256k", "tmpfs"];
    let Some(mount) = Mount::new(folder.path(), &disk) else { return };
    std::fs::write(folder.path().join("study.toml"), STUDY).expect("a study");
    let store = folder.path().join("study.sqlite");
    let log = ["run", "study.toml", "--log", "0"];
    let stored = without_room(&mut keny(&log, folder.path()), &store);
    assert!(stored > 0, "the disk was too small for any game");
    let (code, said) =
        ended(&mut keny(&["merge", "--allow-partial", "o", "study.sqlite"], folder.path()));
    assert_eq!(code, Some(75), "{said}");
    assert!(!folder.path().join("o").exists());
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 2, "{said}");
    mount.again("remount,size=64m");
    let (code, said) = ended(&mut keny(&["run", "study.toml"], folder.path()));
    assert_eq!(code, Some(0), "{said}");
    assert!(games(&store) == expected(STUDY));
}

#[test]
fn a_read_only_folder_is_told_and_can_be_reported() {
    let small = STUDY.replace("700", "3");
    let (folder, store) = folder_with(&small);
    let place = folder.path().to_string_lossy().into_owned();
    let (code, said) = ended(&mut keny(&["run", "study.toml"], folder.path()));
    assert_eq!(code, Some(0), "{said}");
    // Unfinished, so that a run has to write.
    let sql = "DELETE FROM games WHERE opening = 1";
    rusqlite::Connection::open(&store).and_then(|it| it.execute_batch(sql)).expect("fewer games");
    let before = std::fs::read(&store).expect("a store");
    let Some(mount) = Mount::new(folder.path(), &["--bind", place.as_str()]) else { return };
    mount.again("remount,bind,ro");
    for args in [vec!["run", "study.toml"], vec!["run", "study.toml", "--out", "new.sqlite"]] {
        let (code, said) = ended(&mut keny(&args, folder.path()));
        let name = args.last().expect("a word").replace("study.toml", "study.sqlite");
        assert_eq!(code, Some(4), "{said}");
        assert!(said.contains(&format!("error: `{name}` cannot be ")), "{said}");
    }
    let (code, said) = ended(&mut keny(&["report", "study.sqlite"], folder.path()));
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("8 of 12 games"), "{said}");
    let (code, said) = ended(&mut keny(&["merge", "new.sqlite", "study.sqlite"], folder.path()));
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("cannot write `new.sqlite`"), "{said}");
    drop(mount);
    assert!(std::fs::read(&store).expect("a store") == before);
}

#[test]
fn the_shard_is_read_from_the_environment_and_nothing_else_is() {
    let small = STUDY.replace("700", "5").replace("title", "shards = 3\ntitle");
    let (folder, _) = folder_with(&small);
    let run = |name: &str, value: &str| {
        let mut command = keny(&["run", "study.toml", "--shard-from-env", name], folder.path());
        // What a scheduler says of the size of an array is not asked.
        command.env("SLURM_ARRAY_TASK_COUNT", "1").env("SLURM_ARRAY_TASK_MAX", "2");
        ended(command.env(name, value))
    };
    for (name, shard) in [("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 1), ("MY_OWN", 2)] {
        let (code, said) = run(name, &shard.to_string());
        assert_eq!(code, Some(0), "{said}");
        let store = folder.path().join(format!("study-shard-{shard}-of-3.sqlite"));
        assert!(games(&store).iter().all(|game| game.key.opening % 3 == shard));
    }
    let (code, said) = run("HQ_TASK_ID", "3");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.starts_with("error: there is no shard 3 of 3: shards are counted from 0 to 2;"));
    let (code, said) = run("HQ_TASK_ID", "three");
    assert_eq!(code, Some(2), "{said}");
    let (code, said) = ended(&mut keny(&["run", "study.toml"], folder.path()));
    assert_eq!(code, Some(0), "the whole study: {said}");
    let inputs = [0, 1, 2].map(|shard| format!("study-shard-{shard}-of-3.sqlite"));
    let args: Vec<&str> =
        ["merge", "merged.sqlite"].into_iter().chain(inputs.iter().map(String::as_str)).collect();
    let (code, said) = ended(&mut keny(&args, folder.path()));
    assert_eq!(code, Some(0), "{said}");
    for format in ["table", "markdown", "csv", "json", "html"] {
        let report =
            |store| ended(&mut keny(&["report", store, "--format", format], folder.path()));
        let (one, two) = (report("study.sqlite"), report("merged.sqlite"));
        assert_eq!(one.0, Some(0));
        assert!(one == two, "{format}");
    }
}
