// The page without a profile: files of each kind that are opened in it, against the oracle, and two compared.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import inspector from 'node:inspector/promises';
import { after, test } from 'node:test';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip, gunzipSync } from 'node:zlib';

import { writeProfile } from '../js/wperf.mjs';
import { tool } from '../support/tools.mjs';
import { choose, openFiles, readAllRows, readFrames, textOf } from './report_page.mjs';
import { browser, folder, makeProfile, percentage, withPage, writeReport } from './support.mjs';

after(() => browser.close());

const viewer = join(folder, 'viewer.html');
execFileSync(tool('wasm-perf'), ['open', '--no-browser', '-o', viewer]);

/** Opens files in a viewer of their own. */
const withFiles = (paths, use) => withPage(viewer, async (page) => {
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await openFiles(page, ...paths);
  return use(page);
});

const sharesOf = async (page, column) =>
  Object.fromEntries((await readAllRows(page)).rows.map(({ name, cells }) => [name.replace(/ \S+$/, (end) => (/:\d+$/.test(end) ? '' : end)), cells[column]])
    .filter(([, share]) => share !== '0.00 %'));

/** The oracle's shares, of the functions that have one. */
const wantedShares = ({ functions, whole }, key) =>
  Object.fromEntries(functions.map((row) => [row.name, `${percentage(row[key], whole, 2)} %`]).filter(([, share]) => share !== '0.00 %'));

const extensions = {
  wperf: 'wperf', cpuprofile: 'cpuprofile', chrome: 'trace.json', folded: 'folded', speedscope: 'speedscope.json',
  firefox: 'firefox.json', pprof: 'pb.gz', html: 'html',
};
for (const name of ['program', 'recursion', 'many_functions'])
  for (const [format, extension] of Object.entries(extensions))
    test(`${name}: ${format} shows what the oracle reads in the profile`, async () => {
      const profile = makeProfile(name);
      const path = format === 'wperf' ? profile.path : writeReport(profile, format, extension);
      if (format === 'wperf') assert(existsSync(path));
      await withFiles([path], async (page) => {
        assert.equal(await textOf(page, 'notice'), '');
        assert.deepEqual(await sharesOf(page, 'Self %'), wantedShares(profile, 'self'));
        assert.deepEqual(await sharesOf(page, 'Total %'), wantedShares(profile, 'total'));
        assert((await readFrames(page)).length > 3);
      });
    });

test('a profile of V8 shows the function that works, with its file', async () => {
  const session = new inspector.Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  const end = performance.now() + 300;
  let sum = 0;
  function spinForTheTest() {
    for (let i = 0; i < 1e5; i++) sum += Math.sqrt(i);
  }
  while (performance.now() < end) spinForTheTest();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  assert(sum > 0);
  const path = join(folder, 'node.cpuprofile');
  writeFileSync(path, JSON.stringify(profile));
  await withFiles([path], async (page) => {
    const { rows } = await readAllRows(page);
    const row = rows.find(({ name }) => /^spinForTheTest html_viewer\.test\.mjs:\d+$/.test(name));
    assert.equal(row?.cells.Part, 'html_viewer.test.mjs');
  });
});

/** A trace of a page that works for so many milliseconds. */
async function traceOfWork(path, time) {
  const page = await browser.newPage();
  await page.tracing.start({ path, categories: ['disabled-by-default-v8.cpu_profiler', 'v8.execute'] });
  await page.evaluate((wanted) => {
    const end = performance.now() + wanted;
    function spinInThePage() {
      let sum = 0;
      for (let i = 0; i < 1e5; i++) sum += Math.sqrt(i);
      return sum;
    }
    while (performance.now() < end) window.sum = spinInThePage();
  }, time);
  await page.tracing.stop();
  await page.close();
}

test('a trace of Chromium has the profile that it recorded', async () => {
  const path = join(folder, 'chromium.json');
  // Chromium may begin to sample late where others have the processors.
  for (let time = 400; time <= 12_800; time *= 2) {
    await traceOfWork(path, time);
    if (readFileSync(path, 'utf8').includes('"spinInThePage"')) break;
  }
  await withFiles([path], async (viewerPage) => {
    assert.equal(await textOf(viewerPage, 'notice'), '');
    assert((await readAllRows(viewerPage)).rows.some(({ name }) => name.startsWith('spinInThePage')));
    assert.doesNotMatch(await textOf(viewerPage, 'legend'), /cut at a limit/, 'native code is the host');
  });
});

