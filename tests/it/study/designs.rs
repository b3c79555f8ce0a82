//! Designs: which combinations are played, which are left out or merged, what is told about them,
//! and that they come back from a store.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use keny::rules::catalog;
use keny::study::design::{Design, DesignKind, Effect, Why};
use keny::study::file::check_text;
use keny::study::{Plan, Store};

fn plan(design: &str) -> Plan {
    let text = format!("players = [\"random\"]\n{design}");
    let report = check_text("a-study.toml", &text, Path::new("tests/data"));
    let problems = report.problems;
    report.study.unwrap_or_else(|| panic!("{problems}")).plan
}

fn design(text: &str) -> (Plan, Design) {
    let plan = plan(text);
    let design = plan.designs.first().expect("a design").clone();
    (plan, design)
}

fn names(plan: &Plan) -> Vec<&str> {
    plan.variants.iter().map(|variant| variant.name.as_str()).collect()
}

/// Every run's variant has the levels that the run says, read back from its ruleset.
fn levels_are_those_of_the_rules(plan: &Plan, design: &Design) {
    for run in &design.runs {
        let ruleset = &plan.variants[run.variant as usize].ruleset;
        for (factor, &level) in design.factors.iter().zip(&run.levels) {
            let flag = catalog::flag(&factor.flag).expect("a flag");
            let wanted = &factor.levels[usize::from(level)];
            let found = flag.get(ruleset).to_string();
            assert!(found == *wanted || !flag.live(ruleset), "{}: {found}", factor.flag);
        }
    }
}

#[test]
fn one_at_a_time_has_the_base_and_every_single_change() {
    let (plan, design) = design(
        "[design]\nkind = \"one-at-a-time\"\nflags = [\"capture.mandatory\", \"king.hop\",\n\
         { flag = \"hop.chain\", values = [1, 3, \"unlimited\"] }]",
    );
    assert_eq!(design.kind, DesignKind::OneAtATime);
    let expected = ["keny", "keny+capture.mandatory=false", "keny+hop.chain=1", "keny+hop.chain=3"];
    assert_eq!(names(&plan), expected);
    assert_eq!(design.factors[2].levels, ["\"unlimited\"", "1", "3"]);
    assert_eq!(design.runs[0].levels, [0, 0, 0]);
    let changed = |levels: &[u8]| levels.iter().filter(|level| **level > 0).count();
    assert!(design.runs[1..].iter().all(|run| changed(&run.levels) == 1));
    // Kings hop over nothing in Keny, so how they would changes nothing.
    assert_eq!(design.left_out.len(), 1);
    assert_eq!(design.left_out[0].name, "keny+king.hop=forward,sideways");
    assert_eq!(design.left_out[0].why, Why::EqualTo("keny".to_owned()));
    assert_eq!(design.runs_of(0).count(), 2);
    assert!(!design.orthogonal);
    levels_are_those_of_the_rules(&plan, &design);
}

#[test]
fn open_flags_are_those_of_the_catalog() {
    let (_, design) = design("[design]\nkind = \"one-at-a-time\"\nflags = \"open\"");
    let open: Vec<&str> =
        catalog::FLAGS.iter().filter(|flag| flag.open).map(|flag| flag.key).collect();
    let factors: Vec<&str> = design.factors.iter().map(|factor| factor.flag.as_str()).collect();
    assert_eq!(factors, open);
    let levels: usize = design.factors.iter().map(|factor| factor.levels.len() - 1).sum();
    assert_eq!(design.runs.len(), 1 + levels);
}

#[test]
fn full_designs_leave_out_the_invalid_and_merge_the_equal() {
    let (plan, design) = design(
        "[design]\nkind = \"full\"\nflags = [\n\
         { flag = \"king.landing\", values = [\"continuing\"] },\n\
         { flag = \"capture.complete\", values = [false] }]",
    );
    assert_eq!(design.runs.len(), 3);
    assert_eq!(plan.variants.len(), 3);
    let [out] = &design.left_out[..] else { panic!("{:?}", design.left_out) };
    assert_eq!(out.levels, [1, 1]);
    assert!(matches!(&out.why, Why::Invalid(reason) if reason.contains("contradicts")));
    assert!(!design.orthogonal);
    // With three runs the mean, two effects and their interaction are too much.
    let none: Effect = vec![];
    assert!(design.aliases.iter().all(|set| set.len() > 1 && !set.contains(&none)));

    let (plan, design) = self::design(
        "[design]\nkind = \"full\"\nflags = [\"king.hop_over\", \"king.hop\", \"hop.chain\"]",
    );
    assert_eq!(design.runs.len(), 8);
    assert_eq!(plan.variants.len(), 6);
    assert!(design.orthogonal && design.aliases.is_empty());
    let equal: Vec<(&str, &Why)> =
        design.left_out.iter().map(|out| (out.name.as_str(), &out.why)).collect();
    let [one, two] = &equal[..] else { panic!("{equal:?}") };
    assert_eq!(*one, ("keny+king.hop=forward,sideways", &Why::EqualTo("keny".to_owned())));
    assert_eq!(two.1, &Why::EqualTo("keny+hop.chain=1".to_owned()));
    levels_are_those_of_the_rules(&plan, &design);
}

