// The HTML report in a browser: what it is made of, and its table against the oracle.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { writeProfile } from '../js/wperf.mjs';
import { tool } from '../support/tools.mjs';
import {
  clickFrame, clickHeading, clickOn, commas, go, readAllRows, readFrames, readTable, textOf, withHtml, withReport,
} from './report_page.mjs';
import { browser, folder, makeProfile, percentage, writeReport } from './support.mjs';

after(() => browser.close());

const EXACT = 2n ** 53n; // what JavaScript's numbers hold to the last digit
const FIRST_ROWS = 100;

/** Checks a row against the oracle's function. */
function checkRow({ cells, name }, wanted, { hasClock, whole }) {
  assert.equal(name, wanted.name);
  if (wanted.calls < EXACT) assert.equal(cells.Calls, commas(wanted.calls), name);
  assert.equal(cells[hasClock ? 'Self %' : 'Calls %'], `${percentage(wanted.self, whole, 2)} %`, name);
  if (hasClock) assert.equal(cells['Total %'], `${percentage(wanted.total, whole, 2)} %`, name);
}

const profiles = [
  'program', 'slow_clock', 'no_clock', 'instructions', 'unknown_clock', 'limits', 'empty', 'zero_time',
  'recursion', 'mutual_recursion', 'host_calls', 'odd_names', 'many_functions', 'deep', 'depth_limit',
  'wide', 'crowded', 'extremes',
];
for (const name of profiles) {
  test(`${name}: the table says what the oracle does`, () =>
    withReport(name, async (page, report) => {
      const { rows } = await readAllRows(page);
      assert.deepEqual(rows.map((row) => row.name).sort(), report.functions.map((row) => row.name).sort());
      const wanted = new Map(report.functions.map((row) => [row.name, row]));
      for (const row of rows) checkRow(row, wanted.get(row.name), report);
    }));
}

test('shares add up down the column', () =>
  withReport('many_functions', async (page, { functions, whole }) => {
    const { rows } = await readTable(page);
    let sum = 0n;
    for (const [i, { self }] of functions.slice(0, FIRST_ROWS).entries()) {
      sum += self;
      assert.equal(rows[i].cells['Cumulative %'], `${percentage(sum, whole, 1)} %`);
    }
  }));

test('the table shows a hundred rows, says how many more there are, and shows those on request', () =>
  withReport('wide', async (page, { functions, whole }) => {
    assert.equal((await readTable(page)).rows.length, FIRST_ROWS);
    const rest = functions.slice(FIRST_ROWS);
    const sum = rest.reduce((total, { self }) => total + self, 0n);
    const note = await page.$eval('#function-part .note', (element) => element.textContent);
    assert.equal(note.trim(), `${commas(rest.length)} more functions with ${percentage(sum, whole, 2)} % together.`);
    await clickOn(page, 'button.more');
    assert.equal((await readTable(page)).rows.length, 11 * FIRST_ROWS);
  }));

// --- places in the source ---
/** The element after the name in the table's row, as {text, href, title}. */
const placeOf = (page, name) =>
  page.evaluate((wanted) => {
    const rows = Array.from(document.querySelectorAll('#functions tbody tr'));
    const row = rows.find((other) => other.cells[0].firstChild.textContent === wanted);
    const place = row.querySelector('.place');
    return place && { text: place.textContent, href: place.getAttribute('href'), title: place.title };
  }, name);

test('functions are shown with their file and line, and link to it if a URL is given', async () => {
  const profile = makeProfile('places');
  const show = (...options) => {
    const path = join(folder, 'places.html');
    const result = spawnSync(tool('wasm-perf'), ['report', '-o', path, ...options, profile.path], { cwd: '/', encoding: 'utf8' });
    return { path, ...result };
  };
  await withHtml(show().path, async (page) => {
    assert.deepEqual(await placeOf(page, 'json::parse(char const*)'), { text: 'json.cc:42', href: null, title: '/src/json.cc:42' });
    assert.deepEqual(await placeOf(page, 'malloc'), { text: 'malloc.c', href: null, title: '/libc/malloc.c' });
    assert.equal(await placeOf(page, 'func[4]'), null);
    await go(page, 'select=json::parse(char const*)');
    assert.match(await textOf(page, 'frame-line'), /json\.cc:42\. Its lines, and what is inlined: record --lines$/);
    await go(page, 'select=malloc');
    assert.doesNotMatch(await textOf(page, 'frame-line'), /record --lines/);
  });
  await withHtml(show('--source-url', 'https://example.org/{path}?line={line}').path, async (page) => {
    const { href } = await placeOf(page, 'app::print');
    assert.equal(href, 'https://example.org//src/my%20app/main.c?line=99');
    await clickFrame(page, 'json::parse(char const*)');
    assert.equal(await page.$eval('#frame-line .place', (place) => place.textContent), '/src/json.cc:42');
  });
  await withHtml(show('--source-url', 'https://example.org/main/{file}#L{line}').path, async (page) => {
    const { href } = await placeOf(page, 'json::parse(char const*)');
    assert.equal(href, 'https://example.org/main/src/json.cc#L42'); // seen from '/', where the command ran
  });
  for (const url of ['javascript:alert({file})', 'https://example.org/', '{path}'])
    assert.deepEqual([show('--source-url', url).status, /--source-url needs a URL/.test(show('--source-url', url).stderr)], [2, true]);
});

// --- the table ---
const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const byNumber = (key) => (a, b) => byText(a[key], b[key]);
const perCall = ({ self, calls }) => (calls === 0n ? -1 : Number(self) / Number(calls));

