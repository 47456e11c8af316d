// Golden rewrites: cases/NAME.wat is instrumented, and the printed output with what stood on
// stderr must equal cases/NAME.expected.wat. Options stand in a comment ";; options: …". Of a runtime
// that is embedded nothing is shown that changes with it.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { testGolden } from '../support/golden.mjs';
import { parse, print } from '../support/wat.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';

const folder = join(import.meta.dirname, 'cases');
const temporary = temporaryFolder();

/** Without what changes whenever the runtime does: its functions, and where its data stand. */
function elide(wat) {
  const runtime = /\$(?:"#func\d+ wasm_perf\.runtime"|wasm_perf\.runtime)/g;
  const items = wat.replaceAll(runtime, '$wasm_perf.runtime').split(/\n(?=  \S|\)$)/);
  const isRuntime = (item) => item?.startsWith('  (func $wasm_perf.runtime');
  const shorten = (item) => {
    if (isRuntime(item)) return '  (func $wasm_perf.runtime …)';
    if (/^  \((data|global) /.test(item))
      return item.replace(/i32\.const \d{4,}/, 'i32.const …').replace(/"[^]{40,}"/, '"…"');
    return item;
  };
  // An item of several lines is split where it closes.
  const isRest = (item, i) => item.startsWith('  )') && isRuntime(items[i - 1]);
  const kept = items.filter((item, i) => !isRest(item, i) && !(isRuntime(item) && isRuntime(items[i - 2])));
  return kept.map(shorten).join('\n');
}

/** Indices, names and offsets all show in the text; whether it is valid, an engine says. */
async function rewrite(wat) {
  const input = join(temporary, 'in.wasm');
  const output = join(temporary, 'out.wasm');
  const bytes = await parse(wat);
  writeFileSync(input, bytes);
  const options = /^;; options: (.*)$/m.exec(wat)?.[1].split(' ') ?? [];
  const run = spawnSync(tool('wasm-instrument'), [...options, input, '-o', output]);
  if (run.status !== 0) throw new Error(`exit ${run.status}: ${run.stderr}`);
  const rewritten = readFileSync(output);
  if (WebAssembly.validate(bytes) && !WebAssembly.validate(rewritten))
    throw new Error('the engine accepts the input but not the output');
  const messages = run.stderr.toString().replaceAll(input, 'in.wasm');
  const comments = messages.split('\n').filter(Boolean).map((line) => `;; stderr: ${line}\n`);
  const text = await print(rewritten);
  return comments.join('') + (options.includes('--embed') ? elide(text) : text);
}

const inputs = readdirSync(folder).filter((name) => /(?<!\.expected)\.wat$/.test(name));
const rewriteFile = (name) => () => rewrite(readFileSync(join(folder, name), 'utf8'));
const texts = inputs.map((name) => [name.replace('.wat', '.expected.wat'), rewriteFile(name)]);
testGolden(folder, Object.fromEntries(texts), /\.expected\.wat$/);
