/** Loads the commands, compiled to WebAssembly, from files beside this one. */

const { Module } = WebAssembly; // before it is patched
const urlOf = (name) => new URL(`${name}.wasm`, import.meta.url);
const fs = globalThis.process?.getBuiltinModule?.('node:fs');

/** @returns {Promise<WebAssembly.Module>} */
export async function loadProgram(name) {
  if (fs) return loadProgramSync(name);
  const response = await fetch(urlOf(name));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return new Module(new Uint8Array(await response.arrayBuffer()));
}

/** The same, synchronously: in Node, Deno and Bun. */
export function loadProgramSync(name) {
  if (!fs) throw new Error('call ready() first, or instrumentAsync: a page cannot read files at once');
  return new Module(fs.readFileSync(urlOf(name)));
}
