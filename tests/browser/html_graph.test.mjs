// The graph of the HTML report, against the oracle, and search.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { choose, clickFrame, clickOn, go, readFrames, readTable, settle, textOf, withReport } from './report_page.mjs';
import { browser, search } from './support.mjs';

after(() => browser.close());

// --- the graph ---
/** {stack: frame} with the value where each begins when the largest children are first. */
function layOut(frames) {
  const kids = new Map();
  for (const frame of frames) {
    if (frame.stack.length === 0) continue;
    const above = JSON.stringify(frame.stack.slice(0, -1));
    kids.set(above, [...(kids.get(above) ?? []), frame]);
  }
  const places = new Map();
  const place = (frame, start) => {
    places.set(JSON.stringify(frame.stack), { ...frame, start });
    const below = kids.get(JSON.stringify(frame.stack)) ?? [];
    below.sort((a, b) => (a.total > b.total ? -1 : a.total < b.total ? 1 : 0));
    for (const kid of below) {
      place(kid, start);
      start += kid.total;
    }
  };
  place(frames.find(({ stack }) => stack.length === 0), 0n);
  return [...places.values()];
}

for (const name of ['program', 'no_clock', 'recursion', 'host_calls', 'many_functions']) {
  test(`${name}: every frame stands where the oracle has it`, () =>
    withReport(name, async (page, { frames, whole }) => {
      const shown = await readFrames(page);
      const { whole: pixels, y: top } = shown.find(({ level }) => level === 0);
      const scale = pixels / Number(whole);
      const wanted = layOut(frames).filter(({ total }) => Number(total) * scale >= 29);
      assert(wanted.length > 1);
      for (const { stack, start, total } of wanted) {
        const isTwin = (other) => other.level === stack.length && other.name === (stack.at(-1) ?? 'all');
        const found = shown.filter((other) => isTwin(other) &&
          Math.abs(other.x - Number(start) * scale) < 1 && Math.abs(other.width - Number(total) * scale) < 1);
        assert.equal(found.length, 1, `${stack.join(';')} ${start} ${total}`);
        assert(Math.abs(found[0].y - top - 18 * stack.length) < 1, 'below its caller');
      }
    }));
}

test('with the root at the bottom callees are above', () =>
  withReport('program', async (page) => {
    const down = await readFrames(page);
    await clickOn(page, '#up');
    const up = await readFrames(page);
    const lowest = Math.max(...up.map(({ y }) => y));
    for (const { name, level, x, width } of down) {
      const twin = up.find((other) => other.name === name && other.level === level && Math.abs(other.x - x) < 1);
      assert(Math.abs(twin.y - (lowest - 18 * level)) < 1 && Math.abs(twin.width - width) < 1, name);
    }
  }));

test('children are the largest first, or as they were first called', () =>
  withReport('odd_names', async (page) => {
    const order = async () => (await readFrames(page)).filter(({ level }) => level === 2).sort((a, b) => a.x - b.x);
    const heavy = await order();
    assert(heavy.length > 10);
    for (let i = 1; i < heavy.length; i++) assert(heavy[i].width <= heavy[i - 1].width + 0.1);
    await choose(page, 'order', 'call');
    const called = await order();
    assert.deepEqual(called.slice(0, 4).map(({ name }) => name), ['a;b', 'a:b', 'new_line_tab_[31mred_', 'replaced \ufffd']);
    assert.equal(called.length, heavy.length);
  }));

test('a click zooms and tells of the frame; Back and Reset go back', () =>
  withReport('program', async (page, { frames }) => {
    await clickFrame(page, 'app::print');
    const shown = await readFrames(page);
    const { whole } = shown[0];
    for (const name of ['all', '_start', 'app::print'])
      assert(Math.abs(shown.find((frame) => frame.name === name).width - whole) < 1, name);
    assert(shown.some(({ name }) => name === 'func[4]'), 'what was too narrow for a name has one');
    assert.equal(shown.find(({ name }) => name.startsWith('json')), undefined);
    const frame = frames.find(({ stack }) => stack.at(-1) === 'app::print');
    assert.equal(frame.total, 100_000n);
    assert.match(await textOf(page, 'frame-line'), /^app::print — 100 µs total \(13\.0 % of 772 µs\), 80\.0 µs self \(10\.4 %\), 7 calls, 14\.3 µs per call$/);
    assert.equal(await textOf(page, 'path'), '_start › app::print');
    await page.goBack();
    await settle(page);
    assert((await readFrames(page)).some(({ name }) => name.startsWith('json')));
    await page.goForward();
    await settle(page);
    await clickOn(page, '#reset');
    assert((await readFrames(page)).some(({ name }) => name.startsWith('json')));
  }));

