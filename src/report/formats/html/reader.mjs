// Runs wasm-perf's own readers, which every page carries as WebAssembly: see cli/reader/main.c.
import { runInMemory } from '../../../js/package/wasi.mjs';
import { bytesOfBase64, inflate, loadProfile } from './data.mjs';
import { appearanceOf } from './tree.mjs';

const [FILE, FUNCTIONS, OTHERS, VIEW, TEXTS] = ['.file', '.functions', '.others', '.view', '.texts']; // names of the reader's inputs, which no file has that the user chooses
const GZIP = [0x1f, 0x8b];
const LARGEST = 512 << 20; // bytes; texts of more are too long for the engine
const HEAD = 5; // numbers in front of those of nodes
const OPEN_DATA = ' id="profile">'; // see page_parts.h; the data are large, and so are parsed by nothing else

let compiled = null;

async function loadReader() {
  const text = document.getElementById('reader').textContent.trim();
  if (text === '') throw new Error('this page was built without a reader for such files');
  return WebAssembly.compile(await inflate(bytesOfBase64(text)));
}

/** Returns what the reader writes, and its messages. `files` maps names to bytes. */
async function runReader(args, files) {
  compiled ??= loadReader();
  const { status, stdout, stderr } = runInMemory(await compiled, ['reader', ...args], files);
  const messages = stderr.split('\n').filter((line) => line !== '').map((line) => line.replace(/^wasm-perf: /, ''));
  if (status !== 0) throw new Error(messages.join('; ') || `the reader ended with ${status}`);
  return { text: stdout, messages };
}

/** Returns what a file is: {kind, bytes}, and of a page of wasm-perf {kind, data}. For kinds see cli/reader/main.c. */
export async function readFile(packed) {
  const bytes = GZIP.every((byte, i) => packed[i] === byte) ? await inflate(packed, LARGEST) : packed;
  const [kind, data] = (await runReader(['kind', FILE], { [FILE]: bytes })).text.split('\n');
  return kind === 'page' ? { kind, data: await loadProfile(data) } : { kind, bytes };
}

/**
 * Reads a profile, of wasm-perf or of another tool, as wasm-perf report does: {data, parts: the elements of the page that are about it, messages}.
 * `symbols`: names of other files, which complete it.
 */
export async function readProfile(name, files, symbols) {
  const { text, messages } = await runReader(['profile', name, ...symbols], files);
  const start = text.indexOf(OPEN_DATA) + OPEN_DATA.length;
  const end = text.indexOf('<', start);
  const parts = new DOMParser().parseFromString(text.slice(0, start) + text.slice(end), 'text/html');
  return { data: await loadProfile(text.slice(start, end)), parts, messages };
}

/** The reader's lines about functions. */
export function linesOf({ names, kinds, places }) {
  const placeOf = new Map(places.map(([label, file, line]) => [label, { file, line }]));
  const lines = names.map((name, i) => `${[kinds[i], placeOf.get(i)?.line ?? 0, placeOf.get(i)?.file ?? '', name].join('\t')}\n`);
  return new TextEncoder().encode(lines.join(''));
}

/**
 * Returns the data of a page with names for functions without one, from modules and symbol files, whose names are in
 * `symbols`; `files` maps names to bytes.
 */
export async function nameFunctions(data, files, symbols) {
  const { text } = await runReader(['names', FUNCTIONS, ...symbols], { ...files, [FUNCTIONS]: linesOf(data.head) });
  return { ...data, head: { ...data.head, findings: undefined, ...JSON.parse(text) } };
}

/** Pairs the functions of two profiles: their `labels`, see html/pairs.h, and what a page knows of their names. */
export async function pairFunctions(before, after) {
  const files = { [FUNCTIONS]: linesOf(before.head), [OTHERS]: linesOf(after.head) };
  return JSON.parse((await runReader(['pairs', FUNCTIONS, OTHERS], files)).text);
}

/** What changed: see diff/diff_page.h, also for the numbers. */
async function findChanges({ head, tree, stats, unit, isRough, title }) {
  const numbers = [tree.otherTotal[0], tree.total[0], tree.otherPeriod, tree.samplePeriod, Number(tree.hasAllStacks), Number(isRough)];
  const { otherSelf, self, otherTotal, total, otherCalls, calls } = stats;
  head.names.forEach((_, i) => numbers.push(otherSelf[i], self[i], otherTotal[i], total[i], otherCalls[i], calls[i],
    ['', 'new', 'gone'].indexOf(appearanceOf(stats, i))));
  const files = { [FUNCTIONS]: linesOf(head), [VIEW]: new Uint8Array(Float64Array.from(numbers).buffer) };
  return JSON.parse((await runReader(['changes', FUNCTIONS, VIEW, unit, title], files)).text);
}

/** The reader's files about what is shown: see html/page_view.h, also for the numbers. */
function filesOf({ head, tree, stats, isMemory, isRough, isPart, hasAllCalls, notes, temporary, allocated }) {
  const { parent, label, self, calls, count } = tree;
  const numbers = new Float64Array(HEAD + 4 * (count - 1) + 3 * head.names.length);
  numbers.set([count, isMemory, hasAllCalls, tree.samplePeriod, isRough]);
  let at = HEAD;
  for (let i = 1; i < count; i++, at += 4)
    numbers.set([parent[i], label[i], self[i], isPart || stats.atMost.has(label[i]) ? NaN : calls[i]], at);
  for (let i = 0; i < head.names.length; i++, at += 3) numbers.set([notes.get(i) ?? 0, temporary?.[i] ?? 0, allocated?.[i] ?? 0], at);
  return { [FUNCTIONS]: linesOf(head), [VIEW]: new Uint8Array(numbers.buffer) };
}

/** Returns {findings} as in the JSON of a page, and of a comparison {headline, explanation: Markdown}. */
export async function findIn(source) {
  if (source.tree.other !== null) return findChanges(source);
  return JSON.parse((await runReader(['findings', FUNCTIONS, VIEW, source.unit], filesOf(source))).text);
}

/** Returns what is shown as Markdown, as wasm-perf explain writes it. `facts`: of which cautions begin with '!'. */
export async function explain(source, facts) {
  if (source.tree.other !== null) return (await findChanges(source)).explanation;
  if (source.isWhole && source.head.explanation !== undefined) return source.head.explanation;
  const texts = [source.title, ...facts, ''].join('\n');
  const files = { ...filesOf(source), [TEXTS]: new TextEncoder().encode(texts) };
  return (await runReader(['summary', FUNCTIONS, VIEW, source.unit, TEXTS], files)).text;
}
