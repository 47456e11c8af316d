/**
 * Profiles the WebAssembly of a page. browser.js is a script to load before the page's own:
 *
 *     <script src="wasm-perf/browser.js" data-clock="instructions" data-only="parse_*"></script>
 *
 * Its data attributes are the options of `instrument`. data-module is a pattern for the names of the modules to
 * profile, and data-panel="off" hides the panel. In a worker, use importScripts; there is no panel, and the
 * worker's counts are added to the page's. The script defines the global `wasmPerf`: profiles(),
 * report(profile), start(), stop().
 */

import { PROGRAMS } from './browser_programs.mjs';
import { OPTIONS } from '../package/options.mjs';
import { showPanel } from './panel.mjs';
import { createReport } from '../package/report.mjs';
import { createInstrument } from '../package/rewriter.mjs';
import { Recorder } from './recorder.mjs';
import { serveRewriting } from './rewriting.mjs';
import { loadOwnScript } from './workers.mjs';

const LIST_OPTIONS = ['only', 'exclude', 'whitelist'];

/** The engine's own: our programs are not the page's modules. */
const { Module } = WebAssembly;

const programs = {};

function program(name) {
  const decode = () => Uint8Array.from(atob(PROGRAMS[name]), (letter) => letter.charCodeAt(0));
  return (programs[name] ??= new Module(decode()));
}

/** Converts the script's attributes to options: an attribute without a value becomes true. */
function optionsOf({ panel, ...attributes } = {}) {
  const options = {};
  for (const [key, value] of Object.entries(attributes)) {
    options[key] = LIST_OPTIONS.includes(key) ? value.split(/\s+/) : value === '' || value;
  }
  return { hasPanel: panel !== 'off', options };
}

/** Compiles the module of a command. Explains the error if the page's content policy forbids that. */
function mustHave(name) {
  try {
    return program(name);
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw new Error(
      "this page's content security policy forbids WebAssembly: add 'wasm-unsafe-eval' to its " +
        `script-src (${error.message})`,
    );
  }
}

/** Starts the role of this thread: page, worker, or our worker that rewrites modules. */
function start() {
  const instrument = (...args) => createInstrument(mustHave('wasm-instrument'), OPTIONS)(...args);
  if (serveRewriting(instrument)) return undefined;
  const { hasPanel, options } = optionsOf(globalThis.document?.currentScript?.dataset);
  const tools = { instrument, report: (...args) => createReport(mustHave('wasm-perf'))(...args) };
  const recorder = new Recorder(tools, options);
  if (hasPanel && globalThis.document) showPanel(recorder);
  loadOwnScript();
  return recorder;
}

export const wasmPerf = (globalThis.wasmPerf ??= start());
