/** Finds out why nothing in this process can be profiled. The program then runs without the profiler. */

import { dirname } from 'node:path';

/** Permissions that a process needs under --permission: [Node's name, scope, option that grants it]. */
const neededPermissions = (folder) => [
  ['fs.read', folder, `--allow-fs-read=${dirname(folder)}/*`],
  ['fs.write', folder, `--allow-fs-write=${dirname(folder)}/*`],
  ['child', undefined, '--allow-child-process'],
];

/**
 * Returns the reason as a message, or undefined.
 *
 * @param {string} folder of profiles
 */
export function findObstacle(folder) {
  if (!globalThis.WebAssembly) return 'Node.js has no WebAssembly here: --jitless removes it';
  if (Object.isFrozen(WebAssembly)) return '--frozen-intrinsics keeps WebAssembly from being profiled';
  const { permission } = process;
  const missing = permission ? neededPermissions(folder).filter(([name, path]) => !permission.has(name, path)) : [];
  if (missing.length === 0) return undefined;
  return `--permission keeps the program from being profiled; add ${missing.map(([, , option]) => option).join(' ')}`;
}
