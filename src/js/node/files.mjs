/** Files that other threads and processes see whole or not at all. */

import fs from 'node:fs';
import { threadId } from 'node:worker_threads';

/** Taken before the program can put its own in their place. */
const { renameSync, rmSync } = fs;

/** Has `write` make a file of this thread's own and puts it at `path`; returns what that returned. */
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
