// Computes with a table: the same runtime as words.ts, used by other code.
class Row {
  constructor(public name: string, public value: f64) {}
}

const rows = new Array<Row>();
const names = new Set<string>();

export function add(name: string, value: f64): i32 {
  rows.push(new Row(name, value));
  names.add(name.toUpperCase());
  return rows.length;
}

export function total(): string {
  const sorted = rows.slice().sort((a, b) => (a.value < b.value ? -1 : 1));
  const values = new Float64Array(sorted.length);
  for (let i = 0; i < sorted.length; i++) values[i] = Math.log(sorted[i].value) + Math.sin(sorted[i].value);
  const bytes = new Uint8Array(16);
  bytes.fill(7);
  return sorted.map<string>((row) => row.name.charAt(0)).join(',') + values.join(' ') + names.size.toString() + parseInt('77', 8).toString();
}
