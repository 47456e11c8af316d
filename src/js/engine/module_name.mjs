/** Names a module after its file, its name section, or the script that compiled it. */

import { readModuleInfo } from './module_info.mjs';

const UNKNOWN = 'module';
const IS_TEXT = /^(data|blob|node|eval):|^evalmachine\.|^\[|^<|^$/; // does not name a file

const isFile = (path) => typeof path === 'string' && !IS_TEXT.test(path);

/** The file name without folders, and without a URL's query and fragment. */
function lastPart(path) {
  const part = path.replace(/^([a-z]+:.*?)[?#].*$/s, '$1').split('/').pop();
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The module's name in its name section, or undefined. */
function nameInside(bytes) {
  try {
    return readModuleInfo(bytes).moduleName;
  } catch {
    return undefined;
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {{url?: string, path?: string, script?: () => string|undefined}} source the module's origin, as far as
 *   known
 * @returns {{name: string, path: string}} without a file, `path` is the full name
 */
export function nameOfModule(bytes, { url, path, script }) {
  const file = [url, path].find(isFile);
  if (file) return { name: lastPart(file) || UNKNOWN, path: file };
  const compiledBy = () => [script?.()].filter(isFile).map(lastPart)[0];
  const name = nameInside(bytes) || compiledBy() || UNKNOWN;
  return { name: lastPart(name) || UNKNOWN, path: name };
}
