/**
 * What is needed of Node by few programs, or late: each of these modules takes milliseconds to load, which
 * every program would wait for.
 */

import { createRequire } from 'node:module';

/** Taken before the program can put its own in its place; Node 18 has no such function. */
const { getBuiltinModule = createRequire(import.meta.url) } = process;

/** A module of Node, loaded now if it was not. */
export const builtin = (name) => getBuiltinModule(name);

/** 32 hexadecimal digits that tell these bytes or text from all others. */
export const hashOf = (bytes) => builtin('node:crypto').createHash('sha256').update(bytes).digest('hex').slice(0, 32);
