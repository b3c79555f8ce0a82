//! The plan of a study as text for a terminal: designs, rulesets, pairings, precision, warnings.
//! Prints nothing.

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Rows};
use tabled::settings::peaker::PriorityMax;
use tabled::settings::style::{HorizontalLine, Style};
use tabled::settings::{Alignment, Padding, Width};

use super::Told;
use crate::cli::wrap::wrap;
use crate::report::number::count;
use crate::stats::Known;
use crate::study::Plan;
use crate::study::design::{Design, DesignKind, Why};
use crate::study::forecast::{LEVEL, Precision, Wish};
use crate::study::stopping;

/// Items of a list before the rest is only counted.
const TOLD_MAX: usize = 24;
/// The widest and the narrowest tables.
const WIDTHS: std::ops::RangeInclusive<usize> = 60..=100;

/// The whole text.
pub(super) fn text(told: &Told, width: usize) -> String {
    let plan = &told.plan;
    let width = width.clamp(*WIDTHS.start(), *WIDTHS.end());
    let mut page = wrap(
        "",
        "",
        &format!(
            "{}: {} of {}, {}; plan {}",
            plan.title,
            counted(plan.variants.len() as u64, "ruleset"),
            counted(plan.pairings.len() as u64, "pairing"),
            counted(plan.games_total(), "game"),
            plan.hash()
        ),
    );
    for (number, design) in (1..).zip(&plan.designs) {
        page.push('\n');
        page.push_str(&design_text(plan, number, design, told.all, width));
    }
    page.push('\n');
    page.push_str(&rulesets(plan, told.all, width));
    page.push('\n');
    page.push_str(&pairings(told, width));
    page.push('\n');
    page.push_str(&precision(told, width));
    if !told.wishes.is_empty() {
        page.push('\n');
        page.push_str(&wishes(told, width));
    }
    if let Some(rule) = plan.stopping {
        page.push('\n');
        page.push_str(&wrap("", "", &format!("Stopping early: {}", rule.sentence())));
        let needed = rule.units_needed(stopping::LEVEL);
        page.push_str(&wrap(
            "",
            "",
            &format!("a score needs about {needed} finished openings for that, draws fewer"),
        ));
    }
    page.push_str(&warnings(told));
    page
}

