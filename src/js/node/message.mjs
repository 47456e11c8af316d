/** What we say on stderr: the only place that writes there, so that nothing of others reaches a terminal raw. */

import { clean } from '../wperf/clean.mjs';

const { _rawDebug } = process; // the program may put its own in place of process.stderr

/**
 * @param {string} message one line, or several; texts of others may be in it
 */
export function say(message) {
  const [first, ...rest] = String(message).split('\n').map(clean);
  _rawDebug([`wasm-perf: ${first}`, ...rest.map((line) => line.replace(/^(?! )/, '  '))].join('\n'));
}
