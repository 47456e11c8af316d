// Runs wasm-perf's own readers, which every page carries as WebAssembly: see cli/reader/main.c.
import { runInMemory } from '../../../js/package/wasi.mjs';
import { bytesOfBase64, inflate, loadProfile } from './data.mjs';

const FUNCTIONS = '.functions'; // name of the reader's input, which no file has that the user chooses
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

/**
 * Returns the data of a page with names for functions without one, from modules and symbol files, whose names are in
 * `symbols`; `files` maps names to bytes.
 */
export async function nameFunctions(data, files, symbols) {
  const { names, kinds, places } = data.head;
  const placeOf = new Map(places.map(([label, file, line]) => [label, { file, line }]));
  const lines = names.map((name, i) => [kinds[i], placeOf.get(i)?.line ?? 0, placeOf.get(i)?.file ?? '', name].join('\t'));
  const functions = new TextEncoder().encode(`${lines.join('\n')}\n`);
  const { text } = await runReader(['names', FUNCTIONS, ...symbols], { ...files, [FUNCTIONS]: functions });
  return { ...data, head: { ...data.head, ...JSON.parse(text) } };
}
