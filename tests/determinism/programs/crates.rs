// Three crates of crates.io: random numbers make a document, which is written, parsed and searched.
use rand::Rng;
use regex::Regex;
use serde_json::{json, Value};

fn main() {
    let mut random = rand::thread_rng();
    let rows: Vec<Value> = (0..300)
        .map(|i| json!({ "id": i, "word": format!("w{}", random.gen_range(0..1000)), "at": random.gen::<f64>() }))
        .collect();
    let text = serde_json::to_string(&rows).unwrap();
    let back: Vec<Value> = serde_json::from_str(&text).unwrap();
    let found = Regex::new(r#""w[1-4]\d*7""#).unwrap().find_iter(&text).count();
    println!("{} {} {}", text.len(), back.len(), found);
}
