//! What can go wrong with a store, in words that name the file. Nothing here repairs anything.

use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

use super::super::part::Part;

/// Why a store cannot be used; the file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is something else.
    #[error("`{}` is not a keny store, so it was left alone", .path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The file has no content: it is new, or the run that made it ended as it began.
    #[error("`{}` is empty: no game was stored in it yet", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file's format is newer than the program.
    #[error(
        "`{}` has store format {found}, but this program knows only up to {known}: it was written \
         by a newer keny", .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format that the program knows.
        known: u32,
    },
    /// The file's format is older than the program can read.
    #[error(
        "`{}` has store format {found}, which this program ({known}) cannot read any more: use the \
         keny that wrote it, or play the study anew", .path.display()
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format of the program.
        known: u32,
    },
    /// The games were played by a program whose games go otherwise.
    #[error(
        "`{}` holds games of games-version {found} ({program}), but this program plays \
         games-version {known}: go on with that program, or start a new store", .path.display()
    )]
    OtherGames {
        /// The file.
        path: PathBuf,
        /// The version of its games.
        found: u32,
        /// The version of this program's games.
        known: u32,
        /// The program that wrote it.
        program: String,
    },
    /// The file belongs to another plan.
    #[error(
        "`{}` holds games of another study; what differs:\n{}\nwrite to another file, or put the \
         study back as it was", .path.display(), list(.differences)
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// What differs, from the store to the study, one line each.
        differences: Vec<String>,
    },
    /// The file holds another part of the same study.
    #[error(
        "`{}` holds {found}, not {wanted}: each shard needs a file of its own", .path.display()
    )]
    OtherPart {
        /// The file.
        path: PathBuf,
        /// Its part.
        found: Part,
        /// The part that is to be played.
        wanted: Part,
    },
    /// Another process has it open.
    #[error("`{}` is in use by another process", .path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// There is no room left.
    #[error("no room left to write `{}`; what was reported as done is safe", .path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The disk refused to take what was written.
    #[error(
        "`{}` could not be written: {reason}; a quota, a size limit or a failing disk; what was \
         reported as done is safe", .path.display()
    )]
    Disk {
        /// The file.
        path: PathBuf,
        /// What the database said.
        reason: String,
    },
    /// The content is not what a store holds.
    #[error("`{}` is damaged: {what}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        what: String,
    },
    /// The file may not be written.
    #[error("`{}` cannot be written: the file or its folder is read-only", .path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be opened, read or written.
    #[error("`{}` cannot be opened, read or written: {reason}", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
}

/// What the database says when the system did not take what it wrote.
const WRITING: [i32; 5] = [
    ffi::SQLITE_IOERR_WRITE,
    ffi::SQLITE_IOERR_FSYNC,
    ffi::SQLITE_IOERR_DIR_FSYNC,
    ffi::SQLITE_IOERR_TRUNCATE,
    ffi::SQLITE_IOERR_CLOSE,
];

impl StoreError {
    /// The error of the database at this path.
    pub(super) fn of(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        let (Some(code), Some(sqlite)) = (error.sqlite_error_code(), error.sqlite_error()) else {
            // A value of a type that the column should not have.
            return Self::Damaged { path, what: error.to_string() };
        };
        let extended = sqlite.extended_code;
        #[expect(clippy::wildcard_enum_match_arm, reason = "all other codes are told as they are")]
        match code {
            ErrorCode::NotADatabase => Self::NotAStore { path },
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Locked { path },
            ErrorCode::DiskFull => Self::Full { path },
            ErrorCode::DatabaseCorrupt => {
                Self::Damaged { path, what: "the database file is malformed".to_owned() }
            }
            ErrorCode::SystemIoFailure if WRITING.contains(&extended) => {
                Self::Disk { path, reason: error.to_string() }
            }
            ErrorCode::SystemIoFailure if extended == ffi::SQLITE_IOERR_SHORT_READ => {
                Self::Damaged { path, what: "the file ends too early".to_owned() }
            }
            // The statements are right, so it is the tables that are not; a game that is there
            // already was not seen when the store was read through.
            ErrorCode::Unknown | ErrorCode::ConstraintViolation => {
                Self::Damaged { path, what: error.to_string() }
            }
            ErrorCode::ReadOnly => Self::ReadOnly { path },
            _ => Self::Unusable { path, reason: error.to_string() },
        }
    }

    /// Whether the same command may succeed later as it is: a lock, no room, a disk that refused.
    #[must_use]
    pub const fn is_temporary(&self) -> bool {
        match self {
            Self::Locked { .. } | Self::Full { .. } | Self::Disk { .. } => true,
            Self::NotAStore { .. }
            | Self::Empty { .. }
            | Self::Newer { .. }
            | Self::Older { .. }
            | Self::OtherGames { .. }
            | Self::OtherPart { .. }
            | Self::Changed { .. }
            | Self::Damaged { .. }
            | Self::ReadOnly { .. }
            | Self::Unusable { .. } => false,
        }
    }
}

fn list(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}
