// Groups functions by parts of the program, and chooses their colours.
import { formsOf } from './labels.mjs';

/** See model/color.h. */
const [PROGRAM, RUNTIME, OF_HOST, JAVASCRIPT, COLLECTION, WAIT, UNNAMED] = [0, 1, 2, 3, 4, 5, 6];

/** Groups of a kind differ in hue, in degrees from `first` on. A new kind of frame needs one line here. */
const KINDS = {
  program: { first: 318, range: 112, saturation: 88 }, // pink, red, yellow
  python: { first: 80, range: 60, saturation: 55 },
  javascript: { first: 150, range: 42, saturation: 60 },
  collection: { first: 262, range: 1, saturation: 45 },
  wait: { first: 230, range: 1, saturation: 8 },
  host: { first: 207, range: 1, saturation: 65 },
  runtime: { first: 230, range: 1, saturation: 4 },
  unnamed: { first: 0, range: 360, saturation: 60 },
  cut: { first: 230, range: 1, saturation: 3 },
};
const FIXED = {
  [RUNTIME]: ['runtime', 'runtime and C library'],
  [OF_HOST]: ['host', 'host'],
  [COLLECTION]: ['collection', 'garbage collection'],
  [WAIT]: ['wait', 'waiting'],
  [UNNAMED]: ['unnamed', 'without names'],
};
const SLOTS = 12; // distinguishable hues of the program
const SPLIT_SHARE = 0.5; // of the program; a namespace with a larger share is split into its parts

const LEAST_NAMES = 3; // with one prefix

const NAMELESS = /^func\[\d+\], /; // in one of two compared profiles
const GUEST_FILE = /\((?:.*\/)?(?:<[^()]*>|([^()/]+\.(py|m?js|cjs|ts)))(:\d+)?\)$/;