fn warnings(told: &Told) -> String {
    let mut lines = String::new();
    for (pairing, forecast) in told.plan.pairings.iter().zip(&told.forecasts) {
        for warning in &forecast.warnings {
            lines.push_str(&wrap("", "  ", &format!("warning: {pairing}: {warning}")));
        }
    }
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// "1 game", "12,800 games".
fn counted(number: u64, word: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {word}{ending}", count(number))
}

/// A table with a rule below its heads; cells of all columns but the first stand right if asked.
fn table(heads: &[&str], rows: Vec<Vec<String>>, numbers: bool, width: usize) -> String {
    let mut builder = Builder::new();
    builder.push_record(heads.iter().copied());
    for row in rows {
        builder.push_record(row);
    }
    let mut drawn = builder.build();
    drawn
        .with(Style::empty().horizontals([(1, HorizontalLine::new('-'))]))
        .with(Padding::new(0, 2, 0, 0))
        .modify(Rows::first(), Alignment::bottom());
    if numbers {
        drawn.modify(Columns::new(1..), Alignment::right());
    }
    drawn.with(Width::wrap(width).priority(PriorityMax::right()).keep_words(true));
    let lines: Vec<String> =
        drawn.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

/// The letter of a factor; beyond Z its number.
fn letter(factor: u8) -> String {
    if factor < 26 { char::from(b'A' + factor).to_string() } else { format!("({})", factor + 1) }
}

fn letters(effect: &[u8]) -> String {
    if effect.is_empty() {
        return "mean".to_owned();
    }
    effect.iter().map(|&factor| letter(factor)).collect()
}

fn design_text(plan: &Plan, number: usize, design: &Design, all: bool, width: usize) -> String {
    let name = if plan.designs.len() > 1 { format!("Design {number}") } else { "Design".into() };
    let invalid = design.left_out.iter().filter(|out| matches!(out.why, Why::Invalid(_))).count();
    let equal = design.left_out.len() - invalid;
    let extra = match design.kind {
        DesignKind::Fractional { .. } if design.generators.is_empty() => {
            ", which are all combinations".to_owned()
        }
        DesignKind::Fractional { resolution } => format!(" of resolution {resolution}"),
        DesignKind::Sample { seed } => format!(" drawn with seed {seed}"),
        DesignKind::OneAtATime | DesignKind::Full => String::new(),
    };
    let kind = design.kind.word();
    let played = design.variants().len() as u64;
    let mut page = wrap(
        "",
        "",
        &format!(
            "{name}: {kind}, base {}; {}{extra}, {}",
            design.base,
            counted(design.runs.len() as u64, "combination"),
            counted(played, "different ruleset"),
        ),
    );
    let factors = (0..).zip(&design.factors);
    let rows = factors
        .map(|(factor, one)| vec![letter(factor), one.flag.clone(), one.levels.join("  ")])
        .collect();
    page.push_str(&table(&["", "flag", "levels, the base's first"], rows, false, width));
    if !design.generators.is_empty() {
        let products = design.generators.iter().map(|generator| {
            format!("{} = {}", letter(generator.factor), letters(&generator.product_of))
        });
        let products: Vec<String> = products.collect();
        page.push_str(&wrap("", "  ", &format!("generated: {}", products.join(", "))));
    }
    page.push_str(&alias_text(design));
    let orthogonal = match (design.orthogonal, design.kind) {
        (true, _) => "orthogonal: effects that are not aliases do not disturb each other",
        (false, DesignKind::OneAtATime) => {
            "each change is seen alone: interactions are not estimated"
        }
        (false, DesignKind::Sample { .. }) => "effects are found by least squares",
        (false, DesignKind::Full | DesignKind::Fractional { .. }) => {
            "not orthogonal, because combinations are left out: effects are found by least squares"
        }
    };
    page.push_str(&wrap("", "  ", orthogonal));
    for (title, many, equals) in [("left out", invalid, false), ("played once", equal, true)] {
        if many == 0 {
            continue;
        }
        page.push_str(&format!("{title}: {}\n", counted(many as u64, "combination")));
        let lines = design.left_out.iter().filter_map(|out| match (&out.why, equals) {
            (Why::Invalid(reason), false) => Some(format!("{}: {reason}", out.name)),
            (Why::EqualTo(other), true) => Some(format!("{} has the rules of {other}", out.name)),
            (Why::Invalid(_), true) | (Why::EqualTo(_), false) => None,
        });
        page.push_str(&list(lines, many, all));
    }
    page
}

fn alias_text(design: &Design) -> String {
    let known = match design.kind {
        DesignKind::OneAtATime => false,
        DesignKind::Full | DesignKind::Fractional { .. } => true,
        DesignKind::Sample { .. } => design.two_level(),
    };
    if !known {
        return String::new();
    }
    if design.aliases.is_empty() {
        let text = "aliases: none among main effects and interactions of two flags";
        return wrap("", "  ", text);
    }
    let sets: Vec<String> = design
        .aliases
        .iter()
        .map(|set| set.iter().map(|effect| letters(effect)).collect::<Vec<_>>().join("="))
        .collect();
    wrap("", "  ", &format!("aliases, up to interactions of two flags: {}", sets.join(", ")))
}

/// The lines of a list, indented, and how many more there are.
fn list(lines: impl Iterator<Item = String>, many: usize, all: bool) -> String {
    let most = if all { usize::MAX } else { TOLD_MAX };
    let mut text: String = lines.take(most).map(|line| wrap("  ", "    ", &line)).collect();
    if many > most {
        text.push_str(&format!("  … and {} more; `--all` tells them\n", many - most));
    }
    text
}

fn rulesets(plan: &Plan, all: bool, width: usize) -> String {
    let most = if all { usize::MAX } else { TOLD_MAX };
    let told = plan.variants.iter().take(most);
    let numbered = (0..).zip(told);
    let rows = numbered.map(|(number, variant)| {
        let mut row = vec![variant.name.clone(), variant.fingerprint.to_string()];
        if !plan.designs.is_empty() {
            row.push(changes(plan, number));
        }
        row
    });
    let mut heads = vec!["ruleset", "fingerprint"];
    if !plan.designs.is_empty() {
        heads.push("changes");
    }
    let mut text = table(&heads, rows.collect(), false, width);
    if plan.variants.len() > most {
        let more = plan.variants.len() - most;
        text.push_str(&format!("… and {more} more; `--all` tells them\n"));
    }
    text
}

/// The letters of what is changed in a variant, where a flag has several other levels with the
/// number of the level; with several designs by design.
fn changes(plan: &Plan, variant: u32) -> String {
    let many = plan.designs.len() > 1;
    let runs = (1..).zip(&plan.designs).filter_map(|(number, design)| {
        let run = design.runs_of(variant).next()?;
        let levels = (0..).zip(&run.levels).zip(&design.factors);
        let changed = levels.filter(|((_, level), _)| **level > 0);
        let letters = changed.map(|((factor, level), one)| match one.levels.len() {
            2 => letter(factor),
            _ => format!("{}{level}", letter(factor)),
        });
        let letters: Vec<String> = letters.collect();
        let letters = if letters.is_empty() { "none".to_owned() } else { letters.join(" ") };
        Some(if many { format!("{number}: {letters}") } else { letters })
    });
    let runs: Vec<String> = runs.collect();
    if runs.is_empty() { "not of a design".to_owned() } else { runs.join("; ") }
}

fn pairings(told: &Told, width: usize) -> String {
    let all = told.plan.pairings.iter().zip(&told.samples).zip(&told.forecasts);
    let rows = all.map(|((pairing, sample), forecast)| {
        let games = crate::stats::real(sample.games);
        let per_game = |sum: f64| if sample.games > 0 { Some(sum / games) } else { None };
        let plies = per_game(crate::stats::real(sample.plies));
        let unfinished = per_game(100.0 * crate::stats::real(sample.unfinished));
        vec![
            pairing.to_string(),
            count(pairing.openings.into()),
            count(forecast.games),
            count(sample.games),
            plies.map_or_else(none, |plies| format!("{plies:.0}")),
            unfinished.map_or_else(none, |share| format!("{share:.0}")),
            sample.seconds_of_game().map_or_else(none, |each| milliseconds(each * 1000.0)),
            forecast.seconds.map_or_else(none, duration),
        ]
    });
    let heads =
        ["pairing", "openings", "games", "sampled", "plies", "unfinished %", "ms a game", "time"];
    let mut text = table(&heads, rows.collect(), true, width);
    let sampled = if told.budget > 0.0 {
        format!("plies, unfinished and ms: means of a sample of {} s on one thread", told.budget)
    } else {
        "no game was sampled, so nothing is known of times".to_owned()
    };
    let each: Option<Vec<f64>> = told.forecasts.iter().map(|forecast| forecast.seconds).collect();
    let total = each.map_or_else(none, |each| duration(each.iter().sum()));
    text.push_str(&wrap(
        "",
        "",
        &format!(
            "games: of all rulesets; {sampled}; time: on {}, in all {total}",
            counted(told.threads as u64, "thread")
        ),
    ));
    text
}

/// What stands where nothing is known.
fn none() -> String {
    "n/a".to_owned()
}

fn milliseconds(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}

/// Seconds as people say them.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "< 1 s".to_owned(),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

/// Points of 100, with a mark where they are an upper bound.
fn points(share: f64, assumed: bool) -> String {
    let bound = if assumed { "≤ " } else { "" };
    let points = 100.0 * share;
    if points < 0.1 { format!("{bound}{points:.2}") } else { format!("{bound}{points:.1}") }
}

fn precision(told: &Told, width: usize) -> String {
    let rows = told.plan.pairings.iter().zip(&told.forecasts).map(|(pairing, forecast)| {
        let own = |one: &Precision| points(one.half_width, one.assumed);
        let other = |one: &Precision| points(one.difference_half_width, one.assumed);
        let (score, draws) = (&forecast.score, &forecast.draws);
        vec![pairing.to_string(), own(score), own(draws), other(score), other(draws)]
    });
    let heads =
        ["precision, ± points", "score", "draws", "difference of scores", "difference of draws"];
    let mut text = table(&heads, rows.collect(), true, width);
    text.push_str(&wrap(
        "",
        "",
        &format!(
            "half of the {:.0} % interval of one ruleset's first-player score and share of draws, \
             and of their differences to another ruleset (independent openings taken; shared ones \
             may be sharper); ≤: the sample is too small, so the largest spread is taken",
            100.0 * LEVEL.level()
        ),
    ));
    text
}

fn wishes(told: &Told, width: usize) -> String {
    let mut rows = Vec::new();
    for (pairing, forecast) in told.plan.pairings.iter().zip(&told.forecasts) {
        for (wish, wished) in told.wishes.iter().zip(&forecast.wishes) {
            let what = match *wish {
                Wish::HalfWidth(share) => format!("± {} points", trimmed(100.0 * share)),
                Wish::Difference { size, power } => format!(
                    "difference of {} points, power {}",
                    trimmed(100.0 * size),
                    trimmed(power.power)
                ),
            };
            let needed = |openings: Known<u64>, assumed: bool| {
                let bound = if assumed { "≤ " } else { "" };
                openings.map_or_else(|_| none(), |n| format!("{bound}{}", count(n)))
            };
            rows.push(vec![
                pairing.to_string(),
                what,
                needed(wished.score, forecast.score.assumed),
                needed(wished.draws, forecast.draws.assumed),
                wished.seconds.map_or_else(none, duration),
            ]);
        }
    }
    let heads = ["openings needed", "for", "score", "draws", "time, all rulesets"];
    table(&heads, rows, true, width)
}

/// A number without needless zeros.
fn trimmed(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
