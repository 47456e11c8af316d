// What the page says first: one line of what it is, findings that lead to what they are about, and the graph in sight.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { KINDS, writeProfile } from '../js/wperf.mjs';
import { tool } from '../support/tools.mjs';
import { choose, clickOn, go, readTable, textOf, withHtml, withReport, writeStack } from './report_page.mjs';
import { browser, folder, writeReport } from './support.mjs';

after(() => browser.close());

const readFindings = (page) => page.$$eval('#findings li', (items) => items.map((item) => item.textContent));

for (const [name, viewport, most] of [
  ['a window', { width: 1440, height: 900 }, 120],
  ['a phone', { width: 390, height: 844, isMobile: true, hasTouch: true }, 260],
])
  for (const profile of ['program', 'many_functions', 'limits', 'deep'])
    test(`${profile}: in ${name} the graph begins above ${most} pixels`, () =>
      withReport(profile, async (page) => {
        assert((await readFindings(page)).length > 0);
        const { top, bottom } = await page.$eval('#graph', (graph) => graph.getBoundingClientRect().toJSON());
        assert(top < most, String(top));
        const bar = await page.$eval('#details', (details) => details.getBoundingClientRect().top);
        assert(bottom <= bar + 1, 'and ends above the details');
        if (profile === 'deep') assert(bar - bottom < 60, 'which are as far down as it can reach');
      }, { viewport }));

test('the findings say what takes most, from where, and where the work splits', () =>
  withReport('program', async (page) => {
    assert.deepEqual(await readFindings(page), [
      'json::parse(char const*) 54.4 % of the time by itself, all from _start (20 calls, 21.0 \u00b5s each)',
      '33.6 % of the time is allocation, in malloc; record --memory shows for whom',
      '_start splits: 87 % json::parse(char const*), 13 % app::print',
    ]);
    await choose(page, 'value', 'calls');
    assert.match((await readFindings(page))[0], /^malloc 99\.0 % of all calls, called most \(4,012 calls\), nearly all from json::parse/);
    await go(page, 'focus=app::print');
    assert.match((await readFindings(page))[0], /^app::print 80\.0 % of the time by itself/);
  }));

test('a finding leads to what it is about', () =>
  withReport('program', async (page) => {
    await clickOn(page, '#findings button');
    assert.equal((await readTable(page)).rows.find(({ isCurrent }) => isCurrent).name, 'json::parse(char const*)');
    assert.match(await textOf(page, 'frame-line'), /^json::parse/);
    await clickOn(page, '#findings li:nth-child(2) button');
    assert.match(await textOf(page, 'frame-line'), /^malloc/);
    await clickOn(page, '#findings li:nth-child(3) button');
    assert.match(await textOf(page, 'frame-line'), /^_start/);
  }));

test('one call stack of many is found, and one that all pass through is not', async () => {
  const nodes = [
    { function: 0, parent: 0, calls: 1, self: 100 }, // main
    ...[1, 2, 3, 4, 5].map((of) => ({ function: of, parent: 1, calls: 1, self: 10_000 })),
    ...[2, 3, 4, 5, 6].map((parent) => ({ function: 9, parent, calls: 5, self: parent === 4 ? 9000 : 100 })),
  ];
  const names = [[0, 'main'], ...[1, 2, 3, 4, 5].map((i) => [i, `part${i}`]), [9, 'lookup']];
  const path = join(folder, 'many.wperf');
  writeFileSync(path, writeProfile(nodes, names));
  await withHtml(writeReport({ path }, 'html', 'html'), async (page) => {
    assert.equal((await readFindings(page))[1], 'lookup 96 % of its 9.40 \u00b5s in one of 5 call stacks');
    await clickOn(page, '#findings li:nth-child(2) button');
    assert.match(await textOf(page, 'path'), /part3 \u203a lookup$/);
  });
});

