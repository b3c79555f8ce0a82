//! Every value of `tests/data/vectors/statistics.json`, through the functions that reports call.
//! A handler rebuilds the expected object of its case; the comparison then walks all of it.

mod comparisons;
mod designs;
mod scores;

use std::path::Path;

use keny::stats::{Confidence, Interval, Known};
use serde_json::{Value, json};

/// One case of the file.
struct Case {
    input: Value,
}

/// Rebuilds the expected object of a case from its input.
type Handler = fn(&Case) -> Value;

const P95: Confidence = Confidence::P95;

fn handler(id: &str) -> Option<Handler> {
    let handler: Handler = match id {
        "A1" | "A2" => scores::trinomial,
        "A3" => scores::bayes_elo,
        "B1" | "B2" => scores::pentanomial,
        "B3" => scores::clusters,
        "C1" => designs::likelihood_ratios,
        "C2" => designs::likelihood_ratios_of_fastchess,
        "D1" => comparisons::one_share,
        "D2" => comparisons::simultaneous,
        "E1" => comparisons::two_shares,
        "E2" => comparisons::two_shares_empty_cell,
        "E3" => comparisons::equivalence,
        "E4" => comparisons::score_difference,
        "F1" => designs::homogeneous,
        "F2" => comparisons::adjusted,
        "F3" => designs::strata,
        "G1" => comparisons::paired_shares,
        "G2" => comparisons::paired_scores,
        "H1" => designs::switches,
        "H2" => designs::shares_of_variance,
        "H3" => designs::one_run,
        "H4" => designs::alias_sets,
        "H5" => designs::outcomes,
        "H6" => designs::blocks,
        "I1" => designs::power,
        "I2" => designs::radius,
        "I3" => designs::anytime,
        "I4" => designs::group_bounds,
        "I5" => designs::division,
        "J1" => scores::merged_lengths,
        "J2" => designs::lengths,
        "J3" => scores::degenerate,
        "J4" => designs::resampling,
        "J5" => scores::copies,
        _ => return None,
    };
    Some(handler)
}

#[test]
fn every_case_of_the_vectors_agrees() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors/statistics.json");
    let text = std::fs::read_to_string(path).expect("the vectors are part of the repository");
    let file: Value = serde_json::from_str(&text).expect("the vectors are valid JSON");
    let cases = file["vectors"].as_array().expect("a list of cases");
    assert_eq!(cases.len(), 35, "cases in the file");
    let mut problems = Vec::new();
    for case in cases {
        let id = case["id"].as_str().expect("a case has an id");
        let Some(handler) = handler(id) else {
            problems.push(format!("{id}: no handler"));
            continue;
        };
        let tolerance = case["tolerance"].as_f64().expect("a case has a tolerance");
        let mut input = case["input"].clone();
        if let Some(other) = input["uses"].as_str() {
            let used = cases.iter().find(|case| case["id"] == other);
            input = used.expect("a case uses another one of the file")["input"].clone();
        }
        let found = handler(&Case { input });
        compare(id, &case["expected"], &found, tolerance, &mut problems);
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Walks both values together and notes every leaf that differs.
fn compare(place: &str, expected: &Value, found: &Value, tolerance: f64, out: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            for (key, value) in expected {
                let other = found.get(key).unwrap_or(&Value::Null);
                if !found.contains_key(key) {
                    out.push(format!("{place}/{key}: not computed"));
                } else {
                    compare(&format!("{place}/{key}"), value, other, tolerance, out);
                }
            }
            for key in found.keys().filter(|key| !expected.contains_key(*key)) {
                out.push(format!("{place}/{key}: not expected"));
            }
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            for (at, (value, other)) in expected.iter().zip(found).enumerate() {
                compare(&format!("{place}/{at}"), value, other, tolerance, out);
            }
        }
        (Value::Number(expected), Value::Number(found)) => {
            let (expected, found) = (expected.as_f64(), found.as_f64());
            let (expected, found) = (expected.expect("finite"), found.expect("finite"));
            if (expected - found).abs() > tolerance {
                out.push(format!("{place}: expected {expected}, found {found}"));
            }
        }
        (expected, found) => {
            if expected != found {
                out.push(format!("{place}: expected {expected}, found {found}"));
            }
        }
    }
}

/// A number that exists, or null. NaN and infinity are failures, not null.
fn known(value: Known<f64>) -> Value {
    value.map_or(Value::Null, |value| {
        assert!(value.is_finite(), "a number that exists is finite");
        json!(value)
    })
}

fn ends(interval: Known<Interval>) -> Value {
    interval.map_or(Value::Null, |interval| json!([interval.low(), interval.high()]))
}

fn count(value: &Value) -> u64 {
    value.as_u64().expect("a count")
}

fn counts(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(count).collect()
}

fn real(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn reals(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(real).collect()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}
