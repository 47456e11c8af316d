// The HTML report and the rules of axe-core (of WCAG, and its best practices), in what it shows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';

import { packageFile } from '../support/tools.mjs';
import { choose, go, settle, withReport } from './report_page.mjs';
import { browser, search } from './support.mjs';

after(() => browser.close());

const axe = readFileSync(packageFile('axe-core/axe.min.js'), 'utf8');

/** What the rules find, each with the elements that it is of. */
async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate((rules) => window.axe.run(document, { rules }), {
    'label-content-name-mismatch': { enabled: false }, // names are cut to their frames; the label has them whole
  });
  assert(found.passes.length > 20, 'the rules apply');
  return found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

const states = {
  'as it opens': () => {},
  'with a function chosen': (page) => go(page, 'select=malloc'),
  'searched, and with filters': async (page) => {
    await go(page, 'hide=malloc&fold=1&up=1');
    await search(page, 'print');
    await settle(page);
  },
  'compared with itself': (page) => go(page, 'compare=0'),
  'by calls, a frame zoomed to': async (page) => {
    await choose(page, 'value', 'calls');
    await go(page, 'zoom=2&value=calls');
  },
};
const phone = { width: 390, height: 844, isMobile: true, hasTouch: true };

for (const [state, prepare] of Object.entries(states)) {
  for (const scheme of ['light', 'dark']) {
    for (const viewport of [undefined, phone]) {
      test(`${state}, ${scheme}${viewport === undefined ? '' : ', on a phone'}`, () =>
        withReport('program', async (page) => {
          await page.emulateMediaFeatures([
            { name: 'prefers-color-scheme', value: scheme },
            { name: 'prefers-reduced-motion', value: 'reduce' },
          ]);
          await prepare(page);
          assert.deepEqual(await violations(page), []);
        }, { viewport }));
    }
  }
}

test('a control without a name is found', () =>
  withReport('program', async (page) => {
    await page.$eval('#search', (field) => ['aria-label', 'placeholder', 'title'].forEach((name) => field.removeAttribute(name)));
    assert.match((await violations(page)).join('\n'), /^label: /m);
  }));
