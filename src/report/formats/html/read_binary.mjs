// Reads profiles of other tools that are not JSON: pprof and folded stacks.
import { DataBuilder } from './builder.mjs';

const textDecoder = new TextDecoder();

// --- pprof ---

/** Yields the fields of a message: [number, a number or bytes]. */
function* fieldsOf(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      if (at >= bytes.length || factor > 2 ** 63) throw new Error('this page cannot read files of this format');
      const byte = bytes[at++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const [field, type] = [Math.floor(key / 8), key & 7];
    if (type === 0) {
      yield [field, varint()];
    } else if (type === 2) {
      const size = varint();
      if (at + size > bytes.length) throw new Error('the file is cut short');
      yield [field, bytes.subarray(at, at += size)];
    } else if (type === 1 || type === 5) {
      at += type === 1 ? 8 : 4;
    } else {
      throw new Error('this page cannot read files of this format');
    }
  }
}

/** Returns repeated numbers, packed or not. */
function numbersOf(message, wanted) {
  const list = [];
  for (const [field, value] of fieldsOf(message)) {
    if (field !== wanted) continue;
    if (typeof value === 'number') list.push(value);
    else for (let i = 0, sum = 0, factor = 1; i < value.length; i++) {
      sum += (value[i] & 0x7f) * factor;
      factor *= 0x80;
      if (value[i] < 0x80) {
        list.push(sum);
        [sum, factor] = [0, 1];
      }
    }
  }
  return list;
}

const fieldMap = (message) => new Map(fieldsOf(message));

/** Converts a value type of pprof. The unit "count" becomes calls, samples or objects, depending on the type. */
function valueOfPprof(type, unit) {
  if (type === 'calls') return { key: 'calls', name: 'calls', unit: 'calls' };
  const name = unit === 'nanoseconds' ? 'time' : type.replaceAll('_', ' ');
  return { key: type, name, unit: unit === 'count' ? type.replace(/^.*_/, '') : unit };
}

export function readPprof(bytes, title) {
  const parts = { 1: [], 2: [], 4: [], 5: [], 6: [] }; // types, samples, locations, functions, strings
  for (const [field, value] of fieldsOf(bytes)) parts[field]?.push(value);
  const strings = parts[6].map((text) => textDecoder.decode(text));
  const types = parts[1].map((message) => fieldMap(message))
    .map((fields) => valueOfPprof(strings[fields.get(1)] ?? '', strings[fields.get(2)] ?? ''));
  if (types.length === 0) throw new Error('this page cannot read files of this format');
  const order = types.map((_, i) => i).reverse(); // pprof shows the last
  const builder = new DataBuilder(title, order.map((i) => types[i]));
  const functions = new Map(parts[5].map((message) => {
    const fields = fieldMap(message);
    return [fields.get(1), { name: strings[fields.get(2)] ?? '', file: strings[fields.get(4)] ?? '', line: fields.get(5) ?? 0 }];
  }));
  const locations = new Map(parts[4].map((message) => {
    const labels = [];
    for (const [field, line] of fieldsOf(message)) {
      if (field !== 4) continue;
      const { name, file, line: number } = functions.get(fieldMap(line).get(1)) ?? { name: '', file: '', line: 0 };
      labels.push(builder.label(name, number > 0 || file.includes('/') ? file : '', number));
    }
    return [fieldMap(message).get(1), labels.length > 0 ? labels : [builder.label('(no name)')]];
  }));
  for (const sample of parts[2]) {
    const stack = numbersOf(sample, 1).flatMap((id) => locations.get(id) ?? []);
    const node = stack.reverse().reduce((above, label) => builder.child(above, label), 0);
    const numbers = numbersOf(sample, 2);
    if (node > 0) order.forEach((i, value) => builder.add(node, numbers[i], value));
  }
  return builder.finish();
}

// --- folded stacks ---

/** Reads lines such as "main;parse;malloc 12". */
export function readFolded(text, title) {
  const builder = new DataBuilder(title, [{ key: 'self', name: 'samples', unit: 'samples' }]);
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const match = /^(.*) (\d+(?:\.\d+)?)\s*$/.exec(line);
    if (match === null) throw new Error('this page cannot read files of this format');
    const node = match[1].split(';').reduce((above, name) => builder.child(above, builder.label(name)), 0);
    builder.add(node, Number(match[2]));
  }
  return builder.finish();
}
