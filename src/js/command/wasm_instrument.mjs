#!/usr/bin/env node
/** The command wasm-instrument of the npm package. */

import { runOnNode } from './command.mjs';

process.exitCode = runOnNode('wasm-instrument', process.argv.slice(2));
