// Source maps through a rewrite: each segment stays with its instruction, all else stays as it is.
// What comes out is read by the package source-map.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { importPackage, temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { sections } from './oracle.mjs';

const { SourceMapConsumer, SourceMapGenerator } = (await importPackage('source-map')).default;
const folder = temporaryFolder();
const input = join(folder, 'in.wasm');
const output = join(folder, 'out.wasm');

const plain = await parse(`(module
  (import "env" "host" (func $host))
  (func (export "a") (param i32) (result i32) (local i32)
    (if (local.get 0) (then (return (i32.const 1011))))
    call $host
    i32.const 1012)
  (func (export "b") (result i32) i32.const 1013))`);

/** Offsets in the file of constants that stand nowhere else. */
const offsetsOf = (bytes) => [0xf3, 0xf4, 0xf5].map((byte) => {
  const code = sections(bytes).find(({ id }) => id === 10);
  for (let at = code.start; at < code.end; at++)
    if (bytes[at] === 0x41 && bytes[at + 1] === byte && bytes[at + 2] === 7) return at;
  throw new Error('a constant is missing');
});

/** A map in which the constant 1000 + N is in line N. */
function mapOf(bytes) {
  const generator = new SourceMapGenerator({ file: 'in.wasm' });
  offsetsOf(bytes).forEach((column, i) =>
    generator.addMapping({ generated: { line: 1, column }, original: { line: 11 + i, column: i }, source: 'a.ts', name: `n${i}` }));
  return { ...generator.toJSON(), sourcesContent: ['x "quoted" \\ é'], x_other: [1, { mappings: 'no' }], debugId: 'd' };
}

function withUrl(bytes, url) {
  const text = Buffer.from(url);
  const leb = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
  const name = Buffer.from('sourceMappingURL');
  const payload = Buffer.concat([Buffer.from([name.length]), name, Buffer.from(leb(text.length)), text]);
  return Buffer.concat([bytes, Buffer.from([0, ...leb(payload.length)]), payload]);
}

const urlOf = (bytes) => {
  const section = sections(bytes).find(({ name }) => name === 'sourceMappingURL');
  if (!section) return undefined;
  let at = section.start;
  while (bytes[at++] & 0x80);
  return bytes.toString('utf8', at, section.end);
};

function instrument(bytes, options = []) {
  writeFileSync(input, bytes);
  rmSync(`${output}.map`, { force: true });
  const { status, stderr } = spawnSync(tool('wasm-instrument'), [...options, input, '-o', output], { timeout: 600_000 });
  return { status, stderr: stderr.toString() };
}

async function check(map, bytes) {
  const whole = { offset: { column: 0 }, map };
  const parts = map.sections ?? [whole]; // the package looks up sections from their second column on
  offsetsOf(bytes).forEach((offset, i) => {
    const part = parts.findLast((section) => section.offset.column <= offset);
    const consumer = new SourceMapConsumer(part.map);
    const column = offset - part.offset.column;
    const { source, line, column: sourceColumn, name } = consumer.originalPositionFor({ line: 1, column });
    assert.deepEqual({ source, line, sourceColumn, name }, { source: 'a.ts', line: 11 + i, sourceColumn: i, name: `n${i}` });
  });
}

test('a map beside the module, given by name', async () => {
  writeFileSync(join(folder, 'given.map'), JSON.stringify(mapOf(plain)));
  assert.deepEqual(instrument(plain, ['--source-map', join(folder, 'given.map')]), { status: 0, stderr: '' });
  const bytes = readFileSync(output);
  const map = JSON.parse(readFileSync(`${output}.map`, 'utf8'));
  await check(map, bytes);
  assert.equal(urlOf(bytes), 'out.wasm.map');
  assert.deepEqual({ ...map, mappings: '' }, { ...mapOf(plain), mappings: '' });
});

test('a map beside the module, which the module names', async () => {
  const bytes = withUrl(plain, 'named.map');
  writeFileSync(join(folder, 'named.map'), `)]}'\n${JSON.stringify(mapOf(bytes), null, 2)}`);
  assert.deepEqual(instrument(bytes), { status: 0, stderr: '' });
  await check(JSON.parse(readFileSync(`${output}.map`, 'utf8').slice(5)), readFileSync(output));
});