test('the page says what demangles names, where it shows mangled ones', async () => {
  const make = (name, text) => {
    const path = join(folder, name);
    writeFileSync(path, writeProfile([{ function: 0, parent: 0, calls: 1, self: 5 }], [[0, text]]));
    return path;
  };
  const notice = (path) => withFiles([path], (page) => textOf(page, 'notice'));
  assert.match(await notice(make('mangled.wperf', '_ZN4shop3buyEi')), /mangled here.*: wasm-perf open FILE\.wperf, with --symbols FILE/);
  assert.equal(await notice(make('plain.wperf', '_Zero_count')), '');
});

test('a second profile is compared with the first', async () => {
  const make = (name, self) => {
    const path = join(folder, `${name}.folded`);
    writeFileSync(path, `main 10\nmain;parse ${self}\nmain;print 30\n`);
    return path;
  };
  const paths = [make('before', 60), make('after', 90)];
  await withFiles(paths, async (page) => {
    assert.equal(await textOf(page, 'totals'), '30.0 % more: 100 samples \u2192 130 samples');
    assert.equal(await page.title(), 'before.folded and after.folded');
    const rows = Object.fromEntries((await readAllRows(page)).rows.map(({ name, cells }) => [name, cells['Change samples']]));
    assert.deepEqual(rows, { parse: '+30', main: 'no change', print: 'no change' });
  });
  await withFiles(paths.slice(0, 1), async (page) => {
    await openFiles(page, paths[1]);
    assert.match(await textOf(page, 'totals'), /^30\.0 % more/);
    await choose(page, 'compare', 'all');
    assert.match(await textOf(page, 'frame-line'), /^all \u2014 130 samples/);
  });
});

test('a dropped file is opened', () =>
  withPage(viewer, async (page) => {
    assert(await page.$eval('#welcome', (part) => part.checkVisibility()));
    await page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['main;work 5\n'], 'dropped.folded'));
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    });
    await page.waitForSelector('#app:not([hidden])');
    assert.equal(await page.title(), 'dropped.folded');
    assert.equal(await page.$eval('#welcome', (part) => part.checkVisibility()), false);
  }));

test('symbols name the functions of another tool\'s profile', async () => {
  const path = join(folder, 'stripped.folded');
  writeFileSync(path, 'func[3] 5\nfunc[3];func[4] 7\n');
  const symbols = join(folder, 'app.symbols');
  writeFileSync(symbols, '3:main\n4:parse\n');
  await withFiles([path], async (page) => {
    assert.deepEqual((await readAllRows(page)).rows.map(({ name }) => name), ['func[4]', 'func[3]']);
    await openFiles(page, symbols);
    assert.deepEqual((await readAllRows(page)).rows.map(({ name }) => name), ['parse', 'main']);
  });
});

const whole = gunzipSync(readFileSync(writeReport(makeProfile('program'), 'pprof', 'pb.gz')));
const wrong = {
  'nothing.json': '{"a": 1}', 'no.json': '{', 'text.txt': 'hello\n', 'random.bin': Buffer.from([7, 255, 0, 3, 1, 255, 255]),
  'cut.pb': whole.subarray(0, whole.length / 2), 'empty.folded': '', 'cut.wperf': readFileSync(makeProfile('program').path).subarray(0, 200),
  'loop.cpuprofile': JSON.stringify({ nodes: [{ id: 1, parent: 2, callFrame: {} }, { id: 2, parent: 1, callFrame: {} }], samples: [1], timeDeltas: [1] }),
};
for (const [name, content] of Object.entries(wrong))
  test(`${name} is refused in words`, () => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return withFiles([path], async (page) => {
      assert.match(await textOf(page, 'notice'), new RegExp(`^${basename(path)} cannot be shown: .+\\.$`));
      assert.equal(await page.$eval('#app', (app) => app.hidden), true);
    });
  });

test('a small file that unpacks to too much is refused', async () => {
  const path = join(folder, 'large.pb.gz');
  const zeros = Buffer.alloc(1 << 20);
  function* parts() {
    for (let i = 0; i <= 512; i++) yield zeros;
  }
  writeFileSync(path, await buffer(Readable.from(parts()).pipe(createGzip({ level: 1 }))));
  await withFiles([path], async (page) =>
    assert.equal(await textOf(page, 'notice'), 'large.pb.gz cannot be shown: it unpacks to more than 512 MB.'));
});

test('open wants one file or none, and says where it cannot write', (context) => {
  const run = (...args) => spawnSync(tool('wasm-perf'), ['open', '--no-browser', ...args], { cwd: folder, encoding: 'utf8' });
  assert.equal(run('app.wperf', 'b.wperf').status, 2);
  assert.match(run('app.wperf', 'b.wperf').stderr, /one profile, not 2/);
  assert.match(run('--in=firefox').stderr, /--in firefox needs a profile/);
  if (!existsSync('/dev/full')) return context.skip('there is no device that is full');
  const { status, stderr } = run('-o', '/dev/full');
  assert.deepEqual([status, /No space left on device/.test(stderr)], [1, true]);
});
