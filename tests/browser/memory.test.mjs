// The HTML report of a profile of memory: a switch of its values, and figures of sizes and time.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { at, instantiate, selfBy, wasmPerf } from '../memory/programs.mjs';
import { choose, go, readTable, textOf, withHtml } from './report_page.mjs';
import { browser } from './support.mjs';

after(() => browser.close());

const WAT = `(module
  (type $point (struct (field i32)))
  (global $top (mut i32) (i32.const 16))
  (memory 1)
  (func $malloc (param $size i32) (result i32)
    (global.get $top)
    (global.set $top (i32.add (global.get $top) (local.get $size))))
  (func $free (param i32))
  (func $small (result i32) (call $malloc (i32.const 10)))
  (func $large (call $free (call $malloc (i32.const 500))) (drop (memory.grow (i32.const 1))))
  (func $many (export "run") (param $n i32)
    (loop $again
      (drop (call $small))
      (call $large)
      (drop (struct.new_default $point))
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))`;

/** The program's profile, and a page of it. */
async function makePage(name, options = [], values = []) {
  const { exports, save } = await instantiate(WAT, options);
  exports.run(20);
  const profile = save();
  wasmPerf('report', ...values, profile, '-o', at(`${name}.html`));
  return { html: at(`${name}.html`), profile };
}

const MEASURES = ['peak_bytes', 'allocated_objects', 'allocated_bytes', 'temporary_objects', 'live_objects',
  'live_bytes', 'peak_objects', 'grown_pages', 'gc_objects', 'gc_bytes'];

const valuesOf = (page) => page.$$eval('#value option', (options) => options.map(({ value }) => value));

test('every value of memory can be chosen, in the graph and in the table', async () => {
  const { html, profile } = await makePage('values', ['--clock', 'instructions']);
  await withHtml(html, async (page) => {
    assert.deepEqual((await valuesOf(page)).sort(), ['self', 'calls', ...MEASURES].sort());
    for (const value of MEASURES) {
      await choose(page, 'value', value);
      const { headings, rows } = await readTable(page);
      const unit = { s: ` ${/[a-z]+$/.exec(value)[0]}` };
      const heading = value.endsWith('bytes') ? 'Self' : `Self${unit.s}`;
      assert(headings.includes(heading) && !headings.includes('Self per call'), `${value}: ${headings}`);
      const shown = Object.fromEntries(rows.map(({ name, cells }) => [name.replace(/ for .*/, ''), cells[heading]]).filter(([, text]) => !/^0( B)?$/.test(text)));
      const exact = Object.entries(selfBy(value, profile)).map(([name, n]) =>
        [name, value.endsWith('bytes') ? (n < 1000 ? `${n} B` : `${(n / 1000).toFixed(2)} KB`.replace(/^(\d\d\.\d)\d/, '$1')) : String(n)]);
      assert.deepEqual(shown, Object.fromEntries(exact), value);
      const sum = Object.values(selfBy(value, profile)).reduce((all, n) => all + n, 0);
      const line = await textOf(page, 'frame-line');
      if (!value.endsWith('bytes')) assert(line.startsWith(`all — ${sum} ${value.split('_')[1]} total`.replace(/^(all — 1 \w+)s /, '$1 ')), line);
    }
    assert.match(page.url(), /value=gc_bytes/);
    await go(page, '#value=live_bytes');
    assert.match(await textOf(page, 'totals'), /^[\d.]+ K?B \(bytes not freed by the end\)$/);
    assert.equal(await page.$eval('#value', ({ value }) => value), 'live_bytes');
  });
});

test('without a clock it opens with the peak, and with --value with that', async () => {
  const { html } = await makePage('peak');
  await withHtml(html, async (page) => {
    assert.deepEqual((await valuesOf(page)).slice(0, 2), ['peak_bytes', 'calls']);
    assert.deepEqual((await valuesOf(page)).sort(), ['calls', ...MEASURES].sort());
  });
  const { html: leaks } = await makePage('leaks', [], ['--value=live_bytes']);
  await withHtml(leaks, async (page) => assert.equal(await page.$eval('#value', ({ value }) => value), 'live_bytes'));
});

