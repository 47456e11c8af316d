//! Traits, closures, generic containers, formatting and errors; ends by process::exit.

use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug)]
enum ParseError {
    Empty,
    Digit(char),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ParseError::Empty => write!(f, "nothing there"),
            ParseError::Digit(c) => write!(f, "{c:?} is no digit"),
        }
    }
}

impl std::error::Error for ParseError {}

trait Measure {
    fn size(&self) -> usize;
    fn label(&self) -> String {
        format!("<{}>", self.size())
    }
}

struct Leaf(String);
struct Branch(Vec<Box<dyn Measure>>);

impl Measure for Leaf {
    fn size(&self) -> usize {
        self.0.len()
    }
}

impl Measure for Branch {
    fn size(&self) -> usize {
        self.0.iter().map(|part| part.size()).sum()
    }
    fn label(&self) -> String {
        self.0
            .iter()
            .map(|part| part.label())
            .collect::<Vec<_>>()
            .join("+")
    }
}

impl Drop for Leaf {
    fn drop(&mut self) {
        self.0.clear();
    }
}

fn grow(depth: usize) -> Box<dyn Measure> {
    if depth == 0 {
        return Box::new(Leaf("leaf".repeat(2)));
    }
    Box::new(Branch(
        (0..3).map(|i| grow(depth.saturating_sub(i + 1))).collect(),
    ))
}

fn parse(text: &str) -> Result<u64, Box<dyn std::error::Error>> {
    let mut number = 0u64;
    for c in text.chars() {
        number = 10 * number + u64::from(c.to_digit(10).ok_or(ParseError::Digit(c))?);
    }
    if text.is_empty() {
        return Err(Box::new(ParseError::Empty));
    }
    Ok(number)
}

fn main() {
    let tree = grow(4);
    println!("{} {}", tree.size(), tree.label());

    let mut words: Vec<String> = (0..200u32)
        .map(|i| format!("w{}", i * 7919 % 101))
        .collect();
    words.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    words
        .iter()
        .for_each(|word| *counts.entry(word).or_default() += 1);
    println!(
        "{:?}",
        counts
            .iter()
            .filter(|(_, &n)| n > 1)
            .take(5)
            .collect::<Vec<_>>()
    );

    for text in ["123456", "", "12x"] {
        match parse(text) {
            Ok(number) => println!("{number:>10}"),
            Err(error) => println!("{error}"),
        }
    }
    std::process::exit(5);
}
