//! The command line: every command, its arguments and its help.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::exit::Exit;
use crate::player::PlayerSpec;

const EXAMPLES: &str = "\
Examples:
  keny rules                             every open question of the rules
  keny explain keny                      one reading of them, in plain English
  keny moves --variant turkish           the legal turns at the start
  keny play keny                         a game against the program
  keny run study.toml                    a tournament of variants, and its tables";

fn after_help() -> String {
    format!("Exit codes:\n{}\n\n{EXAMPLES}", Exit::lines())
}

/// Explores rule variants of the draughts game Keny and its kin.
#[derive(Debug, Parser)]
#[command(name = "keny", version, about, after_help = after_help(), max_term_width = 100)]
pub(super) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check variant and study files, or all shipped variants
    #[command(after_help = "\
Examples:
  keny check                             the shipped variants, each with its fingerprint
  keny check my-variant.toml             all problems of a file, drawn into its text
  keny check variants/*.toml study.toml")]
    Check(CheckArgs),
    /// Show the open questions of the rules, their choices, and who says what
    #[command(after_help = "\
Examples:
  keny rules                             all flags
  keny rules capture                     the flags of one table
  keny rules king.landing                one flag")]
    Rules(RulesArgs),
    /// Say in plain English how a variant is played, and where each answer comes from
    #[command(after_help = "\
Examples:
  keny explain keny
  keny explain my-variant.toml")]
    Explain(ExplainArgs),
    /// Show the flags in which two variants differ
    #[command(after_help = "\
Examples:
  keny diff keny turkish
  keny diff keny-collection my-variant.toml")]
    Diff(DiffArgs),
    /// List the legal turns of a position, with the board
    #[command(after_help = "\
Examples:
  keny moves --variant keny
  keny moves --variant turkish --position 'W:WKd8:Bc8,e8'
  keny moves --variant keny --json | jq '.turns | length'")]
    Moves(MovesArgs),
    /// Count the turn sequences of a given length
    #[command(after_help = "\
Examples:
  keny perft --variant turkish --depth 6
  keny perft --variant russian --depth 8 --paths
  keny perft --variant keny --depth 4 --divide")]
    Perft(PerftArgs),
    /// Play random games: a quick look at who wins, how, and how long it takes
    #[command(after_help = "\
Examples:
  keny playouts --variant keny --games 1000
  keny playouts --variant turkish --games 100000 --seed 7 --json")]
    Playouts(PlayoutsArgs),
    /// Measure how fast this machine plays variants, as ratios to Turkish draughts
    #[command(after_help = "\
Measured are the leaves of perft, random games and search positions a second on one thread, and
random games on all threads against one. The numbers are those of this machine, as busy as it is.

Examples:
  keny bench
  keny bench --variant my-variant.toml --variant international --seconds 3
  keny bench --variant keny --json | jq .variants")]
    Bench(BenchArgs),
    /// Answer JSON requests, one a line, from standard input
    #[command(after_help = PIPE_HELP)]
    Pipe,
    /// Check every turn of written games (PDN) and say how they ended
    #[command(after_help = "\
The variant is the game's own `Variant` tag: a shipped name, or a path relative to the game's file.

Examples:
  keny replay game.pdn
  keny replay game.pdn --variant keny-collection --board
  keny replay - < games.pdn")]
    Replay(ReplayArgs),
    /// Play against the program, or watch two players
    #[command(after_help = "\
A turn is typed as its start and its landings (a3-a4, a3xa5xc5), or as start and end alone where
that is enough. `?` lists the legal turns and the other words: undo, resign, board, save, quit.

Players:
  human, random, greedy, alphabeta:depth=N, alphabeta:nodes=N, mcts:playouts=N

Examples:
  keny play keny
  keny play turkish --white alphabeta:depth=4 --black human
  keny play keny --white greedy --black random --seed 3 --save game.pdn")]
    Play(PlayArgs),
    /// Show the best lines of a position, depth by depth
    #[command(after_help = "\
Examples:
  keny analyse --variant keny
  keny analyse --variant turkish --position 'W:Wa2,Kd4:Ba7,c6' --depth 8
  keny analyse --variant keny --lines 1 --nodes 10000000 --json | jq .depths[-1].lines[0]")]
    Analyse(AnalyseArgs),
    /// Learn by self-play what men, kings and places are worth under a variant
    #[command(after_help = "\
Shipped variants have learned values. For other rules the players judge by generic ones until this
command has learned better: `weights = \"FOLDER\"` in a study, and `--weights FOLDER` of `keny play`
and `keny analyse`, read its folder. The same options give the same values on any number of threads.

Examples:
  keny train my-variant.toml             learns, shows, and keeps it in `weights/`
  keny train study.toml                  all rulesets of a study that have no values yet
  keny train keny --rounds 2 --plies 50000 --into /tmp/quick")]
    Train(TrainArgs),
    /// Say what a study will play, how long it takes, and how exactly it will answer
    #[command(after_help = "\
A small sample of each pairing is played, timed, and thrown away.

Examples:
  keny plan study.toml
  keny plan study.toml --half-width 1 --difference 2
  keny plan study.toml --seconds 10 --format json")]
    Plan(PlanArgs),
    /// Play a study, or go on with one that was stopped
    #[command(after_help = "\
The games are kept in a store, one file that any SQLite tool reads. Ctrl-C keeps what was played;
the same command goes on from there. The same study gives the same games for any number of threads.

A study can be dealt out to many processes: shard I of N plays every N-th opening of each variant
and pairing into a store of its own, and `keny merge` puts the stores together. A finished shard that
is run again ends at once.

Examples:
  keny run reports/first-look/study.toml
  keny run study.toml --out /tmp/games.sqlite --threads 2
  keny run study.toml --shards 8 --shard 3
  keny run study.toml --shards 8 --shard-from-env SLURM_ARRAY_TASK_ID")]
    Run(RunArgs),
    /// Put the stores of shards together
    #[command(after_help = "\
The stores may come in any order and overlap. Games that are missing are told, and the shards to run
again are printed as `--array=0,3-5`; the exit code is then 1, and OUT is not written unless with
`--allow-partial`. The report of OUT is the report of a run in one piece.

Examples:
  keny merge study.sqlite study-shard-*-of-8.sqlite
  keny merge --replace study.sqlite study.sqlite study-shard-3-of-8.sqlite")]
    Merge(MergeArgs),
    /// Show the tables of a stored run
    #[command(after_help = "\
Examples:
  keny report reports/first-look/study.sqlite
  keny report study.sqlite --format markdown > report.md
  keny report study.sqlite --format csv --out tables
  keny report study.sqlite --format json | jq .title")]
    Report(ReportArgs),
    /// Say how often two variants give different legal turns, and how early
    #[command(after_help = "\
Games are played under A, by one player on both sides; in each position the legal turns under B are
listed too. Turns are equal that begin and end on the same squares, take the same pieces and leave a
piece of the same kind. Draw rules change no turn: how often the same turns would end otherwise is
told apart.

Examples:
  keny relevance keny keny-collection
  keny relevance keny my-variant.toml --games 200 --player alphabeta:nodes=1000
  keny relevance keny turkish --format json | jq .numbers")]
    Relevance(RelevanceArgs),
    /// Print the completions of a shell
    #[command(after_help = "\
Examples:
  keny completions bash > ~/.local/share/bash-completion/completions/keny
  keny completions fish > ~/.config/fish/completions/keny.fish
  keny completions zsh > \"${fpath[1]}/_keny\"")]
    Completions(CompletionsArgs),
}

const PIPE_HELP: &str = "\
A request is an object with
  rules     the tables of a variant file as an object; or
  variant   the name of a shipped variant
  position  a position text; the start if it is null or absent
  turns     turns to play, each a text or {\"from\",\"to\",\"captures\",\"promotes\"}
Other keys are ignored, and so are empty lines.

Without `turns` the answer is {\"turns\":[{\"from\",\"to\",\"captures\",\"promotes\",\"text\"},...]}, the
legal turns sorted by from, to, captures and promotes, names of squares compared as texts.
With `turns` they are played, and the answer is {\"result\",\"reason\",\"final\"}: result is \"white\",
\"black\", \"draw\" or null, and reason is null where the game goes on.
A bad request is answered {\"error\":\"...\"}, and the next line is served; so is a position with too many
turns to list (its captures take more than 50,000 jumps to follow).

Examples:
  echo '{\"variant\":\"turkish\",\"position\":null}' | keny pipe
  echo '{\"rules\":{\"capture\":{\"mandatory\":false}},\"turns\":[\"a3-a4\"]}' | keny pipe";

/// Arguments of `keny check`.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Variant files, study files, or names of shipped variants; all shipped variants if there is none
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<String>,
}

/// Arguments of `keny rules`.
#[derive(Debug, Args)]
pub(super) struct RulesArgs {
    /// A flag (`king.landing`) or a table (`king`)
    pub(super) key: Option<String>,
}

/// Arguments of `keny explain`.
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// The name of a shipped variant, or the path of a variant file
    pub(super) variant: String,
}

/// Arguments of `keny diff`.
#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// The name of a shipped variant, or the path of a variant file
    pub(super) a: String,
    /// The variant to compare it with
    pub(super) b: String,
}

/// Where a command begins.
#[derive(Debug, Args)]
pub(super) struct SceneArgs {
    /// The name of a shipped variant, or the path of a variant file
    #[arg(long)]
    pub(super) variant: String,
    /// A position text such as `W:Wa2,b2,Kd5:Ba7,Kh8`; the variant's start if not given
    #[arg(long, short)]
    pub(super) position: Option<String>,
}

/// Arguments of `keny moves`.
#[derive(Debug, Args)]
pub(super) struct MovesArgs {
    #[command(flatten)]
    pub(super) scene: SceneArgs,
    /// Print one JSON object, its turns as `keny pipe` answers them
    #[arg(long)]
    pub(super) json: bool,
    /// Draw the board in ASCII
    #[arg(long)]
    pub(super) ascii: bool,
}

/// Arguments of `keny perft`.
#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    #[command(flatten)]
    pub(super) scene: SceneArgs,
    /// Plies to look ahead
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(0..=99))]
    pub(super) depth: u32,
    /// Show the count behind each first turn
    #[arg(long)]
    pub(super) divide: bool,
    /// Count each path of a capture apart, not distinct turns
    #[arg(long)]
    pub(super) paths: bool,
    /// Threads; one for each core if not given
    #[arg(long, short, value_parser = threads)]
    pub(super) threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `keny playouts`.
#[derive(Debug, Args)]
pub(super) struct PlayoutsArgs {
    #[command(flatten)]
    pub(super) scene: SceneArgs,
    /// Games to play
    #[arg(long, short, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(super) games: u64,
    /// The seed; the same seed gives the same games with any number of threads
    #[arg(long, short, default_value_t = 1)]
    pub(super) seed: u64,
    /// Plies after which a game is cut and counts as unfinished
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) plies_max: u32,
    /// Threads; one for each core if not given
    #[arg(long, short, value_parser = threads)]
    pub(super) threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `keny bench`.
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// The name of a shipped variant, or the path of a variant file; may be given again; keny if
    /// not given
    #[arg(long)]
    pub(super) variant: Vec<String>,
    /// Seconds for each number of each variant, up to 3600
    #[arg(long, short, default_value_t = 1.0, value_parser = seconds)]
    pub(super) seconds: f64,
    /// Threads for the last number; one for each core if not given
    #[arg(long, short, value_parser = threads)]
    pub(super) threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `keny replay`.
#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// A file of games in PDN; `-` is standard input
    pub(super) game: PathBuf,
    /// The variant to play by, whatever the games say
    #[arg(long)]
    pub(super) variant: Option<String>,
    /// Draw the last position of each game
    #[arg(long)]
    pub(super) board: bool,
    /// Draw boards in ASCII
    #[arg(long)]
    pub(super) ascii: bool,
}

/// Arguments of `keny play`.
#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    /// The name of a shipped variant, or the path of a variant file
    pub(super) variant: String,
    /// Who plays White: `human` or a player
    #[arg(long, default_value = "human", value_parser = seat)]
    pub(super) white: Seat,
    /// Who plays Black: `human` or a player
    #[arg(long, default_value = "alphabeta:depth=5", value_parser = seat)]
    pub(super) black: Seat,
    /// A position text to begin with; the variant's start if not given
    #[arg(long, short)]
    pub(super) position: Option<String>,
    /// The seed of the players
    #[arg(long, short, default_value_t = 1)]
    pub(super) seed: u64,
    /// Plies after which the game is cut
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) plies_max: u32,
    /// A folder of learned values; the shipped ones if not given
    #[arg(long, value_name = "FOLDER")]
    pub(super) weights: Option<PathBuf>,
    /// Write the game as PDN to this file when it is over
    #[arg(long, value_name = "FILE")]
    pub(super) save: Option<PathBuf>,
    /// Draw boards in ASCII
    #[arg(long)]
    pub(super) ascii: bool,
}

/// Arguments of `keny analyse`.
#[derive(Debug, Args)]
pub(super) struct AnalyseArgs {
    #[command(flatten)]
    pub(super) scene: SceneArgs,
    /// Positions to visit
    #[arg(long, short, default_value_t = 1_000_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(super) nodes: u64,
    /// Plies to search, every turn to the full depth, instead of a number of positions
    #[arg(long, short, conflicts_with = "nodes", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(super) depth: Option<u8>,
    /// First turns to compare, each with its best line; more take longer to the same depth
    #[arg(long, short, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) lines: u16,
    /// A folder of learned values; the shipped ones if not given
    #[arg(long, value_name = "FOLDER")]
    pub(super) weights: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
    /// Draw the board in ASCII
    #[arg(long)]
    pub(super) ascii: bool,
}

/// Arguments of `keny train`.
#[derive(Debug, Args)]
pub(super) struct TrainArgs {
    /// The name of a shipped variant, or the path of a variant or study file
    pub(super) variant: String,
    /// The folder that keeps the values, each ruleset's under its fingerprint; the study's own, or
    /// `weights`, if not given
    #[arg(long, value_name = "FOLDER")]
    pub(super) into: Option<PathBuf>,
    /// Learn again what the study's folder has already
    #[arg(long)]
    pub(super) again: bool,
    /// Rounds of playing and fitting
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) rounds: u32,
    /// Turns played in a round, all games together
    #[arg(long, default_value_t = 400_000,
          value_parser = clap::value_parser!(u32).range(1_000..=100_000_000))]
    pub(super) plies: u32,
    /// Positions that the player visits for one turn
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) nodes: u64,
    /// The seed
    #[arg(long, short, default_value_t = 1)]
    pub(super) seed: u64,
    /// Threads; one for each core if not given
    #[arg(long, short, value_parser = threads)]
    pub(super) threads: Option<usize>,
}

/// Arguments of `keny plan`.
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// The study file
    pub(super) study: PathBuf,
    /// Say how many openings a score and a share of draws known to ± so many points need
    #[arg(long, value_name = "POINTS")]
    pub(super) half_width: Vec<f64>,
    /// Say how many openings finding a difference of so many points needs
    #[arg(long, value_name = "POINTS")]
    pub(super) difference: Vec<f64>,
    /// The chance to find such a difference
    #[arg(long, default_value_t = 0.8)]
    pub(super) power: f64,
    /// Seconds for the sample, all pairings together; with 0 nothing is played
    #[arg(long, default_value_t = 2.0, value_parser = seconds)]
    pub(super) seconds: f64,
    /// Threads that the study will have; one for each core if not given
    #[arg(long, short, value_parser = threads)]
    pub(super) threads: Option<usize>,
    /// Tell long lists whole
    #[arg(long)]
    pub(super) all: bool,
    /// The form of the plan
    #[arg(long, short, value_enum, default_value_t = PlanFormat::Table)]
    pub(super) format: PlanFormat,
}

/// The form of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PlanFormat {
    /// Tables for a terminal
    Table,
    /// One JSON object
    Json,
}

/// Arguments of `keny run`.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// The study file
    pub(super) study: PathBuf,
    /// The store; beside the study, with the ending `.sqlite` (`-shard-3-of-8.sqlite`), if not given
    #[arg(long, short, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// The number of shards, where the study does not say it
    #[arg(long, value_name = "N")]
    pub(super) shards: Option<u32>,
    /// The shard to play, from 0 to N - 1; the whole study if not given
    #[arg(long, value_name = "I", conflicts_with = "shard_from_env")]
    pub(super) shard: Option<u32>,
    /// The environment variable that holds the number of the shard: `SLURM_ARRAY_TASK_ID`,
    /// `JOB_COMPLETION_INDEX`, `HQ_TASK_ID` or any other
    #[arg(long, value_name = "NAME")]
    pub(super) shard_from_env: Option<String>,
    /// Say how far it is in a line of standard error every so many seconds, for log files; 0 says it
    /// whenever games were stored
    #[arg(long, value_name = "SECONDS")]
    pub(super) log: Option<u32>,
    /// Threads; one for each core if not given
    #[arg(long, short, value_parser = threads)]
    pub(super) threads: Option<usize>,
}

/// Arguments of `keny merge`.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// The store to make
    pub(super) out: PathBuf,
    /// The stores to put together
    #[arg(value_name = "IN", required = true)]
    pub(super) inputs: Vec<PathBuf>,
    /// Write the store even where games are missing
    #[arg(long)]
    pub(super) allow_partial: bool,
    /// Replace a store that is there already
    #[arg(long)]
    pub(super) replace: bool,
}

/// Arguments of `keny report`.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The store that `keny run` made
    pub(super) run: PathBuf,
    /// The form of the report
    #[arg(long, short, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    /// Write to this file instead of standard output; with `csv` to this folder
    #[arg(long, short, value_name = "PATH")]
    pub(super) out: Option<PathBuf>,
    /// Tell too how long the players think: plays the games of so many openings of each pairing once
    /// more and keeps none; only the times differ from run to run
    #[arg(long, value_name = "OPENINGS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) times: Option<u32>,
    /// Show every row of long tables; a terminal gets the most telling ones otherwise, the other
    /// formats always have all
    #[arg(long)]
    pub(super) all: bool,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Tables for a terminal
    Table,
    /// Tables in Markdown
    Markdown,
    /// Tables of comma-separated values
    Csv,
    /// One JSON object
    Json,
    /// One page for a browser, with charts
    Html,
}

/// Arguments of `keny relevance`.
#[derive(Debug, Args)]
pub(super) struct RelevanceArgs {
    /// The variant that is played: a shipped name, or the path of a variant file
    pub(super) a: String,
    /// The variant whose legal turns are compared
    pub(super) b: String,
    /// Games to play
    #[arg(long, short, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(super) games: u32,
    /// Who plays both sides, as in `keny play`
    #[arg(long, default_value = "random", value_parser = player)]
    pub(super) player: PlayerSpec,
    /// Random plies at the start of each game
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(super) opening_plies: u32,
    /// Plies after which a game is cut
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) plies_max: u32,
    /// The seed; the same seed gives the same games with any number of threads
    #[arg(long, short, default_value_t = 1)]
    pub(super) seed: u64,
    /// Threads; one for each core if not given
    #[arg(long, short, value_parser = threads)]
    pub(super) threads: Option<usize>,
    /// The form of the answer
    #[arg(long, short, value_enum, default_value_t = ShortFormat::Table)]
    pub(super) format: ShortFormat,
}

/// The form of a short answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ShortFormat {
    /// Lines for a terminal
    Table,
    /// One JSON object
    Json,
}

/// Arguments of `keny completions`.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    pub(super) shell: Shell,
}

/// Who sits at one side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// Whoever types.
    Human,
    /// A program.
    Player(PlayerSpec),
}

fn seat(text: &str) -> Result<Seat, String> {
    if text.trim() == "human" {
        return Ok(Seat::Human);
    }
    text.parse().map(Seat::Player).map_err(|error: crate::player::RosterError| error.to_string())
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        Ok(_) | Err(_) => Err("seconds from 0 to 3600 are wanted".to_owned()),
    }
}

fn player(text: &str) -> Result<PlayerSpec, String> {
    text.parse().map_err(|error: crate::player::RosterError| error.to_string())
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        Ok(_) | Err(_) => Err("a number of threads from 1 to 1024 is wanted".to_owned()),
    }
}
