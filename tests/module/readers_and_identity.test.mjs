// Runs check-module over all modules of the golden rewrites, in the forms that tools write them:
// as parsed, with overlong LEB128 where a size stands, and instrumented.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const folder = join(import.meta.dirname, '../rewrite/cases');
const temporary = temporaryFolder();

function readU32(bytes, offset) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[offset++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return { value, offset };
  }
}

/** The same module, each section's size padded to five bytes as linkers do. */
function withOverlongSizes(bytes) {
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const { value, offset } = readU32(bytes, at + 1);
    const size = [0, 7, 14, 21, 28].map((shift, i) => ((value >>> shift) & 127) | (i < 4 ? 128 : 0));
    parts.push(bytes.subarray(at, at + 1), Uint8Array.from(size), bytes.subarray(offset, offset + value));
    at = offset + value;
  }
  return Buffer.concat(parts);
}

const files = [];
const keep = (name, bytes) => {
  files.push(join(temporary, name));
  writeFileSync(files.at(-1), bytes);
};
for (const name of readdirSync(folder)) {
  if (!name.endsWith('.wat')) continue;
  const text = readFileSync(join(folder, name), 'utf8');
  if (text.includes('…')) continue; // an expectation that leaves parts out
  const bytes = await parse(text);
  keep(`${name}.wasm`, bytes);
  keep(`${name}.overlong.wasm`, withOverlongSizes(bytes));
}
const run = spawnSync(tool('check-module'), files, { encoding: 'utf8' });
process.stdout.write(run.stdout + run.stderr);
// Nothing is passed over here: every one of these modules must come through.
const identical = /(\d+) modules: (\d+) identical/.exec(run.stdout);
const done = run.status === 0 && identical && identical[1] === identical[2] && files.length > 40;
process.exit(done ? 0 : 1);
