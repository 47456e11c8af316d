// The SVG flame graph where scripts run, opened from a file.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import {
  browser, makeProfile, percentage, readFrames, search, withPage, writeReport,
} from './support.mjs';

after(() => browser.close());

const SIDE = 12; // pixels beside the frames: 1 % of the window
const WIDTH = 1200 - 2 * SIDE;
const MATCH = 'rgb(157, 140, 255)';

const pictures = new Map();

/** The oracle's figures of a profile, and its picture in a page. */
function withPicture(name, use, options) {
  if (!pictures.has(name)) {
    const profile = makeProfile(name);
    pictures.set(name, { ...profile, svg: writeReport(profile, 'flamegraph', 'svg') });
  }
  const picture = pictures.get(name);
  return withPage(picture.svg, (page) => use(page, picture), options);
}

const isWithin = (outer, stack) => outer.every((name, i) => stack[i] === name);

/** Where the oracle has a frame, in pixels, when the view is of `zoomed`. */
function expectedBox(frame, zoomed) {
  const scale = WIDTH / Number(zoomed.total);
  return isWithin(zoomed.stack, frame.stack)
    ? { x: SIDE + Number(frame.start - zoomed.start) * scale, width: Number(frame.total) * scale }
    : { x: SIDE, width: WIDTH };
}

/** Checks that exactly the frames around and inside of `zoomed` are shown, each in its place. */
async function checkView(page, { frames }, zoomed) {
  const actual = (await readFrames(page)).filter((frame) => frame.isShown);
  const base = actual.find((frame) => frame.name === 'all');
  const expected = frames.filter(
    ({ stack }) => isWithin(zoomed.stack, stack) || isWithin(stack, zoomed.stack),
  );
  assert.equal(actual.length, expected.length);
  for (const frame of expected) {
    const { x, width } = expectedBox(frame, zoomed);
    const y = base.y + 17 * frame.stack.length;
    const name = frame.stack.at(-1) ?? 'all';
    const found = actual.filter(
      (other) =>
        other.name === name && Math.abs(other.y - y) < 0.1 &&
        Math.abs(other.x - x) < 0.1 && Math.abs(other.width - width) < 0.1,
    );
    assert.equal(found.length, 1, `${frame.stack.join(';')} at ${x}, ${y}, ${width} wide`);
    const isOutside = !isWithin(zoomed.stack, frame.stack);
    assert.equal(found[0].classes.includes('outside'), isOutside);
  }
}

/** Names that reach out of their frames, but for those that are as short as can be. */
const readClippedNames = (page) => page.evaluate(() =>
  Array.from(document.querySelectorAll('#frames > svg:not(.narrow, .hidden)'), (frame) => {
    const text = frame.querySelector('text');
    const excess = 4 + text.getComputedTextLength() - frame.querySelector('rect').getBoundingClientRect().width;
    return text.textContent.length > 2 && excess > 1 ? `${text.textContent}: ${excess}` : null;
  }).filter((clipped) => clipped !== null));

/** Clicks in the middle of the frame of this stack, as it stands in the whole view. */
async function clickFrame(page, { frames }, ...stack) {
  const frame = frames.find((other) => other.stack.join(';') === stack.join(';'));
  const box = expectedBox(frame, frames.find((other) => other.stack.length === 0));
  const [base] = await readFrames(page);
  await page.mouse.click(box.x + box.width / 2, base.y + 17 * stack.length + 8);
  return frame;
}

const wholeOf = ({ frames }) => frames.find(({ stack }) => stack.length === 0);

for (const width of [390, 640, 800, 1440]) {
  test(`in a window of ${width} pixels names fit their frames`, async () => {
    for (const name of ['program', 'many_functions', 'odd_names'])
      await withPicture(name, async (page) => assert.deepEqual(await readClippedNames(page), []),
        { viewport: { width, height: 800 } });
  });
}

for (const name of ['program', 'no_clock', 'recursion', 'host_calls', 'odd_names', 'depth_limit', 'wide']) {
  test(`${name}: every frame stands where the oracle has it`, () =>
    withPicture(name, (page, picture) => checkView(page, picture, wholeOf(picture))));
}

for (const name of ['empty', 'zero_time', 'extremes', 'deep', 'crowded']) {
  test(`${name}: opens, and answers`, () =>
    withPicture(name, async (page) => {
      await search(page, 'e');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
      assert((await readFrames(page)).length > 0);
    }));
}

test('a click zooms, the button goes back', () =>
  withPicture('program', async (page, picture) => {
    const isDisabled = () => page.$eval('button', (button) => button.disabled);
    assert(await isDisabled());
    const zoomed = await clickFrame(page, picture, '_start', 'json::parse(char const*)');
    await checkView(page, picture, zoomed);
    assert(!(await isDisabled()));
    await page.click('button');
    await checkView(page, picture, wholeOf(picture));
    assert(await isDisabled());
  }));

test('an ancestor of what is zoomed is a way back, too', () =>
  withPicture('program', async (page, picture) => {
    await clickFrame(page, picture, '_start', 'app::print');
    const { x, y } = (await readFrames(page)).find(({ name }) => name === 'all');
    await page.mouse.click(x + 500, y + 8);
    await checkView(page, picture, wholeOf(picture));
  }));

