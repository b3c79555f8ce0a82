//! What can go wrong with a store, in words that name the file. Nothing here repairs anything.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why a store cannot be used; the file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is something else.
    #[error("`{}` is not a keny store, so it was left alone", .path.display())]
    NotAStore {
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

impl StoreError {
    /// The error of the database at this path.
    pub(super) fn of(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        let Some(code) = error.sqlite_error_code() else {
            // A value of a type that the column should not have.
            return Self::Damaged { path, what: error.to_string() };
        };
        #[expect(clippy::wildcard_enum_match_arm, reason = "all other codes are told as they are")]
        match code {
            ErrorCode::NotADatabase => Self::NotAStore { path },
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Locked { path },
            ErrorCode::DiskFull => Self::Full { path },
            ErrorCode::DatabaseCorrupt => {
                Self::Damaged { path, what: "the database file is malformed".to_owned() }
            }
            ErrorCode::ReadOnly => Self::ReadOnly { path },
            _ => Self::Unusable { path, reason: error.to_string() },
        }
    }

    /// Whether the same command may succeed later as it is: a lock, or no room.
    #[must_use]
    pub const fn is_temporary(&self) -> bool {
        match self {
            Self::Locked { .. } | Self::Full { .. } => true,
            Self::NotAStore { .. }
            | Self::Newer { .. }
            | Self::OtherGames { .. }
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
