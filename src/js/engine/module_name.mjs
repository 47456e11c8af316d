/** What a module is called: by the file that it came from, the name that it has inside, or the script that compiled it. */

import { readModuleInfo } from './module_info.mjs';

const UNKNOWN = 'module';
const IS_TEXT = /^(data|blob|node|eval):|^evalmachine\.|^\[|^<|^$/; // names no file

const isFile = (path) => typeof path === 'string' && !IS_TEXT.test(path);

/** The file's name, without its folders and what follows it in a URL. */
function lastPart(path) {
  const part = path.replace(/^([a-z]+:.*?)[?#].*$/s, '$1').split('/').pop();
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What the name section calls the module, if anything. */
function nameInside(bytes) {
  try {
    return readModuleInfo(bytes).moduleName;
  } catch {
    return undefined;
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {{url?: string, path?: string, script?: () => string|undefined}} source where it came from, as far as that is known
 * @returns {{name: string, path: string}} `path` is the name where there is no file
 */
export function nameOfModule(bytes, { url, path, script }) {
  const file = [url, path].find(isFile);
  if (file) return { name: lastPart(file) || UNKNOWN, path: file };
  const compiledBy = () => [script?.()].filter(isFile).map(lastPart)[0];
  const name = nameInside(bytes) || compiledBy() || UNKNOWN;
  return { name: lastPart(name) || UNKNOWN, path: name };
}
