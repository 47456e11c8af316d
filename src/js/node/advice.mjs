/**
 * Explains an engine's error about a module, and what to do about it. The engine knows neither the module's
 * origin nor its host.
 */

const RECORD = 'wasm-perf record -o app.svg --';

/** [pattern of the engine's message, explanation and advice]. The first match is used. */
const ADVICE = [
  [/Import #\d+ "(gojs|go)"/, `Go built it for JavaScript; run it by Go's script: ${RECORD} node "$(go env GOROOT)/lib/wasm/wasm_exec_node.js" app.wasm; or build it with GOOS=wasip1`],
  [/Import #\d+ "(wbg|__wbindgen[^"]*|\.\/[^"]*_bg\.js)"/, `wasm-bindgen built it for JavaScript; run a program that loads it: ${RECORD} node app.mjs`],
  [/Import #\d+ "(a|env|GOT\.\w+)"/, `it imports functions of its own JavaScript, as Emscripten's modules do; run that: ${RECORD} node app.js; or link it with -sSTANDALONE_WASM`],
  [/^wasi-threads$/, "neither does wasmtime, from version 49 on: build the program without threads"],
  [/^no memory$/, 'WASI reads its arguments and results there: link with --export-memory (wasm-ld)'],
  [/Import #\d+ "wasi:[^"]*"/, 'it is the core module of a WASI 0.2 component: run the component instead'],
  [/Import #\d+ "(wasi_unstable|wasi_snapshot_preview1)"/, "Node's WASI does not have that function: try --engine wasmtime"],
  [/Import #\d+ /, `it imports functions of a host; run that host: ${RECORD} node app.mjs; for a host other than Node: wasm-instrument --embed`],
  [/^no _start$/, `--invoke EXPORT ARGUMENTS calls one of its functions; ${RECORD} node app.mjs profiles a program that uses it`],
  [/enable with (--experimental-wasm-[\w-]+)/, 'Node needs an option for that: --engine-option=$1; or try --engine wasmtime'],
  [/cannot compile it/, 'if it is valid, another engine may support it: --engine wasmtime'],
];

const OWN_WORDS = {
  'no _start': 'not a WASI command: it does not export _start',
  'no memory': 'not a WASI command: it does not export a memory named memory',
  'wasi-threads': "it uses wasi-threads (thread-spawn), which Node's WASI does not have",
};

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
