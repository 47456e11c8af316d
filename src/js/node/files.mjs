/** Creates files atomically: other threads and processes see the whole file or none. */

import fs from 'node:fs';
import { threadId } from 'node:worker_threads';

/** Saved before the program can replace them. */
const { renameSync, rmSync } = fs;

/** Calls `write` with a temporary path of this thread, then renames the file to `path`. Returns write's result. */
export function putInPlace(path, write) {
  const temporary = `${path}.${process.pid}.${threadId}`;
  try {
    const result = write(temporary);
    renameSync(temporary, path);
    return result;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