/// The column of ±1 of an effect over runs.
fn column(design: &Design, effect: &[u8]) -> Vec<i32> {
    let sign = |levels: &[u8]| {
        effect.iter().map(|&f| if levels[usize::from(f)] == 1 { 1 } else { -1 }).product()
    };
    design.runs.iter().map(|run| sign(&run.levels)).collect()
}

fn product(a: &[i32], b: &[i32]) -> i32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// All main effects and interactions of two factors.
fn effects(factors: usize) -> Vec<Effect> {
    let factors = u8::try_from(factors).expect("few factors");
    let singles = (0..factors).map(|factor| vec![factor]);
    let pairs = (0..factors).flat_map(|a| (a + 1..factors).map(move |b| vec![a, b]));
    singles.chain(pairs).collect()
}

const NINE: &str = "\"capture.mandatory\", \"hop.chain\", \"man.capture\", \"man.hop_over\", \
                    \"king.reversal\", \"hop.then_capture\", \"promotion.in_capture\", \
                    \"draw.counted\", \"draw.starts\"";

#[test]
fn fractions_are_balanced_and_their_aliases_are_all_there_are() {
    for (resolution, runs) in [(4, 32), (5, 128)] {
        let (plan, design) = design(&format!(
            "[design]\nkind = \"fractional\"\nresolution = {resolution}\nflags = [{NINE}]"
        ));
        assert_eq!(design.runs.len(), runs);
        assert_eq!(plan.variants.len(), runs);
        assert_eq!(plan.variants[0].name, "keny");
        assert!(design.orthogonal && design.left_out.is_empty());
        assert!(matches!(design.kind, DesignKind::Fractional { resolution: r } if r >= resolution));
        let all = effects(design.factors.len());
        let columns: Vec<Vec<i32>> = all.iter().map(|effect| column(&design, effect)).collect();
        let size = i32::try_from(runs).expect("few runs");
        let mut expected: BTreeSet<BTreeSet<Effect>> = BTreeSet::new();
        for column in &columns {
            assert_eq!(column.iter().sum::<i32>(), 0);
            let same = |other: &[i32]| product(column, other).abs() == size;
            assert!(columns.iter().all(|other| same(other) || product(column, other) == 0));
            let set = all.iter().zip(&columns).filter(|(_, other)| same(other));
            expected.insert(set.map(|(effect, _)| effect.clone()).collect());
        }
        expected.retain(|set| set.len() > 1);
        let found: BTreeSet<BTreeSet<Effect>> =
            design.aliases.iter().map(|set| set.iter().cloned().collect()).collect();
        assert_eq!(found, expected, "resolution {resolution}");
        assert!(found.iter().flatten().all(|effect| effect.len() == 2));
        assert_eq!(found.is_empty(), resolution == 5);
        for generator in &design.generators {
            let made = column(&design, &generator.product_of);
            assert_eq!(product(&made, &column(&design, &[generator.factor])).abs(), size);
        }
        levels_are_those_of_the_rules(&plan, &design);
    }
}

#[test]
fn half_a_design_has_the_longest_word() {
    let (_, design) = design(
        "[design]\nkind = \"fractional\"\nresolution = 5\nflags = [\"capture.mandatory\", \
         \"hop.chain\", \"man.capture\", \"man.hop_over\", \"king.reversal\", \
         \"hop.then_capture\"]",
    );
    assert_eq!(design.kind, DesignKind::Fractional { resolution: 6 });
    assert_eq!(design.runs.len(), 32);
}

#[test]
fn a_fraction_with_invalid_combinations_says_what_it_has_lost() {
    let (plan, design) = design(
        "[design]\nkind = \"fractional\"\nflags = [\
         { flag = \"king.landing\", values = [\"continuing\"] }, \"capture.complete\", \
         \"hop.chain\", \"capture.mandatory\", \"king.reversal\"]",
    );
    assert!(!design.orthogonal);
    assert_eq!(design.runs.len() + design.left_out.len(), 16);
    assert_eq!(design.left_out.len(), 4);
    assert_eq!(plan.variants.len(), 12);
    let text = "players = [\"random\"]\n[design]\nkind = \"fractional\"\nflags = [\
                { flag = \"king.landing\", values = [\"continuing\"] }, \"capture.complete\"]";
    let report = check_text("a.toml", text, Path::new(""));
    assert!(report.problems.to_string().contains("1 of 4 combinations cannot be played"));
}

