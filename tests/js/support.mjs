/** What the tests share: the tools under test, and modules made of text for them. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const build = process.env.WI_BUILD;
export const source = process.env.WI_SOURCE;
const wat2wasm = process.env.WI_WAT2WASM ?? 'wat2wasm';

/** A folder of this test's own, removed at the end; tools run in it. */
export const folder = mkdtempSync(join(tmpdir(), 'wasm-perf-test-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

export const at = (name) => join(folder, name);
export const read = (name) => readFileSync(at(name));

/** Imports a module of the JavaScript host as it was built. */
export const importHost = (name) => import(pathToFileURL(join(build, 'js', name)));

/** Runs a command in the folder: {status, stdout, stderr}, the streams as text. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: folder, encoding: 'utf8', ...options });
  if (result.error) throw result.error;
  return result;
}

export const tool = (name, args, options) => run(join(build, name), args, options);

function succeed(result) {
  assert.equal(result.status, 0, result.stderr);
}

/** Turns a module's text into NAME.wasm, with its names unless `names` is false. */
export function assemble(name, text, { names = true } = {}) {
  writeFileSync(at(`${name}.wat`), text);
  const options = ['--enable-exceptions', '--enable-threads', ...(names ? ['--debug-names'] : [])];
  succeed(run(wat2wasm, [...options, `${name}.wat`, '-o', `${name}.wasm`]));
  return `${name}.wasm`;
}

/** Instruments NAME.wasm into NAME.prof.wasm. */
export function instrument(name, ...options) {
  succeed(tool('wasm-instrument', [...options, `${name}.wasm`, '-o', `${name}.prof.wasm`]));
  return `${name}.prof.wasm`;
}

/**
 * Gives a project some of the packages that the tests have from npm, and their commands, which npx then finds.
 */
export function linkPackages(project, names) {
  const npm = join(process.env.WI_NPM, 'node_modules');
  const bin = join(project, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  for (const name of names) {
    const target = join(project, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    if (!existsSync(target)) symlinkSync(join(npm, name), target);
    const { bin: commands = {} } = JSON.parse(readFileSync(join(npm, name, 'package.json'), 'utf8'));
    const entries = typeof commands === 'string' ? { [name]: commands } : commands;
    for (const [command, file] of Object.entries(entries))
      if (!existsSync(join(bin, command))) symlinkSync(join(npm, name, file), join(bin, command));
  }
}
