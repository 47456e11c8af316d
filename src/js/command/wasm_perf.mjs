#!/usr/bin/env node
/** The command wasm-perf of the npm package: record, and the commands that read profiles. */

import { runOnNode } from './command.mjs';
import { record } from './record.mjs';

const words = process.argv.slice(2);
process.exitCode = words[0] === 'record' ? await record(words.slice(1)) : runOnNode('wasm-perf', words);
