//! The tables of a store: made, checked, and read back into a plan.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Result};

use super::super::design::{self, Design};
use super::super::part::Part;
use super::super::plan::{GAMES_VERSION, Pairing, Plan, PlannedVariant};
use super::{About, StoreError};
use crate::variant::{self, Fingerprint, canonical_text, parse_weights, weights_text};

/// `KENY` in the header of the file says whose it is.
const APPLICATION: i32 = 0x4b45_4e59;
/// The format of the tables. 2: learned weights. 3: checksums, and which part of the plan it is.
const FORMAT: u32 = 3;

const TABLES: &str = "
CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE variants (
    number      INTEGER NOT NULL PRIMARY KEY,
    name        TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    rules       TEXT NOT NULL,
    weights     TEXT
) STRICT;
CREATE TABLE pairings (
    number   INTEGER NOT NULL PRIMARY KEY,
    first    TEXT NOT NULL,
    second   TEXT NOT NULL,
    openings INTEGER NOT NULL
) STRICT;
CREATE TABLE games (
    variant        INTEGER NOT NULL,
    pairing        INTEGER NOT NULL,
    opening        INTEGER NOT NULL,
    white          INTEGER NOT NULL,
    outcome        TEXT,
    reason         TEXT NOT NULL,
    plies          INTEGER NOT NULL,
    opening_shared INTEGER NOT NULL,
    seed           INTEGER NOT NULL,
    turns          BLOB NOT NULL,
    checksum       INTEGER NOT NULL,
    PRIMARY KEY (variant, pairing, opening, white)
) STRICT, WITHOUT ROWID;
";

/// Name and version of this program.
const PROGRAM: &str = concat!("keny ", env!("CARGO_PKG_VERSION"));

/// Whether the file has no content at all, as a new one.
pub(super) fn is_empty(connection: &Connection) -> Result<bool> {
    let tables: u32 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(tables == 0 && number(connection, "application_id")? == 0)
}

/// Makes the tables and writes down what is to be played.
pub(super) fn create(
    connection: &Connection,
    plan: &Plan,
    part: Part,
    study_text: &str,
) -> Result<()> {
    connection.execute_batch(TABLES)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", FORMAT)?;
    let mut meta = connection.prepare("INSERT INTO meta (key, value) VALUES (?1, ?2)")?;
    for (key, value) in [
        ("created_by", PROGRAM.to_owned()),
        ("written_by", PROGRAM.to_owned()),
        ("games_version", GAMES_VERSION.to_string()),
        ("plan_hash", plan.hash().to_string()),
        ("shard", part.shard().to_string()),
        ("shards", part.shards().to_string()),
        ("title", plan.title.clone()),
        ("study", study_text.to_owned()),
        ("seed", plan.seed.to_string()),
        ("opening_plies", plan.opening_plies.to_string()),
        ("plies_max", plan.plies_max.to_string()),
    ] {
        meta.execute((key, value))?;
    }
    if let Some(rule) = &plan.stopping {
        meta.execute(("stop_when", rule.to_string()))?;
    }
    if let Some(rule) = &plan.adjudication {
        meta.execute(("adjudicate", rule.to_string()))?;
    }
    write_designs(connection, plan)?;
    let mut variants = connection.prepare("INSERT INTO variants VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for (number, variant) in (0_u32..).zip(&plan.variants) {
        let fingerprint = variant.fingerprint.to_string();
        let rules = canonical_text(&variant.ruleset);
        let weights = variant.weights.as_ref();
        let weights = weights.map(|one| weights_text(&variant.name, &variant.ruleset, one));
        variants.execute((number, &variant.name, fingerprint, rules, weights))?;
    }
    let mut pairings = connection.prepare("INSERT INTO pairings VALUES (?1, ?2, ?3, ?4)")?;
    for (number, pairing) in (0_u32..).zip(&plan.pairings) {
        let [first, second] = pairing.players.each_ref().map(ToString::to_string);
        pairings.execute((number, first, second, pairing.openings))?;
    }
    seal(connection)
}

/// Takes over what does not change the games: title, text, names and designs. Writes only what
/// differs, so that a finished store stays as it is.
pub(super) fn rename(connection: &Connection, plan: &Plan, study_text: &str) -> Result<()> {
    let texts = [("written_by", PROGRAM), ("title", &plan.title), ("study", study_text)];
    let mut changed = 0;
    for (key, value) in texts {
        changed += set(connection, key, value)?;
    }
    changed += write_designs(connection, plan)?;
    let mut variants =
        connection.prepare("UPDATE variants SET name = ?2 WHERE number = ?1 AND name <> ?2")?;
    for (number, variant) in (0_u32..).zip(&plan.variants) {
        changed += variants.execute((number, &variant.name))?;
    }
    if changed > 0 { seal(connection) } else { Ok(()) }
}

/// Says who played the games that other programs' stores gave.
pub(super) fn set_creator(connection: &Connection, created_by: &str) -> Result<()> {
    set(connection, "created_by", created_by)?;
    seal(connection)
}

