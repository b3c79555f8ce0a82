//! The games of one study in one SQLite file: created, resumed and read. It never changes or
//! removes a game that it holds, and it touches no file that is not such a store.
//!
//! Tables (`STRICT`): `meta` (key, value), `variants` (number, name, fingerprint, rules as the
//! fingerprint's text, weights as in their files or null), `pairings` (number, first, second,
//! openings), and `games`, whose primary key says what the game is: variant, pairing, opening, and
//! the seat (1 or 2) of the player that had White. `outcome` is null for an unfinished game;
//! `turns` is as in [`crate::record`].
//!
//! What is promised: a game that [`Store::add`] has taken is in the store whatever happens to the
//! process afterwards (`kill -9` included), and after a power cut or a dead node as far as the disk
//! and the file system keep what they confirmed to have written; for SQLite syncs the journal, the
//! file and the folder at each transaction (`synchronous = EXTRA`, rollback journal). An error
//! leaves the games as they were before the transaction. Each game has a checksum, and so has all
//! that the store says about itself: bits that changed on the disk are told and never counted.

mod checksum;
mod done;
mod error;
mod schema;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Row, Transaction, TransactionBehavior};

use super::part::Part;
use super::plan::Plan;
use crate::record::{GameKey, Record, Seat, UNFINISHED};
use crate::rules::{Ending, Outcome, Reason};

pub use done::Done;
pub use error::StoreError;

/// How long a lock of another process is waited for.
const PATIENCE: Duration = Duration::from_millis(250);
/// Games that are read at once.
const CHUNK: u16 = 1024;

/// An open store.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    plan: Plan,
    part: Part,
    about: About,
}

/// What a store says about itself beside its plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The text of the study file.
    pub study_text: String,
    /// Name and version of the program that made the store.
    pub created_by: String,
    /// Name and version of the program that last opened it to write.
    pub written_by: String,
}

impl Store {
    /// Opens the store of a whole plan at `path` to play on, or makes it; no other process can open
    /// it meanwhile.
    ///
    /// # Errors
    /// When the file is no store, belongs to another plan, part or program, is open elsewhere, or
    /// cannot be written. The file is then as it was.
    pub fn create_or_resume(
        path: &Path,
        plan: &Plan,
        study_text: &str,
    ) -> Result<Self, StoreError> {
        Self::create_or_resume_part(path, plan, Part::WHOLE, study_text)
    }

    /// The same for one part of a plan.
    ///
    /// # Errors
    /// As [`Self::create_or_resume`].
    pub fn create_or_resume_part(
        path: &Path,
        plan: &Plan,
        part: Part,
        study_text: &str,
    ) -> Result<Self, StoreError> {
        let failed = |error| StoreError::of(path, error);
        if path.metadata().is_ok_and(|file| file.len() == 1) {
            // SQLite takes a file of one byte for an empty one.
            return Err(StoreError::NotAStore { path: path.to_owned() });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = open(path, flags)?;
        connection
            .execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = EXTRA;")
            .map_err(failed)?;
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Exclusive).map_err(failed)?;
        if schema::is_empty(&transaction).map_err(failed)? {
            schema::create(&transaction, plan, part, study_text).map_err(failed)?;
        } else {
            schema::check(path, &transaction)?;
            let stored = schema::read_plan(path, &transaction)?;
            if stored.hash() != plan.hash() {
                let differences = stored.differences(plan);
                return Err(StoreError::Changed { path: path.to_owned(), differences });
            }
            let found = schema::read_part(path, &transaction)?;
            if found != part {
                let path = path.to_owned();
                return Err(StoreError::OtherPart { path, found, wanted: part });
            }
            schema::check_seal(path, &transaction)?;
            schema::rename(&transaction, plan, study_text).map_err(failed)?;
        }
        let about = schema::read_about(path, &transaction)?;
        transaction.commit().map_err(failed)?;
        Ok(Self { path: path.to_owned(), connection, plan: plan.clone(), part, about })
    }

    /// Makes the store of a whole plan in the empty file at `path`, which nobody needs if the process
    /// or the machine fails before it is whole: nothing is waited for, and nothing can be undone.
    pub(super) fn create_unsafe_but_fast(
        path: &Path,
        plan: &Plan,
        study_text: &str,
    ) -> Result<Self, StoreError> {
        let failed = |error| StoreError::of(path, error);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = open(path, flags)?;
        connection
            .execute_batch(
                "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; \
                 PRAGMA synchronous = OFF; PRAGMA cache_size = -131072;",
            )
            .map_err(failed)?;
        let transaction = connection.transaction().map_err(failed)?;
        schema::create(&transaction, plan, Part::WHOLE, study_text).map_err(failed)?;
        let about = schema::read_about(path, &transaction)?;
        transaction.commit().map_err(failed)?;
        let (plan, part) = (plan.clone(), Part::WHOLE);
        Ok(Self { path: path.to_owned(), connection, plan, part, about })
    }

