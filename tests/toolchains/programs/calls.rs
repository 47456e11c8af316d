#[inline(never)]
fn leaf(n: i32) -> i32 {
    std::hint::black_box(n) * 3 + 1
}

#[inline(never)]
fn branch(n: i32) -> i32 {
    if n > 0 { leaf(n) + branch(n - 1) } else { 0 }
}

fn main() {
    println!("{}", (0..10).map(branch).sum::<i32>());
}
