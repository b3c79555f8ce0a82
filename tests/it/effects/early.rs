//! Effects where play stopped early.

use std::collections::BTreeSet;

use keny::board::Side;
use keny::report::{self, ContrastMethod, Effect, EffectMethod, Method};
use keny::study::Store;
use keny::study::stopping::{Outcomes, StopRule, UnitOutcome};

use super::{P95, SHARING, close, full, main_effect, one_at_a_time, played_until, records};

/// The sums of the finished games of a variant of one game an opening, by which a rule stops.
fn outcomes(store: &Store, variant: u32) -> Outcomes {
    let mut sums = Outcomes::new(1);
    let mut seen = BTreeSet::new();
    for record in records(store, variant).iter().filter(|r| seen.insert(r.turns.clone())) {
        sums.add(UnitOutcome::of(std::slice::from_ref(record), Side::White));
    }
    sums
}

#[test]
fn effects_where_play_stopped_early_hold_at_all_looks() {
    let (one, full) = (one_at_a_time(), full(&SHARING[..2]));
    for (kind, (design, variants)) in [("one at a time", one), ("full", full)] {
        let pairings = [("random", "random", 1200)];
        for rule in ["draws 0.0800", "first-player-score 0.0900", "draws-difference 0.1500"] {
            let (_folder, store) =
                played_until(Some(rule), vec![design.clone()], variants.clone(), &pairings);
            let stop: StopRule = rule.parse().expect("a rule");
            let view = report::view(&store).expect("a view");
            let effects = &view.designs[0].pairings[0];
            let key = stop.metric.key();
            let (of, others): (Vec<&Effect>, Vec<&Effect>) =
                effects.main.iter().chain(&effects.interactions).partition(|e| {
                    e.metric.key == key || (key != "draws" && e.metric.key == "balance")
                });
            assert!(!of.is_empty() && !others.is_empty());
            let anytime = [EffectMethod::Anytime, EffectMethod::Single(ContrastMethod::Anytime)];
            assert!(others.iter().all(|effect| !anytime.contains(&effect.method)), "{kind}");
            for effect in of {
                assert!(anytime.contains(&effect.method), "{kind}, {rule}: {effect:?}");
                let (value, interval) = (effect.value.expect("a value"), effect.interval);
                let interval = interval.expect("an interval");
                assert!(interval.contains(value), "{kind}, {rule}: {effect:?}");
                if let Ok(p) = effect.p {
                    assert_eq!(p <= 0.05, !interval.contains(0.0), "{kind}, {rule}: {effect:?}");
                    let narrow = effect.interval_90.expect("an interval");
                    assert!(narrow.half_width() < interval.half_width());
                }
            }
            if kind == "full" {
                // By hand: each effect is half a sum of four numbers that hold together at 95 %.
                let level = P95.shared_by(4);
                let own = |variant| {
                    stop.own_interval(&outcomes(&store, variant), level).expect("an interval")
                };
                let own: Vec<_> = (0..4).map(own).collect();
                let found = main_effect(effects, key, 0).interval.expect("an interval");
                let low = own[1].low() + own[3].low() - own[0].high() - own[2].high();
                let high = own[1].high() + own[3].high() - own[0].low() - own[2].low();
                close(found.low(), low / 2.0);
                close(found.high(), high / 2.0);
            }
            let text = report::markdown(&view);
            assert!(text.contains("anytime-valid, over all games of each ruleset"), "{kind}");
            assert!(text.contains("hold however often one looked"), "{kind}");
            // Every variant's own number too, whatever the rule looked at.
            let rows = &view.pairings[0].rows;
            assert!(rows.iter().all(|row| row.cell(key).method == Method::Anytime));
        }
    }
}
