// The page in daily use: readable names and colours, the pointer, the keyboard's views, Back, parts, samples.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { writeProfile } from '../js/wperf.mjs';
import {
  clickFrame, clickOn, go, readFrames, readTable, settle, textOf, withHtml, withReport,
} from './report_page.mjs';
import { browser, folder, search, writeReport } from './support.mjs';

after(() => browser.close());

/** Numbers from 0 to 1 that are the same in each run. */
function makeRandom(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

const pick = (random, list) => list[Math.floor(random() * list.length)];
const VERBS = ['Get', 'Scan', 'Append', 'Finalize', 'Execute', 'parse', 'visit', 'print', 'Flush', 'Combine'];
const NOUNS = ['Data', 'Chunk', 'Stmt', 'Expr', 'Suffix', 'Vector', 'State', 'Row', 'Block', 'Operator', ''];
const ownName = (random) => `${pick(random, VERBS)}${pick(random, NOUNS)}`;

/** Names like those of two programs, as [name, what the function itself is called]. */
const namers = {
  duckdb: (random) => {
    const own = ownName(random);
    const type = `duckdb::${pick(random, ['PhysicalHashAggregate', 'ColumnDataCollection', 'BinaryExecutor', 'RowGroup'])}`;
    return [pick(random, [
      `${type}::${own}(duckdb::ExecutionContext&, duckdb::DataChunk&, duckdb::OperatorSourceInput&) const`,
      `void ${type}::${own}<duckdb::string_t, duckdb::interval_t, bool, duckdb::BinaryStandardOperatorWrapper>(duckdb::Vector&)`,
      `std::__2::unique_ptr<duckdb::LocalSinkState, std::__2::default_delete<duckdb::LocalSinkState>>::${own}()`,
    ]), own];
  },
  esbuild: (random) => {
    const own = ownName(random);
    const type = pick(random, ['js_parser.(*parser)', 'js_printer.(*printer)', 'js_lexer.(*Lexer)', 'renamer']);
    return [`github.com/evanw/esbuild/internal/${type}.${own}`, own];
  },
};

/** A tree as deep and as split as those of such programs. */
function writeProgram(name) {
  const random = makeRandom(7);
  const own = new Map();
  const names = Array.from({ length: 300 }, (_, i) => {
    const [text, short] = namers[name](random);
    const unique = own.has(text) ? `${text} ${i}` : text;
    own.set(unique, own.has(text) ? `${short}` : short);
    return [i, unique];
  }).filter(([, text]) => !/ \d+$/.test(text));
  const nodes = [];
  const grow = (parent, value, depth) => {
    if (value < 200 || depth > 40) return;
    nodes.push({ function: pick(random, names)[0], parent, calls: 1, self: Math.round(value * 0.05) });
    const node = nodes.length;
    let rest = value * 0.95;
    for (let share = 0.75 + random() / 4; rest > value / 50; share = random()) {
      grow(node, rest * share, depth + 1);
      rest *= 1 - share;
    }
  };
  grow(0, 1_000_000, 0);
  const path = join(folder, `${name}.wperf`);
  writeFileSync(path, writeProfile(nodes, names));
  return { path, own };
}

for (const name of Object.keys(namers))
  test(`names like ${name}'s: of the frames with a label four fifths show what the function is called`, async () => {
    const { path, own } = writeProgram(name);
    await withHtml(writeReport({ path }, 'html', 'html'), async (page) => {
      const frames = (await readFrames(page)).filter(({ name: text, text: label }) => own.has(text) && label !== '');
      const readable = frames.filter(({ name: text, text: label }) => label.includes(own.get(text)));
      assert(frames.length >= 20, String(frames.length));
      assert(readable.length >= 0.8 * frames.length, `${readable.length} of ${frames.length}`);
      assert(frames.every(({ text: label }) => !/\u2026[.)]|\(\u2026\)/.test(label)));
    }, { viewport: { width: 1440, height: 900 } });
  });

/** The least contrast of a name with the frame that it is on, as WCAG has it, and whose that is. */
const leastContrast = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector('#graph canvas');
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.fillStyle = getComputedStyle(document.body).backgroundColor;
    copy.fillRect(0, 0, canvas.width, canvas.height);
    copy.drawImage(canvas, 0, 0);
    const box = canvas.getBoundingClientRect();
    const ratio = canvas.width / box.width;
    const light = (parts) => parts.slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
    let least = [Infinity, 'no frame'];
    for (const label of document.querySelectorAll('#graph .frame:not([hidden])')) {
      if (label.textContent === '') continue;
      const { left, top, width, height } = label.getBoundingClientRect();
      const text = light(getComputedStyle(label).color.match(/[\d.]+/g).map(Number));
      const pixels = copy.getImageData((left - box.left + 3) * ratio, (top - box.top + 3) * ratio, Math.min(20, width - 6), height - 6).data;
      for (let i = 0; i < pixels.length; i += 4) {
        const under = light(Array.from(pixels.slice(i, i + 3)));
        const contrast = (Math.max(text, under) + 0.05) / (Math.min(text, under) + 0.05);
        if (contrast < least[0]) least = [contrast, `${label.getAttribute('aria-label')} on ${pixels.slice(i, i + 3)} at ${i / 4}`];
      }
    }
    return least;
  });

