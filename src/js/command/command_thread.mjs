/** A thread that runs a command of this package, so that the main one can still see signals. */

import { parentPort, workerData } from 'node:worker_threads';
import { runOnNode } from './command.mjs';

parentPort.postMessage(runOnNode(workerData.name, workerData.words));
