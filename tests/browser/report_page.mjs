// The HTML report in a page, for the tests of what it does.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { writeProfile } from '../js/wperf.mjs';
import { folder, makeProfile, withPage, writeReport } from './support.mjs';

const reports = new Map();

/** Waits until what was changed is drawn, and the page's reader has found what it says. */
export async function settle(page) {
  await page.waitForSelector('#findings:not([aria-busy=true])');
  await page.evaluate(() => new Promise((done) => {
    setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 30);
  }));
}

/** Opens files in the page, and waits until they are shown or refused. */
export async function openFiles(page, ...paths) {
  const field = await page.$('#choose-file');
  await page.$eval('main', (main) => main.removeAttribute('aria-busy'));
  await field.uploadFile(...paths);
  await page.waitForSelector('main[aria-busy=false]');
  await settle(page);
}

export async function waitForReport(page) {
  await page.waitForSelector('#app:not([hidden])');
  await settle(page);
}

/** The oracle's figures of a profile, and its report in a page, with motion reduced: zooms are at once. */
export function withReport(name, use, { fragment = '', ...options } = {}) {
  if (!reports.has(name)) {
    const profile = makeProfile(name);
    reports.set(name, { ...profile, html: writeReport(profile, 'html', 'html') });
  }
  const report = reports.get(name);
  return withHtml(report.html, (page) => use(page, report), { fragment, ...options });
}

export function withHtml(path, use, { fragment = '', ...options } = {}) {
  const isScripted = options.scripts !== false;
  return withPage(path, async (page) => {
    if (isScripted) {
      await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
      await waitForReport(page);
      if (fragment !== '') await go(page, fragment);
    }
    return use(page);
  }, options);
}

/** Changes the fragment, as a link does. */
export async function go(page, fragment) {
  await page.evaluate((text) => { location.hash = text; }, fragment);
  await settle(page);
}

/** The frames that have names: where they stand, from the left end of the graph and its root. */
export const readFrames = (page, id = 'graph') =>
  page.evaluate((graphId) => {
    const holder = document.getElementById(graphId);
    const box = holder.getBoundingClientRect();
    return Array.from(holder.querySelectorAll('.frame:not([hidden])'), (frame) => {
      const { x, y, width } = frame.getBoundingClientRect();
      return {
        name: frame.getAttribute('aria-label').replace(/, [\d.,]+ %$/, ''),
        text: frame.textContent,
        level: Number(frame.getAttribute('aria-level')) - 1,
        isCurrent: frame.classList.contains('current'),
        x: x - box.x,
        y: y - box.y,
        left: x,
        top: y,
        width,
        whole: box.width,
      };
    });
  }, id);

/** The table: {headings, rows: [{name, cells: {heading: text}}]}. */
export const readTable = (page) =>
  page.evaluate(() => {
    const table = document.getElementById('functions');
    const headings = Array.from(table.tHead.rows[0].cells, (cell) => cell.textContent);
    const rows = Array.from(table.tBodies[0].rows, (row) => ({
      name: row.cells[0].textContent,
      isCurrent: row.hasAttribute('aria-current'),
      cells: Object.fromEntries(headings.map((heading, i) => [heading, row.cells[i].textContent])),
    }));
    return { headings, rows };
  });

export const textOf = (page, id) => page.$eval(`#${id}`, (element) => element.textContent);

export async function clickOn(page, selector) {
  await page.$eval(selector, (element) => element.click());
  await settle(page);
}

export async function choose(page, id, value) {
  await page.select(`#${id}`, value);
  await settle(page);
}

export async function clickFrame(page, name) {
  const frame = (await readFrames(page)).find((other) => other.name === name);
  await page.mouse.click(frame.left + frame.width / 2, frame.top + 8);
  await settle(page);
}

export async function clickHeading(page, heading) {
  await page.evaluate((text) => {
    const buttons = Array.from(document.querySelectorAll('#functions thead button'));
    buttons.find((button) => button.textContent === text).click();
  }, heading);
}

export const commas = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

/** All rows of the table. */
export async function readAllRows(page) {
  while (await page.$('button.more:not([hidden])')) await clickOn(page, 'button.more');
  return readTable(page);
}

/** A stack of so many frames of one function each. */
export function writeStack(name, depth, options) {
  const nodes = Array.from({ length: depth }, (_, i) => ({ function: i, parent: i, calls: 1, self: 1000 }));
  const path = join(folder, `${name}.wperf`);
  writeFileSync(path, writeProfile(nodes, nodes.map((_, i) => [i, `function_${i}`]), options));
  return { path };
}
