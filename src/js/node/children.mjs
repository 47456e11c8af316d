/**
 * Loads the profiler into child processes that get an environment of their own. Node starts all child processes
 * through two internal functions. They exist without node:child_process, which takes long to load.
 */

import { replaceFunction } from './replace.mjs';

const SESSION = 'WASM_PERF_SESSION=';
const OPTIONS = 'NODE_OPTIONS=';
const [WORDS, ENVIRONMENT] = [1, 3]; // arguments, from Node 26 on; earlier, they are properties of the first one

const LONGEST_LINE = 4096; // characters: the time of the search below grows with their square

/** A command of env that clears the environment for Node, on its own or in a shell's text. */
const CLEARING = /(?:^|[\s/])env\s+(?:-[uC]\s+\S+\s+|-(?![uC]\s)\S+\s+)*?(?:-|-[a-z0]*i[a-z0]*|--ignore-environment)\s.*?(?<![\w.-])(?:node|npx|npm)(?![\w.-])/s;

/** Programs that run WebAssembly and do not load the profiler. Miniflare, and so wrangler, starts workerd. */
const OTHER_ENGINES = /(?:^|\/)(workerd|deno|wasmtime|wasmer|wasmedge|wazero)$/;

/** Adds our variables to a list of NAME=VALUE, unless it contains the session's: then it was copied from ours. */
function complete(pairs, session, option) {
  if (!Array.isArray(pairs) || pairs.some((pair) => pair.startsWith(SESSION))) return;
  const at = pairs.findIndex((pair) => pair.startsWith(OPTIONS));
  const [given = OPTIONS] = at < 0 ? [] : pairs.splice(at, 1);
  const options = [given.slice(OPTIONS.length), option].filter(Boolean).join(' ');
  pairs.push(OPTIONS + options, SESSION + session);
}

/** Whether the child, which has our variables, starts a Node that does not get them. */
function clears(words) {
  const line = Array.isArray(words) ? words.join(' ').slice(0, LONGEST_LINE) : '';
  return CLEARING.test(line) && !line.includes(SESSION);
}

/** Returns an internal binding of Node; undefined if the host does not have it. */
function binding(name) {
  const { noDeprecation } = process;
  try {
    process.noDeprecation = true; // --pending-deprecation would print a warning
    return process.binding(name);
  } catch {
    return undefined;
  } finally {
    process.noDeprecation = noDeprecation;
  }
}

/**
 * Patches Node. Call it once, before the program runs.
 *
 * @param {string} session value of WASM_PERF_SESSION, the settings of this process
 * @param {string} option of Node that loads the profiler
 * @param {() => void} warnOfClearing called when a child clears its environment before it starts Node
 * @param {(name: string) => void} warnOfEngine called when a child is another engine
 * @returns {boolean} whether all child processes get our variables
 */
export function patchChildren(session, option, warnOfClearing, warnOfEngine) {
  const targets = [binding('process_wrap')?.Process?.prototype, binding('spawn_sync')].filter((target) => target?.spawn);
  for (const target of targets) {
    const { spawn } = target;
    target.spawn = function (...args) {
      complete(args[0]?.envPairs ?? args[ENVIRONMENT], session, option);
      if (clears(args[0]?.args ?? args[WORDS])) warnOfClearing();
      const result = spawn.apply(this, args);
      const [, engine] = OTHER_ENGINES.exec(args[0]?.file ?? args[0]) ?? [];
      if (engine && (result === 0 || result?.pid > 0)) warnOfEngine(engine);
      return result;
    };
  }
  return targets.length === 2;
}

/** Returns an environment with our variables added; without `session`, only the option that loads the profiler. */
export function withSession({ NODE_OPTIONS: given = '', WASM_PERF_SESSION: _, ...rest }, session, option) {
  const isThere = typeof given !== 'string' || given.split(' ').includes(option);
  const changed = { ...rest, NODE_OPTIONS: isThere ? given : `${given} ${option}`.trim() };
  return session === undefined ? changed : { ...changed, WASM_PERF_SESSION: session };
}

/**
 * Calls `prepare` before process.execve turns the process into another program, if this Node has it.
 *
 * @param {(environment: object) => {environment: object, stay: () => void}} prepare `stay` is called if execve
 *   fails
 */
export function patchExecve(prepare) {
  if (!process.execve) return;
  replaceFunction(process, 'execve', (original) =>
    function (file, args, environment = process.env) {
      const isMeant = typeof file === 'string' && Array.isArray(args ?? []) && typeof environment === 'object' && environment;
      if (!isMeant) return original.call(this, file, args, environment);
      const prepared = prepare(environment);
      try {
        return original.call(this, file, args, prepared.environment);
      } finally {
        prepared.stay();
      }
    });
}
