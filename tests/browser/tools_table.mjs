// Prints, as Markdown, what each tool has in its own file, and what `wasm-perf top` and wasm-perf's page show of it. Exit
// code 1 if the two show different totals or numbers of functions, or if a function differs from the tool's.
//
//     tools_table.mjs   see scripts/tools.sh
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

import { tool } from '../support/tools.mjs';
import { openFiles, readAllRows, textOf } from './report_page.mjs';
import { browser } from './support.mjs';
import { files, path } from './tool_files.mjs';
import { compareRows, oursOf, sumOf } from './tool_rows.mjs';

const perf = (...args) => execFileSync(tool('wasm-perf'), args, { encoding: 'utf8', maxBuffer: 1 << 28 });
perf('open', '--no-browser', '-o', path('view.html'));

/** Its totals, which are the first line of top, and the number of functions in its table. */
async function shownInPage(file) {
  const page = await browser.newPage();
  try {
    await page.goto(pathToFileURL(path('view.html')).href);
    await openFiles(page, path(file));
    const totals = await textOf(page, 'totals');
    return { totals, count: (await readAllRows(page)).rows.length };
  } finally {
    await page.close();
  }
}

async function measure({ file, make, ask, compared }) {
  await make(file);
  const [top] = perf('top', path(file)).split('\n');
  const { functions } = JSON.parse(perf('report', '--format', 'json', path(file)));
  const page = await shownInPage(file);
  const theirs = ask && (await ask(path(file)));
  const ours = theirs && oursOf(functions, theirs);
  const both = theirs && compareRows(ours, theirs, compared);
  const isSame = !both || (sumOf(ours) === sumOf(theirs) && both.ours.join('\n') === both.theirs.join('\n'));
  return {
    isRight: isSame && page.totals === top && page.count === functions.length,
    cells: [
      theirs ? sumOf(theirs).toLocaleString('en') : 'not asked',
      theirs ? sumOf(ours).toLocaleString('en') : '',
      top,
      page.totals === top ? 'the same' : page.totals,
      `${functions.length}, ${page.count}`,
      both ? `${both.ours.length} of ${theirs.length}` : '',
    ],
  };
}

console.log('| file | sum of self in the tool | in wasm-perf | `wasm-perf top` | the page | functions: top, page | equal, of those in the tool |');
console.log('| --- | ---: | ---: | --- | --- | ---: | ---: |');
for (const entry of files) {
  if (!entry.make) {
    console.log(`| ${entry.name} | its tool is not here | | | | | |`);
    continue;
  }
  const { isRight, cells } = await measure(entry);
  console.log(`| ${[entry.name, ...cells].join(' | ')} |`);
  if (!isRight) process.exitCode = 1;
}
await browser.close();