for (const name of ['program', 'many_functions', 'no_clock', 'slow_clock', 'zero_time']) {
  test(`${name}: a click on a heading sorts, another turns it round`, () =>
    withReport(name, async (page, { functions, hasClock }) => {
      const orders = hasClock
        ? { Self: byNumber('self'), 'Self %': byNumber('self'), Total: byNumber('total'), Calls: byNumber('calls'),
            'Self per call': (a, b) => perCall(a) - perCall(b) }
        : { 'Calls %': byNumber('calls'), Calls: byNumber('calls') };
      const check = async (heading, compare, direction) => {
        await clickHeading(page, heading);
        const names = (await readTable(page)).rows.map((row) => row.name);
        const values = names.map((text) => functions.find((other) => other.name === text));
        assert.equal(new Set(names).size, functions.length);
        for (let i = 1; i < values.length; i++)
          assert(direction * compare(values[i - 1], values[i]) <= 1e-9, `${heading}: ${names[i]}`);
        const sorted = await page.$$eval('#functions [aria-sort]', (cells) =>
          cells.map((cell) => [cell.textContent, cell.getAttribute('aria-sort')]));
        assert.deepEqual(sorted, [[heading, direction > 0 ? 'ascending' : 'descending']]);
      };
      await check('Function', (a, b) => byText(a.name, b.name), 1);
      await check('Function', (a, b) => byText(a.name, b.name), -1);
      for (const [heading, compare] of Object.entries(orders)) {
        await check(heading, compare, -1);
        await check(heading, compare, 1);
      }
    }));
}

test('where hooks may have taken much, the time is not divided by the calls', async () => {
  // 90 ns for each of 100 calls, whose hooks take 10 ns in each function at least, and perhaps four times that.
  const nodes = [
    { function: 1, parent: 0, calls: 1, self: 50_000 },
    { function: 2, parent: 1, calls: 100, self: 9000 },
  ];
  const names = [[1, 'main'], [2, 'work']];
  const path = join(folder, 'cost.wperf');
  writeFileSync(path, writeProfile(nodes, names, { hookCosts: [10, 10, 2].map((cost) => cost * 1024) }));
  await withHtml(writeReport({ path }, 'html', 'html', []), async (page) => {
    const { rows } = await readTable(page);
    assert.deepEqual(rows.map(({ name, cells }) => [name, cells.Self, cells['Self per call']]),
      [['main', '49.0 µs', '49.0 µs'], ['work mostly hooks', '8.00 µs', '?']]);
  });
});

// --- what it is made of ---
test('the summary counts truncated stacks and open frames', () =>
  withReport('limits', async (page) => {
    const lines = await page.$$eval('header p', (all) => all.map((line) => [line.className, line.textContent]));
    assert(lines.some(([kind, line]) => kind === 'caution' &&
      /^Out of nodes \(65,536\): 1,234,567 calls .* has 77\.0 µs, 9\.1 %/.test(line)), JSON.stringify(lines));
    assert(lines.some(([kind, line]) => kind === 'fact' && line === 'Still running at the end: 3 frames'));
  }));

test('without scripts the summary and a table are there', () =>
  withReport(
    'program',
    async (page, { functions }) => {
      assert.match(await page.$eval('header', (header) => header.textContent),
        /772 µs \(wall clock\), 4,052 calls, 5 functions, 6 call stacks/);
      const names = await page.$$eval('noscript tbody th', (cells) => cells.map((cell) => cell.textContent));
      assert.deepEqual(names, functions.map(({ name }) => name));
      assert.equal(await page.$eval('#app', (app) => app.getBoundingClientRect().height), 0);
    },
    { scripts: false },
  ));

test('names are text, whatever is in them', () =>
  withReport('odd_names', async (page) => {
    const script = 'with ]]> and <script>alert(1)</script>';
    assert((await readAllRows(page)).rows.some(({ name }) => name === script));
    assert.deepEqual(await page.$$eval('script', (scripts) => scripts.map(({ id }) => id)), ['reader', '']);
  }));

test('a name that is cut is cut between characters', () =>
  withReport('odd_names', async (page) => {
    for (const { text, name } of await readFrames(page)) {
      assert(text.isWellFormed(), text);
      assert(name.includes(text.replace(/…$/, '')) || text.includes('<…>'), `${text}: ${name}`);
    }
  }));

test('a script that somebody adds does not run', () =>
  assert.rejects(
    withReport('program', async (page) => {
      const outcome = await page.evaluate(async () => {
        const script = document.createElement('script');
        script.textContent = 'window.wasRun = true';
        document.body.append(script);
        await new Promise((resolve) => setTimeout(resolve));
        return [window.wasRun === true, ...window.violations.splice(0)];
      });
      assert.deepEqual(outcome, [false, 'script-src-elem inline']);
    }),
    /violates the following Content Security Policy/, // the complaint that no page may cause
  ));

test('a report that cannot be written fails', (context) => {
  if (!existsSync('/dev/full')) return context.skip('there is no device that is full');
  const { path } = makeProfile('program');
  const args = ['report', '--format', 'html', '-o', '/dev/full', path];
  const { status, stderr } = spawnSync(tool('wasm-perf'), args, { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /No space left on device/);
});

test('no two modules of the page use a name for different things', () => {
  const source = readFileSync(join(import.meta.dirname, '../../src/cmake/report.cmake'), 'utf8');
  const modules = /WI_PAGE_MODULES ([^)]*)\)/.exec(source)[1].split(/\s+/);
  const folderOfPage = join(import.meta.dirname, '../../src/report/formats/html');
  const names = modules.flatMap((name) =>
    [...readFileSync(join(folderOfPage, `${name}.mjs`), 'utf8').matchAll(/^(?:export )?(?:async )?(?:function\*?|const|class|let) (\w+)/gm)]
      .map((match) => match[1]));
  assert(names.length > 100);
  assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
});
