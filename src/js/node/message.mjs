/**
 * Prints our messages on stderr. Nothing else here writes to it, so that no untrusted text reaches a terminal
 * unescaped.
 */

import { clean } from '../wperf/clean.mjs';

const { _rawDebug } = process; // the program may replace process.stderr

/** @param {string} message one or more lines; may contain untrusted text */
export function say(message) {
  const [first, ...rest] = String(message).split('\n').map(clean);
  _rawDebug([`wasm-perf: ${first}`, ...rest.map((line) => line.replace(/^(?! )/, '  '))].join('\n'));
}

/** Prints a message of a list that C has, too, with `value` in place of its %s. */
export const sayOne = (message, value) => say(message.replace('%s', () => value));
