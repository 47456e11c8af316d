/**
 * Profiles the WebAssembly of a page. browser.js is a script to load before the page's own:
 *
 *     <script src="wasm-perf/browser.js" data-clock="instructions" data-only="parse_*"></script>
 *
 * Its data attributes are the options of `instrument`. data-module is a pattern for the names of the modules to
 * profile, and data-panel="off" hides the panel. In a worker, use importScripts; there is no panel, and the
 * worker's counts are added to the page's. The script defines the global `wasmPerf`: profiles(),
 * join(profiles), report(profile), start(), stop().
 *
 * The modules of our commands are files beside it, which it reads when they are needed.
 */

import { start } from './start.mjs';

/** The engine's own: the page may replace it. */
const { XMLHttpRequest } = globalThis;

/** The URL of this script. A worker knows only its own; the stack names the file of each function. */
function ownUrl() {
  if (globalThis.document) return globalThis.document.currentScript?.src ?? '';
  const [, url] = /(\w+:\/\/[^\s()]+?)(?::\d+){1,2}\)?$/m.exec(new Error().stack) ?? [];
  return url ?? '';
}

const script = ownUrl();

const missing = (url, status) => new Error(`${url} is missing (${status}): keep it beside ${script}`);

const loaded = {}; // by name

/** Loads a file in a service worker, which cannot read files synchronously. */
async function load(name) {
  if (XMLHttpRequest || loaded[name]) return;
  const url = new URL(`${name}.wasm`, script);
  const response = await fetch(url);
  if (!response.ok) throw missing(url, response.status);
  loaded[name] = new Uint8Array(await response.arrayBuffer());
}

/** Reads a file synchronously: a module that the program compiles synchronously must be rewritten first. */
function bytesOf(name) {
  const url = new URL(`${name}.wasm`, script);
  if (loaded[name]) return loaded[name];
  if (!XMLHttpRequest) throw new Error('a service worker must compile it with WebAssembly.instantiate or compile');
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.overrideMimeType('text/plain; charset=x-user-defined'); // a character for each byte
  request.send();
  const { status, responseText } = request;
  if (status !== 200) throw missing(url, status);
  const bytes = new Uint8Array(responseText.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = responseText.charCodeAt(i); // its low byte
  return bytes;
}

export const wasmPerf = (globalThis.wasmPerf ??= start(bytesOf, script, load));