function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Converts a colour to "#rrggbb"; hue in degrees, saturation and lightness in percent. */
function hexOf(hue, saturation, lightness) {
  const a = (saturation / 100) * Math.min(lightness / 100, 1 - lightness / 100);
  const part = (n) => {
    const k = (n + hue / 30) % 12;
    const value = lightness / 100 - a * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value).toString(16).padStart(2, '0');
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

/** Returns the crate, namespaces or package of a name, outermost first; empty for a C name. */
function qualifiersOf(name) {
  const rust = /^<(?:[&*](?:mut |const )?|dyn )*(.+?)(?: as (.+?))?>::/.exec(name);
  if (rust !== null) { // of the type, or of the trait if the type is a primitive one
    const path = rust.slice(1).find((text) => text?.includes('::')) ?? '';
    return path.replace(/<.*/, '').split('::').filter((part) => part !== '');
  }
  const bare = name.replace(/^virtual thunk to |\(anonymous namespace\)::/g, '').replace(/^[<(&*]+/, '').replace(/ \[clone [^\]]*\]$/, '')
    .replace(/\boperator\W+?(?=\(|$)/, 'operator_');
  const domain = /^(?:com|dev|edu|gov|org)\.[a-z0-9_]+(?=\.)/.exec(bare);
  if (domain !== null) return [domain[0]];
  const go = /^((?:[^./:<(]+\.(?:com|org|net|io|dev)[_/])?[^.:<(]*?)\.[A-Za-z_(]/.exec(bare);
  if (go !== null && !bare.includes('::')) return [go[1]];
  const file = /^(~?[^<(:]*\/[^/<(:]+)\/[^/]+$/.exec(bare);
  if (file !== null) return [file[1]];
  const hasLists = (form) => /[(<\s]/.test(form);
  const qualified = hasLists(bare) ? formsOf(bare).find((form) => !hasLists(form)) ?? '' : bare;
  return qualified.split('::').slice(0, -1);
}

/** The prefix shared by related C functions: "sqlite3" for sqlite3_step. */
const prefixOf = (name) => /^_*[a-z0-9]{2,}(?=[_A-Z])/.exec(name)?.[0].replace(/^_+/, '') ?? '';

const baseOf = (path) => path.slice(path.lastIndexOf('/') + 1);

/**
 * Returns [kind, group] of a function; `depth` is the number of qualifiers to use, `counts` how many names have each
 * prefix: few make no part.
 */
function placeOf(name, kind, file, depth, counts) {
  if (kind === PROGRAM && file === undefined && NAMELESS.test(name)) return FIXED[UNNAMED];
  if (kind !== PROGRAM && kind !== RUNTIME && kind !== JAVASCRIPT) return FIXED[kind] ?? ['cut', 'cut at a limit'];
  const guest = GUEST_FILE.exec(name);
  if (guest !== null) return [guest[2] === undefined || guest[2] === 'py' ? 'python' : 'javascript', guest[1] ?? 'interactive'];
  if (kind === JAVASCRIPT) return ['javascript', file === undefined ? 'JavaScript' : baseOf(file)];
  if (kind === RUNTIME) return FIXED[RUNTIME];
  const qualifiers = qualifiersOf(name);
  if (qualifiers.length > 0) return ['program', qualifiers.slice(0, depth).join('::')];
  if (file !== undefined) return ['program', baseOf(file)];
  return ['program', counts.get(prefixOf(name)) >= LEAST_NAMES ? prefixOf(name) : 'program'];
}

/** Returns the longest common prefix that ends with a separator. */
function commonPrefix(names) {
  if (names.length < 2) return '';
  let prefix = names[0];
  for (const name of names) while (!name.startsWith(prefix)) prefix = prefix.slice(0, -1);
  return prefix.slice(0, Math.max(prefix.lastIndexOf('/'), prefix.lastIndexOf('_')) + 1);
}

/** Sets the shown texts: Go packages without their common folders. */
function shortenPaths(groups) {
  const paths = groups.filter(({ name }) => /\.(com|org|net|io|dev)[_/]/.test(name));
  const prefix = commonPrefix(paths.map(({ name }) => name));
  for (const group of paths) group.text = group.name.slice(prefix.length);
}

/** Gives the largest groups distinct hues. A name usually has the same hue in every report. */
function chooseHues(groups) {
  const taken = new Set();
  for (const group of groups) {
    const { first, range } = KINDS[group.kind];
    let slot = hashOf(group.name) % SLOTS;
    for (let tries = 0; taken.has(`${group.kind} ${slot}`) && tries < SLOTS; tries++) slot = (slot + 5) % SLOTS;
    taken.add(`${group.kind} ${slot}`);
    group.hue = (first + (slot * range) / SLOTS) % 360;
  }
}

function colorOf(name, { kind, hue }) {
  const shade = hashOf(name);
  const { saturation, range, first } = KINDS[kind];
  if (kind === 'unnamed') return hexOf((first + ((shade >>> 3) % range)) % 360, saturation, 80);
  return hexOf(hue, saturation, (kind === 'cut' ? 66 : 69) + (shade % 8));
}

/**
 * Returns {groups: [{name, text, kind, color, self}, largest first], ofLabel, colors} for the functions of a
 * profile. `self`: self value of each function.
 */
export function groupFunctions({ names, kinds, places }, self) {
  const files = new Map(places.map(([label, file]) => [label, file]));
  const sums = new Map();
  let whole = 0;
  const counts = new Map([['', 0]]);
  for (const prefix of names.map(prefixOf)) if (prefix !== '') counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  const placeAt = (i, depth) => placeOf(names[i], kinds[i], files.get(i), depth, counts);
  const shallow = names.map((_, i) => placeAt(i, 1));
  shallow.forEach(([kind, group], i) => {
    if (kind !== 'program') return;
    sums.set(group, (sums.get(group) ?? 0) + self[i]);
    whole += self[i];
  });
  const deep = shallow.map((place, i) => ((sums.get(place[1]) ?? 0) > SPLIT_SHARE * whole ? placeAt(i, 2) : place));
  const byKey = new Map();
  const ofLabel = deep.map(([kind, name], i) => {
    const key = `${kind} ${name}`;
    if (!byKey.has(key)) byKey.set(key, { name, text: name, kind, self: 0 });
    byKey.get(key).self += self[i];
    return byKey.get(key);
  });
  const groups = [...byKey.values()].sort((a, b) => b.self - a.self || (a.name < b.name ? -1 : 1));
  shortenPaths(groups);
  chooseHues(groups);
  for (const group of groups) group.color = hexOf(group.hue, KINDS[group.kind].saturation, 72);
  return { groups, ofLabel, colors: names.map((name, i) => colorOf(name, ofLabel[i])) };
}
