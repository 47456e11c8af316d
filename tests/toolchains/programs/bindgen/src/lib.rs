use std::hint::black_box;
use wasm_bindgen::prelude::*;

#[no_mangle]
#[inline(never)]
extern "C" fn leaf(n: i32) -> i32 {
    black_box(n) * 3 + 1
}

#[no_mangle]
#[inline(never)]
extern "C" fn branch(n: i32) -> i32 {
    if n > 0 { leaf(n) + black_box(branch(n - 1)) } else { 0 }
}

#[wasm_bindgen]
pub fn run() -> String {
    (0..10).map(|n| branch(n)).sum::<i32>().to_string()
}
