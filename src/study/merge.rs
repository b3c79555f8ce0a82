//! Several stores of one plan put together into one. Plays nothing, and changes none of them.
//!
//! The stores may come in any order and overlap: a game that several of them hold is taken once,
//! and must be the same in all. An empty file, whose run was ended as it began, gives no game. The result is the store of a run in one piece: what it says about
//! itself does not depend on the order either, so reports of it are the same, byte for byte. Games
//! that the plan's rule to stop early spares are not missing. It
//! appears under its name only when it is whole and on the disk; a merge that is killed leaves a
//! file `OUT.merging-N` behind, which nothing reads.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::course::{StoppedPlay, stopped_play};
use super::design;
use super::plan::Plan;
use super::store::{Done, Store, StoreError};
use crate::record::{GameKey, Record};

/// Games that are handed on at once.
const BATCH: usize = 4096;

/// What a merge does beside merging.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether the result is kept where games of the plan are missing.
    pub allow_partial: bool,
    /// Whether a store that stands under the name of the result is replaced.
    pub replace: bool,
}

/// What a merge came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The study's title.
    pub title: String,
    /// Games that the stores hold together.
    pub games: u64,
    /// Games of the plan, without those that its rule to stop early has spared.
    pub total: u64,
    /// Games that the rule has spared.
    pub spared: u64,
    /// Games that were found again in a further store, each time.
    pub repeated: u64,
    /// Whether the result was written: it is complete, or may be partial.
    pub written: bool,
    /// The first games that no store holds, up to [`LISTED_MAX`], in the order of their keys.
    pub missing: Vec<GameKey>,
    /// The shards that those games and all other missing ones belong to, in order; empty where no
    /// store was a shard.
    pub shards_missing: Vec<u32>,
    /// The plan, with titles and names as in the result.
    pub plan: Plan,
    /// Whether titles, names or texts of the study differ between the stores, which changes no
    /// game.
    pub texts_differ: bool,
}

/// How many missing games are listed.
pub const LISTED_MAX: usize = 10;

/// Why stores were not merged; the result was not written.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A store cannot be used, or the result cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Two stores are of different plans.
    #[error(
        "`{}` and `{}` hold games of different studies; what differs, from the first to the \
         second:\n  {}", .first.display(), .other.display(), .differences.join("\n  ")
    )]
    OtherPlan {
        /// The first store.
        first: PathBuf,
        /// The store that does not fit.
        other: PathBuf,
        /// What differs, one line each.
        differences: Vec<String>,
    },
    /// Two stores are shards of different numbers of shards.
    #[error(
        "`{}` is one of {first_shards} shards, but `{}` is one of {other_shards}: merge the shards \
         of one run", .first.display(), .other.display()
    )]
    OtherShards {
        /// The first store.
        first: PathBuf,
        /// Its number of shards.
        first_shards: u32,
        /// The store that does not fit.
        other: PathBuf,
        /// Its number of shards.
        other_shards: u32,
    },
    /// Two stores hold different games under one key.
    #[error(
        "`{}` and `{}` do not agree: they hold different games for {game}; one of them was not \
         played by this study, or is damaged", .first.display(), .other.display()
    )]
    Conflict {
        /// A store.
        first: PathBuf,
        /// Another store.
        other: PathBuf,
        /// The game, in words.
        game: String,
    },
    /// A file stands under the name of the result.
    #[error("`{}` exists and was left as it is: take another name, or `--replace`", .path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The result cannot be given its name.
    #[error("cannot write `{}`: {reason}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The merge was stopped.
    #[error("stopped; `{}` was not written", .path.display())]
    Stopped {
        /// The result.
        path: PathBuf,
    },
}

/// A game in words: ``variant `keny`, pairing `random`, opening 3``.
#[must_use]
pub fn in_words(plan: &Plan, key: &GameKey) -> String {
    let variant = &plan.variants[key.variant as usize].name;
    let pairing = &plan.pairings[key.pairing as usize];
    let white = if pairing.is_self() {
        String::new()
    } else {
        format!(", White played by {}", pairing.player(key.white))
    };
    format!("variant `{variant}`, pairing `{pairing}`, opening {}{white}", key.opening)
}

