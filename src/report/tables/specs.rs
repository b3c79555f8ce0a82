//! Which numbers stand in which table of a pairing, under which heading. At 100 columns each table
//! fits beside names of 24.

/// A column of a table of numbers. A heading beside the key stands in for the metric's name.
pub(super) enum Column {
    /// What the metric is a share or a mean of.
    N(&'static str, &'static str),
    /// The value of a metric.
    Value(&'static str, &'static str),
    /// The value of a metric that most often is 0; left out where it is 0 in every row.
    Rare(&'static str, &'static str),
    /// The value of a metric with its interval.
    Judged(&'static str, &'static str),
    /// What a king counts where material is compared, in men.
    KingCounted(&'static str),
    /// The share of units that differ.
    Distinct,
}

/// Where a text says what cut the unfinished games.
pub(super) const CUT: &str = "{cut}";

/// What a table of numbers shows.
pub(super) struct Spec {
    /// A few words.
    pub(super) title: &'static str,
    /// What the numbers are, with their unit; [`CUT`] stands for what cut the unfinished games.
    pub(super) what: &'static str,
    /// The columns after the variant.
    pub(super) columns: &'static [Column],
}

/// The tables of numbers, in their order.
pub(super) const SPECS: &[Spec] = &[
    Spec {
        title: "who wins",
        what: "results for the side that moves first, as shares of finished games in %; balance \
               is 1 where both sides have the same chance",
        columns: &[
            Column::N("finished games", "first-player-score"),
            Column::Judged("score %", "first-player-score"),
            Column::Value("wins %", "first-player-wins"),
            Column::Judged("draws %", "draws"),
            Column::Value("losses %", "first-player-losses"),
            Column::Value("balance", "balance"),
        ],
    },
    Spec {
        title: "how games end",
        what: "reasons as shares of games in %; unfinished games {cut}; distinct is the share of units \
               that differ from each other",
        columns: &[
            Column::N("games", "unfinished"),
            Column::Rare("captured all %", "ended-captured-all"),
            Column::Rare("blocked %", "ended-blocked"),
            Column::Rare("quiet turns %", "ended-quiet-turns"),
            Column::Rare("repe- tition %", "ended-repetition"),
            Column::Rare("one piece each %", "ended-one-piece-each"),
            Column::Rare("king beats man %", "ended-king-beats-man"),
            Column::Rare("adju- dicated %", "ended-adjudicated"),
            Column::Judged("unfinished %", "unfinished"),
            Column::Distinct,
        ],
    },
    Spec {
        title: "how long games are",
        what: "plies of finished games: mean, standard deviation, median, 5th and 95th percentile",
        columns: &[
            Column::N("finished games", "plies"),
            Column::Judged("mean", "plies"),
            Column::Value("deviation", "plies-deviation"),
            Column::Judged("median", "plies-median"),
            Column::Value("5 %", "plies-5"),
            Column::Value("95 %", "plies-95"),
        ],
    },
    Spec {
        title: "how long games are, cut ones too",
        what: "median length in plies of all games, unfinished ones taken as longer than they are",
        columns: &[
            Column::N("games", "plies-median-all"),
            Column::N("finished", "plies"),
            Column::Judged("median of all", "plies-median-all"),
        ],
    },
    Spec {
        title: "how much choice there is",
        what: "branching is the number of legal turns of the positions in which a turn was \
               played: mean, median, 95th percentile; forced turns were the only legal one",
        columns: &[
            Column::N("turns", "branching"),
            Column::Judged("branching", "branching"),
            Column::Value("median", "branching-median"),
            Column::Value("95 %", "branching-95"),
            Column::Judged("forced %", "forced"),
        ],
    },
    Spec {
        title: "captures",
        what: "pieces taken per game; turns that take something as a share of turns in %; pieces \
               taken by such a turn (chain)",
        columns: &[
            Column::N("games", "taken"),
            Column::Judged("taken", "taken"),
            Column::N("turns", "capturing"),
            Column::Judged("capturing %", "capturing"),
            Column::Judged("chain", "chain"),
        ],
    },
    Spec {
        title: "hops",
        what: "hopping turns as a share of turns that take nothing in %; hops of a hopping turn",
        columns: &[
            Column::N("quiet turns", "hopping"),
            Column::Judged("hopping %", "hopping"),
            Column::N("hopping turns", "hops"),
            Column::Judged("hops", "hops"),
        ],
    },
    Spec {
        title: "where hops go",
        what: "hopping turns that end on no higher rank, and single hops that land on none, as \
               shares in %",
        columns: &[
            Column::N("hopping turns", "hops-not-forward"),
            Column::Judged("not forward %", "hops-not-forward"),
            Column::N("hops", "hops-back-or-sideways"),
            Column::Judged("back or sideways %", "hops-back-or-sideways"),
        ],
    },
    Spec {
        title: "kings",
        what: "men crowned per game; of these in a capture and in a hop in %; turns before which \
               a king was on the board in %",
        columns: &[
            Column::N("games", "promotions"),
            Column::Judged("crowned", "promotions"),
            Column::N("men crowned", "promotions-in-capture"),
            Column::Value("in a capture %", "promotions-in-capture"),
            Column::Value("in a hop %", "promotions-in-hop"),
            Column::N("turns", "king-on-board"),
            Column::Judged("with king %", "king-on-board"),
        ],
    },
    Spec {
        title: "first capture and first king",
        what: "median ply of the first one, over games that have one; share of games that have \
               one in %",
        columns: &[
            Column::N("games", "with-capture"),
            Column::Value("with capture %", "with-capture"),
            Column::Judged("first capture", "first-capture-median"),
            Column::Value("with king %", "with-king"),
            Column::Judged("first king", "first-king-median"),
        ],
    },
    Spec {
        title: "tension",
        what: "changes of the lead in material per game; decisive games whose winner was two men \
               behind in %; last moment at which the winner was not ahead, as a share of the \
               length in %",
        columns: &[
            Column::N("games", "lead-changes"),
            Column::Judged("lead changes", "lead-changes"),
            Column::N("decisive games", "comebacks"),
            Column::Judged("comebacks %", "comebacks"),
            Column::Judged("decision point %", "decision-point"),
        ],
    },
    Spec {
        title: "what a king is worth",
        what: "value of a king in men, by logistic regression of the outcome on differences of men \
               and kings, at up to 8 moments of each of the first 2,000 finished games; what it \
               counts in the table of tension (as learned for the rules, else 3)",
        columns: &[
            Column::N("finished games", "king-value"),
            Column::Judged("king in men", "king-value"),
            Column::KingCounted("counts"),
        ],
    },
    Spec {
        title: "how varied openings are",
        what: "entropy of the first 4 turns in bits, random ones at the start among them; share of \
               the most frequent first 4 turns in %; copies of games count too",
        columns: &[
            Column::N("games", "line-entropy"),
            Column::Judged("entropy", "line-entropy"),
            Column::Judged("most frequent %", "top-line"),
        ],
    },
];