/** What is in matching frames, each stack once; in a view of what is inside of one, all of it. */
function expectedShare({ frames }, expression, zoomed) {
  const matches = frames.filter(({ stack }) => stack.length > 0 && expression.test(stack.at(-1)));
  if (matches.some(({ stack }) => isWithin(stack, zoomed.stack))) return '100.0 %';
  const outermost = matches.filter(
    ({ stack }) =>
      isWithin(zoomed.stack, stack) &&
      !stack.slice(0, -1).some((name, i) => i >= zoomed.stack.length && expression.test(name)),
  );
  const total = outermost.reduce((sum, frame) => sum + frame.total, 0n);
  return `${percentage(total, zoomed.total, 1)} %`;
}

async function checkSearch(page, picture, text, expression, zoomed = wholeOf(picture)) {
  await search(page, text);
  const shown = await page.$eval('output', (output) => output.textContent);
  const bound = picture.isComplete ? '' : 'at least ';
  assert.equal(shown, `matched ${bound}${expectedShare(picture, expression, zoomed)}`, text);
  const lit = (await readFrames(page)).filter((frame) => frame.fill === MATCH);
  const matches = picture.frames.filter(
    ({ stack }) => stack.length > 0 && expression.test(stack.at(-1)),
  );
  assert.deepEqual(
    lit.map(({ name }) => name).sort(),
    matches.map(({ stack }) => stack.at(-1)).sort(),
    text,
  );
}

const searches = [
  ['program', 'malloc', /malloc/i],
  ['program', 'MALLOC|print', /malloc|print/i],
  ['program', 'nothing like it', /nothing like it/],
  ['program', 'func[', /func\[/], // no regular expression
  ['program', 'parse(char const*)', /parse\(char const\*\)/i],
  ['recursion', 'fact', /fact/i],
  ['recursion', 'helper|leaf', /helper|leaf/i],
  ['no_clock', 'malloc', /malloc/i],
  ['host_calls', '^env', /^env/i],
  ['odd_names', 'same', /same/i],
  ['odd_names', 'größe', /größe/i],
  ['wide', 'Class1', /Class1/i],
  ['wide', '7', /7/],
];

for (const [name, text, expression] of searches) {
  test(`${name}: a search for ${text} finds what the oracle does`, () =>
    withPicture(name, (page, picture) => checkSearch(page, picture, text, expression)));
}

test('a search counts within the view', () =>
  withPicture('program', async (page, picture) => {
    const zoomed = await clickFrame(page, picture, '_start', 'app::print');
    await checkSearch(page, picture, 'malloc', /malloc/i, zoomed);
    await checkSearch(page, picture, 'print', /print/i, zoomed);
    await checkSearch(page, picture, '_start', /_start/i, zoomed);
    await checkSearch(page, picture, 'parse', /parse/i, zoomed);
    await search(page, '');
    assert.equal(await page.$eval('output', (output) => output.textContent), '');
    assert((await readFrames(page)).every(({ fill }) => fill !== MATCH));
  }));

const statusOf = (page) => page.$eval('#status', (status) => status.textContent);

test('the status line tells of the frame under the pointer', () =>
  withPicture('program', async (page) => {
    const hint = await statusOf(page);
    for (const { x, y, width, title } of await readFrames(page)) {
      await page.mouse.move(x + width / 2, y + 8);
      assert.equal(await statusOf(page), title);
    }
    await page.mouse.move(600, 60);
    assert.equal(await statusOf(page), hint);
  }));

test('the figures of a function with a long name stay in the window', () =>
  withPicture('odd_names', async (page) => {
    for (const { x, y, width, title, name } of await readFrames(page)) {
      await page.mouse.move(x + width / 2, y + 8);
      const text = await statusOf(page);
      assert(text.endsWith(title.slice(Math.max(0, name.length - 2))), text); // its end is kept, too
      const right = await page.$eval('#status text', (line) => line.getBoundingClientRect().right);
      assert(right <= 1200, text);
    }
  }));

test('the keyboard does all of it', () =>
  withPicture('program', async (page, picture) => {
    const focused = () =>
      page.evaluate(() => document.activeElement.querySelector(':scope > title')?.textContent);
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Tab');
    assert.match(await focused(), /^all /);
    await press('ArrowDown', 'ArrowDown');
    assert.match(await focused(), /^json::parse/);
    assert.match(await statusOf(page), /^json::parse.* 20 calls$/);
    await press('ArrowLeft');
    assert.match(await focused(), /^app::print/);
    await press('ArrowRight', 'ArrowRight', 'ArrowUp');
    assert.match(await focused(), /^_start/);
    await press('ArrowDown', 'Enter');
    await checkView(page, picture, picture.frames.find(({ stack }) => stack.at(-1)?.startsWith('json')));
    await press('/');
    await page.keyboard.type('malloc');
    assert.equal(await page.$eval('output', (output) => output.textContent), 'matched 37.3 %');
    await press('Escape');
    assert.equal(await page.$eval('output', (output) => output.textContent), '');
    assert.match(await focused(), /^json::parse/);
    await press('Escape');
    await checkView(page, picture, wholeOf(picture));
  }));
