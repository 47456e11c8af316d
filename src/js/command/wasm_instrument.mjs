#!/usr/bin/env node
/** The command wasm-instrument, for systems that it is not built for. */

import { runOnNode } from './command.mjs';

process.exitCode = runOnNode('wasm-instrument', process.argv.slice(2));