    /// Says who played the games.
    pub(super) fn set_creator(&self, created_by: &str) -> Result<(), StoreError> {
        schema::set_creator(&self.connection, created_by).map_err(|error| self.failed(error))
    }

    /// Opens the store at `path` to read.
    ///
    /// # Errors
    /// When there is no file, the file is no store or of another version, or is being written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            let reason = "there is no such file".to_owned();
            return Err(StoreError::Unusable { path: path.to_owned(), reason });
        }
        // A run that was killed leaves a journal, and rolling it back needs to write.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = open(path, flags)?;
        let failed = |error| StoreError::of(path, error);
        connection.execute_batch("PRAGMA query_only = ON;").map_err(failed)?;
        let transaction = connection.transaction().map_err(failed)?;
        if schema::is_empty(&transaction).map_err(failed)? {
            return Err(StoreError::Empty { path: path.to_owned() });
        }
        schema::check(path, &transaction)?;
        let plan = schema::read_plan(path, &transaction)?;
        let part = schema::read_part(path, &transaction)?;
        let about = schema::read_about(path, &transaction)?;
        schema::check_seal(path, &transaction)?;
        transaction.commit().map_err(failed)?;
        Ok(Self { path: path.to_owned(), connection, plan, part, about })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The plan whose games it holds.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The part of the plan that it is for.
    #[must_use]
    pub const fn part(&self) -> Part {
        self.part
    }

    /// What it says about itself.
    #[must_use]
    pub const fn about(&self) -> &About {
        &self.about
    }

    /// The games that it holds, after reading all of it through.
    ///
    /// # Errors
    /// When it cannot be read, is damaged anywhere, or holds a game that its part of the plan does
    /// not have.
    pub fn done(&self) -> Result<Done, StoreError> {
        let failed = |error| self.failed(error);
        schema::check_pages(&self.path, &self.connection)?;
        let mut done = Done::of(&self.plan);
        let mut statement =
            self.connection.prepare(&format!("SELECT {COLUMNS} FROM games")).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut last = None;
        while let Some(row) = rows.next().map_err(failed)? {
            let key = self.record_of(row)?.key;
            let number = self.plan.number_of(&key).filter(|_| self.part.has(&key));
            done.insert(number.ok_or_else(|| self.damaged("a game that its plan does not have"))?);
            if last.replace(key).is_some_and(|last| last >= key) {
                return Err(self.damaged("games out of order"));
            }
        }
        Ok(done)
    }

    /// The game with this key, if it holds it.
    ///
    /// # Errors
    /// When it cannot be read, or the game is damaged.
    pub fn game(&self, key: &GameKey) -> Result<Option<Record>, StoreError> {
        let failed = |error| self.failed(error);
        let query = format!(
            "SELECT {COLUMNS} FROM games \
             WHERE variant = ?1 AND pairing = ?2 AND opening = ?3 AND white = ?4"
        );
        let mut statement = self.connection.prepare_cached(&query).map_err(failed)?;
        let parameters = (key.variant, key.pairing, key.opening, seat_number(key.white));
        let mut rows = statement.query(parameters).map_err(failed)?;
        let row = rows.next().map_err(failed)?;
        row.map(|row| self.record_of(row)).transpose()
    }

    /// Adds games, all or none.
    ///
    /// # Errors
    /// When the store cannot be written, or holds one of them already.
    pub fn add(&mut self, records: &[Record]) -> Result<(), StoreError> {
        let path = &self.path;
        let failed = |error| StoreError::of(path, error);
        let transaction = self.connection.transaction().map_err(failed)?;
        insert(&transaction, records).map_err(failed)?;
        transaction.commit().map_err(failed)
    }

    /// The games of one variant and pairing that it holds, in the order of their keys.
    ///
    /// Each item may be an error, after which nothing follows: the store cannot be read, or holds
    /// something else than games.
    #[must_use]
    pub const fn games(&self, variant: u32, pairing: u32) -> Games<'_> {
        self.games_from(variant, pairing, 0)
    }

    /// The same from an opening on.
    #[must_use]
    pub const fn games_from(&self, variant: u32, pairing: u32, opening: u32) -> Games<'_> {
        let last = match opening.checked_sub(1) {
            Some(before) => Some((before, Seat::Second)),
            None => None,
        };
        Games { store: self, variant, pairing, chunk: Vec::new(), last, ended: false }
    }

    /// The next games after a key, up to [`CHUNK`].
    fn chunk(
        &self,
        variant: u32,
        pairing: u32,
        last: Option<(u32, Seat)>,
    ) -> Result<Vec<Record>, StoreError> {
        let failed = |error| self.failed(error);
        let mut statement = self
            .connection
            .prepare_cached(&format!(
                "SELECT {COLUMNS} FROM games WHERE variant = ?1 AND pairing = ?2 \
                 AND (opening, white) > (?3, ?4) ORDER BY opening, white LIMIT ?5",
            ))
            .map_err(failed)?;
        let (opening, white) =
            last.map_or((-1, 0), |(opening, white)| (i64::from(opening), seat_number(white)));
        let parameters = (variant, pairing, opening, white, CHUNK);
        let mut rows = statement.query(parameters).map_err(failed)?;
        let mut records = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            records.push(self.record_of(row)?);
        }
        Ok(records)
    }

    fn key_of(&self, row: &Row<'_>) -> Result<GameKey, StoreError> {
        let number = |column| row.get::<_, u32>(column).map_err(|error| self.failed(error));
        let white = match number(3)? {
            1 => Seat::First,
            2 => Seat::Second,
            _ => return Err(self.damaged("a seat that is neither 1 nor 2")),
        };
        Ok(GameKey { variant: number(0)?, pairing: number(1)?, opening: number(2)?, white })
    }

    fn record_of(&self, row: &Row<'_>) -> Result<Record, StoreError> {
        let failed = |error| self.failed(error);
        let text = |column| row.get_ref(column).and_then(|value| Ok(value.as_str_or_null()?));
        let outcome = text(4).map_err(failed)?;
        let reason = text(5).map_err(failed)?;
        let outcome = outcome.map(|name| Outcome::ALL.into_iter().find(|o| o.name() == name));
        let known = reason.and_then(|name| Reason::ALL.into_iter().find(|r| r.name() == name));
        let end = match (outcome, known) {
            (None, None) if reason == Some(UNFINISHED) => None,
            (Some(Some(outcome)), Some(reason)) => Some(Ending { outcome, reason }),
            (None | Some(_), None | Some(_)) => {
                return Err(self.damaged("an end of a game that no game has"));
            }
        };
        let record = Record {
            key: self.key_of(row)?,
            seed: row.get::<_, i64>(8).map_err(failed)?.cast_unsigned(),
            end,
            plies: row.get(6).map_err(failed)?,
            opening_shared: row.get(7).map_err(failed)?,
            turns: row.get(9).map_err(failed)?,
        };
        if row.get::<_, i64>(10).map_err(failed)? != checksum::of(&record) {
            return Err(self.damaged("a game that does not fit its checksum"));
        }
        Ok(record)
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, error)
    }

    fn damaged(&self, what: &str) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), what: format!("it holds {what}") }
    }
}

