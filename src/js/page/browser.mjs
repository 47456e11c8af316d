/**
 * Profiles the WebAssembly of a page. As a script before the page's own, browser.js:
 *
 *     <script src="wasm-perf/browser.js" data-clock="instructions" data-only="parse_*"></script>
 *
 * Its data attributes are the options of `instrument`; data-module is a pattern for the names of the
 * modules to profile, and data-panel="off" leaves the panel out. In a worker, importScripts does the
 * same, without a panel. `wasmPerf` is then a global: profiles(), report(profile), start(), stop().
 */

import { PROGRAMS } from './browser_programs.mjs';
import { OPTIONS } from '../package/options.mjs';
import { showPanel } from './panel.mjs';
import { createReport } from '../package/report.mjs';
import { createInstrument } from '../package/rewriter.mjs';
import { Recorder } from './recorder.mjs';

const LIST_OPTIONS = ['only', 'exclude', 'whitelist'];

/** The engine's own: the programs below are none of the page's. */
const { Module } = WebAssembly;

const programs = {};

function program(name) {
  const decode = () => Uint8Array.from(atob(PROGRAMS[name]), (letter) => letter.charCodeAt(0));
  return (programs[name] ??= new Module(decode()));
}

/** The attributes of the script as options: one without a value is switched on. */
function optionsOf({ panel, ...attributes } = {}) {
  const options = {};
  for (const [key, value] of Object.entries(attributes)) {
    options[key] = LIST_OPTIONS.includes(key) ? value.split(/\s+/) : value === '' || value;
  }
  return { hasPanel: panel !== 'off', options };
}

/** The module of a command; explains where the page's content policy forbids it. */
function mustHave(name) {
  try {
    return program(name);
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw new Error(
      "this page's content policy forbids to compile WebAssembly: its script-src wants " +
        `'wasm-unsafe-eval'. (${error.message})`,
    );
  }
}

const WORKER = "a worker has a WebAssembly of its own: what it does is not in the profile; " +
  'importScripts this script in the worker to profile it there';

/** Says where WebAssembly may run that is not seen. */
function tellOfWorkers(recorder) {
  const { Worker } = globalThis;
  if (!Worker || !globalThis.document) return;
  globalThis.Worker = new Proxy(Worker, {
    construct(target, args, newTarget) {
      recorder.onMessage(WORKER);
      return Reflect.construct(target, args, newTarget === globalThis.Worker ? target : newTarget);
    },
  });
  Worker.prototype.constructor = globalThis.Worker;
}

function start() {
  const { hasPanel, options } = optionsOf(globalThis.document?.currentScript?.dataset);
  const tools = {
    instrument: (...args) => createInstrument(mustHave('wasm-instrument'), OPTIONS)(...args),
    report: (...args) => createReport(mustHave('wasm-perf'))(...args),
  };
  const recorder = new Recorder(tools, options);
  if (hasPanel && globalThis.document) showPanel(recorder);
  tellOfWorkers(recorder);
  return recorder;
}

export const wasmPerf = (globalThis.wasmPerf ??= start());
