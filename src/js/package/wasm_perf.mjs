#!/usr/bin/env node
/** The command wasm-perf, for systems that it is not built for: all that reads profiles. */

import { runOnNode } from './command.mjs';

process.exitCode = runOnNode('wasm-perf', process.argv.slice(2));
