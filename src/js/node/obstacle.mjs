/** Why nothing in this process can be profiled: then the program runs as it would without us. */

import { dirname } from 'node:path';

/** What a process needs that runs with --permission: [its name there, what of, the option that permits it]. */
const neededPermissions = (folder) => [
  ['fs.read', folder, `--allow-fs-read=${dirname(folder)}/*`],
  ['fs.write', folder, `--allow-fs-write=${dirname(folder)}/*`],
  ['child', undefined, '--allow-child-process'],
];

/** @param {string} folder where profiles go */
export function findObstacle(folder) {
  if (!globalThis.WebAssembly) return 'Node.js has no WebAssembly here: --jitless removes it';
  if (Object.isFrozen(WebAssembly)) return '--frozen-intrinsics keeps WebAssembly from being profiled';
  const { permission } = process;
  const missing = permission ? neededPermissions(folder).filter(([name, path]) => !permission.has(name, path)) : [];
  if (missing.length === 0) return undefined;
  return `--permission keeps the program from being profiled; add ${missing.map(([, , option]) => option).join(' ')}`;
}
