// Where the tests find what they run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const build = process.env.WI_BUILD ?? resolve(import.meta.dirname, '../../build');
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
const npm = process.env.WI_NPM ?? join(cache, 'wasm-instrument/npm');

/** The path of a build product. */
export const tool = (name) => join(build, name);

/** Imports a module of an npm package that scripts/test.sh has installed. */
export const importPackage = (name) => {
  const require = createRequire(join(npm, 'package.json'));
  return import(pathToFileURL(require.resolve(name)).href);
};

/** The path of a file inside such a package. */
export const packageFile = (path) => join(npm, 'node_modules', path);

/** A path as profiles have it: the home folder is ~. */
export const shortened = (path) => (path.startsWith(`${homedir()}/`) ? `~${path.slice(homedir().length)}` : path);

/** Options with which pprof finds sources at such paths. */
export const pprofSources = ['-trim_path=~', `-source_path=${homedir()}:/`];

/** A folder of its own for this process, removed at its end. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'wasm-instrument-'));
  process.on('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Why tests that run a command are skipped, or false. */
export const lacks = (command) => spawnSync('sh', ['-c', 'command -v "$0"', command]).status !== 0 && `${command} is not installed`;

/**
 * Why tests that run wasmtime are skipped, or false: there is none on PATH, or one that is older than the one
 * that scripts/test.sh --full installs, whose options and messages they know.
 */
export const noWasmtime = (() => {
  const version = /^wasmtime (\d+)\./.exec(spawnSync('wasmtime', ['--version'], { encoding: 'utf8' }).stdout ?? '');
  return !(version?.[1] >= 48) && `wasmtime on PATH: ${version?.[0] ?? 'none '}(48 or newer is needed)`;
})();
