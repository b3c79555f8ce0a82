//! The JSON schema `variants/schema.json` of variant files, made from the catalog, so that editors
//! complete and check them.
//!
//! It tells the shape of single answers; whether answers fit together is for `validate`.

use serde_json::{Map, Value as Json, json};

use super::library;
use crate::rules::catalog::{self, Choice, Flag, Shape, Value};

/// The schema as a text of JSON, draft 7, with a line end.
#[must_use]
pub fn schema() -> String {
    let mut properties = Map::new();
    let text = |description: &str| json!({ "type": "string", "description": description });
    properties.insert("name".to_owned(), text("The title of the variant."));
    properties.insert("summary".to_owned(), text("What it is, in a sentence or two."));
    properties.insert(
        "sources".to_owned(),
        json!({
            "type": "array",
            "items": { "type": "string" },
            "description": "Where the rules come from.",
        }),
    );
    properties.insert(
        "extends".to_owned(),
        json!({
            "description": "The variant whose answers hold where this file gives none: a shipped \
                            variant's name, or a path relative to this file.",
            "anyOf": [
                { "enum": library::NAMES },
                { "type": "string", "pattern": r"[/\\]|\.[Tt][Oo][Mm][Ll]$" },
            ],
        }),
    );
    for table in catalog::tables() {
        let flags: Map<String, Json> = catalog::flags_of(table)
            .map(|flag| (flag.name().to_owned(), flag_schema(flag)))
            .collect();
        properties.insert(
            table.to_owned(),
            json!({ "type": "object", "additionalProperties": false, "properties": flags }),
        );
    }
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": "Made from the catalog of flags; do not edit. \
                     `KENY_BLESS=1 cargo test generated` writes it anew.",
        "title": "Keny variant",
        "description": "A draughts variant: answers to open questions of the rules; what is left \
                        out is as in Keny after Sokolov.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    });
    let mut text = serde_json::to_string_pretty(&schema).expect("a JSON value is always written");
    text.push('\n');
    text
}

fn flag_schema(flag: &Flag) -> Json {
    let words: Vec<&str> = flag.choices.iter().map(|choice| choice.word).collect();
    let mut schema = match flag.shape {
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::OneOf => json!({ "enum": words, "x-taplo": docs(flag.choices) }),
        Shape::SetOf | Shape::ListOf => json!({
            "type": "array",
            "uniqueItems": true,
            "items": { "enum": words, "x-taplo": docs(flag.choices) },
        }),
        Shape::Number { min, max, zero: false } => range(min, max),
        Shape::Number { min, max, zero: true } if min <= 1 => range(0, max),
        Shape::Number { min, max, zero: true } => {
            json!({ "anyOf": [{ "const": 0 }, range(min, max)] })
        }
        Shape::Chain { max } => json!({ "anyOf": [{ "enum": words }, range(1, max)] }),
        Shape::Ranks { max } => {
            json!({ "type": "array", "uniqueItems": true, "items": range(1, max) })
        }
        Shape::Position => json!({ "type": "string" }),
    };
    let object = schema.as_object_mut().expect("every schema above is an object");
    object.insert("description".to_owned(), description(flag).into());
    object.insert("default".to_owned(), json_of(&flag.default_value()));
    schema
}

fn range(min: u32, max: u32) -> Json {
    json!({ "type": "integer", "minimum": min, "maximum": max })
}

fn docs(choices: &[Choice]) -> Json {
    let meanings: Vec<&str> = choices.iter().map(|choice| choice.meaning).collect();
    json!({ "docs": { "enumValues": meanings } })
}

fn description(flag: &Flag) -> String {
    let mut text = flag.question.to_owned();
    for choice in flag.choices {
        text.push_str(&format!("\n- `{}`: {}", choice.word, choice.meaning));
    }
    if !flag.dormant_when.is_empty() {
        text.push_str(&format!("\n\nDormant when {}.", flag.dormant_when));
    }
    text
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Bool(value) => json!(value),
        Value::Integer(value) => json!(value),
        Value::Word(word) => json!(word),
        Value::Words(words) => json!(words),
        Value::Integers(numbers) => json!(numbers),
        Value::Position(_) => json!("none"),
    }
}
