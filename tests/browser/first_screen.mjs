// What the first screen of reports shows: node first_screen.mjs FILE.html... prints a table of where the graph begins,
// in a window and on a phone, on how many of its named frames the function's own name can be read, and how well: the
// least contrast of a name, and whether the frame under the pointer, the selected one and the control with the keyboard
// are outlined, and short headings and buttons have a title. Exits with 1 if one of the latter is not so.
import { basename } from 'node:path';

import { readFrames, waitForReport } from './report_page.mjs';
import { browser, withPage } from './support.mjs';

const WINDOW = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const CLOSING = { ')': '(', '>': '<', ']': '[' };

/** The text without what it ends with in brackets, or as it is. */
function withoutEnd(text) {
  let nesting = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    if (text[i] in CLOSING && text[i - 1] !== '-') nesting++;
    else if (Object.values(CLOSING).includes(text[i])) nesting--;
    if (nesting === 0) return i < text.length - 1 ? text.slice(0, i) : text;
  }
  return text;
}

/** What a function is called itself, without what is around it; null where that is no word. */
function ownNameOf(name) {
  const numbered = /^func\[(\d+)\]/.exec(name) ?? /^\(anonymous\) .*:(\d+):\d+$/.exec(name);
  if (numbered !== null) return numbered[1];
  const guest = /^<module> \((?:.*\/)?([^/:]+)(:\d+)?\)$/.exec(name);
  if (guest !== null) return guest[1];
  if (/^(orig\$)?_Z/.test(name)) return null; // which no demangler knows
  let text = name.replace(/ \([^()]*[./<][^()]*\)$| [^\s()/]+:\d+:\d+$/, '').replace(/( const| \[clone [^\]]*\]| \(\.[^)]*\))+$/, '');
  if (text.endsWith(')')) text = withoutEnd(text);
  if (text.endsWith('>') && !/operator[<>=-]+$/.test(text)) text = withoutEnd(text);
  return /[\p{L}\p{N}_$~]+$/u.exec(text)?.[0] ?? null;
}

/** {begins: pixels above the first frame; frames with room for a name, with a name, with a readable one} */
async function look(path, viewport) {
  return withPage(path, async (page) => {
    await waitForReport(page);
    const begins = await page.$eval('#graph', (graph) => graph.getBoundingClientRect().top);
    const wide = (await readFrames(page)).filter(({ name, top }) => name !== 'all' && top < viewport.height && ownNameOf(name) !== null);
    const named = wide.filter(({ text }) => text !== '');
    const readable = named.filter(({ name, text }) => text.includes(ownNameOf(name)));
    return { begins: Math.round(begins), wide: wide.length, named: named.length, readable: readable.length };
  }, { viewport, allows: () => true });
}

const LEAST_CONTRAST = 4.5; // of WCAG, for normal text

/** The least contrast of a frame's name with what is drawn behind it, and the name. */
const leastContrast = (page) => page.evaluate(() => {
  const channel = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const brightness = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
  const canvas = document.querySelector('#graph canvas');
  const box = canvas.getBoundingClientRect();
  const scale = canvas.width / box.width;
  const context = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height })
    .getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  let least = { contrast: Infinity, text: '' };
  for (const frame of document.querySelectorAll('#graph .frame:not([hidden])')) {
    const { left, top, height } = frame.getBoundingClientRect();
    if (frame.textContent === '' || top < box.top || top + height > box.bottom) continue;
    const { data } = context.getImageData(Math.round((left - box.left + 1.5) * scale), Math.round((top - box.top + height / 2) * scale), 1, 1);
    const [a, b] = [brightness(data), brightness(getComputedStyle(frame).color.match(/\d+/g).map(Number))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (data[3] === 255 && contrast < least.contrast) least = { contrast, text: frame.textContent };
  }
  return least;
});

/** What is not outlined: the frame under the pointer, or a control that the keyboard is at. */
async function withoutOutline(page) {
  const missing = [];
  const bottom = await page.$eval('#graph', (graph) => graph.getBoundingClientRect().bottom);
  const { left, top, width } = (await readFrames(page)).findLast((frame) => frame.top + 16 < bottom);
  await page.mouse.move(left + width / 2, top + 8);
  const outline = await page.$eval('.outline', (element) => {
    const { width: size, borderTopWidth: border } = getComputedStyle(element);
    return element.hidden || border === '0px' ? 0 : parseFloat(size);
  });
  if (Math.abs(outline - width) > 2) missing.push('the frame under the pointer');
  await page.focus('#search');
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab');
    const bare = await page.evaluate(() => {
      const { activeElement: element } = document;
      const seen = element.id === 'graph' ? element.querySelector('.current') : element;
      const { outlineStyle, outlineWidth } = getComputedStyle(seen ?? element);
      return element === document.body || (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) ? '' : element.id || element.textContent;
    });
    if (bare !== '') missing.push(bare);
  }
  return missing;
}

/** Headings and buttons of one or two characters without a title. */
const withoutTitle = (page) => page.evaluate(() =>
  Array.from(document.querySelectorAll('#bar button, #functions thead th, #lines thead th'))
    .filter((element) => element.checkVisibility() && element.title === '' && element.textContent.trim().length < 3)
    .map(({ textContent }) => textContent));

/** What is wrong with how a page can be read, as texts. */
async function faultsOf(path) {
  return withPage(path, async (page) => {
    await waitForReport(page);
    const { contrast, text } = await leastContrast(page);
    const outlines = await withoutOutline(page);
    const titles = await withoutTitle(page);
    return { contrast, faults: [
      ...(contrast < LEAST_CONTRAST ? [`contrast of ${text}: ${contrast.toFixed(1)}`] : []),
      ...outlines.map((what) => `no outline: ${what}`),
      ...titles.map((what) => `no title: ${what}`),
    ] };
  }, { viewport: WINDOW, allows: () => true });
}

const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`;

if (process.argv[1] === import.meta.filename) {
  console.log('| report | graph begins at | on a phone | frames of 28 pixels | named | own name readable, of the named | of all | least contrast |\n' +
    '|---|--:|--:|--:|--:|--:|--:|--:|');
  const all = [];
  for (const path of process.argv.slice(2)) {
    const { begins, wide, named, readable } = await look(path, WINDOW);
    const phone = await look(path, PHONE);
    const { contrast, faults } = await faultsOf(path);
    console.log(`| ${basename(path)} | ${begins} px | ${phone.begins} px | ${wide} | ${named} | ` +
      `${percent(readable, named)} | ${percent(readable, wide)} | ${contrast.toFixed(1)} |`);
    all.push(...faults.map((fault) => `${basename(path)}: ${fault}`));
  }
  await browser.close();
  for (const fault of all) console.error(fault);
  process.exitCode = all.length > 0 ? 1 : 0;
}
