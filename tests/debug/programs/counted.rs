// Lines whose number of executions is plain to see.
#[inline(never)]
fn steps(mut value: u64) -> u32 {
    let mut count = 0;
    while value != 1 {
        if value % 2 == 0 {
            value /= 2;
        } else {
            value = 3 * value + 1;
        }
        count += 1;
    }
    count
}

fn main() {
    let sum: u32 = [6, 7].iter().map(|&value| steps(value)).sum();
    assert_eq!(sum, 8 + 16);
}
