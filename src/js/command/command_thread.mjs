/** Runs a command of this package in a thread, so that the main thread still receives signals. */

import { parentPort, workerData } from 'node:worker_threads';
import { runOnNode } from './command.mjs';

parentPort.postMessage(runOnNode(workerData.name, workerData.words));
