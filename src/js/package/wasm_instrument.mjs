#!/usr/bin/env node
/** The command wasm-instrument, for systems that it is not built for. */

import { nodeFiles, nodeStreams } from './node_files.mjs';
import { loadProgramSync } from './programs.mjs';
import { runCommand } from './wasi.mjs';

process.exitCode = runCommand(loadProgramSync('wasm-instrument'), {
  args: ['wasm-instrument', ...process.argv.slice(2)],
  env: process.env,
  files: nodeFiles,
  ...nodeStreams(),
});