const views = ['', 'zoom=3', 'group=json', 'compare=0', 'select=malloc', 'query=malloc', 'value=calls&up=1'];
for (const scheme of ['light', 'dark'])
  for (const profile of ['program', 'many_functions', 'host_calls', 'limits', 'odd_names'])
    test(`${profile}, ${scheme}: names stand out from their frames, 4.5 to 1`, () =>
      withReport(profile, async (page) => {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
        for (const view of views) {
          await go(page, view);
          const [contrast, name] = await leastContrast(page);
          assert(contrast >= 4.5, `${view}: ${name}: ${contrast.toFixed(2)}`);
        }
      }));

test('names on dark frames are found', () =>
  withReport('program', async (page) => {
    await page.$eval('#graph canvas', (canvas) => {
      const context = canvas.getContext('2d');
      context.fillStyle = '#4a4d55';
      context.fillRect(0, 0, canvas.width, canvas.height);
    });
    assert((await leastContrast(page))[0] < 2.1);
  }));

test('the frame under the pointer has an outline and a tooltip', () =>
  withReport('program', async (page) => {
    const frame = (await readFrames(page)).find(({ name }) => name === 'malloc');
    await page.mouse.move(frame.left + 5, frame.top + 8);
    assert.match(await textOf(page, 'tooltip'), /^malloc.*250 \u00b5s total \(32\.4 % of 772 \u00b5s\)/);
    const outline = await page.$eval('#graph .outline', (element) => element.getBoundingClientRect().toJSON());
    assert(Math.abs(outline.width - frame.width) < 1 && Math.abs(outline.top - frame.top) < 1);
    await page.mouse.move(5, 5);
    assert(await page.$eval('#tooltip', (tip) => tip.hidden));
  }));

test('the actions are of what is chosen, wherever the pointer is', () =>
  withReport('program', async (page) => {
    assert(await page.$eval('#focus', (button) => button.disabled));
    await page.hover('#functions tbody tr:nth-child(2)');
    await page.click('#functions tbody tr:nth-child(2)');
    await settle(page);
    const { x, y } = (await readFrames(page)).map((frame) => ({ x: frame.left + 5, y: frame.top + 8 }))[1];
    await page.mouse.move(x, y);
    await clickOn(page, '#focus');
    assert.match(await textOf(page, 'filters'), /Only stacks with malloc/);
    assert.match(await textOf(page, 'frame-line'), /of 259 \u00b5s/);
  }));

test('the details keep their height', () =>
  withReport('odd_names', async (page) => {
    const height = () => page.$eval('#details', (details) => details.getBoundingClientRect().height);
    const before = await height();
    for (const { left, top, width } of (await readFrames(page)).slice(0, 30)) {
      await page.mouse.move(left + width / 2, top + 8);
      assert.equal(await height(), before);
    }
  }));

test('W A S D zoom and move, a drag moves and chooses nothing, and a strip shows what part it is', () =>
  withReport('odd_names', async (page) => {
    const middle = ({ x, width, whole }) => Math.abs(x + width / 2 - whole / 2);
    const { name } = (await readFrames(page)).filter(({ level, width, whole }) => level > 1 && width < whole / 4)
      .sort((a, b) => middle(a) - middle(b))[0];
    const find = async () => (await readFrames(page)).find((frame) => frame.name === name);
    const press = async (key) => {
      await page.keyboard.press(key);
      await settle(page);
    };
    await page.focus('#graph');
    const before = await find();
    await press('w');
    const wider = await find();
    assert(Math.abs(wider.width - before.width / 0.8) < 2, 'wider');
    assert.equal(await page.$eval('#minimap i', (view) => view.hidden), false);
    await page.mouse.move(wider.left, wider.top + 8);
    await page.mouse.down();
    await page.mouse.move(wider.left + 50, wider.top + 8, { steps: 5 });
    await page.mouse.up();
    await settle(page);
    assert(Math.abs((await find()).x - wider.x - 50) < 2, 'dragged');
    assert(!/select|zoom/.test(await page.evaluate(() => location.hash)), 'and nothing is chosen');
    await press('d');
    assert((await find()).x < wider.x, 'moved');
    await press('s');
    await press('s');
    assert.equal(await page.$eval('#minimap i', (view) => view.hidden), true, 'all is in sight');
  }));

test('Back goes through what was shown, and no further', () =>
  withReport('program', async (page) => {
    const isDisabled = () => page.$eval('#back', (button) => button.disabled);
    assert(await isDisabled());
    await clickFrame(page, 'app::print');
    assert.equal(await isDisabled(), false);
    await page.mouse.move(5, 5);
    await clickOn(page, '#back');
    await settle(page);
    assert(await isDisabled());
    assert.match(await textOf(page, 'frame-line'), /^all/);
  }));

