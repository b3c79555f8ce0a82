//! `keny pipe` as a process: every line is answered, whatever it is, in bounded memory.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::{PATIENCE, drive, now, seconds, shape, tell};

/// The most memory that the process may hold at any time, in kibibytes.
const MEMORY_MAX: u64 = 512 << 10;

/// How long a process may say nothing though it does nothing.
const STUCK: Duration = Duration::from_secs(300);

/// The processor time of a process, which stands still while the machine does other things; nothing
/// where the system does not tell.
fn processor_time_of(process: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().ok());
    // A hundredth of a second each.
    ticks.sum::<Option<u64>>().map(|ticks| Duration::from_millis(10 * ticks))
}

const SEEDS: [&str; 8] = [
    r#"{"variant":"turkish","position":null}"#,
    r#"{"rules":{"capture":{"mandatory":false}},"turns":["a3-a4"]}"#,
    r#"{"rules":{"capture":{"mandatory":false,"complete":false},"hop":{"then_capture":true}}}"#,
    r#"{"variant":"keny","position":"W:Wb2,b3,d4,Ke1:Ba7,c5,h6"}"#,
    r#"{"variant":"keny","turns":["a3-a4","a6-a5",{"from":"b3","to":"b4","captures":[]}]}"#,
    r#"{"variant":"international","turns":["31-26"]}"#,
    r#"{"rules":{"board":{"files":16,"ranks":8},"man":{"hop_over":["man","king"]}}}"#,
    r#"{"rules":{"setup":{"position":"W:WKa1:BKh8"},"end":{"one_piece_each":"draw"}}}"#,
];

#[test]
fn requests() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_keny"))
        .arg("pipe")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("keny starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let (sender, answers) = channel();
    let reader = std::thread::spawn(move || {
        for line in stdout.lines() {
            if sender.send(line.expect("UTF-8")).is_err() {
                return;
            }
        }
    });
    let mut seen = BTreeSet::new();
    let mut slowest = Duration::ZERO;
    // Whether the answer is of a new kind.
    let feed = |input: &str| -> bool {
        // A request is one line; an empty one is not answered.
        let line: String = input.chars().filter(|letter| *letter != '\n').collect();
        if line.trim_ascii().is_empty() {
            return false;
        }
        let before = now();
        stdin.write_all(line.as_bytes()).expect("somebody reads");
        stdin.write_all(b"\n").expect("somebody reads");
        stdin.flush().expect("somebody reads");
        let shown: String = line.chars().take(2_000).collect();
        let spent = || processor_time_of(child.id()).unwrap_or_default();
        let spent_before = spent();
        let answer = loop {
            match answers.recv_timeout(Duration::from_secs(1)) {
                Ok(answer) => break answer,
                Err(error) => {
                    let waits = spent() - spent_before < PATIENCE && before.elapsed() < STUCK;
                    let goes_on = waits && error == RecvTimeoutError::Timeout;
                    assert!(goes_on, "no answer ({error}) to {shown:?}");
                }
            }
        };
        slowest = slowest.max(before.elapsed());
        let read: serde_json::Value = serde_json::from_str(&answer)
            .unwrap_or_else(|error| panic!("{error}: {answer} to {shown:?}"));
        let kinds: Vec<&String> = read.as_object().expect("an object").keys().collect();
        let error = read.get("error").and_then(serde_json::Value::as_str).unwrap_or_default();
        seen.insert((format!("{kinds:?}"), *shape(error).as_bytes()))
    };
    let rounds = drive("requests", SEEDS.map(str::to_owned).to_vec(), feed);
    let peak = super::memory_peak(&child.id().to_string());
    drop(stdin);
    assert!(child.wait().expect("keny ends").success());
    reader.join().expect("the reader ends");
    assert!(peak.is_none_or(|peak| peak < MEMORY_MAX), "{peak:?} KiB");
    if seconds().is_some() {
        let kinds = seen.len();
        tell(&format!(
            "requests: {rounds} lines, {kinds} kinds of answers, slowest {slowest:?}, {peak:?} KiB"
        ));
    }
}