for (const encoding of ['base64', 'percent']) {
  test(`a map inside of the module, ${encoding}`, async () => {
    const text = JSON.stringify(mapOf(plain));
    const url = encoding === 'base64' ? `data:application/json;base64,${Buffer.from(text).toString('base64')}`
                                      : `data:application/json,${encodeURIComponent(text)}`;
    assert.deepEqual(instrument(withUrl(plain, url)), { status: 0, stderr: '' });
    const bytes = readFileSync(output);
    await check(JSON.parse(await (await fetch(urlOf(bytes))).text()), bytes);
  });
}

test('an indexed map', async () => {
  const columns = offsetsOf(plain);
  const part = (first, count) => {
    const generator = new SourceMapGenerator({});
    for (let i = first; i < first + count; i++)
      generator.addMapping({ generated: { line: 1, column: columns[i] - columns[first] },
                             original: { line: 11 + i, column: i }, source: 'a.ts', name: `n${i}` });
    return { ...generator.toJSON() };
  };
  const map = { version: 3, sections: [
    { offset: { line: 0, column: columns[0] }, map: part(0, 2) },
    { map: part(2, 1), offset: { column: columns[2], line: 0 } }] };
  writeFileSync(join(folder, 'indexed.map'), JSON.stringify(map));
  assert.deepEqual(instrument(plain, ['--source-map', join(folder, 'indexed.map')]), { status: 0, stderr: '' });
  await check(JSON.parse(readFileSync(`${output}.map`, 'utf8')), readFileSync(output));
});

test('a map whose URL begins with ./, as AssemblyScript writes it', async () => {
  writeFileSync(join(folder, 'dotted.map'), JSON.stringify(mapOf(plain)));
  assert.deepEqual(instrument(withUrl(plain, './dotted.map')), { status: 0, stderr: '' });
  await check(JSON.parse(readFileSync(`${output}.map`, 'utf8')), readFileSync(output));
  rmSync(`${output}.map`);
});

test('a module leads to no file but a source map beside it', () => {
  const map = JSON.stringify(mapOf(plain));
  mkdirSync(join(folder, 'below'));
  for (const name of ['../above.map', 'below/a.map', `${folder}/given.map`, 'below\\..\\given.map']) {
    if (!name.includes('\\')) writeFileSync(resolve(folder, name), map);
    const { status, stderr } = instrument(withUrl(plain, name));
    assert.deepEqual([status, existsSync(`${output}.map`)], [0, false], name);
    assert.match(stderr, /dropped, because the code moved: sourceMappingURL/);
  }
  rmSync(join(folder, '../above.map'));
  for (const text of ['{"password":"1234"}', '{"version":3}', '{"version":2,"mappings":""}', '["version"]', 'mappings']) {
    writeFileSync(join(folder, 'other.json'), text);
    const { status, stderr } = instrument(withUrl(plain, 'other.json'));
    assert.deepEqual([status, existsSync(`${output}.map`)], [0, false], text);
    assert.match(stderr, /the source map is dropped/);
  }
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  symlinkSync('/dev/zero', join(folder, 'endless'));
  writeFileSync(join(folder, 'large'), '{');
  truncateSync(join(folder, 'large'), 2 ** 28 + 1);
  for (const name of ['pipe', 'endless', 'large', '.', '..']) {
    const { status, stderr } = instrument(withUrl(plain, name));
    assert.deepEqual([status, existsSync(`${output}.map`)], [0, false], name);
    assert.match(stderr, /dropped, because the code moved: sourceMappingURL/);
  }
});

test('what is malformed or elsewhere is dropped with a warning', () => {
  for (const text of ['', '{', '{"version":3,"mappings":"*"}', '{"version":3,"mappings":"A"} x',
                      '{"version":3,"mappings":"zzzzzzzzzzzzzA"}', '{"version":3,"sections":[{"map":{"sections":[{}]}}]}',
                      `{"x":${'['.repeat(100)}`, '{"version":3,"mappings":"D"}']) {
    writeFileSync(join(folder, 'bad.map'), text);
    const { status, stderr } = instrument(plain, ['--source-map', join(folder, 'bad.map')]);
    assert.equal(status, 0);
    assert.match(stderr, /the source map is dropped/, text);
    assert.equal(urlOf(readFileSync(output)), undefined);
  }
  const { stderr } = instrument(withUrl(plain, 'https://example.org/a.map'));
  assert.match(stderr, /dropped, because the code moved: sourceMappingURL/);
  assert.match(instrument(withUrl(plain, 'data:application/json;base64,!!')).stderr, /the source map is dropped/);
  assert.equal(instrument(plain, ['--source-map', join(folder, 'none.map')]).status, 1);
});