test('Escape clears the search before anything else, and an invalid pattern says so', () =>
  withReport('program', async (page) => {
    await clickFrame(page, 'app::print');
    await page.mouse.move(5, 5);
    await search(page, 'func[');
    assert.match(await textOf(page, 'matches'), /no valid pattern, so searched as text$/);
    assert.equal(await page.$eval('#search', (field) => field.getAttribute('aria-invalid')), 'true');
    await page.focus('#graph');
    await page.keyboard.press('Escape');
    await settle(page);
    assert.equal(await page.$eval('#search', (field) => field.value), '');
    assert.match(await textOf(page, 'frame-line'), /^app::print/);
    await page.keyboard.press('Escape');
    await settle(page);
    assert.match(await textOf(page, 'frame-line'), /^all/);
  }));

test('a function without a name is a part of its file, and open is a function of the program', async () => {
  const node = (index) => ({ function: index, parent: 0, calls: 1, self: 1000 });
  const profile = join(folder, 'parts.wperf');
  const places = [[2, 24, 'src/alloc.ts'], [3, 9, 'emsdk/emscripten/system/lib/dlmalloc.c']];
  writeFileSync(profile, writeProfile([0, 1, 2, 3, 4, 5, 6].map(node), [[0, 'open'], [4, '~__uflow'], [5, '~trinkle'], [6, 'trinkle']], { places }));
  await withHtml(writeReport({ path: profile, name: 'parts' }, 'html', 'html'), async (page) => {
    const parts = await page.$$eval('#legend button', (buttons) => buttons.map(({ textContent }) => textContent.replace(/ [\d.]+ %$/, '')));
    assert.deepEqual(parts.sort(), ['C library', 'alloc.ts', 'program', 'without names']);
    const { rows } = await readTable(page);
    const partOf = (wanted) => rows.find(({ name }) => name === wanted).cells.Part;
    assert.deepEqual(['~__uflow', '~trinkle', 'trinkle'].map(partOf), ['C library', 'C library', 'program'], 'known by their code');
  });
});

test('a part in the legend leaves its functions', () =>
  withReport('many_functions', async (page) => {
    const [name, share] = await page.$eval('#legend button', (button) => button.textContent.match(/^(.*) ([\d.]+ %)$/).slice(1));
    assert(parseFloat(share) > 0);
    await clickOn(page, '#legend button');
    const { rows } = await readTable(page);
    assert(rows.length > 0 && rows.every(({ cells }) => cells.Part === name), name);
    await clickOn(page, '#legend button');
    assert((await readTable(page)).rows.length > rows.length);
  }));

test('a function that was called but never sampled has less than a sample, and its time is in its caller', async () => {
  const nodes = [
    { function: 1, parent: 0, calls: 1, self: 90_000 },
    { function: 2, parent: 1, calls: 1_123_426, self: 0 },
    { function: 3, parent: 1, calls: 7, self: 10_000 },
  ];
  const path = join(folder, 'samples.wperf');
  writeFileSync(path, writeProfile(nodes, [[1, 'main'], [2, 'quick'], [3, 'slow']], { clock: 4, clockReadCount: 1000 }));
  await withHtml(writeReport({ path }, 'html', 'html', []), async (page) => {
    const table = await readTable(page);
    assert.deepEqual(table.headings.slice(1, 4), ['Self', '\u00b1', 'Self %'], 'the deviation stands beside its value');
    const rows = Object.fromEntries(table.rows.map(({ name, cells }) => [name, cells]));
    const quick = rows['quick in its caller'];
    assert.deepEqual([quick.Self, quick['Self per call'], quick['\u00b1']], ['<1 sample', '?', '']);
    assert.equal(await page.$eval('#functions .mark', ({ title }) => title),
      'The engine inlined it. wasm-perf record --no-inlining shows its own time.');
    assert.deepEqual([rows.slow.Self, rows.slow['\u00b1']], ['10.0 \u00b5s', '1.00 \u00b5s'], 'of 100 samples, 10 more or less');
  });
});

test('at 1280 pixels the table has room for its columns, and its headings stay in sight', () =>
  withReport('many_functions', async (page) => {
    await go(page, 'select=lib0_function_80');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1280);
    const cut = await page.$$eval('#functions td:not(.part)', (cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
    assert.equal(cut, 0);
    await page.$eval('#functions tbody tr:nth-child(50)', (row) => row.scrollIntoView({ block: 'center' }));
    await settle(page);
    const heading = await page.$eval('#functions thead th', (cell) => cell.getBoundingClientRect().toJSON());
    const bar = await page.$eval('#bar', (element) => element.getBoundingClientRect().bottom);
    assert(Math.abs(heading.top - bar) < 3, `${heading.top} ${bar}`);
  }, { viewport: { width: 1280, height: 800 } }));
