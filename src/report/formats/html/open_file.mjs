// Recognises files: profiles of wasm-perf and of other tools, and files that complete profiles.
import { inflate, loadProfile } from './data.mjs';
import { readFolded, readPprof } from './read_binary.mjs';
import { readJson } from './read_json.mjs';

const PAGE_DATA = /<script type="application\/octet-stream" id="profile">([A-Za-z0-9+/=\s]*)<\/script>/;
const WPERF = [0x89, 0x77, 0x70, 0x65, 0x72, 0x66, 0x0d, 0x0a];
const MODULE = [0, 0x61, 0x73, 0x6d]; // and components
const GZIP = [0x1f, 0x8b];

const startsWith = (bytes, start) => start.every((byte, i) => bytes[i] === byte);

/** Decodes bytes as UTF-8; null if they are not. */
function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Whether the text has lines INDEX:NAME only, and comments. */
function isSymbolFile(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.length > 0 && lines.every((line) => /^\d+:./.test(line));
}

async function readText(text, title) {
  const page = PAGE_DATA.exec(text);
  if (page !== null) return { data: await loadProfile(page[1].trim()) };
  if (text.includes('[wasm-perf=')) return { kind: 'wperf' }; // a profile among a program's messages
  if (isSymbolFile(text)) return { kind: 'symbols' };
  const start = /^\s*(?:\)\]\}'?)?\s*/.exec(text)[0].length; // some source maps begin with )]}'
  if (!'{['.includes(text[start] ?? ' ')) return { data: readFolded(text, title) };
  const json = JSON.parse(text.slice(start));
  return typeof json.mappings === 'string' || json.sections !== undefined ? { kind: 'map' } : { data: readJson(json, title) };
}

/**
 * Returns {data} of another tool's profile, or {kind, bytes}: 'wperf' is a profile for the reader, 'symbols' has names
 * and perhaps lines, 'map' is a source map.
 */
export async function readFile(packed, title) {
  const bytes = startsWith(packed, GZIP) ? await inflate(packed) : packed;
  if (startsWith(bytes, WPERF)) return { kind: 'wperf', bytes };
  if (startsWith(bytes, MODULE)) return { kind: 'symbols', bytes };
  const text = textOf(bytes);
  if (text === null || /[\u0000-\u0008]/.test(text.slice(0, 4096))) return { data: readPprof(bytes, title) };
  return { bytes, ...(await readText(text, title)) };
}
