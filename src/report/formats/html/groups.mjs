// Groups functions by the parts of the program that C finds (model/parts.h), and chooses their colours.

/** Groups of a kind differ in hue, in degrees from `first` on. A new kind of frame needs one line here. */
const KINDS = {
  program: { first: 318, range: 112, saturation: 88 }, // pink, red, yellow
  python: { first: 80, range: 60, saturation: 55 },
  javascript: { first: 150, range: 42, saturation: 60 },
  collection: { first: 262, range: 1, saturation: 45 },
  wait: { first: 230, range: 1, saturation: 8 },
  host: { first: 207, range: 1, saturation: 65 },
  runtime: { first: 190, range: 150, saturation: 8 },
  unnamed: { first: 0, range: 360, saturation: 60 },
  cut: { first: 230, range: 1, saturation: 3 },
};
const SLOTS = 12; // distinguishable hues of the program
const SPLIT_SHARE = 0.5; // of the program; a namespace with a larger share is split into its parts

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

const SHADES = 8;

function shadesOf({ kind, hue }) {
  return Array.from({ length: SHADES }, (_, i) => hexOf(hue, KINDS[kind].saturation, (kind === 'cut' ? 66 : 69) + i));
}

function colorOf(name, { kind, shades }) {
  const hash = hashOf(name);
  const { saturation, range, first } = KINDS[kind];
  if (kind === 'unnamed') return hexOf((first + ((hash >>> 3) % range)) % 360, saturation, 80);
  return shades[hash % SHADES];
}

/**
 * Returns for each part which one is shown: itself, or the one that contains it unless that has most of the program.
 * `self`: self value of each function.
 */
function choosePart(parts, partOf, self) {
  const outer = parts.map((part, i) => part.outer ?? i);
  const sums = parts.map(() => 0);
  let whole = 0;
  partOf.forEach((part, i) => {
    if (parts[part].kind !== 'program') return;
    sums[outer[part]] += self[i];
    whole += self[i];
  });
  return outer.map((part, i) => (sums[part] > SPLIT_SHARE * whole ? i : part));
}

/**
 * Returns {groups: [{name, text, kind, color, self}, largest first], ofLabel, colors} for the functions of a
 * profile. `self`: self value of each function.
 */
export function groupFunctions({ names, parts, partOf }, self) {
  const shown = choosePart(parts, partOf, self);
  const all = parts.map(({ kind, name, folders = 0 }) => ({ name, text: name.slice(folders), kind, self: 0 }));
  const ofLabel = partOf.map((part) => all[shown[part]]);
  ofLabel.forEach((group, i) => { group.self += self[i]; });
  const groups = [...new Set(ofLabel)].sort((a, b) => b.self - a.self || (a.name < b.name ? -1 : 1));
  chooseHues(groups);
  for (const group of groups) {
    group.color = hexOf(group.hue, KINDS[group.kind].saturation, 72);
    group.shades = shadesOf(group);
  }
  return { groups, ofLabel, colors: names.map((name, i) => colorOf(name, ofLabel[i])) };
}
