//! `keny run`: plays a study, or goes on with it, shows how far it has come, and then its tables.

use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::RunArgs;
use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use super::signals::Signals;
use super::{clock, input, report};
use crate::report::Extent;
use crate::study::file::Study;
use crate::study::{self, Part, Progress, RunError, Settings, Store, StoreError, Summary};

/// What the bar shows: how far, how fast, and for how long still.
const BAR: &str = "{wide_bar} {human_pos} of {human_len} games, {per_sec}, {eta} left";

/// Plays what is missing of a study, or of one shard of it.
pub(super) fn run(args: &RunArgs, output: &mut Output) -> Outcome {
    let study = input::study(&args.study, output)?;
    let part = part(args, &study)?;
    let path = args.out.clone().unwrap_or_else(|| store_of(&args.study, part));
    let signals = Signals::listen()?;
    let mut store = Store::create_or_resume_part(&path, &study.plan, part, &study.text)
        .map_err(store_failure)?;
    let begun = clock::now();
    let summary = play(&mut store, args, &signals, output)?;
    let seconds = begun.elapsed().as_secs_f64();
    // All that was played is stored: nothing is lost if what follows is cut short.
    let stopped = signals.end_at_once();
    let path = path.display();
    let Summary { done, total, played, .. } = summary;
    if !summary.complete() {
        output.note(&format!(
            "stopped: {done} of {total} games are in `{path}`; the same command goes on from there"
        ));
        return Ok(signals.exit());
    }
    let of_part = if part.is_whole() { String::new() } else { format!(", {part}") };
    let title = &study.plan.title;
    output.line(&format!("{title}{of_part}: {total} games in `{path}`, {played} of them new"))?;
    if summary.spared > 0 {
        output.line(&format!("{} games were spared by `stop_when`", summary.spared))?;
    }
    output.flush()?;
    if played > 0 {
        output.note(&format!("{seconds:.1} seconds, {:.0} games a second", speed(played, seconds)));
    }
    if let Some(exit) = stopped {
        return Ok(exit);
    }
    if part.is_whole() {
        let view = report::view(&store)?;
        output.line("")?;
        let (width, colour) = (output.width(), output.colour());
        output.write(&crate::report::terminal(&view, width, colour, Extent::Short))?;
    }
    Ok(Exit::Done)
}

/// The part of the study that is asked for.
fn part(args: &RunArgs, study: &Study) -> Result<Part, Failure> {
    let usage = |message: String| Err(Failure::say(Exit::Usage, message));
    let shards = match (args.shards, study.shards) {
        (Some(asked), Some(written)) if asked != written => {
            return usage(format!(
                "`{}` says `shards = {written}`, but `--shards` says {asked}: leave one of them out",
                args.study.display()
            ));
        }
        (asked, written) => asked.or(written),
    };
    let shard = match (&args.shard_from_env, args.shard) {
        (Some(name), _) => Some(shard_from_env(name)?),
        (None, shard) => shard,
    };
    match (shard, shards) {
        (None, Some(shards)) if args.shards.is_some() => usage(format!(
            "which of the {shards} shards? name it by `--shard I`, from 0 to {}, or by \
             `--shard-from-env NAME`",
            shards.saturating_sub(1)
        )),
        (None, _) => Ok(Part::WHOLE),
        (Some(shard), None) => usage(format!(
            "shard {shard} of how many? write `shards = N` into `{}`, or take `--shards N`",
            args.study.display()
        )),
        (Some(_), Some(_)) if study.plan.stopping.is_some() => usage(format!(
            "`{}` stops early (`stop_when`), which no shard can decide alone: leave that out, or \
             play the study in one piece",
            args.study.display()
        )),
        (Some(shard), Some(shards)) => {
            Part::new(shard, shards).map_err(|error| Failure::new(Exit::Usage, error))
        }
    }
}

/// The number of the shard, as a scheduler hands it to its task.
fn shard_from_env(name: &str) -> Result<u32, Failure> {
    let value = std::env::var_os(name).ok_or_else(|| {
        let message = format!(
            "the environment variable `{name}` is not set: is this a task of an array of jobs?"
        );
        Failure::say(Exit::Usage, message)
    })?;
    let text = value.to_string_lossy();
    text.trim().parse().map_err(|_| {
        let message =
            format!("the environment variable `{name}` is `{text}`, not the number of a shard");
        Failure::say(Exit::Usage, message)
    })
}

/// The store beside the study: `study.sqlite`, or `study-shard-3-of-8.sqlite`.
fn store_of(study: &Path, part: Part) -> PathBuf {
    if part.is_whole() {
        return study.with_extension("sqlite");
    }
    let mut name = study.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-shard-{}-of-{}.sqlite", part.shard(), part.shards()));
    study.with_file_name(name)
}

fn play(
    store: &mut Store,
    args: &RunArgs,
    signals: &Signals,
    output: &mut Output,
) -> Result<Summary, Failure> {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template(BAR).expect("the template is right"));
    bar.enable_steady_tick(Duration::from_millis(250));
    let settings = Settings { threads: args.threads.unwrap_or(0), ..Settings::default() };
    let every = args.log.map(|seconds| Duration::from_secs(seconds.into()));
    let mut logged = clock::now();
    let mut log = |done: u64, total: u64| {
        if every.is_some_and(|every| logged.elapsed() >= every) {
            output.note(&format!("{done} of {total} games"));
            logged = clock::now();
        }
    };
    let summary = study::run(store, settings, signals.stop(), |progress| {
        let Progress { done, total, .. } = progress;
        let first = bar.length().is_none();
        bar.set_length(total);
        if first {
            // What was played before says nothing about the speed of this run.
            bar.set_position(done);
            bar.reset_eta();
        }
        bar.set_position(done);
        log(done, total);
    });
    bar.finish_and_clear();
    summary.map_err(|error| match error {
        RunError::Store(error) => store_failure(error),
        RunError::Threads { .. } => Failure::new(Exit::Io, error),
    })
}

fn speed(games: u64, seconds: f64) -> f64 {
    games as f64 / seconds.max(0.001)
}

/// The failure that a store's error is.
pub(super) fn store_failure(error: StoreError) -> Failure {
    Failure::new(store_exit(&error), error)
}

/// How the program ends with a store's error.
pub(super) fn store_exit(error: &StoreError) -> Exit {
    match error {
        StoreError::Locked { .. } | StoreError::Full { .. } | StoreError::Disk { .. } => {
            Exit::TryAgain
        }
        StoreError::Changed { .. }
        | StoreError::OtherPart { .. }
        | StoreError::Newer { .. }
        | StoreError::Older { .. }
        | StoreError::OtherGames { .. } => Exit::BadFile,
        StoreError::NotAStore { .. }
        | StoreError::Empty { .. }
        | StoreError::Damaged { .. }
        | StoreError::ReadOnly { .. }
        | StoreError::Unusable { .. } => Exit::Io,
    }
}
