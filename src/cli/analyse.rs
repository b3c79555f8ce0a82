//! `keny analyse`: the best lines of a position, depth by depth; and the hints of `keny play`.

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style as TableStyle};

use super::args::AnalyseArgs;
use super::exit::{Exit, Failure, Outcome};
use super::input;
use super::output::Output;
use crate::board::SquareSet;
use crate::notation::{Diagram, TurnTexts, print_position};
use crate::player::{AlphaBeta, Budget, Found, PROVEN, Sampling, WIN, Weights};
use crate::report::number;
use crate::rules::{Engine, Game, Position, Rules, Turn};
use crate::variant::Variant;
use crate::with_rules;

/// Prints what a search finds.
pub(super) fn run(args: &AnalyseArgs, output: &mut Output) -> Outcome {
    let variant = input::scene(&args.scene, output)?;
    let engine = Engine::new(&variant.ruleset);
    with_rules!(&engine, rules => analyse(rules, &variant, args, output))
}

fn analyse<S: SquareSet>(
    rules: &Rules<S>,
    variant: &Variant,
    args: &AnalyseArgs,
    output: &mut Output,
) -> Outcome {
    let position = input::position(args.scene.position.as_deref(), rules)?;
    let weights = input::weights(args.weights.as_deref(), &variant.ruleset)?;
    let learned = weights.is_some();
    let budget = args.depth.map_or(Budget::Nodes(args.nodes), Budget::Depth);
    let game = Game::from_position(rules, position);
    let found = search(rules, &game, budget, usize::from(args.lines), weights);
    let board = &rules.ruleset().board;
    let position_text = print_position(position.side, &position.placement, board);
    let ending = game.ending(rules);
    if args.json {
        let depths: Vec<_> = found.iter().map(|lines| json_of(rules, &position, lines)).collect();
        output.json(&serde_json::json!({
            "variant": variant.id,
            "fingerprint": variant.fingerprint().to_string(),
            "position": position_text,
            "side": position.side.name(),
            "values": if learned { "learned" } else { "generic" },
            "reason": ending.map(|ending| ending.reason.name()),
            "depths": depths,
        }))?;
        return Ok(Exit::Done);
    }
    let marks = input::marks(args.ascii);
    output.write(&Diagram { board, marks }.draw(&position.placement, &[]))?;
    output.line(&position_text)?;
    if let Some(ending) = ending {
        output.line(&format!("the game is over here ({})", ending.reason.name()))?;
        return Ok(Exit::Done);
    }
    let values = if learned { "learned by self-play" } else { "generic: nothing was learned yet" };
    output.line(&format!(
        "{} to move; scores in men for {}, values {values}",
        position.side.name(),
        position.side.name()
    ))?;
    output.line("")?;
    print_table(rules, &position, &found, output)?;
    Ok(Exit::Done)
}

/// The best lines that each depth finds; nothing where the game is over.
pub(super) fn search<S: SquareSet>(
    rules: &Rules<S>,
    game: &Game<S>,
    budget: Budget,
    lines: usize,
    weights: Option<Weights>,
) -> Vec<Vec<Found<S>>> {
    let weights = weights.unwrap_or_else(|| Weights::generic(rules.ruleset()));
    let mut player = AlphaBeta::new(rules, budget, &weights, Sampling::default(), 1);
    let mut found = Vec::new();
    player.analyse(rules, game, lines, |depth| found.push(depth));
    found
}

