// Counts words: collections, strings, formatting and sorting, what programs take of Rust's library.
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::Write;
use std::io::Read;

#[derive(Debug, Clone, Default)]
struct Entry {
    name: String,
    places: Vec<usize>,
    weight: f64,
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("text");
    let mut counts: HashMap<String, Entry> = HashMap::new();
    for (place, word) in text.split_whitespace().enumerate() {
        let entry = counts.entry(word.to_lowercase()).or_default();
        entry.name = word.trim_matches(|c: char| !c.is_alphanumeric()).to_string();
        entry.places.push(place);
        entry.weight += word.parse::<f64>().unwrap_or(0.5);
    }
    let mut sorted: Vec<_> = counts.values().cloned().collect();
    sorted.sort_by(|a, b| b.weight.partial_cmp(&a.weight).unwrap().then_with(|| a.name.cmp(&b.name)));
    let mut out = String::new();
    for entry in &sorted {
        writeln!(out, "{:>10} {:08x} {:?} {:e}", entry.name, entry.places.len(), entry, entry.weight).unwrap();
    }
    let unique: HashSet<char> = text.chars().collect();
    let order: BTreeMap<char, usize> = unique.iter().map(|&c| (c, text.matches(c).count())).collect();
    let mut queue: VecDeque<u64> = order.values().map(|&n| n as u64).collect();
    while let Some(first) = queue.pop_front() {
        println!("{first} {:?}", text.find(char::from_u32(first as u32 % 128).unwrap()));
    }
    println!("{out}{:?}{:?}", order, text.replace("a", "bb").bytes().rev().take(3).collect::<Vec<_>>());
}
