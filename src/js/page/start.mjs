/**
 * Starts the profiler in a page, in a worker, or in our worker that rewrites modules. browser.mjs, a script of its
 * own, and bundled.mjs, part of the program's, call it.
 */

import { OPTIONS } from '../package/options.mjs';
import { showPanel } from './panel.mjs';
import { createAddUp } from './add_up.mjs';
import { createJoin, createReport } from '../package/report.mjs';
import { createInstrument } from '../package/rewriter.mjs';
import { Recorder } from './recorder.mjs';
import { serveRewriting } from './rewriting.mjs';
import { loadOwnScript, setOwnScript } from './workers.mjs';

const LIST_OPTIONS = ['only', 'exclude', 'whitelist'];

/** The engine's own: our programs are not the page's modules. */
const { Module } = WebAssembly;

/** Converts the script's attributes to options: an attribute without a value becomes true. */
function optionsOf({ panel, ...attributes } = {}) {
  const options = {};
  for (const [key, value] of Object.entries(attributes)) {
    options[key] = LIST_OPTIONS.includes(key) ? value.split(/\s+/) : value === '' || value;
  }
  return { hasPanel: panel !== 'off', options };
}

/** Compiles the module of a command. Explains the error if the page's content policy forbids that. */
function compile(bytes) {
  try {
    return new Module(bytes);
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw new Error(
      "this page's content security policy forbids WebAssembly: add 'wasm-unsafe-eval' to its " +
        `script-src (${error.message})`,
    );
  }
}

/**
 * @param {(name: string) => Uint8Array} bytesOf returns the module of one of our commands
 * @param {string} script URL of our script; empty if it is part of another
 * @param {(name: string) => Promise<void>} [load] called before bytesOf if there is time
 * @returns the global `wasmPerf`, or undefined in the worker that rewrites modules
 */
export function start(bytesOf, script, load = async () => {}) {
  const programs = {};
  const program = (name) => (programs[name] ??= compile(bytesOf(name)));
  const instrument = (...args) => createInstrument(program('wasm-instrument'), OPTIONS)(...args);
  setOwnScript(script);
  if (serveRewriting(instrument)) return undefined;
  const { hasPanel, options } = optionsOf(globalThis.document?.currentScript?.dataset);
  const tools = {
    instrument,
    prepare: () => load('wasm-instrument'),
    report: (...args) => createReport(program('wasm-perf'))(...args),
    join: (profiles) => createJoin(program('wasm-perf'))(profiles),
    addUp: (...args) => createAddUp(program('wasm-perf'))(...args),
  };
  const recorder = new Recorder(tools, options);
  if (hasPanel && globalThis.document) showPanel(recorder);
  loadOwnScript();
  return recorder;
}
