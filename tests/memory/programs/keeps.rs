// Keeps blocks, and makes garbage.
use std::hint::black_box;

#[inline(never)]
fn keep(count: usize) -> Vec<Box<[u8; 100]>> {
    let mut kept = Vec::with_capacity(count);
    for i in 0..count {
        kept.push(black_box(Box::new([i as u8; 100])));
    }
    kept
}

#[inline(never)]
fn spoil(count: usize) {
    for i in 0..count {
        drop(black_box(vec![i as u8; 64]));
    }
}

#[inline(never)]
fn grow(count: usize) {
    let mut text = String::new();
    for _ in 0..count {
        text.push_str(black_box("0123456789"));
    }
    std::mem::forget(text);
}

fn main() {
    std::mem::forget(keep(1000));
    spoil(500);
    grow(100);
}
