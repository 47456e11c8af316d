// Opens the page with its own profile, with files that are dropped on it, or with a comparison of two.
import { compareData, nameFunctions } from './builder.mjs';
import { loadProfile } from './data.mjs';
import { Report } from './main.mjs';
import { readFile } from './open_file.mjs';

const byId = (id) => document.getElementById(id);

class Viewer {
  constructor() {
    this.empty = byId('app').cloneNode(true);
    this.report = null;
    this.shown = null; // {data, title} of the last profile
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

  show(data, title) {
    if (this.report !== null) {
      this.report.close();
      byId('app').replaceWith(this.empty.cloneNode(true));
    }
    byId('welcome').hidden = true;
    if (title !== null) byId('totals').textContent = '';
    this.report = new Report(data);
    if (title !== null) this.setTitle(title);
  }

  /** Sets the title, and hides the facts about the page's own profile. */
  setTitle(title) {
    document.title = title;
    document.querySelector('h1').textContent = title;
    byId('about').hidden = true;
  }

  notice(text) {
    byId('notice').textContent = text;
    byId('notice').hidden = text === '';
  }

  async openFiles(files) {
    this.notice('');
    for (const file of files) {
      try {
        this.open(await readFile(new Uint8Array(await file.arrayBuffer()), file.name), file.name);
      } catch (error) {
        this.notice(`${file.name} cannot be shown: ${error.message}.`);
        return;
      }
    }
  }

  /** Shows a profile, compared with the current one if there is one, or applies names to the current one. */
  open({ data, names }, title) {
    if (names !== undefined && this.shown === null) throw new Error('it has names only: open a profile first');
    const before = this.shown;
    const opened = names !== undefined ? { data: nameFunctions(before.data, names), title: before.title } : { data, title };
    const isFirst = before === null || names !== undefined;
    const pair = isFirst ? null : compareData(before.data, opened.data, [before.title, title]);
    history.replaceState(null, '', '#');
    this.show(pair ?? opened.data, isFirst ? opened.title : `${before.title} and ${title}`);
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
  viewer.show(data, null);
  if (data.head.runs.length === 1) viewer.shown = { data, title: document.title };
  performance.measure('open', { start: begin });
}

openPage().catch((error) => {
  const line = document.createElement('p');
  line.className = 'caution';
  line.textContent = `This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`;
  document.querySelector('main').prepend(line);
});
