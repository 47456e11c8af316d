// Recognises and reads files: a profile becomes the page's data, other files provide names.
import { loadProfile } from './data.mjs';
import { isModule, readFolded, readModuleNames, readPprof, readSymbols } from './read_binary.mjs';
import { readJson } from './read_json.mjs';
import { isWperf, readWperf } from './read_wperf.mjs';

const PAGE_DATA = /<script type="application\/octet-stream" id="profile">([A-Za-z0-9+/=\s]*)<\/script>/;

async function unpack(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Decodes bytes as UTF-8; null if they are not. */
function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function readText(text, title) {
  const page = PAGE_DATA.exec(text);
  if (page !== null) return { data: await loadProfile(page[1].trim()) };
  if (/^\s*[{[]/.test(text)) return { data: readJson(JSON.parse(text), title) };
  const names = readSymbols(text);
  return names === null ? { data: readFolded(text, title) } : { names };
}

/** Returns {data} of a profile, or {names}, a map from function indices to names. */
export async function readFile(packed, title) {
  const bytes = await unpack(packed);
  if (isWperf(bytes)) return { data: readWperf(bytes, title) };
  if (isModule(bytes)) return { names: readModuleNames(bytes) };
  const text = textOf(bytes);
  return text === null || /[\u0000-\u0008]/.test(text.slice(0, 4096)) ? { data: readPprof(bytes, title) } : readText(text, title);
}