/// Changes a value of `meta`, where it differs; the number of changed rows.
fn set(connection: &Connection, key: &str, value: &str) -> Result<usize> {
    connection
        .prepare_cached("UPDATE meta SET value = ?2 WHERE key = ?1 AND value <> ?2")?
        .execute((key, value))
}

/// The key in `meta` of the hash of all that is no game.
const SEAL: &str = "header_hash";

/// Writes down the hash of all that is no game, so that damage to it is seen.
fn seal(connection: &Connection) -> Result<()> {
    let hash = header_hash(connection)?;
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", (SEAL, hash))?;
    Ok(())
}

/// Writes down what was varied, where it is not written yet; a plan without designs leaves no entry.
/// The number of changed rows.
fn write_designs(connection: &Connection, plan: &Plan) -> Result<usize> {
    if plan.designs.is_empty() {
        return connection.execute("DELETE FROM meta WHERE key = 'designs'", []);
    }
    let text = design::to_text(&plan.designs);
    let added = connection
        .execute("INSERT OR IGNORE INTO meta (key, value) VALUES ('designs', ?1)", [&text])?;
    Ok(added + set(connection, "designs", &text)?)
}

/// The hash of the definitions of all tables, and of the rows of all but the games.
fn header_hash(connection: &Connection) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    let mut add = |value: ValueRef<'_>| {
        let (kind, bytes) = match value {
            ValueRef::Null => (0, Vec::new()),
            ValueRef::Integer(number) => (1, number.to_le_bytes().to_vec()),
            ValueRef::Real(number) => (2, number.to_le_bytes().to_vec()),
            ValueRef::Text(bytes) => (3, bytes.to_vec()),
            ValueRef::Blob(bytes) => (4, bytes.to_vec()),
        };
        hasher.update(&[kind]);
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(&bytes);
    };
    let mut names: Vec<String> = Vec::new();
    let mut tables = connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name")?;
    let mut rows = tables.query([])?;
    while let Some(row) = rows.next()? {
        add(row.get_ref(0)?);
        add(row.get_ref(1)?);
        names.push(row.get(0)?);
    }
    for name in names.iter().filter(|name| *name != "games") {
        let quoted = name.replace('"', "\"\"");
        let mut all = connection.prepare(&format!("SELECT * FROM \"{quoted}\" ORDER BY 1"))?;
        let columns = all.column_count();
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            if name == "meta" && row.get_ref(0)? == ValueRef::Text(SEAL.as_bytes()) {
                continue;
            }
            for column in 0..columns {
                add(row.get_ref(column)?);
            }
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// Whether the definitions of the tables, and all that is no game, are as they were written.
pub(super) fn check_seal(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let reader = Reader { path, connection };
    let found = header_hash(connection).map_err(|error| reader.failed(error))?;
    if found == reader.meta(SEAL)? {
        return Ok(());
    }
    Err(reader.damaged("what it says about itself does not fit its checksum".to_owned()))
}

/// Whether the file is sound as a database.
pub(super) fn check_pages(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let failed = |error| StoreError::of(path, error);
    let said: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(failed)?;
    if said == "ok" {
        return Ok(());
    }
    let what = said.split_whitespace().collect::<Vec<_>>().join(" ");
    Err(StoreError::Damaged { path: path.to_owned(), what })
}

/// Whether this program can use the file.
pub(super) fn check(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let failed = |error| StoreError::of(path, error);
    let path = || path.to_owned();
    if number(connection, "application_id").map_err(failed)? != i64::from(APPLICATION) {
        return Err(StoreError::NotAStore { path: path() });
    }
    let format = number(connection, "user_version").map_err(failed)?;
    let found = u32::try_from(format).unwrap_or(u32::MAX);
    if found > FORMAT {
        return Err(StoreError::Newer { path: path(), found, known: FORMAT });
    }
    if found < FORMAT {
        return Err(StoreError::Older { path: path(), found, known: FORMAT });
    }
    Ok(())
}

/// The plan that the store was made for.
pub(super) fn read_plan(path: &Path, connection: &Connection) -> Result<Plan, StoreError> {
    let reader = Reader { path, connection };
    let found = reader.number("games_version")?;
    if found != GAMES_VERSION {
        let (known, program) = (GAMES_VERSION, reader.meta("written_by")?);
        return Err(StoreError::OtherGames { path: path.to_owned(), found, known, program });
    }
    let plan = Plan {
        title: reader.meta("title")?,
        seed: reader.number("seed")?,
        opening_plies: reader.number("opening_plies")?,
        plies_max: reader.number("plies_max")?,
        variants: reader.variants()?,
        pairings: reader.pairings()?,
        designs: Vec::new(),
        stopping: reader.rule("stop_when")?,
        adjudication: reader.rule("adjudicate")?,
    };
    let plan = Plan { designs: reader.designs(plan.variants.len())?, ..plan };
    if plan.hash().to_string() != reader.meta("plan_hash")? {
        return Err(reader.damaged("its plan does not fit its plan hash".to_owned()));
    }
    Ok(plan)
}

/// The part of the plan that the store is for.
pub(super) fn read_part(path: &Path, connection: &Connection) -> Result<Part, StoreError> {
    let reader = Reader { path, connection };
    let (shard, shards) = (reader.number("shard")?, reader.number("shards")?);
    Part::new(shard, shards).map_err(|error| reader.damaged(error.to_string()))
}

/// What the store says about itself.
pub(super) fn read_about(path: &Path, connection: &Connection) -> Result<About, StoreError> {
    let reader = Reader { path, connection };
    Ok(About {
        study_text: reader.meta("study")?,
        created_by: reader.meta("created_by")?,
        written_by: reader.meta("written_by")?,
    })
}

fn number(connection: &Connection, pragma: &str) -> Result<i64> {
    connection.pragma_query_value(None, pragma, |row| row.get(0))
}

/// A row of the table of variants.
struct StoredVariant {
    name: String,
    fingerprint: String,
    rules: String,
    weights: Option<String>,
}

struct Reader<'a> {
    path: &'a Path,
    connection: &'a Connection,
}