/// Merges the stores at `inputs`, of which there is at least one, into a new one at `out`.
///
/// # Panics
/// When there is no input.
///
/// # Errors
/// When a store cannot be used, the stores do not fit together, or the result cannot be written.
/// What stood at `out` is then as it was.
pub fn merge(
    out: &Path,
    inputs: &[PathBuf],
    options: Options,
    stop: &AtomicBool,
) -> Result<Merged, MergeError> {
    if !options.replace && out.exists() {
        return Err(MergeError::Exists { path: out.to_owned() });
    }
    if options.replace && out.exists() {
        // Only a store is replaced.
        drop(Store::open(out)?);
    }
    let (header, inputs) = Header::of(inputs)?;
    let temporary = Temporary::new(out)?;
    let mut merging = Merging {
        out,
        store: Store::create_unsafe_but_fast(&temporary.path, &header.plan, &header.study_text)?,
        seen: Done::of(&header.plan),
        repeated: 0,
        stop,
    };
    for (number, input) in inputs.iter().enumerate() {
        merging.take(input, &inputs[..number])?;
    }
    let Merging { store, seen, repeated, .. } = merging;
    let plan = header.plan;
    let stopped = stopped_play(&store, &seen)?;
    let (missing, shards_missing) = missing(&plan, &seen, header.shards, &stopped);
    let spared = stopped.iter().map(|play| play.games_spared).sum();
    let (games, total) = (seen.count(), plan.games_total() - spared);
    let written = games == total || options.allow_partial;
    if written {
        store.set_creator(&header.created_by)?;
        drop(store);
        temporary.publish(out, options.replace)?;
    }
    Ok(Merged {
        title: plan.title.clone(),
        games,
        total,
        spared,
        repeated,
        written,
        missing,
        shards_missing,
        plan,
        texts_differ: header.texts_differ,
    })
}

/// The first missing games, and the shards of all missing ones; those after play has stopped are not
/// missing.
fn missing(
    plan: &Plan,
    seen: &Done,
    shards: Option<u32>,
    stopped: &[StoppedPlay],
) -> (Vec<GameKey>, Vec<u32>) {
    let last: BTreeMap<(u32, u32), u32> =
        stopped.iter().map(|play| ((play.variant, play.pairing), play.openings)).collect();
    let wanted = |key: &GameKey| {
        last.get(&(key.variant, key.pairing)).is_none_or(|openings| key.opening < *openings)
    };
    let (mut listed, mut of_shards) = (Vec::new(), BTreeSet::new());
    if seen.count() < plan.games_total() {
        for key in plan.keys().filter(|key| wanted(key) && !seen.contains(plan, key)) {
            if let Some(shards) = shards {
                of_shards.insert(key.opening % shards);
            }
            if listed.len() < LISTED_MAX {
                listed.push(key);
            }
        }
    }
    (listed, of_shards.into_iter().collect())
}

/// What the result says about itself; the same for any order of the stores.
struct Header {
    plan: Plan,
    study_text: String,
    created_by: String,
    /// The number of shards, where a store is one of several.
    shards: Option<u32>,
    texts_differ: bool,
}

