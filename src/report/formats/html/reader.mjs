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
 * Reads a profile, of wasm-perf or of another tool, as wasm-perf report does: {data, parts: the elements of the page that are about it, messages}.
 * `symbols`: names of other files, which complete it.
 */
export async function readProfile(name, files, symbols) {
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

/** A function without a name: "func[12]", possibly followed by a hint. */
const NUMBERED_NAME = /^func\[(\d+)\](?: .*)?$/;
const NAMED_KIND = 0; // of the program, see model/color.h
const NUMBERED_KIND = 6;

/** Returns the data of a page with names for functions without one; `names` maps function indices, as texts, to names. */
export function nameFunctions(data, names) {
  const renamed = data.head.names.map((name) => {
    const index = NUMBERED_NAME.exec(name)?.[1];
    return (index !== undefined && names.get(index)) || name;
  });
  const kinds = data.head.kinds.map((kind, i) => (kind === NUMBERED_KIND && renamed[i] !== data.head.names[i] ? NAMED_KIND : kind));
  return { ...data, head: { ...data.head, names: renamed, kinds } };
}
