//! `keny run`: plays a study, or goes on with it, shows how far it has come, and then its tables.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::RunArgs;
use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use super::{clock, input, report};
use crate::study::file::Study;
use crate::study::{self, Progress, RunError, Settings, Store, StoreError, Summary};

/// What the bar shows: how far, how fast, and for how long still.
const BAR: &str = "{wide_bar} {human_pos} of {human_len} games, {per_sec}, {eta} left";

/// Plays what is missing of a study.
pub(super) fn run(args: &RunArgs, output: &mut Output) -> Outcome {
    let study = input::study(&args.study, output)?;
    let path = args.out.clone().unwrap_or_else(|| args.study.with_extension("sqlite"));
    let stop = on_signals()?;
    let mut store =
        Store::create_or_resume(&path, &study.plan, &study.text).map_err(store_failure)?;
    let begun = clock::now();
    let summary = play(&mut store, args.threads, &stop)?;
    let seconds = begun.elapsed().as_secs_f64();
    let exit = told(&study, &path, summary, seconds, output)?;
    if exit == Exit::Done {
        let view = report::view(&store)?;
        output.line("")?;
        output.write(&crate::report::terminal(&view, output.width(), output.colour()))?;
    }
    Ok(exit)
}

fn play(store: &mut Store, threads: Option<usize>, stop: &AtomicBool) -> Result<Summary, Failure> {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template(BAR).expect("the template is right"));
    bar.enable_steady_tick(Duration::from_millis(250));
    let settings = Settings { threads: threads.unwrap_or(0), ..Settings::default() };
    let summary = study::run(store, settings, stop, |Progress { done, total, .. }| {
        let first = bar.length().is_none();
        bar.set_length(total);
        if first {
            // What was played before says nothing about the speed of this run.
            bar.set_position(done);
            bar.reset_eta();
        }
        bar.set_position(done);
    });
    bar.finish_and_clear();
    summary.map_err(|error| match error {
        RunError::Store(error) => store_failure(error),
        RunError::Threads { .. } => Failure::new(Exit::Io, error),
    })
}

fn told(
    study: &Study,
    path: &Path,
    summary: Summary,
    seconds: f64,
    output: &mut Output,
) -> Outcome {
    let Summary { done, total, played, .. } = summary;
    let path = path.display();
    if !summary.complete() {
        output.note(&format!(
            "stopped: {done} of {total} games are in `{path}`; the same command goes on from there"
        ));
        return Ok(Exit::Stopped);
    }
    output
        .line(&format!("{}: {total} games in `{path}`, {played} of them new", study.plan.title))?;
    if summary.spared > 0 {
        output.line(&format!("{} games were spared by `stop_when`", summary.spared))?;
    }
    output.flush()?;
    if played > 0 {
        output.note(&format!("{seconds:.1} seconds, {:.0} games a second", speed(played, seconds)));
    }
    Ok(Exit::Done)
}

fn speed(games: u64, seconds: f64) -> f64 {
    games as f64 / seconds.max(0.001)
}

/// What Ctrl-C and a plea to end set: the first lets the games so far be kept, the second ends the
/// program at once.
fn on_signals() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Stopped.code().into());
        }
    })
    .map_err(|error| Failure::say(Exit::Io, format!("cannot listen to Ctrl-C: {error}")))?;
    Ok(stop)
}

/// The failure that a store's error is.
pub(super) fn store_failure(error: StoreError) -> Failure {
    let exit = match &error {
        _ if error.is_temporary() => Exit::TryAgain,
        StoreError::Changed { .. } => Exit::BadFile,
        StoreError::NotAStore { .. }
        | StoreError::Newer { .. }
        | StoreError::OtherGames { .. }
        | StoreError::Locked { .. }
        | StoreError::Full { .. }
        | StoreError::Damaged { .. }
        | StoreError::ReadOnly { .. }
        | StoreError::Unusable { .. } => Exit::Io,
    };
    Failure::new(exit, error)
}