impl Header {
    /// Reads what all stores say about themselves, and refuses those that do not fit together. Gives
    /// also the stores that hold anything: one whose run ended as it began is as good as missing.
    fn of(inputs: &[PathBuf]) -> Result<(Self, Vec<PathBuf>), MergeError> {
        let (mut held, mut empty) = (Vec::new(), None);
        let mut first: Option<(&PathBuf, Plan)> = None;
        let mut sharded: Option<(&PathBuf, u32)> = None;
        let mut creators: BTreeSet<String> = BTreeSet::new();
        // Of texts that differ, one must be taken whatever the order: the first by the alphabet.
        let mut texts: BTreeMap<(String, String, Vec<String>, String), Plan> = BTreeMap::new();
        for path in inputs {
            let store = match Store::open(path) {
                Ok(store) => store,
                Err(error @ StoreError::Empty { .. }) => {
                    empty = Some(error);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            held.push(path.clone());
            let (plan, part, about) = (store.plan(), store.part(), store.about());
            match &first {
                None => first = Some((path, plan.clone())),
                Some((first, expected)) if expected.hash() != plan.hash() => {
                    return Err(MergeError::OtherPlan {
                        first: (*first).clone(),
                        other: path.clone(),
                        differences: expected.differences(plan),
                    });
                }
                Some(_) => {}
            }
            match sharded {
                Some((first, first_shards))
                    if !part.is_whole() && part.shards() != first_shards =>
                {
                    return Err(MergeError::OtherShards {
                        first: first.clone(),
                        first_shards,
                        other: path.clone(),
                        other_shards: part.shards(),
                    });
                }
                None if !part.is_whole() => sharded = Some((path, part.shards())),
                Some(_) | None => {}
            }
            creators.extend(about.created_by.split(", ").map(str::to_owned));
            let names = plan.variants.iter().map(|variant| variant.name.clone()).collect();
            let designs = design::to_text(&plan.designs);
            let key = (about.study_text.clone(), plan.title.clone(), names, designs);
            texts.insert(key, plan.clone());
        }
        let texts_differ = texts.len() > 1;
        let Some(((study_text, ..), plan)) = texts.pop_first() else {
            return Err(empty.expect("there is at least one store").into());
        };
        let created_by = creators.into_iter().collect::<Vec<_>>().join(", ");
        let shards = sharded.map(|(_, shards)| shards);
        Ok((Self { plan, study_text, created_by, shards, texts_differ }, held))
    }
}

/// A merge under way.
struct Merging<'a> {
    out: &'a Path,
    store: Store,
    seen: Done,
    repeated: u64,
    stop: &'a AtomicBool,
}

impl Merging<'_> {
    /// Takes the games of a store that those before it have not given.
    fn take(&mut self, input: &Path, before: &[PathBuf]) -> Result<(), MergeError> {
        let source = Store::open(input)?;
        // Reads it through: damage is told before a game is taken.
        source.done()?;
        let plan = source.plan();
        for (variant, _) in (0..).zip(&plan.variants) {
            for (pairing, _) in (0..).zip(&plan.pairings) {
                let mut batch = Vec::new();
                for game in source.games(variant, pairing) {
                    let game = game?;
                    if self.seen.contains(plan, &game.key) {
                        self.compare(&game, input, before)?;
                        self.repeated += 1;
                    } else {
                        batch.push(game);
                    }
                    if batch.len() == BATCH {
                        self.add(plan, &mut batch)?;
                    }
                }
                self.add(plan, &mut batch)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, plan: &Plan, batch: &mut Vec<Record>) -> Result<(), MergeError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(MergeError::Stopped { path: self.out.to_owned() });
        }
        self.store.add(batch)?;
        for game in batch.drain(..) {
            let number = plan.number_of(&game.key);
            self.seen.insert(number.expect("a store gives only games of its plan"));
        }
        Ok(())
    }

    /// Refuses a game that is not the one that a store before gave under the same key.
    fn compare(&self, game: &Record, input: &Path, before: &[PathBuf]) -> Result<(), MergeError> {
        let taken = self.store.game(&game.key)?;
        if taken.as_ref() == Some(game) {
            return Ok(());
        }
        let mut first = self.out.to_owned();
        for path in before {
            if Store::open(path)?.game(&game.key)? == taken {
                first.clone_from(path);
                break;
            }
        }
        let game = in_words(self.store.plan(), &game.key);
        Err(MergeError::Conflict { first, other: input.to_owned(), game })
    }
}

/// A file beside the result that becomes it, or is removed.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// Makes an empty file that nobody else has.
    fn new(out: &Path) -> Result<Self, MergeError> {
        let mut number = std::process::id();
        loop {
            let mut name = out.file_name().unwrap_or_default().to_owned();
            name.push(format!(".merging-{number}"));
            let path = out.with_file_name(name);
            match File::create_new(&path) {
                Ok(_) => return Ok(Self { path }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    number = number.wrapping_add(1);
                }
                Err(error) => return Err(unwritable(out, &error)),
            }
        }
    }

    /// Gives the file its name, once it is on the disk.
    fn publish(self, out: &Path, replace: bool) -> Result<(), MergeError> {
        let failed = |error| unwritable(out, &error);
        File::open(&self.path).and_then(|file| file.sync_all()).map_err(failed)?;
        // A link, unlike a new name, never takes the place of a file that came in the meantime.
        match fs::hard_link(&self.path, out) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists && !replace => {
                return Err(MergeError::Exists { path: out.to_owned() });
            }
            // There are file systems without links.
            Err(_) => fs::rename(&self.path, out).map_err(failed)?,
        }
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or_else(|| Path::new("."))) {
            // Not every system can; the file itself is safe.
            drop(folder.sync_all());
        }
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Published by a new name, it is gone already.
        drop(fs::remove_file(&self.path));
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> MergeError {
    let full = [ErrorKind::StorageFull, ErrorKind::QuotaExceeded, ErrorKind::FileTooLarge];
    if full.contains(&error.kind()) {
        return StoreError::Full { path: path.to_owned() }.into();
    }
    MergeError::Unwritable { path: path.to_owned(), reason: error.to_string() }
}