test('many calls between JavaScript and WebAssembly are found, few are not', async () => {
  const page = (name, calls) => {
    const nodes = [
      { function: 0, parent: 0, calls: 1, self: 50_000 }, // JavaScript, which calls step
      { function: 1, parent: 1, calls, self: 400_000 },
      { function: 2, parent: 2, calls: 9000, self: 300_000 },
    ];
    const path = join(folder, `${name}.wperf`);
    writeFileSync(path, writeProfile(nodes, [[0, 'loop'], [1, 'step'], [2, 'add']], { kinds: [[0, KINDS.javascript]] }));
    return writeReport({ path }, 'html', 'html');
  };
  const isCrossing = (text) => text.includes('from outside WebAssembly');
  await withHtml(page('crossings', 3000), async (shown) => {
    const crossings = (await readFindings(shown)).filter(isCrossing);
    assert.deepEqual(crossings, ['step called from outside WebAssembly 3,000 times, most by loop: 25 % of all calls']);
    await go(shown, 'hide=loop'); // so that callers are not those of the program
    assert(!(await readFindings(shown)).some(isCrossing));
  });
  await withHtml(page('crossings-few', 800), async (shown) => assert(!(await readFindings(shown)).some(isCrossing)));
});

test('functions without names and a good part of the time are found, with the option that names them', async () => {
  const findingsOf = async (nameless) => {
    const nodes = [
      { function: 0, parent: 0, calls: 1, self: 100 - nameless },
      { function: 5, parent: 1, calls: 1, self: nameless },
    ];
    const path = join(folder, 'nameless.wperf');
    writeFileSync(path, writeProfile(nodes, [[0, 'main']], { clock: 3 }));
    return withHtml(writeReport({ path }, 'html', 'html'), readFindings);
  };
  const sentence = '30.0 % of the time without names: --symbols FILE has them. If clang ran wasm-opt, compile and link in two commands';
  assert.deepEqual((await findingsOf(30)).filter((text) => text.includes('names')), [sentence]);
  assert((await findingsOf(19)).every((text) => !text.includes('--symbols')));
});

test('equal functions make no finding', async () => {
  const nodes = Array.from({ length: 100 }, (_, i) => ({ function: i, parent: 0, calls: 1, self: 1000 }));
  const path = join(folder, 'alike.wperf');
  writeFileSync(path, writeProfile(nodes, nodes.map((_, i) => [i, `part_${i}`])));
  await withHtml(writeReport({ path }, 'html', 'html'), async (page) => assert.deepEqual(await readFindings(page), []));
});

/** The findings of functions in a row, called by main, with these self values. */
async function findingsOfNames(values) {
  const names = Object.keys(values);
  const nodes = [
    { function: 0, parent: 0, calls: 1, self: 10 },
    ...names.map((name, i) => ({ function: i + 1, parent: 1, calls: 1, self: values[name] })),
  ];
  const path = join(folder, 'habits.wperf');
  writeFileSync(path, writeProfile(nodes, [[0, 'main'], ...names.map((name, i) => [i + 1, name])], { clock: 3 }));
  return withHtml(writeReport({ path }, 'html', 'html'), readFindings);
}

test('what well-known functions do is said together, largest first, unless one function is all of it', async () => {
  const found = await findingsOfNames({
    work: 300, 'runtime.mallocgc': 80, 'runtime.newobject': 40, 'runtime.scanobject': 130, 'std::__2::sort<int*>(int*, int*)': 60 });
  assert.deepEqual(found.filter((text) => text.includes(' is ')), [
    '21.0 % of the time is garbage collection, in runtime.scanobject; fewer allocations need less of it',
    '19.4 % of the time is allocation, most in runtime.mallocgc; record --memory shows for whom',
  ]);
  assert.deepEqual((await findingsOfNames({ strcmp: 500, work: 100 })).filter((text) => text.includes(' is ')), []);
});

test('what is found in a part of the profile is as if that were all of it', async () => {
  const nodes = (values) => values.map((self, i) => ({ function: i, parent: i === 0 ? 0 : 1, calls: 1, self }));
  const names = [[0, 'main'], [1, 'parse'], [2, 'print']];
  const write = (name, values) => {
    const path = join(folder, `${name}.wperf`);
    writeFileSync(path, writeProfile(nodes(values), names, { clock: 3 }));
    return writeReport({ path }, 'html', 'html');
  };
  const alone = await withHtml(write('alone', [0, 700, 0]), readFindings);
  assert.deepEqual(alone, ['parse 100.0 % of the time by itself'], 'who made a single call is no news');
  await withHtml(write('both', [0, 700, 300]), async (page) => {
    assert.match((await readFindings(page))[0], /^parse 70\.0 %/);
    await go(page, 'focus=parse');
    assert.deepEqual(await readFindings(page), alone);
    await go(page, '');
    assert.match((await readFindings(page))[0], /^parse 70\.0 %/);
  });
});

