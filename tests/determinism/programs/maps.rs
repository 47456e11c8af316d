// A map whose hashes have a random seed, so that its order is random.
use std::collections::HashMap;
use std::time::{Instant, SystemTime};

fn main() {
    let start = Instant::now();
    let mut counts = HashMap::new();
    for i in 0..3000u64 {
        *counts.entry(format!("word{}", i * 7919 % 500)).or_insert(0u64) += i;
    }
    let mut sum = 0u64;
    for (word, count) in &counts {
        sum = sum.wrapping_mul(31).wrapping_add(word.len() as u64 * count);
    }
    println!("{sum} {:?} {:?}", start.elapsed(), SystemTime::now());
}