impl Reader<'_> {
    fn damaged(&self, what: String) -> StoreError {
        StoreError::Damaged { path: self.path.to_owned(), what }
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        StoreError::of(self.path, error)
    }

    fn meta(&self, key: &str) -> Result<String, StoreError> {
        self.meta_if_any(key)?.ok_or_else(|| self.damaged(format!("`meta` has no `{key}`")))
    }

    fn meta_if_any(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.connection
            .query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
            .optional()
            .map_err(|error| self.failed(error))
    }

    fn designs(&self, variants: usize) -> Result<Vec<Design>, StoreError> {
        let Some(text) = self.meta_if_any("designs")? else { return Ok(Vec::new()) };
        design::from_text(&text, variants)
            .ok_or_else(|| self.damaged("its designs cannot be read".to_owned()))
    }

    /// A rule of the plan that not every plan has.
    fn rule<T: std::str::FromStr>(&self, key: &str) -> Result<Option<T>, StoreError> {
        let Some(text) = self.meta_if_any(key)? else { return Ok(None) };
        let rule = text.parse();
        rule.map(Some).map_err(|_| self.damaged(format!("`{key}` in `meta` is `{text}`")))
    }

    fn number<T: std::str::FromStr>(&self, key: &str) -> Result<T, StoreError> {
        let text = self.meta(key)?;
        text.parse().map_err(|_| self.damaged(format!("`{key}` in `meta` is `{text}`")))
    }

    fn variants(&self) -> Result<Vec<PlannedVariant>, StoreError> {
        let query = "SELECT name, fingerprint, rules, weights FROM variants ORDER BY number";
        let rows = self.rows(query, |row| {
            Ok(StoredVariant {
                name: row.get(0)?,
                fingerprint: row.get(1)?,
                rules: row.get(2)?,
                weights: row.get(3)?,
            })
        })?;
        rows.into_iter().map(|row| self.variant(row)).collect()
    }

    /// The variant whose rules are written as the fingerprint's text, which after its first line
    /// is a variant file.
    fn variant(&self, row: StoredVariant) -> Result<PlannedVariant, StoreError> {
        let StoredVariant { name, fingerprint, rules, weights } = row;
        let unfit = || self.damaged(format!("the rules of variant `{name}` cannot be read"));
        let (_, text) = rules.split_once('\n').ok_or_else(unfit)?;
        let resolved = variant::check_text(&name, text).variant.ok_or_else(unfit)?;
        let ruleset = resolved.ruleset;
        let found = variant::fingerprint(&ruleset);
        if fingerprint.parse::<Fingerprint>().is_ok_and(|stored| stored == found) {
            let trained = weights.map(|text| parse_weights(&text, &ruleset)).transpose();
            let weights = trained.map_err(|error| {
                self.damaged(format!("the weights of variant `{name}` cannot be read: {error}"))
            })?;
            return Ok(PlannedVariant { name, ruleset, fingerprint: found, weights });
        }
        Err(self.damaged(format!("the rules of variant `{name}` do not fit their fingerprint")))
    }

    fn pairings(&self) -> Result<Vec<Pairing>, StoreError> {
        let rows = self
            .rows("SELECT first, second, openings FROM pairings ORDER BY number", |row| {
                Ok(([row.get(0)?, row.get(1)?], row.get(2)?))
            })?;
        rows.into_iter()
            .map(|(names, openings): ([String; 2], u32)| {
                let [first, second] = names.map(|name| {
                    let player = name.parse();
                    player.map_err(|_| self.damaged(format!("there is no player `{name}`")))
                });
                Ok(Pairing { players: [first?, second?], openings })
            })
            .collect()
    }

    fn rows<T>(
        &self,
        query: &str,
        read: impl FnMut(&rusqlite::Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let failed = |error| self.failed(error);
        let mut statement = self.connection.prepare(query).map_err(failed)?;
        let rows = statement.query_map([], read).map_err(failed)?;
        rows.collect::<Result<_>>().map_err(failed)
    }
}
