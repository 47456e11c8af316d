// What a program sees of its host: arguments, variables, a folder's entries, their sizes and times.
use std::collections::HashSet;
use std::{env, fs};

fn sum(path: &str) -> std::io::Result<u64> {
    let mut seen = HashSet::new();
    let mut total = 0u64;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let facts = entry.metadata()?;
        let age = facts.modified()?.elapsed().map_or(0, |age| age.as_nanos() as u64);
        total = total.rotate_left(7) ^ facts.len() ^ age;
        for byte in fs::read(entry.path())? {
            total = total.wrapping_mul(31).wrapping_add(byte as u64);
        }
        seen.insert(entry.file_name());
    }
    Ok(total ^ seen.len() as u64)
}

fn main() {
    let words: Vec<_> = env::args().skip(1).chain(env::vars().map(|(name, value)| name + &value)).collect();
    println!("{:?} {:?} {:?}", words, sum("files"), sum("gone").is_err());
}
