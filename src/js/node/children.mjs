/**
 * Child processes that a program starts with an environment of its own: they get what loads us, too. All ways to
 * start one lead through two functions of Node's, which are there without node:child_process: loading that takes long.
 */

import { replaceFunction } from './replace.mjs';

const SESSION = 'WASM_PERF_SESSION=';
const OPTIONS = 'NODE_OPTIONS=';
const ENVIRONMENT = 3; // the argument, from Node 26 on; before, it is a part of the first

/** Adds our variables to a list of NAME=VALUE, unless it has the session: then it was made of ours. */
function complete(pairs, session, option) {
  if (!Array.isArray(pairs) || pairs.some((pair) => pair.startsWith(SESSION))) return;
  const at = pairs.findIndex((pair) => pair.startsWith(OPTIONS));
  const [given = OPTIONS] = at < 0 ? [] : pairs.splice(at, 1);
  const options = [given.slice(OPTIONS.length), option].filter(Boolean).join(' ');
  pairs.push(OPTIONS + options, SESSION + session);
}

/** What Node itself is made of; undefined where this host has no such thing. */
function binding(name) {
  const { noDeprecation } = process;
  try {
    process.noDeprecation = true; // --pending-deprecation would tell of it
    return process.binding(name);
  } catch {
    return undefined;
  } finally {
    process.noDeprecation = noDeprecation;
  }
}

/**
 * To be called once, before the program runs.
 *
 * @param {string} session the variable that hands on what this process was asked for
 * @param {string} option of Node that loads us
 */
export function patchChildren(session, option) {
  for (const target of [binding('process_wrap')?.Process?.prototype, binding('spawn_sync')]) {
    const { spawn } = target ?? {};
    if (!spawn) continue;
    target.spawn = function (...args) {
      complete(args[0]?.envPairs ?? args[ENVIRONMENT], session, option);
      return spawn.apply(this, args);
    };
  }
}

/** An environment with ours in it; without `session`: only what loads us. */
export function withSession({ NODE_OPTIONS: given = '', WASM_PERF_SESSION: _, ...rest }, session, option) {
  const isThere = typeof given !== 'string' || given.split(' ').includes(option);
  const changed = { ...rest, NODE_OPTIONS: isThere ? given : `${given} ${option}`.trim() };
  return session === undefined ? changed : { ...changed, WASM_PERF_SESSION: session };
}

/**
 * Before the process becomes another program by process.execve, where this Node has that.
 *
 * @param {(environment: object) => {environment: object, stay: () => void}} prepare
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