#[test]
fn samples_are_balanced_distinct_and_the_same_for_a_seed() {
    let text = |seed: u64| {
        format!(
            "[design]\nkind = \"sample\"\nsize = 60\nseed = {seed}\nflags = [{NINE}, \
             \"king.landing\", \"capture.complete\", \"king.hop_over\", \"king.hop\", \
             {{ flag = \"draw.quiet_turns\", values = [5, 20, 40] }}]"
        )
    };
    let (plan, design) = design(&text(1));
    assert_eq!((design.runs.len(), plan.variants.len()), (60, 60));
    assert!(design.left_out.is_empty(), "{:?}", design.left_out);
    assert!(design.runs[0].levels.iter().all(|&level| level == 0));
    for (place, factor) in design.factors.iter().enumerate() {
        let mut counts = BTreeMap::new();
        for run in &design.runs {
            *counts.entry(run.levels[place]).or_insert(0) += 1;
        }
        let (least, most) = (counts.values().min(), counts.values().max());
        assert_eq!(counts.len(), factor.levels.len());
        assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "{counts:?}");
    }
    levels_are_those_of_the_rules(&plan, &design);
    assert_eq!(self::design(&text(1)).1, design);
    assert_ne!(self::design(&text(2)).1.runs, design.runs);
}

#[test]
fn designs_share_variants_with_each_other_and_with_those_listed() {
    let plan = plan(
        "variants = [\"turkish\", { name = \"mine\", extends = \"keny\", hop = { chain = 1 } }]\n\
         [[design]]\nkind = \"one-at-a-time\"\nbase = \"keny\"\n\
         flags = [\"hop.chain\", \"capture.mandatory\"]\n\
         [[design]]\nkind = \"full\"\nbase = \"mine\"\n\
         flags = [\"hop.chain\", \"capture.mandatory\"]",
    );
    let [one, two] = &plan.designs[..] else { panic!("two designs") };
    assert_eq!(
        names(&plan),
        [
            "turkish",
            "mine",
            "keny",
            "keny+hop.chain=2",
            "keny+capture.mandatory=false",
            "mine+capture.mandatory=false",
        ]
    );
    assert_eq!(one.variants(), [1, 2, 3, 4]);
    assert_eq!(two.variants(), [1, 2, 4, 5]);
    assert_eq!((one.base_variant(), two.base_variant()), (Some(2), Some(1)));
    assert_eq!(one.left_out[0].why, Why::EqualTo("mine".to_owned()));
    assert_eq!(one.runs_of(0).count(), 0);
}

#[test]
fn many_changes_are_named_by_number() {
    let (plan, design) = design(
        "[design]\nkind = \"full\"\nflags = [\"capture.mandatory\", \"hop.chain\", \
         \"man.capture\"]",
    );
    let last = design.runs.last().expect("runs");
    assert_eq!(last.levels, [1, 1, 1]);
    assert_eq!(plan.variants[last.variant as usize].name, "keny #8");
    let unique: BTreeSet<&str> = names(&plan).into_iter().collect();
    assert_eq!(unique.len(), 8);
}

#[test]
fn a_store_gives_the_designs_back_and_takes_new_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.sqlite");
    let (plan, _) = design(&format!("[design]\nkind = \"fractional\"\nflags = [{NINE}]"));
    drop(Store::create_or_resume(&path, &plan, "").expect("a store"));
    assert_eq!(Store::open(&path).expect("a store").plan().designs, plan.designs);
    // The same rulesets without a design are the same games.
    let without = Plan { designs: Vec::new(), ..plan.clone() };
    assert_eq!(without.hash(), plan.hash());
    drop(Store::create_or_resume(&path, &without, "").expect("the same store"));
    assert!(Store::open(&path).expect("a store").plan().designs.is_empty());
}

#[test]
fn a_damaged_design_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.sqlite");
    let (mut plan, _) = design("[design]\nkind = \"full\"\nflags = [\"hop.chain\"]");
    // A level that its factor does not have.
    plan.designs[0].runs[1].levels[0] = 9;
    drop(Store::create_or_resume(&path, &plan, "").expect("a store"));
    let error = Store::open(&path).expect_err("damaged").to_string();
    assert!(error.contains("its designs cannot be read"), "{error}");
}

const THOUSAND: &str = "[[design]]\nkind = \"one-at-a-time\"\nflags = \"open\"\n\
                        [[design]]\nkind = \"sample\"\nflags = \"open\"\nsize = 1000";

#[test]
fn a_thousand_rulesets_are_planned() {
    let plan = plan(THOUSAND);
    assert_eq!(plan.designs[1].variants().len(), 1000);
    assert!(plan.designs[1].left_out.is_empty());
    let unique: BTreeSet<&str> = names(&plan).into_iter().collect();
    assert_eq!(unique.len(), plan.variants.len());
}

/// `cargo test --release --test it planned_fast -- --ignored`
#[test]
#[ignore = "measures speed, which only an optimised build shows"]
#[expect(clippy::disallowed_methods, reason = "it measures how long planning takes")]
fn a_thousand_rulesets_are_planned_fast() {
    let begun = std::time::Instant::now();
    let plan = plan(THOUSAND);
    let folder = tempfile::tempdir().expect("a folder");
    drop(Store::create_or_resume(&folder.path().join("run"), &plan, "").expect("a store"));
    let seconds = begun.elapsed().as_secs_f64();
    assert!(seconds < 1.0, "{seconds} s");
}
