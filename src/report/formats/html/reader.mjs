// Runs wasm-perf's own readers, which every page carries as WebAssembly: see cli/reader/main.c.
import { runInMemory } from '../../../js/package/wasi.mjs';
import { bytesOfBase64, inflate, loadProfile } from './data.mjs';

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
 * Reads a .wperf file as wasm-perf report does: {data, parts: the elements of the page that are about it, messages}.
 * `symbols`: names of other files, which complete it.
 */
export async function readWperf(name, files, symbols) {
  const { text, messages } = await runReader(['profile', name, ...symbols], files);
  const parts = new DOMParser().parseFromString(text, 'text/html');
  return { data: await loadProfile(parts.getElementById('profile').textContent), parts, messages };
}

/** Reads the names in a module or a symbol file: a map from function indices, as texts, to names. */
export async function readNames(name, bytes) {
  const { text } = await runReader(['names', name], { [name]: bytes });
  const names = new Map(Object.entries(JSON.parse(text)));
  if (names.size === 0) throw new Error('it has no names');
  return names;
}
