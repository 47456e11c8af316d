/**
 * Loads modules of Node on demand. Each takes milliseconds to load, and only few programs need them, or need
 * them late.
 */

import { createRequire } from 'node:module';

/** Saved before the program can replace it; Node 18 does not have it. */
const { getBuiltinModule = createRequire(import.meta.url) } = process;

/** Returns a module of Node, and loads it if necessary. */
export const builtin = (name) => getBuiltinModule(name);

/** Identifies bytes or a text by 32 hexadecimal digits. */
export const hashOf = (bytes) => builtin('node:crypto').createHash('sha256').update(bytes).digest('hex').slice(0, 32);
