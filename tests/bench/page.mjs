/**
 * How long a page stands still while it compiles a module of 14 MB, esbuild's: with the browser script and without it.
 * Prints a table in Markdown with the longest time between two turns of the page's thread, in milliseconds.
 *
 *     page.mjs   needs Chromium, WI_CHROMIUM or /usr/bin/chromium, and esbuild-wasm and puppeteer-core
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, scriptFiles, serve, withPage } from '../package/pages.mjs';
import { median } from './measure.mjs';

const ROUNDS = 5;
const module = readFileSync(join(process.env.WI_NPM, 'node_modules/esbuild-wasm/esbuild.wasm'));

const WAYS = {
  'compileStreaming(response)': `WebAssembly.compileStreaming(fetch('app.wasm'))`,
  'compile(bytes)': `fetch('app.wasm').then((response) => response.arrayBuffer()).then((bytes) => WebAssembly.compile(bytes))`,
};

/** Compiles once the page has settled; the title tells the longest time in which nothing else ran. */
const page = (script, way) => `<!doctype html><title>app</title>${script}<script type="module">
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { port1, port2 } = new MessageChannel();
  let last = performance.now(), longest = 0, isDone = false;
  port1.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (isDone) document.title = String(longest);
    else port2.postMessage(0);
  };
  port2.postMessage(0);
  const start = performance.now();
  await ${way};
  globalThis.took = performance.now() - start;
  isDone = true;
</script>`;

async function measure(script, way) {
  const { url, close } = await serve({ 'index.html': page(script, way), 'app.wasm': module, ...scriptFiles() });
  try {
    return await withPage(url, async (opened) => {
      await opened.waitForFunction(() => document.title !== 'app', { timeout: 60_000 });
      return { longest: Number(await opened.title()), took: await opened.evaluate(() => globalThis.took) };
    });
  } finally {
    close();
  }
}

console.log(`A page that compiles ${(module.length / 1e6).toFixed(1)} MB, medians of ${ROUNDS}, in ms\n\n| | longest stop, plain | with the script | until it is compiled, plain | with the script |\n|---|--:|--:|--:|--:|`);
for (const [name, way] of Object.entries(WAYS)) {
  const results = { plain: [], profiled: [] };
  for (let i = 0; i < ROUNDS; i++) {
    results.plain.push(await measure('', way));
    results.profiled.push(await measure('<script src="wasm-perf.js"></script>', way));
  }
  const of = (form, field) => median(results[form].map((result) => result[field])).toFixed(0);
  console.log(`| ${name} | ${of('plain', 'longest')} | ${of('profiled', 'longest')} | ${of('plain', 'took')} | ${of('profiled', 'took')} |`);
}
await browser.close();
