/**
 * Loaded before a program in Node.js: plants a nop as the first instruction of a function in each module that the program
 * compiles from bytes. plant.json beside this file has the function's `name` in profiles, and the folder `js` of the
 * scripts that read modules. Without a name, modules only become other ones than their files, as they are with one.
 */
import { readFileSync } from 'node:fs';

const { js, name } = JSON.parse(readFileSync(new URL('plant.json', import.meta.url), 'utf8'));
const { PREAMBLE_SIZE, readModuleInfo, readSections, SECTION } = await import(`${js}/engine/module_info.mjs`);
const { encodeNumber } = await import(`${js}/engine/host_exports.mjs`);

const NOP = 0x01;
const CUSTOM = [SECTION.custom, 2, 1, 0x70]; // an empty section "p"
const REFERENCES = [0x63, 0x64]; // types that a heap type follows

const [own, number] = /^func\[(\d+)\]|.*/.exec(name ?? ''); // without what profiles add to such a name
const isShort = (exported) => /^.{1,2}$/.test(exported); // Emscripten's; not in profiles

/** The function's body and its size, with the nop after its locals. */
function withNop(body) {
  for (let left = body.u32(); left > 0; left--) {
    body.u32();
    if (REFERENCES.includes(body.u8())) body.skipLeb();
  }
  const locals = body.bytes.subarray(body.start, body.offset);
  return [...encodeNumber(body.end - body.start + 1), ...locals, NOP, ...body.bytes.subarray(body.offset, body.end)];
}

/** The section of code, with the nop in the body of that number. */
function planted(code, wanted) {
  const bodies = [];
  const count = code.u32();
  for (let i = 0; i < count; i++) {
    const begin = code.offset;
    const body = code.take(code.u32());
    bodies.push(i === wanted ? Buffer.from(withNop(body)) : code.bytes.subarray(begin, body.end));
  }
  const content = Buffer.concat([Buffer.from(encodeNumber(count)), ...bodies]);
  return Buffer.concat([Buffer.from([SECTION.code, ...encodeNumber(content.length)]), content]);
}

function changed(source) {
  const bytes = ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
  if (name === undefined) return Buffer.concat([bytes, Buffer.from(CUSTOM)]);
  const info = readModuleInfo(bytes);
  const names = Array.from({ length: info.functionCount }, (_, i) => info.functionName(i));
  const wanted = (isShort(names[number]) ? Number(number) : names.indexOf(own)) - info.importCount;
  const parts = [bytes.subarray(0, PREAMBLE_SIZE)];
  readSections(bytes, (id, cursor, begin) => parts.push(id === SECTION.code ? planted(cursor, wanted) : bytes.subarray(begin, cursor.end)));
  return Buffer.concat([...parts, Buffer.from(CUSTOM)]);
}

const { compile, instantiate, Module } = WebAssembly;
WebAssembly.Module = new Proxy(Module, { construct: (target, [bytes, ...rest]) => new target(changed(bytes), ...rest) });
WebAssembly.compile = async (bytes, ...rest) => compile(changed(bytes), ...rest);
WebAssembly.instantiate = async (source, ...rest) => instantiate(source instanceof Module ? source : changed(source), ...rest);
