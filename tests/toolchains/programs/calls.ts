function leaf(n: i32): i32 { return n * 3 + 1; }
function branch(n: i32): i32 { return n > 0 ? leaf(n) + branch(n - 1) : 0; }
export function run(): i32 {
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += branch(i);
  return sum;
}
