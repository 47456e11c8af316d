// Places of functions in the source, with links if the report has a URL for sources.

/** Returns the path relative to the folder, or null if it is not inside. */
function pathFrom(folder, path) {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  return folder !== '' && path.startsWith(start) ? path.slice(start.length) : null;
}

export class SourceLinks {
  /** `head.sourceUrl` is a template with {file}, {path} and {line}; '': no links. */
  constructor({ places, sourceUrl, sourceFolder }) {
    this.places = new Map(places.map(([label, file, line]) => [label, { file, line }]));
    this.template = sourceUrl;
    this.folder = sourceFolder;
  }

  url({ file, line }) {
    const relative = pathFrom(this.folder, file);
    if (this.template === '' || (relative === null && this.template.includes('{file}'))) return null;
    const encode = (path) => path.split('/').map(encodeURIComponent).join('/');
    const values = { file: () => encode(relative), path: () => encode(file), line: () => String(line || 1) };
    return this.template.replaceAll(/\{(file|path|line)\}/g, (_, name) => values[name]());
  }

  /** Returns "FILE:LINE" as an element, or null if unknown; `isShort` omits the folders. */
  element(label, isShort) {
    const place = this.places.get(label);
    return place === undefined ? null : this.elementOf(place, isShort);
  }

  elementOf(place, isShort) {
    const { file, line } = place;
    const url = this.url(place);
    const number = line > 0 ? `:${line}` : '';
    const made = document.createElement(url === null ? 'code' : 'a');
    made.textContent = `${isShort ? file.slice(file.lastIndexOf('/') + 1) : file}${number}`;
    made.className = 'place';
    made.title = `${file}${number}`;
    if (url !== null) Object.assign(made, { href: url, target: '_blank', rel: 'noopener noreferrer' });
    return made;
  }
}