/// The columns of a game, in the order that [`Store::record_of`] reads.
const COLUMNS: &str = "variant, pairing, opening, white, outcome, reason, plies, opening_shared, \
                       seed, turns, checksum";

fn insert(transaction: &Transaction<'_>, records: &[Record]) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(&format!(
        "INSERT INTO games ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
    ))?;
    for record in records {
        let GameKey { variant, pairing, opening, white } = record.key;
        insert.execute((
            variant,
            pairing,
            opening,
            seat_number(white),
            record.outcome().map(Outcome::name),
            record.reason_name(),
            record.plies,
            record.opening_shared,
            record.seed.cast_signed(),
            record.turns.as_slice(),
            checksum::of(record),
        ))?;
    }
    Ok(())
}

fn open(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let failed = |error| StoreError::of(path, error);
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    Ok(connection)
}

const fn seat_number(seat: Seat) -> u8 {
    match seat {
        Seat::First => 1,
        Seat::Second => 2,
    }
}

/// Stored games of one variant and pairing, in the order of their keys.
#[derive(Debug)]
pub struct Games<'a> {
    store: &'a Store,
    variant: u32,
    pairing: u32,
    /// Games read and not yet given, the last one first.
    chunk: Vec<Record>,
    last: Option<(u32, Seat)>,
    ended: bool,
}

impl Iterator for Games<'_> {
    type Item = Result<Record, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.chunk.is_empty() && !self.ended {
            match self.store.chunk(self.variant, self.pairing, self.last) {
                Ok(chunk) => {
                    self.ended = chunk.len() < usize::from(CHUNK);
                    self.last = chunk.last().map(|record| (record.key.opening, record.key.white));
                    self.chunk = chunk;
                    self.chunk.reverse();
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        self.chunk.pop().map(Ok)
    }
}
