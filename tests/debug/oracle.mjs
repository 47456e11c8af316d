// Whether debug information says the same of each instruction before and after a rewrite.
//
// Where an instruction went is found without the rewriter's own map of offsets: a source map with
// one segment for each instruction goes through the rewrite, and WABT's reader confirms that the
// last instruction in front of the next one's place is the same instruction.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { tool } from '../support/tools.mjs';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i++) VALUES[DIGITS.charCodeAt(i)] = i;

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { maxBuffer: 1 << 30, ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${result.stderr}`);
  return result.stdout;
}

/** The sections of a module: {id, name, start, end}, the contents after the name. */
export function sections(bytes) {
  const found = [];
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      value += (bytes[at] & 0x7f) * 2 ** shift;
      if (!(bytes[at++] & 0x80)) return value;
    }
  };
  while (at < bytes.length) {
    const id = bytes[at++];
    const end = number() + at;
    let name = '';
    if (id === 0) {
      const size = number();
      name = bytes.toString('latin1', at, (at += size));
    }
    found.push({ id, name, start: at, end });
    at = end;
  }
  return found;
}

const codeSection = (bytes) => sections(bytes).find((section) => section.id === 10);

export const hasCode = (path) => codeSection(readFileSync(path)) !== undefined;

/** Offset in the code section's payload and opcode of each instruction, in turn. */
export function instructions(path) {
  const bytes = run(join(process.env.WI_BUILD, 'debug-instructions'), [path]);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** The text of mappings with a segment at each of the offsets in the file. */
function mappings(count, offsetOf) {
  const text = Buffer.alloc(count * 12 + 1);
  let size = 0;
  const put = (value) => {
    let bits = value < 0 ? -value * 2 + 1 : value * 2;
    do {
      text[size++] = DIGITS.charCodeAt((bits & 31) | (bits > 31 ? 32 : 0));
      bits >>>= 5;
    } while (bits);
  };
  for (let i = 0, last = 0; i < count; i++) {
    if (i > 0) text[size++] = 0x2c;
    put(offsetOf(i) - last);
    last = offsetOf(i);
    put(0), put(i > 0 ? 1 : 0), put(0);
  }
  return text.subarray(0, size);
}

/** The offsets in the file of the segments that have a source. */
function columns(text) {
  const found = [];
  let column = 0;
  for (let at = 0; at < text.length; at++) {
    let fields = 0;
    for (; at < text.length && text[at] !== 0x2c; fields++) {
      let value = 0;
      let shift = 0;
      for (; VALUES[text[at]] & 32; at++, shift += 5) value += (VALUES[text[at]] & 31) * 2 ** shift;
      value += VALUES[text[at++]] * 2 ** shift;
      if (fields === 0) column += value % 2 ? -(value - 1) / 2 : value / 2;
    }
    if (fields > 1) found.push(column);
  }
  return found;
}

/**
 * Rewrites the module at `input` to `output`. Gives the places of each instruction, as offsets in the
 * payload of the code section: [before, after] pairs, where `after` is in turn the place that its
 * offset maps to and the one that it has itself, after what was inserted before it.
 */
export function rewrite(input, output, options) {
  const before = readFileSync(input);
  const start = codeSection(before).start;
  const old = instructions(input);
  const count = old.length / 2;
  const map = `${output}.in.map`;
  writeFileSync(map, Buffer.concat([
    Buffer.from('{"version":3,"sources":["x"],"names":[],"mappings":"'),
    mappings(count, (i) => start + old[2 * i]),
    Buffer.from('"}'),
  ]));
  const result = spawnSync(tool('wasm-instrument'), [...options, '--source-map', map, input, '-o', output]);
  if (result.status !== 0) throw new Error(`${result.stderr}`);
  const warnings = result.stderr.toString().split('\n').filter((line) => /debug information/.test(line));
  const text = readFileSync(`${output}.map`);
  const quote = text.indexOf('"mappings":"') + 12;
  const moved = columns(text.subarray(quote, text.indexOf('"', quote)));
  if (moved.length !== count) throw new Error(`${moved.length} segments of ${count} came back`);

  const newStart = codeSection(readFileSync(output)).start;
  const now = instructions(output);
  const pairs = new Uint32Array(4 * count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const place = moved[i] - newStart;
    const next = i + 1 < count ? moved[i + 1] - newStart : place;
    while (now[2 * at] < place) at++;
    let own = at;
    while (now[2 * own + 2] < next) own++;
    if (i + 1 < count && now[2 * own + 1] !== old[2 * i + 1])
      throw new Error(`the instruction at 0x${old[2 * i].toString(16)} is not at its place`);
    pairs.set([old[2 * i], place, old[2 * i], i + 1 < count ? now[2 * own] : place], 4 * i);
  }
  return { pairs, count, warnings };
}

/** An ELF file with the module's DWARF, whose text is the code section. */
function elf(module, path) {
  const bytes = readFileSync(module);
  const all = sections(bytes);
  const code = all.find((section) => section.id === 10);
  const debug = all.filter((section) => section.name.startsWith('.debug_'));
  const names = Buffer.from(['', '.text', '.shstrtab', ...debug.map(({ name }) => name), ''].join('\0'), 'latin1');
  const parts = [Buffer.alloc(52), names];
  const headers = [Buffer.alloc(40)];
  const header = (name, type, flags, offset, size) => {
    const fields = Buffer.alloc(40);
    const nameAt = names.indexOf(`\0${name}\0`) + 1;
    [nameAt, type, flags, 0, offset, size, 0, 0, 1, 0].forEach((value, i) => fields.writeUInt32LE(value, 4 * i));
    headers.push(fields);
  };
  let at = 52 + names.length;
  header('.text', 8, 6, at, code.end - code.start);
  header('.shstrtab', 3, 0, 52, names.length);
  for (const { name, start, end } of debug) {
    parts.push(bytes.subarray(start, end));
    header(name, 1, 0, at, end - start);
    at += end - start;
  }
  const file = parts[0];
  file.write('\x7fELF\x01\x01\x01', 0, 'latin1');
  file.writeUInt16LE(2, 16); // an executable
  file.writeUInt16LE(3, 18); // for the 80386: 32-bit, little endian
  file.writeUInt32LE(1, 20);
  file.writeUInt32LE(at, 32);
  file.writeUInt16LE(52, 40);
  file.writeUInt16LE(40, 46);
  file.writeUInt16LE(headers.length, 48);
  file.writeUInt16LE(2, 50);
  writeFileSync(path, Buffer.concat([...parts, ...headers]));
  return path;
}

/** Blocks of lines, one for each address, as the command prints them. */
async function* blocks(command, args, addresses, isEnd) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {});
  child.stdin.end(addresses.map((address) => `0x${address.toString(16)}\n`).join(''));
  let rest = '';
  let block = '';
  for await (const chunk of child.stdout) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!isEnd(line)) {
        block += `${line}\n`;
        continue;
      }
      yield block;
      block = '';
    }
  }
  yield block;
}

async function compareBlocks(command, argsOf, isEnd, modules, pairs, every) {
  const old = [];
  const now = [];
  for (let i = 0; i < pairs.length; i += 2 * every) {
    old.push(pairs[i]);
    now.push(pairs[i + 1]);
  }
  const before = blocks(command, argsOf(modules[0]), old, isEnd);
  const after = blocks(command, argsOf(modules[1]), now, isEnd);
  let known = 0;
  let different = 0;
  for (let i = 0; ; i++) {
    const [one, other] = await Promise.all([before.next(), after.next()]);
    if (one.done || other.done) {
      if (one.done !== other.done) throw new Error(`${command} answered less often for one module`);
      break;
    }
    known += !/^(\?\?\n\?\?:.*\n)*$/.test(one.value);
    if (one.value === other.value) continue;
    if (++different <= 3) console.error(`0x${old[i]?.toString(16)}: was\n${one.value}is\n${other.value}`);
  }
  return { compared: old.length, known, different };
}

/** The readers: each compares what it finds at the places before and after. */
export const readers = {
  'llvm-symbolizer': (modules, pairs, every) =>
    compareBlocks('llvm-symbolizer', (module) => [`--obj=${module}`, '--inlines', '--functions=linkage'],
                  (line) => line === '', modules, pairs, every),
  addr2line: (modules, pairs, every) =>
    compareBlocks('addr2line', (module) => ['-a', '-i', '-f', '-e', elf(module, `${module}.elf`)],
                  (line) => line.startsWith('0x'), modules, pairs, every),
  async gimli(modules, pairs, every) {
    let chosen = pairs;
    if (every > 1) chosen = pairs.filter((_, i) => (i >> 1) % every === 0);
    const child = spawn(process.env.WI_GIMLI, modules, { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(Buffer.from(chosen.buffer, chosen.byteOffset, chosen.byteLength));
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    const [status] = await once(child, 'close');
    if (status !== 0) throw new Error('debug-gimli failed');
    const [compared, known, different] = text.trim().split(' ').map(Number);
    return { compared, known, different };
  },
};

/** The readers that are installed. */
export function installed() {
  return Object.keys(readers).filter((name) =>
    name === 'gimli' ? existsSync(process.env.WI_GIMLI ?? '')
                     : spawnSync(name, ['--version']).status === 0);
}

/** What llvm-dwarfdump --verify complains of: how often which kind of error. */
export function complaints(module) {
  const { stdout } = spawnSync('llvm-dwarfdump', ['--verify', module], { maxBuffer: 1 << 30 });
  const text = stdout?.toString() ?? '';
  const kinds = new Map();
  for (const [line] of text.matchAll(/^(error|warning).*$/gm)) {
    const kind = line.replace(/0x[0-9a-f]+|\d+/g, 'N');
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...kinds].sort().map(([kind, count]) => `${count} ${kind}`).join('\n');
}
