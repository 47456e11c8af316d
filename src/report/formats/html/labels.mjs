// Short forms of names for little room. C finds them (names/forms.h).

const ELLIPSIS = '\u2026';
const MIN_CUT = 8; // minimum length of a cut name

/** Returns the name and ever shorter forms of it. The last is the function's own name without qualifiers. */
export function formsOf(name, [, ...steps]) {
  const forms = [name];
  for (const step of steps) {
    const before = forms.at(-1);
    forms.push(typeof step === 'string' ? step : step > 0 ? before.slice(step) : before.slice(0, step));
  }
  return forms;
}

/** The forms of all names in the JSON, by label. */
export class Forms {
  constructor({ names, forms }) {
    this.names = names;
    this.steps = forms;
    this.known = [];
  }

  /** Where the function's own name begins in the name. */
  ownStart(label) {
    return this.steps[label][0];
  }

  of(label) {
    return this.known[label] ??= formsOf(this.names[label], this.steps[label]);
  }
}

/** Cuts a text after `length` characters. Does not split a character. */
function cutEnd(text, length) {
  const characters = Array.from(text);
  return characters.length <= length ? text : characters.slice(0, Math.max(0, length - 1)).join('') + ELLIPSIS;
}

/** Returns the longest form that `fits`, otherwise the beginning of the own name, otherwise ''. */
export function longestForm(forms, fits) {
  const found = forms.find(fits);
  if (found !== undefined) return found;
  const own = forms.at(-1);
  for (let length = Array.from(own).length - 1; length > MIN_CUT; length--) {
    const text = cutEnd(own, length);
    if (fits(text)) return text;
  }
  return '';
}

/** Returns a form of at most `length` characters for a sentence, where a bare index would read as a number. */
export function fitName(forms, length) {
  const readable = forms.filter((form) => !/^\d/.test(form));
  return readable.find((form) => form.length <= length) ?? cutEnd(readable.at(-1) ?? forms[0], length);
}
