// The text format both ways, for all of WebAssembly 3.0: wasm-tools, as jco ships it.
import { packageFile } from './tools.mjs';

const { parse: parseText, print: printBytes } = await import(
  packageFile('@bytecodealliance/jco-transpile/dist/wasm-tools.js')
);

/** Text to a Uint8Array. */
export const parse = async (text) => new Uint8Array(await parseText(text));

/** Bytes to text. */
export const print = (bytes) => printBytes(new Uint8Array(bytes));
