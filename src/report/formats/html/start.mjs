// Opens the page with its own profile, with files that are dropped on it, or with a comparison of two.
import { compareData } from './compare.mjs';
import { loadProfile } from './data.mjs';
import { Report } from './main.mjs';
import { nameFunctions, pairFunctions, readFile, readProfile } from './reader.mjs';

const byId = (id) => document.getElementById(id);

class Viewer {
  constructor() {
    this.empty = byId('app').cloneNode(true);
    this.report = null;
    this.shown = null; // {data, title, parts, and if it is from the reader its file's name} of the last profile
    this.files = {}; // by name: bytes for the reader
    this.symbols = new Set(); // names of those with names or lines
    byId('choose-file').addEventListener('change', ({ target }) => this.openFiles(target.files));
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      this.openFiles(event.dataTransfer.files);
    });
    document.addEventListener('click', ({ target }) => {
      if (target.closest('.open-file') !== null) byId('choose-file').click();
    });
  }

  /** Shows a profile; without a title, the page's own. */
  show(data, title, parts) {
    if (this.report !== null) {
      this.report.close();
      byId('app').replaceWith(this.empty.cloneNode(true));
    }
    byId('welcome').hidden = true;
    if (title !== null) this.setParts(title, parts);
    this.report = new Report(data);
  }

  /** Sets the title, and what the reader wrote about the profile: totals, details, memory and calls. */
  setParts(title, parts) {
    document.title = title;
    document.querySelector('h1').textContent = title;
    byId('totals').textContent = parts?.getElementById('totals').textContent ?? '';
    const about = parts?.getElementById('about');
    if (about) byId('about').replaceWith(document.importNode(about, true));
    byId('about').hidden = !about;
    for (const id of ['measured', 'memory']) {
      byId(id)?.remove();
      const part = parts?.getElementById(id);
      if (part) byId('app').after(document.importNode(part, true));
    }
  }

  notice(text) {
    byId('notice').textContent = text;
    byId('notice').hidden = text === '';
  }

  /** Opens files: first those that complete profiles, then the profiles in their order. */
  async openFiles(files) {
    const main = document.querySelector('main');
    let current = '';
    this.notice('');
    main.setAttribute('aria-busy', 'true');
    try {
      const read = [];
      for (const file of files) {
        current = file.name;
        read.push({ title: file.name, ...(await readFile(new Uint8Array(await file.arrayBuffer()))) });
      }
      const isProfile = ({ kind }) => kind === 'page' || kind === 'profile';
      const profiles = read.filter(isProfile);
      const others = read.filter((file) => !isProfile(file));
      if (others.length > 0) current = others.at(-1).title;
      await this.add(others, profiles.length === 0);
      for (const profile of profiles) {
        current = profile.title;
        await this.open(await this.load(profile));
      }
    } catch (error) {
      this.notice(`${current} cannot be shown: ${error.message}.`);
    } finally {
      main.setAttribute('aria-busy', 'false');
    }
  }

  /** Keeps files that complete profiles. If `isAll`, no profile comes with them: the current one is shown again. */
  async add(others, isAll) {
    const [files, symbols] = [{ ...this.files }, new Set(this.symbols)];
    for (const { title, kind, bytes } of others) {
      this.files[title] = bytes;
      if (kind === 'symbols') this.symbols.add(title);
    }
    try {
      if (isAll) await this.complete();
    } catch (error) {
      Object.assign(this, { files, symbols }); // without the file that does not fit
      throw error;
    }
  }

  /** Returns a profile with names and lines from the files that are there: {data, title, parts, kind}. */
  async load({ title, kind, bytes, data }) {
    if (kind === 'profile') {
      this.files[title] = bytes;
      const { messages, ...result } = await readProfile(title, this.files, this.symbols);
      this.notice(messages.join('\n'));
      return { title, kind, bytes, ...result };
    }
    return { title, data: this.symbols.size === 0 ? data : await nameFunctions(data, this.files, this.symbols) };
  }

  /** Shows the current profile with what the files add to it. */
  async complete() {
    if (this.shown === null) throw new Error('open a profile first, or both together');
    const { title } = this.shown;
    this.shown = await this.load(this.shown);
    this.show(this.shown.data, title, this.shown.parts);
  }

  /** Shows a profile, compared with the current one if there is one. */
  async open(opened) {
    const before = this.shown;
    const { data, title, parts } = opened;
    const isPair = before !== null && [before, opened].every((one) => one.data.head.runs.length === 1);
    const pair = !isPair ? null : compareData(before.data, data, [before.title, title], await pairFunctions(before.data, data));
    history.replaceState(null, '', '#');
    if (pair === null) this.show(data, title, parts);
    else this.show(pair, `${before.title} and ${title}`);
    this.shown = opened;
  }
}

async function openPage() {
  const begin = performance.now();
  const element = byId('profile');
  const text = element.textContent.trim();
  const viewer = new Viewer();
  element.remove(); // its text is large
  if (text === '') {
    byId('welcome').hidden = false;
    byId('about').hidden = true;
    return;
  }
  const data = await loadProfile(text);
  viewer.show(data, null, null);
  if (data.head.runs.length === 1) viewer.shown = { data, title: document.title };
  performance.measure('open', { start: begin });
}

openPage().catch((error) => {
  const line = document.createElement('p');
  line.className = 'caution';
  line.textContent = `This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`;
  document.querySelector('main').prepend(line);
});
