/** The panel in a corner of the page, with the number of calls so far, and buttons for the profile. */

const REFRESH_MS = 1000;
const LOAD_LIMIT = 20; // counting uses at most 5 % of the time
const OPENING_MS = 10_000; // enough for a large profile
const GLANCE_MS = 50;
const SAMPLES_MS = 5000; // between updates of the time: fetching samples costs some milliseconds
const NAME = 'wasm-perf-panel';

const SAMPLED = 'time in WebAssembly on this page, sampled by the browser';
const REFUSED =
  'The browser does not sample this page, so it only counts calls. Serve it with the header ' +
  '"Document-Policy: js-profiling" (Chromium), or add a trace with wasm-perf report --times.';

const STYLE = `
:host { all: initial; position: fixed; right: 12px; bottom: 12px; z-index: 2147483647;
  font: 13px/1.4 system-ui, sans-serif; color: #222; color-scheme: light; }
section { background: #fff; border: 1px solid #bbb; border-radius: 8px; padding: 8px 10px;
  box-shadow: 0 2px 10px #0003; max-width: 440px; }
header { display: flex; justify-content: space-between; gap: 12px; margin-bottom: 6px; }
b { font-weight: 600; }
output { font-variant-numeric: tabular-nums; }
button { font: inherit; margin: 0 4px 0 0; padding: 2px 8px; }
p { margin: 6px 0 0; color: #a00; overflow-wrap: anywhere; }
p:empty { display: none; }
`;

function element(tag, text, properties = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  made.textContent = text;
  return made;
}

/**
 * Whether the report in that tab works, once it is loaded: the page's content policy may forbid its styles and
 * scripts. Testing that in the page itself would leave an error in its console.
 */
async function works(tab) {
  for (const end = performance.now() + OPENING_MS; performance.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, GLANCE_MS));
    if (tab.closed) return true;
    const { URL: url, readyState, styleSheets } = tab.document;
    if (!url.startsWith('blob:') || readyState !== 'complete') continue;
    if (styleSheets.length === 0) return false;
    if (tab.document.getElementById('app')?.hidden === false) return true;
  }
  return false;
}

function download(bytes, name, type) {
  const link = element('a', '', { href: URL.createObjectURL(new Blob([bytes], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

class Panel {
  #recorder;
  #host = document.createElement(NAME);
  #calls = element('output', '');
  #nextSamples = 0;
  #message = element('p', '', { role: 'alert' });

  constructor(recorder) {
    this.#recorder = recorder;
    const buttons = [
      ['Start/Reset', 'count from zero', () => this.#recorder.startAll()],
      ['Stop', 'keep the profile as it is now', () => this.#recorder.stopAll()],
      ['Open report', 'flame graph and table, in a new tab', () => this.#openReport()],
      ['Download', 'the profile, for wasm-perf report', () => this.#download()],
    ].map(([text, title, act]) => this.#button(text, title, act));
    const header = document.createElement('header');
    header.append(element('b', 'wasm-perf'), this.#calls);
    const section = document.createElement('section');
    section.append(header, ...buttons, this.#message);
    const root = this.#host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet(); // content policies allow it
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    root.append(section);
    document.body.append(this.#host);
    recorder.onMessage = (message) => this.say(message);
    this.#calls.title = recorder.isSampled ? SAMPLED : '';
    this.#refresh();
  }

  say(message) {
    this.#message.textContent = message;
  }

  #button(text, title, act) {
    const button = element('button', text, { title, type: 'button' });
    button.addEventListener('click', async () => {
      this.say('');
      try {
        await act();
      } catch (error) {
        this.say(error.message);
      }
      await this.#show();
    });
    return button;
  }

  async #show() {
    const { calls } = await this.#recorder.countAll();
    const { isStopped } = this.#recorder;
    const time = this.#recorder.isSampled ? `, ${Math.round(this.#recorder.sampledTime).toLocaleString('en')} ms` : '';
    const text = `${calls.toLocaleString('en')} calls${time}${isStopped ? ', stopped' : ''}`;
    const isEmpty = this.#recorder.moduleNames.length === 0 && calls === 0n;
    this.#calls.textContent = isEmpty ? 'no module yet' : text;
  }

  async #update(now) {
    if (now < this.#nextSamples) return;
    await this.#recorder.takeSamples();
    this.#nextSamples = now + SAMPLES_MS;
  }

  async #refresh() {
    const start = performance.now();
    try {
      await this.#update(start);
      if (!this.#recorder.isStopped) await this.#show();
    } catch (error) {
      this.say(error.message);
    }
    const wait = Math.max(REFRESH_MS, LOAD_LIMIT * (performance.now() - start));
    setTimeout(() => this.#refresh(), wait);
  }

  /** Returns the profile of all modules and threads. */
  async #profile() {
    const profiles = await this.#recorder.collect();
    if (profiles.length === 0) throw new Error('the page has instantiated no module that can be profiled');
    return this.#recorder.join(profiles);
  }

  async #openReport() {
    const profile = await this.#profile();
    const html = this.#recorder.report(profile);
    const type = 'text/html;charset=utf-8';
    const tab = window.open(URL.createObjectURL(new Blob([html], { type })));
    if (!tab) throw new Error('the browser did not open a new tab: allow pop-ups for this page');
    if (await works(tab)) return;
    tab.close();
    download(html, `${profile.name}.html`, type);
    throw new Error(
      "this page's content security policy forbids the report's script in a new tab, so the report " +
        'was downloaded',
    );
  }

  async #download() {
    const { name, bytes } = await this.#profile();
    download(bytes, `${name}.wperf`, 'application/octet-stream');
  }
}

/** Shows the panel of a recorder once the page has a body. */
export function showPanel(recorder) {
  const messages = recorder.isRefused ? [REFUSED] : [];
  recorder.onMessage = (message) => messages.push(message);
  const show = () => new Panel(recorder).say(messages.join('\n'));
  if (document.body) show();
  else document.addEventListener('DOMContentLoaded', show, { once: true });
}
