//! Sentences about the strength of the players: which answer matters most under each, and which
//! effects turn round. Judges nothing anew.

use super::{Evidence, Finding, NAMED, by_strength, evidence, level, told};
use crate::report::effects::{DesignView, Effect, Term, Turned};
use crate::report::number::count;
use crate::report::tables::unit_of;
use crate::report::view::View;
use crate::study::metrics::Metric;

/// The metrics whose largest effects are told under each pairing.
const LARGEST: [&str; 2] = ["first-player-score", "draws"];

/// The effect of a term on a metric under a pairing.
fn find<'a>(design: &'a DesignView, pairing: usize, key: &str, term: Term) -> Option<&'a Effect> {
    let main = &design.pairings[pairing].main;
    main.iter().find(|effect| effect.metric.key == key && effect.term == term)
}

/// The answer that changes a metric most, under each pairing.
pub(super) fn largest(view: &View, design: &DesignView) -> Option<Finding> {
    let order = by_strength(&view.pairings);
    if order.len() < 2 {
        return None;
    }
    let (mut parts, mut proof): (Vec<String>, Vec<Evidence>) = (Vec::new(), Vec::new());
    for metric in LARGEST.iter().filter_map(|key| Metric::find(key)) {
        let mut each = Vec::new();
        for &pairing in &order {
            let clear = design.pairings[pairing].main.iter();
            let clear = clear.filter(|effect| effect.metric.key == metric.key && effect.clear());
            let size = |effect: &Effect| effect.value.map_or(0.0, f64::abs);
            let most = clear.max_by(|a, b| size(a).total_cmp(&size(b)));
            let players = &view.pairings[pairing];
            each.push(match most {
                None => format!("none is clear under {}", players.name),
                Some(effect) => {
                    proof.push(evidence(design, players, effect));
                    let name = design.term_name(effect.term);
                    format!("`{name}` {} under {}", told(effect), players.name)
                }
            });
        }
        parts.push(format!("{}: {}", unit_of(metric), each.join(", ")));
    }
    (!proof.is_empty()).then(|| Finding {
        topic: "largest",
        text: format!(
            "What matters most by strength, the weakest players first: the answer that changes \
             each number most ({} intervals): {}.",
            level(view),
            parts.join("; ")
        ),
        evidence: proof,
    })
}

/// Where the answer depends on the players: what turns round between the two strongest pairings,
/// and between any two.
pub(super) fn turned(view: &View, design: &DesignView) -> Option<Finding> {
    let order = by_strength(&view.pairings);
    let [.., second, first] = order[..] else { return None };
    if design.robust.is_empty() {
        return None;
    }
    let mut signs = Vec::new();
    let (mut sizes, mut unsure) = (0_u64, 0);
    for ranking in &design.robust {
        unsure += ranking.signs_unsure;
        for flip in &ranking.flips {
            match flip.what {
                Turned::Sign(term) => signs.push((ranking.metric, term, flip.pairings)),
                Turned::Size(..) => sizes += 1,
            }
        }
    }
    let of_top = |pairings: [usize; 2]| pairings.contains(&first) && pairings.contains(&second);
    // Those between the strongest players are told first, then those with the strongest.
    signs.sort_by_key(|(_, _, pairings)| (!of_top(*pairings), !pairings.contains(&first)));
    let top = signs.iter().filter(|(_, _, pairings)| of_top(*pairings)).count();
    let mains = design.pairings[first].main.iter();
    let both = mains.filter(|effect| {
        let other = find(design, second, effect.metric.key, effect.term);
        effect.clear() && other.is_some_and(Effect::clear)
    });
    let mut proof = Vec::new();
    let named = signs.iter().take(NAMED).filter_map(|&(metric, term, [one, two])| {
        let sides = [
            (one, find(design, one, metric.key, term)?),
            (two, find(design, two, metric.key, term)?),
        ];
        proof.extend(sides.map(|(n, effect)| evidence(design, &view.pairings[n], effect)));
        let [one, two] =
            sides.map(|(n, effect)| format!("{} under {}", told(effect), view.pairings[n].name));
        Some(format!("{} `{}` {one}, but {two}", unit_of(metric), design.term_name(term)))
    });
    let named: Vec<String> = named.collect();
    let told = if named.is_empty() {
        format!("; the sign of {unsure} differs, but not beyond chance")
    } else {
        format!(", such as {}", named.join("; "))
    };
    let text = format!(
        "Where the answer depends on strength: of {} effects that are clear under both {} and {} \
         (p Holm at most 0.05), {} another sign under the one than under the other. Between any two \
         of the {} pairings {} turn{} round in this way{told}. {} times one of two effects is the \
         larger under one pairing and the smaller under another, beyond chance ({} intervals).",
        count(both.count() as u64),
        view.pairings[second].name,
        view.pairings[first].name,
        match top {
            0 => "none has".to_owned(),
            1 => "one has".to_owned(),
            n => format!("{n} have"),
        },
        view.pairings.len(),
        signs.len(),
        if signs.len() == 1 { "s" } else { "" },
        count(sizes),
        level(view)
    );
    Some(Finding { topic: "strength", text, evidence: proof })
}