test('zoom reveals every frame of a large profile', () =>
  withReport('wide', async (page) => {
    const count = 50_000;
    let revealed = 0;
    for (let node = 17; node < count; node += 4999) {
      await go(page, `zoom=${node}`);
      const line = await textOf(page, 'frame-line');
      if (/ 0 ns total/.test(line) || line.startsWith('all ')) continue; // there are less, of one name
      const frames = await readFrames(page);
      const name = line.slice(0, line.indexOf(' — '));
      const path = (await textOf(page, 'path')).split(' › ');
      assert.equal(path.at(-1), name);
      const shown = frames.filter((frame) => frame.name === name && Math.abs(frame.width - frame.whole) < 1);
      assert(shown.length >= 1, `${node}: ${line}`);
      revealed++;
    }
    assert(revealed >= 5);
  }));

test('the details describe the frame under the pointer, even one too narrow for its name', () =>
  withReport('program', async (page) => {
    const print = (await readFrames(page)).find(({ name }) => name === 'app::print');
    await page.mouse.move(print.left + 5, print.top + 18 + 8);
    assert.match(await textOf(page, 'frame-line'), /^func\[4\] — 11\.0 µs total/);
    await page.mouse.move(print.left + 5, print.top + 8);
    assert.match(await textOf(page, 'frame-line'), /^app::print/);
  }));

test('a deep stack scrolls to where its innermost frame is', () =>
  withReport('deep', async (page) => {
    await go(page, 'zoom=150000');
    const shown = await readFrames(page);
    const frame = shown.find(({ level }) => level === 150_000);
    assert(frame.y >= 0 && frame.y < 600, String(frame.y));
  }));

// --- search ---
test('a search counts frames, functions and their share, and filters the table', () =>
  withReport('program', async (page, { functions }) => {
    await search(page, 'malloc|print');
    await settle(page);
    assert.equal(await textOf(page, 'matches'), '3 frames of 2 functions, 45.4 %');
    assert.deepEqual((await readTable(page)).rows.map(({ name }) => name), ['malloc', 'app::print']);
    await page.keyboard.press('Escape');
    assert.equal((await readTable(page)).rows.length, functions.length);
    assert.equal(await textOf(page, 'matches'), '');
  }));

const searches = [
  ['MALLOC', 1], ['func[', 1], ['parse(char const*)', 1], ['nothing like it', 0], ['^.*$', 5], ['(', 1],
];
for (const [text, count] of searches) {
  test(`a search for ${text} finds ${count}`, () =>
    withReport('program', async (page) => {
      await search(page, text);
      await settle(page);
      assert.match(await textOf(page, 'matches'), new RegExp(`of ${count} functions?, `));
    }));
}

test('Enter steps through the matches, the largest first, and brings them into sight', () =>
  withReport('wide', async (page) => {
    await search(page, 'method4999\\(');
    const total = Number((await textOf(page, 'matches')).match(/^(\d+) frame/)?.[1] ?? 0);
    assert(total >= 1);
    const shares = [];
    for (let step = 0; step < Math.min(total, 5); step++) {
      await page.keyboard.press('Enter');
      await settle(page);
      const current = (await readFrames(page)).find(({ isCurrent }) => isCurrent);
      const line = await textOf(page, 'frame-line');
      assert.match(line, /method4999\(/);
      shares.push(Number(line.match(/\(([\d.]+) % of/)[1]));
      assert(current === undefined || current.name.includes('method4999('));
      assert.match(await textOf(page, 'matches'), new RegExp(`^${step + 1} of `));
    }
    assert.deepEqual(shares, [...shares].sort((a, b) => b - a));
    await page.keyboard.down('Shift');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Shift');
    assert.match(await textOf(page, 'matches'), new RegExp(`^${total === 1 ? 1 : Math.min(total, 5) - 1} of `));
  }));
