/** speedscope's importers, out of the web page that its package is, without a page. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { file, packageFolder, text } from './reader.mjs';

const folder = path.join(packageFolder('speedscope'), 'dist/release');

/** The importer spends time on every open frame at each event. */
const MAX_STEPS = 1e8;

export const schema = JSON.parse(readFileSync(path.join(folder, 'file-format-schema.json')));

function find(bundle, pattern) {
  const match = pattern.exec(bundle);
  assert(match, `the bundle of this version of speedscope is not understood: ${pattern}`);
  return match[1];
}

/**
 * The bundle is one function that ends by drawing the page, which fails here; by then it has defined
 * everything. Its exports keep their names, whatever the minifier did to the rest.
 */
function importers() {
  const name = readdirSync(folder).find((name) => /^speedscope-.*\.js$/.test(name));
  const bundle = readFileSync(path.join(folder, name), 'utf8');
  const exports = find(bundle, /([\w$]+),\{[^{}]*importProfileGroupFromText:/);
  const start = find(bundle, new RegExp(`\\(([\\w$]+)\\(\\),${exports.replaceAll('$', '\\$')}\\)`));
  const hooked = bundle.replace('(()=>{', `(()=>{window.importers=()=>(${start}(),${exports});`);
  const page = { console: { log() {}, warn() {}, error() {} }, URL, TextDecoder, TextEncoder };
  page.window = page;
  try {
    vm.runInNewContext(hooked, page);
  } catch {
    // no page to draw on
  }
  assert(page.importers, 'the bundle of this version of speedscope does not begin as it should');
  return page.importers();
}

/** The file as speedscope reads it: a group of profiles. */
export async function readGroup() {
  try {
    return await importers().importProfileGroupFromText(path.basename(file), text);
  } catch (error) {
    throw new Error(`speedscope: ${error.message}`); // its own trace shows a line of 500 kB
  }
}

/**
 * The file's profiles as speedscope reads them: [{name, total, functions: {name: {self, total}}}].
 * `rename` gets what speedscope made the name of a frame; frames of one name are added up.
 */
export async function importProfiles(rename = (name) => name) {
  const group = await readGroup();
  assert(group, 'speedscope does not know the format');
  return Array.from(group.profiles, (profile) => {
    const functions = new Map();
    profile.forEachFrame((frame) => {
      const name = rename(frame.name);
      const sums = functions.get(name) ?? { self: 0, total: 0 };
      sums.self += frame.getSelfWeight();
      sums.total += frame.getTotalWeight();
      functions.set(name, sums);
    });
    return { name: profile.getName(), total: profile.getTotalWeight(), functions };
  });
}

/** Whether the importer gets through in a bounded time. */
export function isBounded(parents) {
  const depths = [];
  let steps = 0;
  for (const parent of parents) {
    depths.push(parent < 0 ? 1 : depths[parent] + 1);
    steps += 2 * depths.at(-1);
  }
  return steps < MAX_STEPS;
}