test('several profiles add up in every value', async () => {
  const { profile } = await makePage('one');
  wasmPerf('report', profile, profile, '-o', at('both.html'));
  await withHtml(at('both.html'), async (page) => {
    await choose(page, 'value', 'live_objects');
    assert.match(await textOf(page, 'frame-line'), /^all — 40 objects total/);
  });
});

test('the time line of memory is below the graph, in the first screen, while the graph shows memory', async () => {
  const { html } = await makePage('place', ['--clock', 'instructions']);
  await withHtml(html, async (page) => {
    const parent = () => page.$eval('#memory-time', ({ parentElement }) => parentElement.id || parentElement.parentElement.id);
    assert.equal(await parent(), 'memory');
    await choose(page, 'value', 'peak_bytes');
    assert.equal(await parent(), 'stage');
    const { top, bottom } = await page.$eval('#memory-time', (part) => part.getBoundingClientRect().toJSON());
    const details = await page.$eval('#details', (part) => part.getBoundingClientRect().top);
    const graph = await page.$eval('#graph', (part) => part.getBoundingClientRect().bottom);
    assert(graph <= top && bottom <= details, `${graph} ${top} ${bottom} ${details}`);
    await choose(page, 'value', 'calls');
    assert.equal(await parent(), 'memory');
  });
});

for (const scripts of [true, false])
  test(`sizes and the time line are there ${scripts ? 'with' : 'without'} scripts`, async () => {
    const { html, profile } = await makePage('figures');
    const { memory } = JSON.parse(wasmPerf('report', '--format', 'json', profile));
    await withHtml(html, async (page) => {
      const rows = await page.$$eval('#memory .sizes tbody tr', (lines) =>
        lines.map(({ cells }) => [cells[1].textContent, cells[2].querySelector('rect').getBoundingClientRect().width > 0]));
      assert.deepEqual(rows, memory.sizes.map(({ allocated }) => [String(allocated), allocated > 0]));
      const { label, width } = await page.$eval('#memory-time .time', (svg) => ({
        label: svg.getAttribute('aria-label'), width: svg.querySelector('path').getBBox().width }));
      const most = Math.max(...memory.timeline.map(({ bytes }) => bytes));
      assert.equal(label, `Live bytes over time, at most ${most} B`);
      assert.equal(width, 1000);
      assert.match(await textOf(page, 'memory-time'), /0 to 40 allocations/);
    }, { scripts });
  });

test('a layer of an allocator shows for whom it allocates, where memory is shown', async () => {
  const { exports, save } = await instantiate(`(module
    (memory 1)
    (func $malloc (param i32) (result i32) (i32.const 16))
    (func $xmalloc (param $size i32) (drop (call $malloc (local.get $size))))
    (func $parse (call $xmalloc (i32.const 300)) (call $xmalloc (i32.const 300)))
    (func $print (call $xmalloc (i32.const 100)) (call $xmalloc (i32.const 100)))
    (func (export "run") (call $parse) (call $print)))`);
  exports.run();
  wasmPerf('report', save(), '-o', at('layers.html'));
  await withHtml(at('layers.html'), async (page) => {
    const remarks = () => page.$$eval('#functions tbody th', (cells) => cells
      .map((cell) => [cell.querySelector('.name').textContent, cell.querySelector('.mark')?.textContent ?? '']).sort());
    await choose(page, 'value', 'allocated_bytes');
    assert.deepEqual((await remarks()).filter(([, text]) => text), [['xmalloc', 'for parse (75 %)']]);
    await choose(page, 'value', 'calls');
    assert.deepEqual((await remarks()).filter(([, text]) => text), []);
  });
});
