//! For the bench: trait objects, closures, iterators and maps.

use std::collections::{BTreeMap, HashMap};

trait Shape {
    fn area(&self) -> f64;
    fn grown(&self, by: f64) -> Box<dyn Shape>;
}

struct Square(f64);
struct Circle(f64);

impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
    fn grown(&self, by: f64) -> Box<dyn Shape> {
        Box::new(Square(self.0 * by))
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        std::f64::consts::PI * self.0 * self.0
    }
    fn grown(&self, by: f64) -> Box<dyn Shape> {
        Box::new(Circle(self.0 * by))
    }
}

fn shapes(count: u32) -> Vec<Box<dyn Shape>> {
    (0..count)
        .map(|i| -> Box<dyn Shape> {
            if i % 3 == 0 {
                Box::new(Square(f64::from(i % 100)))
            } else {
                Box::new(Circle(f64::from(i % 77)))
            }
        })
        .collect()
}

fn tally(shapes: &[Box<dyn Shape>]) -> BTreeMap<u64, usize> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for shape in shapes {
        *counts.entry(shape.area() as u64 % 1000).or_default() += 1;
    }
    counts.into_iter().collect()
}

fn main() {
    let mut sum = 0;
    for round in 0..600 {
        let grown: Vec<_> = shapes(20_000)
            .iter()
            .map(|shape| shape.grown(1.0 + f64::from(round % 60) / 10.0))
            .collect();
        sum += tally(&grown).values().filter(|count| *count % 2 == 1).count();
    }
    println!("{sum}");
}
