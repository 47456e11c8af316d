/** Runs a command of this package on Node's files and streams. */

import { nodeFiles, nodeStreams } from './node_files.mjs';
import { loadProgramSync } from '../package/programs.mjs';
import { runCommand } from '../package/wasi.mjs';

/** Runs a command with these arguments; returns its exit code. `onRecord`: see runCommand. */
export function runOnNode(name, words, onRecord) {
  const args = [name, ...words];
  const env = { COLUMNS: String(process.stdout.columns ?? ''), ...process.env };
  return runCommand(loadProgramSync(name), { args, env, files: nodeFiles, onRecord, ...nodeStreams() });
}
