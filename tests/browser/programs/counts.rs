// Counts the words of a generated text: a program of Rust, most of whose time is in Rust's library.
use std::collections::{BTreeMap, HashMap};

fn text(count: u32) -> String {
    let (mut text, mut state) = (String::new(), 7u32);
    for _ in 0..count {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        text.push_str(&format!("w{} ", (state >> 8) % 20000));
        if state % 17 == 0 {
            text.push('\n');
        }
    }
    text
}

mod count {
    use super::HashMap;

    pub fn words(text: &str) -> HashMap<String, (u64, f64)> {
        let mut counts = HashMap::new();
        for word in text.lines().flat_map(str::split_whitespace) {
            let number: f64 = word[1..].parse().unwrap();
            let entry = counts.entry(word.to_string()).or_insert((0, 0.0));
            entry.0 += 1;
            entry.1 += number;
        }
        counts
    }
}

fn main() {
    let text = text(2_000_000);
    let counts = count::words(&text);
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by(|a, b| b.1.partial_cmp(a.1).unwrap().then(a.0.cmp(b.0)));
    let tree: BTreeMap<_, _> = sorted.iter().map(|(word, count)| (word, count.0)).collect();
    println!("{} {:?}", tree.len(), &sorted[..3]);
}
