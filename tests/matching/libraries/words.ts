// Counts words: maps, arrays and strings, what programs take of AssemblyScript's runtime.
export function count(text: string): string {
  const counts = new Map<string, i32>();
  const words = text.toLowerCase().trim().split(' ');
  for (let i = 0; i < words.length; i++) counts.set(words[i], counts.has(words[i]) ? counts.get(words[i]) + 1 : 1);
  const keys = counts.keys().sort();
  let out = '';
  for (let i = 0; i < keys.length; i++) out += keys[i].padStart(10) + ': ' + counts.get(keys[i]).toString() + '\n';
  return out.replaceAll('a', 'b').substring(1) + parseFloat('1.5').toString() + Math.pow(out.length, 0.5).toString();
}
