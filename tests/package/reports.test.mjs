/** wasm-perf of the package: the same reports as the native command writes. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { at, build, folder, read, run, source, tool } from '../js/support.mjs';

const packageFile = (name) => join(build, 'npm/js', name);
const { report } = await import(pathToFileURL(packageFile('package/index.mjs')));
const packaged = (...args) => run(process.execPath, [packageFile('command/wasm_perf.mjs'), ...args]);

/** Makes a profile of tests/report/profiles.py in the folder. */
function makeProfile(name) {
  const script = join(source, 'tests/browser/figures.py');
  execFileSync('python3', ['-B', script, name, at(`${name}.wperf`)], { maxBuffer: 2 ** 30 });
  return `${name}.wperf`;
}

const [recursion, many] = ['recursion', 'many_functions'].map(makeProfile);
const profiles = [recursion, many, ...['empty', 'extremes', 'depth_limit'].map(makeProfile)];

/** As the command lists them. */
function formatNames() {
  const { stdout } = tool('wasm-perf', ['report', '--format', 'nothing', recursion]);
  const { stderr } = tool('wasm-perf', ['report', '--format', 'nothing', recursion]);
  const list = /wants (.*), not/.exec(stdout + stderr)[1];
  return list.split(/, | or /);
}

const PACKED = /(?<=id="profile">)[^<]*/;

/** The formats that the package does not compress, without their compression. */
const opened = {
  pprof: gunzipSync,
  html: (bytes) => Buffer.from(String(bytes).replace(PACKED, (data) =>
    gunzipSync(Buffer.from(data, 'base64')).toString('latin1'))),
};

test('every format, the same bytes', () => {
  const names = formatNames();
  assert(names.length > 9);
  for (const name of names) {
    for (const profile of profiles) {
      const wanted = tool('wasm-perf', ['report', '--no-demangle', '--format', name, '-o', 'native.out', profile]);
      assert.equal(wanted.status, 0, wanted.stderr);
      const got = Buffer.from(report(read(profile), { format: name, title: profile }));
      const open = opened[name] ?? ((bytes) => bytes);
      assert(open(got).equals(open(read('native.out'))), `${name} of ${profile}`);
      if (profile !== recursion) continue;
      const { status, stderr } = packaged('report', '--format', name, '-o', 'packaged.out', profile);
      assert.equal(status, 0, stderr);
      assert(read('packaged.out').equals(got), name);
    }
  }
});

test('views, differences and sums, as text', () => {
  const commands = [
    ['top', many],
    ['tree', recursion],
    ['callers', 'a', recursion],
    ['diff', recursion, many],
    ['merge', '-o', '-', recursion, recursion],
    ['--help'],
    ['report', '--help'],
    ['report', 'absent.wperf'],
    ['report', 'list'],
    ['nonsense'],
  ];
  for (const command of commands) {
    const [one, other] = [packaged(...command), tool('wasm-perf', command)];
    const isOverview = command.length === 1;
    if (!isOverview) assert.equal(one.stdout, other.stdout, command);
    assert.equal(one.stderr, other.stderr);
    assert.equal(one.status, other.status, command);
  }
});

test('bytes that are not a profile are refused', () => {
  assert.throws(() => report(new Uint8Array(100)), { name: 'TypeError', message: /^profile.wperf: / });
  assert.throws(() => report(readFileSync(join(folder, recursion)), { format: 'poem' }), /--format wants/);
});