test('there are no findings where times are rough, but of calls', async () => {
  const rough = writeStack('rough', 3, { hookCosts: [1e6, 1e6, 0].map((cost) => cost * 1024) });
  await withHtml(writeReport(rough, 'html', 'html'), async (page) => {
    assert.equal(await page.$eval('header .badge', (badge) => badge.textContent), 'unreliable');
    assert.match(await textOf(page, 'about'), /Times are rough/);
    assert.equal(await textOf(page, 'findings'), 'No findings: the times are too rough for them');
    await choose(page, 'value', 'calls');
    assert.match(await textOf(page, 'findings'), /of all calls/);
  });
});

test('few samples make no badge, and no finding that may be chance', async () => {
  const withSamples = async (count) => {
    const nodes = [8, 1, 1].map((share, i) => ({ function: i, parent: 0, calls: 1, self: share * 1e6 }));
    const path = join(folder, `samples_${count}.wperf`);
    writeFileSync(path, writeProfile(nodes, nodes.map((_, i) => [i, `part_${i}`]), { clock: 4, clockReadCount: count }));
    return withHtml(writeReport({ path }, 'html', 'html'), async (page) => {
      assert.equal(await page.$('header .badge'), null);
      return readFindings(page);
    });
  };
  assert.deepEqual(await withSamples(3), []);
  for (const count of [99, 101])
    assert.match((await withSamples(count))[0], /^part_0 80\.0 % of the time by itself/);
});

/** What Copy summary copies. */
async function copySummary(page) {
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: (text) => { window.copied = text; } } });
  });
  await page.evaluate(() => { window.copied = null; });
  await clickOn(page, '#summary');
  await page.waitForFunction(() => window.copied !== null);
  return page.evaluate(() => window.copied);
}

const explain = (path) => execFileSync(tool('wasm-perf'), ['explain', '--format', 'md', path], { encoding: 'utf8' });

test('Copy summary copies what explain writes as Markdown', async () => {
  const named = writeStack('summary', 5);
  await withHtml(writeReport(named, 'html', 'html', []), async (page) => {
    assert.equal(await copySummary(page), explain(named.path).replaceAll(named.path, 'summary.wperf').replaceAll("'", ''));
  });
});

test('Copy summary of a view has the same form, and says what is left out', () =>
  withReport('program', async (page) => {
    const whole = await copySummary(page);
    assert.match(whole, /^# program\.wperf\n\n\* 772 \u00b5s \(wall clock\), 4,052 calls/);
    await go(page, 'fold=1');
    const same = await copySummary(page);
    const bodyOf = (text) => text.split('## Findings')[1].split('## Next')[0].trim();
    assert.equal(bodyOf(same), bodyOf(whole), 'there is no recursion');
    await go(page, 'focus=app::print');
    assert.match(await copySummary(page), /^# program\.wperf\n\n\* 772 \u00b5s.*\n\* Only stacks with app::print\n[^]*\n\| 80\.00 \| 80\.0 \u00b5s \| 7 calls \| app::print \|\n/);
    await go(page, 'value=calls');
    assert.match(await copySummary(page), /\n\| 99\.01 \| 4,012 calls \| malloc \|\n/);
  }));

function writeDifference() {
  const output = join(folder, 'changed.html');
  execFileSync(tool('wasm-perf'), ['diff', writeStack('short', 3).path, writeStack('long', 4).path, '-o', output]);
  return output;
}

test('Copy summary of a comparison says what changed', () =>
  withHtml(writeDifference(), async (page) => {
    assert.equal(await copySummary(page), '# Before and after\n\n* 33.3 % more: 3.00 \u00b5s \u2192 4.00 \u00b5s\n\n## Findings\n\n* function\\_3 +1.00 \u00b5s (new)\n');
  }));

test('the format md is what explain writes as Markdown', () => {
  const { path } = writeStack('markdown', 5);
  const run = (...args) => execFileSync(tool('wasm-perf'), [...args, '--format', 'md', path], { encoding: 'utf8' }).replaceAll(path, 'markdown.wperf').replaceAll("'", '');
  assert.equal(run('report'), run('explain'));
});
