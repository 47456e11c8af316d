// Dates and sorting by random keys in AssemblyScript.
export function run(rounds: i32): f64 {
  const keys = new Array<f64>(rounds);
  for (let i = 0; i < rounds; i++) keys[i] = Math.random();
  keys.sort();
  const now = new Date(Date.now());
  let text = now.toISOString();
  for (let i = 0; i < rounds; i += 10) text += keys[i].toString();
  return <f64>text.length + <f64>now.getUTCMilliseconds();
}
