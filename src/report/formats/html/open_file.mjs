// Recognises files: profiles, pages, and files that complete profiles.
import { inflate, loadProfile } from './data.mjs';

const PAGE_DATA = /<script type="application\/octet-stream" id="profile">([A-Za-z0-9+/=\s]*)<\/script>/;
const MODULE = [0, 0x61, 0x73, 0x6d]; // and components
const GZIP = [0x1f, 0x8b];
const LARGEST = 512 << 20; // bytes; texts of more are too long for the engine

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

/** Whether the text is a source map, of which some begin with )]}'. */
function isSourceMap(text) {
  const start = /^\s*(?:\)\]\}'?)?\s*/.exec(text)[0].length;
  if (text[start] !== '{' || !/"(?:mappings|sections)"\s*:/.test(text)) return false;
  try {
    const { mappings, sections } = JSON.parse(text.slice(start));
    return typeof mappings === 'string' || Array.isArray(sections);
  } catch {
    return false;
  }
}

/**
 * Returns {data} of a page, or {kind, bytes}: 'profile' is for the reader, 'symbols' has names and perhaps lines,
 * 'map' is a source map.
 */
export async function readFile(packed) {
  const bytes = startsWith(packed, GZIP) ? await inflate(packed, LARGEST) : packed;
  if (startsWith(bytes, MODULE)) return { kind: 'symbols', bytes };
  const text = textOf(bytes) ?? '';
  const page = PAGE_DATA.exec(text);
  if (page !== null) return { data: await loadProfile(page[1].trim()) };
  return { kind: isSymbolFile(text) ? 'symbols' : isSourceMap(text) ? 'map' : 'profile', bytes };
}
