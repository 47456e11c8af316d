// Shortens names: first removes argument lists, then qualifiers from the left, and last cuts the end.

const ELLIPSIS = '\u2026';
const CLOSING = { '(': ')', '<': '>', '[': ']' };
const OPERATOR = /operator\s*(?:\(\)|\[\]|<<=?|>>=?|<=>|<=?|>=?|->\*?|[-+*/%^&|~!=]+)$/;
const GUEST = /^(.+) \(([^()]*[./<][^()]*?)(:\d+)?\)$/; // "parse (/lib/json.py:12)": Python and JavaScript
const PLACED = /^(.+) ([^\s()/]+?):(\d+)(:\d+)$/; // "parse app.mjs:1:9182": JavaScript, anonymous or in a long line
const NUMBERED = /^func\[(\d+)\](.*)$/; // with a hint: "func[12] calls fd_write"
/** Not understandable without the preceding part. */
const NO_NAME = /^([{:./]|(func)?\d+\b|operator\(\)|(com|org|net|io|dev)[_/]|(wasm|[cm]?[jt]s|py|rb|php)$)/;
const MIN_CUT = 8; // minimum length of a cut name
const MAX_CACHED = 50_000;

/** Returns the index after the list that opens at `from`, or -1 if it is not closed. */
function endOfList(name, from) {
  const open = [];
  for (let i = from; i < name.length; i++) {
    const c = name[i];
    if (c in CLOSING) open.push(CLOSING[c]);
    else if (c === open.at(-1) && !(c === '>' && name[i - 1] === '-')) open.pop();
    if (open.length === 0) return i + 1;
  }
  return -1;
}

/**
 * Whether a list is part of the name itself: Go's receivers, anonymous namespaces, Rust's <T as Trait>, and
 * operators.
 */
function isPartOfName(result) {
  return result === '' || /[.:(&*\s]$/.test(result) || result.endsWith('operator');
}

/** Removes argument lists; replaces template arguments by <...> or removes them. */
function withoutLists(name, keepsTemplates) {
  let result = '';
  const hasOperator = name.includes('operator');
  for (let i = 0; i < name.length;) {
    const c = name[i];
    if (c !== '(' && c !== '<') {
      result += c;
      i++;
      continue;
    }
    const isOperator = hasOperator && OPERATOR.test(result + c);
    const isTurbofish = c === '<' && result.endsWith('::') && /^( \(func \d+\))?$/.test(name.slice(endOfList(name, i)));
    const isList = !isOperator && (isTurbofish || !isPartOfName(result));
    const end = isList ? endOfList(name, i) : -1;
    if (isTurbofish && !keepsTemplates) result = result.slice(0, -2);
    if (end < 0) {
      result += c;
      i++;
    } else {
      if (c === '<' && keepsTemplates) result += `<${ELLIPSIS}>`;
      if (c === '(' && name[end] === ' ') return result; // " const", " [clone]"
      i = end;
    }
  }
  return result;
}

/** Removes the return type, which C++ puts before the name. */
function withoutType(name) {
  let nesting = 0;
  let start = 0;
  for (let i = 0; i < name.length; i++) {
    if (name[i] === '(' || name[i] === '<') nesting++;
    else if (name[i] === ')' || name[i] === '>') nesting--;
    else if (name[i] === ' ' && nesting === 0 && !/operator$/.test(name.slice(start, i))) start = i + 1;
  }
  return name.slice(start);
}

/** Yields shorter names: the text after each separator outside of lists. */
function* suffixes(name) {
  let nesting = 0;
  for (let i = 0; i < name.length; i++) {
    const c = name[i];
    if (c === '(' || c === '<' || c === '{') nesting++;
    else if ((c === ')' || c === '>' || c === '}') && name[i - 1] !== '-') nesting = Math.max(0, nesting - 1);
    const isSeparator = nesting === 0 && (c === '.' || c === '/' || c === '!' || (c === ':' && name[i - 1] === ':'));
    const rest = name.slice(i + 1);
    if (isSeparator && rest !== '' && !NO_NAME.test(rest)) yield rest;
  }
}

const MANGLED = /^(?:orig\$)?_Z(?=N|\d|St|L\d)/;
/** A piece of a mangled name without an identifier, or with one that is not part of the function's name. */
const MANGLED_PIECE = /B\d+|L[a-z]\w*?E|St|S[0-9A-Z]*_|T[0-9]*_|S[a-z]|[CD][0-9]|\d+|./y;

/**
 * Returns the name without arguments, "std::vector::push_back", of a mangled name that demanglers reject; ''
 * for other names.
 */
function partsOfMangled(name) {
  const start = MANGLED.exec(name)?.[0].length ?? name.length;
  const parts = [];
  let nesting = 0;
  MANGLED_PIECE.lastIndex = name[start] === 'N' ? start + 1 : start;
  for (let piece = MANGLED_PIECE.exec(name); piece !== null; piece = MANGLED_PIECE.exec(name)) {
    const [text] = piece;
    const size = Number(/^B?(\d+)$/.exec(text)?.[1] ?? 0);
    if (size > 0) {
      const end = MANGLED_PIECE.lastIndex + size;
      if (nesting === 0 && text[0] !== 'B') parts.push(name.slice(MANGLED_PIECE.lastIndex, end));
      MANGLED_PIECE.lastIndex = end;
    } else if (nesting === 0 && text === 'St') {
      parts.push('std');
    } else if (nesting === 0 && /^[CD]\d$/.test(text) && parts.length > 0) {
      parts.push(`${text[0] === 'D' ? '~' : ''}${parts.at(-1)}`);
      break;
    } else if (/^[INJXF]$/.test(text)) {
      nesting++;
    } else if (text === 'E' && --nesting < 0) {
      break;
    }
    if (nesting === 0 && name[start] !== 'N' && parts.length > 0 && parts.at(-1) !== 'std') break;
  }
  return parts.join('::');
}

function makeForms(name) {
  const numbered = NUMBERED.exec(name);
  if (numbered !== null) return [name, ...(numbered[2] === '' ? [] : [`${numbered[1]}${numbered[2]}`]), numbered[1]];
  const placed = PLACED.exec(name);
  if (placed !== null) {
    const [, own, file, line, column] = placed;
    return own === '(anonymous)' ? [name, `${file}:${line}${column}`, `${file}:${line}`, `${line}${column}`]
      : [name, `${own} (${file})`, own, ...suffixes(own)];
  }
  const guest = GUEST.exec(name);
  if (guest !== null) {
    const file = guest[2].slice(guest[2].lastIndexOf('/') + 1);
    const isAnonymous = guest[1].startsWith('<') || guest[1].startsWith('(');
    return [name, `${guest[1]} (${file}${guest[3] ?? ''})`, `${guest[1]} (${file})`, isAnonymous ? file : guest[1],
      ...(isAnonymous ? [] : suffixes(guest[1]))];
  }
  const mangled = partsOfMangled(name);
  if (mangled !== '') return [name, mangled, ...suffixes(mangled)];
  const bare = withoutLists(name, false);
  const qualified = bare === name || !name.includes('::') ? bare : withoutType(bare);
  const forms = [name, withoutLists(name, true), bare, qualified, ...suffixes(qualified)];
  return forms.filter((form, i) => i === 0 || (form !== '' && form.length < forms[i - 1].length));
}

const formsOfNames = new Map();

/** Returns the name and ever shorter forms. The last is the function's own name without qualifiers. */
export function formsOf(name) {
  let forms = formsOfNames.get(name);
  if (forms === undefined) {
    if (formsOfNames.size > MAX_CACHED) formsOfNames.clear();
    formsOfNames.set(name, forms = makeForms(name));
  }
  return forms;
}

/** Cuts a text after `length` characters. Does not split a character. */
function cutEnd(text, length) {
  const characters = Array.from(text);
  return characters.length <= length ? text : characters.slice(0, Math.max(0, length - 1)).join('') + ELLIPSIS;
}

/** Returns the longest form that `fits`, otherwise the beginning of the own name, otherwise ''. */
export function longestForm(name, fits) {
  const forms = formsOf(name);
  const found = forms.find(fits);
  if (found !== undefined) return found;
  const own = forms.at(-1);
  for (let length = Array.from(own).length - 1; length > MIN_CUT; length--) {
    const text = cutEnd(own, length);
    if (fits(text)) return text;
  }
  return '';
}

/** Shortens a name to at most `length` characters for a sentence, where a bare index would read as a number. */
export function fitName(name, length) {
  const numbered = NUMBERED.exec(name);
  if (numbered !== null) return name.length <= length ? name : `func[${numbered[1]}]`;
  return formsOf(name).find((form) => form.length <= length) ?? cutEnd(formsOf(name).at(-1), length);
}
