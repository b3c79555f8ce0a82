//! Games against players that are not ours: the committed page adds up, and where Python has the
//! packages the script plays.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use keny::stats::Confidence;
use keny::stats::score::Pentanomial;

const SCRIPT: &str = "tests/outside/turkish.py";
const HEAD: &str = "| ours | theirs | pairs | score % | won | drawn | lost | unfinished | 0 | ½ | 1 \
                    | 1½ | 2 | distinct |";

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A row of the table.
#[derive(Debug)]
struct Row {
    ours: String,
    theirs: String,
    pairs: u64,
    score: String,
    /// Won, drawn, lost, unfinished.
    games: [u64; 4],
    /// Pairs with 0 to 4 half points.
    by_points: [u64; 5],
    distinct: u64,
}

/// The rows below the heading of the only table of outside players in a text.
fn rows(text: &str) -> Vec<Row> {
    let mut lines = text.lines().skip_while(|line| *line != HEAD);
    assert_eq!(lines.next(), Some(HEAD), "the table has another heading:\n{text}");
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 14, "{line}");
        let number = |at: usize| -> u64 { cells[at].parse().expect("a whole number") };
        Row {
            ours: cells[0].to_owned(),
            theirs: cells[1].to_owned(),
            pairs: number(2),
            score: cells[3].to_owned(),
            games: std::array::from_fn(|at| number(4 + at)),
            by_points: std::array::from_fn(|at| number(8 + at)),
            distinct: number(13),
        }
    })
    .collect()
}

/// The score as the row must have it, from its pairs.
fn score_of(row: &Row) -> String {
    let Ok(score) = (Pentanomial { pairs: row.by_points }).score() else { return "n/a".to_owned() };
    let ends = score.interval(Confidence::P95).expect("a score has an interval");
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let [value, low, high] = [score.value, ends.low(), ends.high()].map(percent);
    format!("{value} \\[{low}, {high}]")
}

fn adds_up(row: &Row) {
    assert_eq!(row.by_points.iter().sum::<u64>(), row.pairs, "{row:?}");
    let [won, drawn, lost, unfinished] = row.games;
    let games = won + drawn + lost + unfinished;
    assert!(games % 2 == 0 && row.pairs <= games / 2 && games / 2 <= row.pairs + unfinished);
    assert!(row.distinct <= games / 2, "{row:?}");
    if unfinished == 0 {
        let half_points: u64 = (0..).zip(row.by_points).map(|(points, pairs)| points * pairs).sum();
        assert_eq!(half_points, 2 * won + drawn, "{row:?}");
    }
    assert_eq!(row.score, score_of(row), "{row:?}");
}

#[test]
fn the_page_adds_up_and_is_what_the_script_plays() {
    let (page, script) = (read("reports/ladder/outside.md"), read(SCRIPT));
    let rows = rows(&page);
    assert!(rows.len() >= 3, "{} rows", rows.len());
    for row in &rows {
        adds_up(row);
        assert!(row.pairs >= 20 && row.distinct >= row.pairs * 95 / 100, "{row:?}");
        let Row { ours, theirs, games, .. } = row;
        let pairs = games.iter().sum::<u64>() / 2;
        let listed = format!("(\"{ours}\", \"{theirs}\", {pairs}),");
        assert!(script.contains(&listed), "the script does not play {listed}");
    }
    let matches = script.lines().filter(|line| line.starts_with("    (\""));
    assert_eq!(matches.count(), rows.len(), "a match has no row");
    // The weakest of theirs is beaten beyond doubt.
    let first = &rows[0];
    let score = Pentanomial { pairs: first.by_points }.score().expect("pairs");
    let low = score.interval(Confidence::P95).expect("an interval").low();
    assert!(low > 0.55, "{first:?}");
}

/// A Python that has the packages of the script: `KENY_PYTHON`, else `python3`.
fn python() -> Result<String, String> {
    let python = std::env::var("KENY_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let probe = Command::new(&python).args(["-c", "import kish, easyAI, mctspy, numpy"]).output();
    match probe {
        Err(error) => Err(format!("no {python}: {error}")),
        Ok(output) if output.status.success() => Ok(python),
        Ok(output) => {
            let told = String::from_utf8_lossy(&output.stderr);
            Err(format!("{python}: {}", told.lines().last().unwrap_or("the packages are missing")))
        }
    }
}

#[test]
fn the_script_plays_where_its_packages_are() {
    let python = match python() {
        Ok(python) => python,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "skipped: {SCRIPT} needs its packages ({why})");
            return;
        }
    };
    let output = Command::new(python)
        .arg(SCRIPT)
        .args(["--keny", env!("CARGO_BIN_EXE_keny"), "--processes", "1"])
        .args(["--match", "alphabeta:nodes=200", "negamax:1", "2"])
        .args(["--match", "alphabeta:nodes=200", "mctspy:2", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the script starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let rows = rows(&text);
    assert_eq!(rows.len(), 2, "{text}");
    for (row, pairs) in rows.iter().zip([2, 1]) {
        adds_up(row);
        assert_eq!(row.games.iter().sum::<u64>(), 2 * pairs, "{row:?}");
    }
    assert!(text.contains(concat!("Versions: keny ", env!("CARGO_PKG_VERSION"))), "{text}");
}
