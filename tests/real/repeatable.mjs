// Time and chance, the same in each run, for programs whose calls depend on them: their hash
// tables, schedulers, the names and so the places of files in memory. To be imported before the
// program is.
import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

let milliseconds = 1e12;
const now = () => (milliseconds += 0.001);

performance.now = now;
Date.now = () => Math.floor(now());
Math.random = () => 0.5;
crypto.getRandomValues = (array) => array.fill(7);
nodeCrypto.randomFillSync = (array) => array.fill(7);
syncBuiltinESMExports();

/** What stands in for these functions of WASI; `memory` is called when they are. */
export function repeatableWasi(memory) {
  return {
    clock_time_get(_id, _precision, address) {
      new DataView(memory().buffer).setBigUint64(address, BigInt(Math.floor(now() * 1e6)), true);
      return 0;
    },
    random_get(address, size) {
      new Uint8Array(memory().buffer, address, size).fill(7);
      return 0;
    },
  };
}
