/**
 * Explains an engine's error about a module, and what to do about it. The engine knows neither the module's
 * origin nor its host.
 */

const RECORD = 'wasm-perf record -o app.svg --';

/** [pattern of the engine's message, explanation and advice]. The first match is used. */
const ADVICE = [
  [/Import #\d+ "(gojs|go)"/, `it is a program of Go for JavaScript, which Go's own script runs: ${RECORD} node "$(go env GOROOT)/lib/wasm/wasm_exec_node.js" app.wasm; or build it with GOOS=wasip1`],
  [/Import #\d+ "(wbg|__wbindgen[^"]*|\.\/[^"]*_bg\.js)"/, `it is a module of wasm-bindgen, which its JavaScript loads: ${RECORD} node app.mjs, for any program that uses it`],
  [/Import #\d+ "(a|env|GOT\.\w+)"/, `it wants functions of the JavaScript that it was built with, as Emscripten's modules do: ${RECORD} node app.js; or link it with -sSTANDALONE_WASM`],
  [/Import #\d+ "wasi"/, 'it uses threads of WASI, which Node does not have: --engine wasmtime --engine-option=-Sthreads'],
  [/Import #\d+ "wasi:[^"]*"/, 'it is for WASI 0.2, as a component: run the component instead'],
  [/Import #\d+ "(wasi_unstable|wasi_snapshot_preview1)"/, "Node's WASI does not have that function: try --engine wasmtime"],
  [/Import #\d+ /, `it wants functions of a host of its own: ${RECORD} node app.mjs, for the program that is its host; or wasm-instrument --embed, for any other host`],
  [/^no _start$/, `--invoke EXPORT ARGUMENTS calls one function of it; ${RECORD} node app.mjs profiles a program that uses it`],
  [/enable with (--experimental-wasm-[\w-]+)/, 'Node has that behind an option: --engine-option=$1; or try --engine wasmtime'],
  [/cannot compile it/, 'if it is valid, another engine may know what this one does not: --engine wasmtime'],
];

const OWN_WORDS = { 'no _start': 'it is no WASI command: it does not export _start' };

/**
 * @param {string} message of the engine, or a key of OWN_WORDS
 * @returns {string} the message, with the advice on a second line
 */
export function adviceFor(message) {
  const [pattern, advice] = ADVICE.find(([form]) => form.test(message)) ?? [];
  const words = OWN_WORDS[message] ?? message;
  if (!advice) return words;
  const [, ...parts] = pattern.exec(message);
  return `${words}\n  ${advice.replace(/\$(\d)/g, (_, number) => parts[number - 1])}`;
}

/** Advice for a stack overflow; `option` makes the stack larger. */
export const adviceOnStack = (option) => `hooks need stack, too: ${option} gives more, up to what "ulimit -s" says`;
