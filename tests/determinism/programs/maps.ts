// AssemblyScript's maps and random numbers, seeded by the host.
export function run(rounds: i32): f64 {
  const counts = new Map<string, i32>();
  let sum: f64 = 0;
  for (let i = 0; i < rounds; i++) {
    const word = "word" + (i * 7919 % 500).toString();
    counts.set(word, (counts.has(word) ? counts.get(word) : 0) + i);
    sum += Math.floor(Math.random() * 10);
  }
  const values = counts.values();
  for (let i = 0; i < values.length; i++) sum += values[i] % 7;
  return sum;
}
