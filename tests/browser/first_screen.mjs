// What the first screen of reports shows: node first_screen.mjs FILE.html... prints a table of where the graph begins,
// in a window and on a phone, and on how many of its named frames the function's own name can be read.
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

const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`;

if (process.argv[1] === import.meta.filename) {
  console.log('| report | graph begins at | on a phone | frames of 28 pixels | named | own name readable, of the named | of all |\n' +
    '|---|--:|--:|--:|--:|--:|--:|');
  for (const path of process.argv.slice(2)) {
    const { begins, wide, named, readable } = await look(path, WINDOW);
    const phone = await look(path, PHONE);
    console.log(`| ${basename(path)} | ${begins} px | ${phone.begins} px | ${wide} | ${named} | ` +
      `${percent(readable, named)} | ${percent(readable, wide)} |`);
  }
  await browser.close();
}
