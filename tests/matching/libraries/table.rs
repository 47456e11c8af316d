// Reads a table and computes with it: the same library as words.rs, used by other code.
use std::cell::RefCell;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::io::{self, BufRead, Write};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

#[derive(Debug)]
enum Problem {
    Number(std::num::ParseIntError),
    Missing { line: usize, column: char },
}

fn parse(line: usize, text: &str) -> Result<(String, i64, u8), Problem> {
    let mut parts = text.splitn(3, ',');
    let name = parts.next().ok_or(Problem::Missing { line, column: 'a' })?;
    let value = parts.next().ok_or(Problem::Missing { line, column: 'b' })?;
    let rest = parts.next().unwrap_or("7");
    Ok((name.to_uppercase(), value.trim().parse().map_err(Problem::Number)?, rest.parse().map_err(Problem::Number)?))
}

fn main() -> io::Result<()> {
    let sums: Rc<RefCell<HashMap<u8, Vec<i64>>>> = Rc::default();
    let names = Arc::new(Mutex::new(BTreeSet::new()));
    for (line, text) in io::stdin().lock().lines().enumerate() {
        match parse(line, &text?) {
            Ok((name, value, group)) => {
                sums.borrow_mut().entry(group).or_default().push(value);
                names.lock().unwrap().insert(name);
            }
            Err(problem) => eprintln!("{problem:?} {:#?}", problem),
        }
    }
    let mut heap = BinaryHeap::new();
    for (group, values) in sums.borrow().iter() {
        let mean = values.iter().sum::<i64>() as f32 / values.len() as f32;
        heap.push((values.len(), format!("{group:>5}: {mean:.3} {:+}", values[0])));
    }
    let out = io::stdout();
    let mut out = out.lock();
    while let Some((_, text)) = heap.pop() {
        out.write_all(text.as_bytes())?;
    }
    let mut sorted: Vec<u32> = names.lock().unwrap().iter().flat_map(|n| n.chars().map(|c| c as u32)).collect();
    sorted.sort_unstable();
    sorted.dedup();
    writeln!(out, "{:?} {:?} {}", sorted, std::env::args().collect::<Vec<_>>(), std::env::var("HOME").unwrap_or_default())?;
    std::fs::write("out.txt", String::from_utf8_lossy(&[65, 200, 66]).as_bytes())
}
