//! What is refused because it is too large: every limit on what is read, in one place. Reads
//! nothing itself.
//!
//! Input beyond a limit gets an error that names the limit; nothing is cut silently. The table of
//! them in ARCHITECTURE.md is made from [`LIMITS`].

/// The largest variant or study file, in bytes.
pub const TOML_BYTES_MAX: u64 = 1_000_000;
/// The most files that `extends` goes through.
pub const EXTENDS_MAX: usize = 16;
/// The most problems of one file that are told.
pub const PROBLEMS_MAX: usize = 100;
/// The most variants of a study, those of its designs among them.
pub const VARIANTS_MAX: usize = 4096;
/// The most designs of a study.
pub const DESIGNS_MAX: usize = 16;
/// The most flags that a design varies.
pub const DESIGN_FLAGS_MAX: usize = 64;
/// The most levels of a flag in a design.
pub const DESIGN_LEVELS_MAX: usize = 64;
/// The most stages of a study.
pub const STAGES_MAX: usize = 64;
/// The most players of a stage.
pub const PLAYERS_MAX: usize = 64;
/// The most openings of a pairing.
pub const OPENINGS_MAX: u32 = 10_000_000;
/// The most random plies at the start.
pub const OPENING_PLIES_MAX: u32 = 100;
/// The highest ply cap of a study.
pub const PLIES_MAX: u32 = 10_000;
/// The most shards of a study.
pub const SHARDS_MAX: u32 = 100_000;
/// The most games that a plan may have.
pub const PLAN_GAMES_MAX: u64 = 1_000_000_000;
/// The most squares of a board: files times ranks.
pub const SQUARES_MAX: u16 = 128;
/// The most jumps that are followed in one position, so that its turns are listed in bounded memory.
pub const JUMPS_MAX: u32 = 50_000;
/// The longest turn text, in bytes: enough for a start and 128 landings.
pub const TURN_BYTES_MAX: usize = 1_000;
/// The largest file of games, in bytes; reading takes up to 20 times as much memory.
pub const PDN_BYTES_MAX: u64 = 32 << 20;
/// The most turns of one written game.
pub const PDN_TURNS_MAX: usize = 100_000;
/// The most tags of one written game.
pub const PDN_TAGS_MAX: usize = 1_000;
/// The longest line of `keny pipe`, in bytes.
pub const PIPE_BYTES_MAX: usize = 1 << 20;
/// Rulesets that `keny pipe` keeps compiled.
pub const PIPE_RULES_KEPT: usize = 256;

/// A limit, as the table of them shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What is limited, with its unit.
    pub what: &'static str,
    /// The most that is taken.
    pub most: u64,
}

const fn limit(what: &'static str, most: u64) -> Limit {
    Limit { what, most }
}

/// Every limit.
pub const LIMITS: [Limit; 22] = [
    limit("bytes of a variant or study file", TOML_BYTES_MAX),
    limit("files that `extends` goes through", EXTENDS_MAX as u64),
    limit("problems told of one file", PROBLEMS_MAX as u64),
    limit("squares of a board (files times ranks)", SQUARES_MAX as u64),
    limit("variants of a study, with those of its designs", VARIANTS_MAX as u64),
    limit("designs of a study", DESIGNS_MAX as u64),
    limit("flags of a design", DESIGN_FLAGS_MAX as u64),
    limit("levels of a flag in a design", DESIGN_LEVELS_MAX as u64),
    limit("stages of a study", STAGES_MAX as u64),
    limit("players of a stage", PLAYERS_MAX as u64),
    limit("openings of a pairing", OPENINGS_MAX as u64),
    limit("random plies at the start of a game", OPENING_PLIES_MAX as u64),
    limit("plies of a game in a study (`plies_max`)", PLIES_MAX as u64),
    limit("games of a study", PLAN_GAMES_MAX),
    limit("shards of a study", SHARDS_MAX as u64),
    limit("jumps to follow in one position", JUMPS_MAX as u64),
    limit("bytes of a turn text", TURN_BYTES_MAX as u64),
    limit("bytes of a file of games (PDN)", PDN_BYTES_MAX),
    limit("turns of a written game", PDN_TURNS_MAX as u64),
    limit("tags of a written game", PDN_TAGS_MAX as u64),
    limit("bytes of a line of `keny pipe`", PIPE_BYTES_MAX as u64),
    limit("rulesets that `keny pipe` keeps compiled", PIPE_RULES_KEPT as u64),
];
