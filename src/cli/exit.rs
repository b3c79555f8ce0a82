//! How the program ends: the codes, and failures with what to say about them.

use std::fmt;

/// Why the program ended. Ordered by how bad it is, so that of several ends the worst is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Done.
    Done,
    /// A check failed: a game was not played by its rules, or merged shards are not complete.
    CheckFailed,
    /// The command line is wrong.
    Usage,
    /// A variant or study file is wrong, or a store belongs to another study.
    BadFile,
    /// A file or stream cannot be read or written.
    Io,
    /// A store is in use or has no room: the same command may succeed later.
    TryAgain,
    /// Stopped by Ctrl-C; what was done is kept.
    Interrupted,
    /// Stopped by a plea to end (SIGTERM), as schedulers send it; what was done is kept.
    Terminated,
}

impl Exit {
    /// All ends, the best one first.
    pub const ALL: [Self; 8] = [
        Self::Done,
        Self::CheckFailed,
        Self::Usage,
        Self::BadFile,
        Self::Io,
        Self::TryAgain,
        Self::Interrupted,
        Self::Terminated,
    ];

    /// The code that the program returns.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::CheckFailed => 1,
            Self::Usage => 2,
            Self::BadFile => 3,
            Self::Io => 4,
            Self::TryAgain => 75,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }

    /// What the code means, in a few words.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::CheckFailed => "a check failed, or merged shards are not complete",
            Self::Usage => "wrong usage: do not try again",
            Self::BadFile => {
                "bad variant or study file, or a store of another study or version: do not try again"
            }
            Self::Io => "cannot read or write, or a store is damaged",
            Self::TryAgain => {
                "temporary: a store is in use, or the disk has no room; try again later"
            }
            Self::Interrupted => "stopped by Ctrl-C; what was done is kept",
            Self::Terminated => "stopped by SIGTERM; what was done is kept",
        }
    }

    /// All codes with their meanings, one line each, for the help.
    #[must_use]
    pub fn lines() -> String {
        Self::ALL.map(|exit| format!("{:>5}  {}", exit.code(), exit.meaning())).join("\n")
    }
}

/// The end of a command that could not do what it was asked.
#[derive(Debug)]
pub(super) struct Failure {
    /// The code.
    pub(super) exit: Exit,
    /// What to say on standard error.
    pub(super) message: Message,
}

/// What is said about a failure.
#[derive(Debug)]
pub(super) enum Message {
    /// One sentence: `error: ` comes before it.
    Error(anyhow::Error),
    /// A text that stands as it is.
    Drawn(String),
    /// Nothing: it has been said, or nobody listens.
    Silent,
}

impl Failure {
    /// A failure with an error to tell.
    pub(super) fn new(exit: Exit, error: impl Into<anyhow::Error>) -> Self {
        Self { exit, message: Message::Error(error.into()) }
    }

    /// A failure with a message of one sentence.
    pub(super) fn say(exit: Exit, message: impl fmt::Display) -> Self {
        Self::new(exit, anyhow::anyhow!("{message}"))
    }

    /// Nobody reads the output any more, which is no fault.
    pub(super) const fn nobody_reads() -> Self {
        Self { exit: Exit::Done, message: Message::Silent }
    }
}

/// What a command returns.
pub(super) type Outcome = Result<Exit, Failure>;
