//! Fractions of two-level designs: sizes, resolutions and alias sets.

use keny::stats::Missing;
use keny::stats::factorial::sign;
use keny::stats::fraction::{Fraction, Resolution, alias_sets_of_runs, confusion, letter_name};

#[test]
fn the_smallest_fractions_have_the_known_sizes() {
    let four = [2, 4, 8, 8, 16, 16, 16, 16, 32, 32, 32, 32, 32, 32, 32, 32];
    let five = [2, 4, 8, 16, 16, 32, 64, 64, 128, 128, 128, 256, 256, 256, 256, 256];
    for (factors, (four, five)) in (1..=16).zip(four.into_iter().zip(five)) {
        for (wanted, size, least) in [(Resolution::Four, four, 4), (Resolution::Five, five, 5)] {
            let fraction = Fraction::smallest(factors, wanted).expect("up to sixteen factors");
            assert_eq!(fraction.factors(), factors);
            assert_eq!(fraction.run_count(), size, "{factors} factors, {wanted:?}");
            assert!(fraction.resolution().is_none_or(|found| found >= least));
        }
    }
    assert_eq!(Fraction::smallest(17, Resolution::Four), Err(Missing::Range));
}

#[test]
fn the_columns_of_a_fraction_show_its_alias_sets() {
    for (factors, resolution) in
        [(5, Resolution::Five), (7, Resolution::Four), (9, Resolution::Four)]
    {
        let fraction = Fraction::smallest(factors, resolution).expect("few factors");
        let runs = fraction.runs();
        assert_eq!(runs.len(), usize::try_from(fraction.run_count()).expect("few runs"));
        // Every factor is balanced, and every defining word is constant.
        for factor in 0..factors {
            let high = runs.iter().filter(|run| *run >> factor & 1 == 1).count();
            assert_eq!(2 * high, runs.len());
        }
        for word in fraction.defining() {
            assert!(runs.iter().all(|&run| sign(run, word) > 0.0), "{}", letter_name(word));
        }
        let known: Vec<Vec<u32>> =
            fraction.alias_sets(2).into_iter().filter(|set| set.len() > 1).collect();
        let seen = alias_sets_of_runs(&runs, factors, 2).expect("runs");
        assert_eq!(known, seen);
        for set in known {
            assert!(confusion(&runs, set[0], set[1]).expect("runs") > 0.999);
        }
        assert_eq!(fraction.representatives().len() + 1, runs.len());
    }
}

#[test]
fn runs_left_out_confuse_in_part() {
    let mut runs = Fraction::full(3).expect("three factors").runs();
    assert!(alias_sets_of_runs(&runs, 3, 3).expect("runs").is_empty());
    assert_eq!(confusion(&runs, 1, 2), Ok(0.0));
    runs.pop();
    // Seven of eight runs: the one left out had both factors high.
    assert!((confusion(&runs, 1, 2).expect("runs") + 1.0 / 7.0).abs() < 1e-15);
    let pair = [0b00, 0b11];
    let sets = alias_sets_of_runs(&pair, 2, 2).expect("runs");
    assert_eq!(sets, [vec![0, 3], vec![1, 2]]);
    assert_eq!(confusion(&[], 1, 2), Err(Missing::Empty));
}

#[test]
fn bad_generators_are_refused() {
    assert_eq!(Fraction::parse(&["D"]), Err(Missing::Shape));
    assert_eq!(Fraction::parse(&["D=abc"]), Err(Missing::Shape));
    assert_eq!(Fraction::parse(&["D=AD"]), Err(Missing::Range));
    assert_eq!(Fraction::parse(&["D=AB", "F=AC"]), Err(Missing::Shape));
    assert_eq!(Fraction::new(0, Vec::new()), Err(Missing::Range));
}