fn print_table<S: SquareSet>(
    rules: &Rules<S>,
    position: &Position<S>,
    depths: &[Vec<Found<S>>],
    output: &mut Output,
) -> Result<(), Failure> {
    // What stands before a line: depth, nodes and score with their gaps.
    let width = output.width().saturating_sub(34).max(20);
    let mut table = Builder::default();
    let several = depths.iter().any(|lines| lines.len() > 1);
    let head = if several { "best lines" } else { "best line" };
    table.push_record(["depth", "nodes", "score", head]);
    for lines in depths {
        // Depth and nodes stand beside the first line, for all of them.
        let nodes = nodes_of(lines);
        let beside = std::iter::once((lines[0].depth.to_string(), number::count(nodes)))
            .chain(std::iter::repeat_with(|| (String::new(), String::new())));
        for (found, (depth, nodes)) in lines.iter().zip(beside) {
            let texts = texts(rules, position, &found.line);
            table.push_record([depth, nodes, score_text(found.score), cut(&texts, width)]);
        }
    }
    let mut table = table.build();
    table.with(TableStyle::blank()).modify(Columns::new(..3), Alignment::right());
    for line in table.to_string().lines() {
        output.line(line.trim_end())?;
    }
    if let (Some(first), Some(last)) = (depths.first(), depths.last())
        && (!last[0].complete || last.len() < first.len())
    {
        output.line("")?;
        output.line(&format!("depth {} was cut short by the budget", last[0].depth))?;
    }
    Ok(())
}

/// The texts of a line of turns, each as it is written where it is played.
pub(super) fn texts<S: SquareSet>(
    rules: &Rules<S>,
    position: &Position<S>,
    line: &[Turn<S>],
) -> Vec<String> {
    let texts = TurnTexts::new(&rules.ruleset().board);
    let mut position = *position;
    line.iter()
        .map(|turn| {
            let text = texts.print(rules, &position.placement, position.side, turn);
            position = rules.after(&position, turn);
            text
        })
        .collect()
}

/// As many turns as fit, then an ellipsis.
fn cut(texts: &[String], width: usize) -> String {
    let mut line = String::new();
    for (number, text) in texts.iter().enumerate() {
        let more = if number + 1 < texts.len() { 2 } else { 0 };
        if number > 0 && line.len() + 1 + text.len() + more > width {
            return format!("{line} …");
        }
        if number > 0 {
            line.push(' ');
        }
        line.push_str(text);
    }
    line
}

/// A score in men, or the plies to a proven end: `+1.25`, `wins in 5`, `loses in 4`.
pub(super) fn score_text(score: i32) -> String {
    let plies = WIN - score.abs();
    match score {
        PROVEN.. => format!("wins in {plies}"),
        _ if score <= -PROVEN => format!("loses in {plies}"),
        0 => "0.00".to_owned(),
        _ => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

fn json_of<S: SquareSet>(
    rules: &Rules<S>,
    position: &Position<S>,
    lines: &[Found<S>],
) -> serde_json::Value {
    let first = &lines[0];
    serde_json::json!({
        "depth": first.depth,
        "nodes": nodes_of(lines),
        "complete": first.complete,
        "lines": lines.iter().map(|line| line_json(rules, position, line)).collect::<Vec<_>>(),
    })
}

/// Positions visited when all of these lines were found.
fn nodes_of<S>(lines: &[Found<S>]) -> u64 {
    lines.iter().map(|line| line.nodes).max().unwrap_or(0)
}

fn line_json<S: SquareSet>(
    rules: &Rules<S>,
    position: &Position<S>,
    found: &Found<S>,
) -> serde_json::Value {
    let proven = found.score.abs() >= PROVEN;
    serde_json::json!({
        "score": (!proven).then(|| f64::from(found.score) / 100.0),
        "wins_in": (found.score >= PROVEN).then_some(WIN - found.score),
        "loses_in": (found.score <= -PROVEN).then_some(WIN + found.score),
        "turns": texts(rules, position, &found.line),
    })
}

#[cfg(test)]
mod tests {
    use super::{WIN, cut, score_text};

    #[test]
    fn scores_are_men_or_plies_to_the_end() {
        assert_eq!(score_text(125), "+1.25");
        assert_eq!(score_text(-7), "-0.07");
        assert_eq!(score_text(0), "0.00");
        assert_eq!(score_text(WIN - 5), "wins in 5");
        assert_eq!(score_text(4 - WIN), "loses in 4");
    }

    #[test]
    fn long_lines_are_cut_at_a_turn() {
        let texts = ["a3-a4", "h6-h5", "a4-a5"].map(str::to_owned);
        assert_eq!(cut(&texts, 17), "a3-a4 h6-h5 a4-a5");
        assert_eq!(cut(&texts, 16), "a3-a4 h6-h5 …");
        assert_eq!(cut(&texts, 3), "a3-a4 …");
    }
}
