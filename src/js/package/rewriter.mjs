/**
 * wasm-instrument as a function, for any JavaScript engine. The package's index.mjs and the browser
 * script load the module that it runs.
 */

import { EXIT_USAGE } from '../wperf/format.mjs';
import { runInMemory } from './wasi.mjs';

const PROGRAM = 'wasm-instrument';
const [OUTPUT, LIST, BUILDS] = ['/output', 'whitelist', 'names'];
const DEFAULT_NAME = 'module.wasm';

/** Thrown for a module that cannot be instrumented; the message has the offset and the reason. */
export class InstrumentError extends Error {
  name = 'InstrumentError';
}

const toKebabCase = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Translates options to command-line arguments. */
function wordsOf(options, known) {
  const words = [];
  for (const [key, value] of Object.entries(options)) {
    const name = toKebabCase(key);
    if (!known.has(name)) throw new TypeError(`unknown option '${key}'`);
    if (value === undefined || value === null || value === false) continue;
    if (name === LIST) words.push(`--${LIST}=${LIST}`);
    else if (name === BUILDS) [value].flat().forEach((_, i) => words.push(`--${BUILDS}=${BUILDS}${i}`));
    else if (value === true) words.push(`--${name}`);
    else for (const item of [value].flat()) words.push(`--${name}=${item}`);
  }
  return words;
}

function bytesOf(source) {
  const isView = ArrayBuffer.isView(source);
  return isView ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
}

/** Splits a command's messages into lines, without the names of the command and the file. */
function messagesOf(stderr, name) {
  const heads = [`${PROGRAM}: ${name}: `, `${PROGRAM}: ${LIST}: `, `${PROGRAM}: `];
  return stderr
    .split('\n')
    .filter((line) => line && !line.startsWith("Try '"))
    .map((line) => line.slice(heads.find((head) => line.startsWith(head))?.length ?? 0));
}

function fail(status, messages) {
  const message = messages.join('\n') || `${PROGRAM} ended with ${status}`;
  throw status === EXIT_USAGE ? new TypeError(message) : new InstrumentError(message);
}

/**
 * Makes the function `instrument` from the command compiled to WebAssembly.
 *
 * @param {WebAssembly.Module} module wasm-instrument.wasm
 * @param {Set<string>} known the command's options, OPTIONS of options.mjs
 */
export function createInstrument(module, known) {
  return function instrument(source, { name = DEFAULT_NAME, scripts = {}, caller, ...options } = {}) {
    const { whitelist, names = [] } = options;
    const files = { ...scripts, [name]: bytesOf(source) };
    [names].flat().forEach((build, i) => (files[`${BUILDS}${i}`] = bytesOf(build)));
    if (whitelist !== undefined) files[LIST] = new TextEncoder().encode([whitelist].flat().join('\n'));
    const called = caller === undefined ? [] : [`--caller=${caller}`];
    const args = [PROGRAM, ...wordsOf(options, known), ...called, '-o', OUTPUT, '--', name];
    const { status, stderr, files: made } = runInMemory(module, args, files);
    const messages = messagesOf(stderr, name);
    if (status !== 0) fail(status, messages);
    const warnings = messages.map((message) => message.replace(/^warning: /, ''));
    return { bytes: made.get(OUTPUT), warnings };
  };
}
