// Numbers and names as all reports write them; units.c says the same in C.

const TIMES = [['s', 1e9], ['ms', 1e6], ['\u00b5s', 1e3]];
const ELLIPSIS = '\u2026';

/** 1,234,567 */
export function formatCount(count) {
  return Math.round(count).toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** "1 call", "2 calls" */
export function formatQuantity(count, noun) {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Three digits of a number from 1 to 999. */
function threeDigits(number) {
  const decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
  return number.toFixed(decimals);
}

function formatTime(nanoseconds) {
  const size = Math.abs(nanoseconds);
  if (size < 999.5) return `${Number.isInteger(size) ? size : threeDigits(Math.max(size, 0))} ns`;
  const unit = TIMES.find(([, divisor]) => size / divisor >= 0.9995);
  const number = size / unit[1];
  return `${number < 999.5 ? threeDigits(number) : formatCount(number)} ${unit[0]}`;
}

function formatBytes(bytes) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (bytes >= 999.5 && unit < units.length - 1) {
    bytes /= 1000;
    unit++;
  }
  return `${unit === 0 ? formatCount(bytes) : threeDigits(bytes)} ${units[unit]}`;
}

/** A value with its unit: "12.3 ms", "1,234 instructions", "5 calls". */
export function formatValue(unit, value) {
  if (unit === 'nanoseconds') return formatTime(value);
  if (unit === 'bytes') return formatBytes(value);
  return formatQuantity(value, unit.replace(/s$/, ''));
}

/** The same for a cell under a heading that names the unit, where that is no time. */
export function formatCell(unit, value) {
  return unit === 'nanoseconds' || unit === 'bytes' ? formatValue(unit, value) : formatCount(value);
}

/** value / calls; "-" where nothing was called. */
export function formatMean(unit, value, calls) {
  if (calls === 0) return '-';
  const mean = value / calls;
  if (unit === 'nanoseconds') return formatTime(mean < 999.5 ? Number(mean.toPrecision(3)) : mean);
  return mean < 1e6
    ? mean.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    : formatCount(mean);
}

/** "45.6 %" */
export function formatShare(part, whole, decimals = 1) {
  if (whole <= 0) return `${(0).toFixed(decimals)} %`;
  const power = 10 ** decimals;
  return `${(Math.round((100 * power * part) / whole) / power).toFixed(decimals)} %`;
}

/** "+12.3 ms", "-5 calls", "no change" */
export function formatChange(unit, before, after) {
  const difference = after - before;
  if (difference === 0) return 'no change';
  return (difference > 0 ? '+' : '\u2212') + formatValue(unit, Math.abs(difference));
}

/** "+20.0 %" of what was; "new", "gone" */
export function formatRelative(before, after) {
  if (before === after) return '0 %';
  if (before === 0) return 'new';
  if (after === 0) return 'gone';
  const percent = (100 * (after - before)) / before;
  return `${percent > 0 ? '+' : '\u2212'}${Math.abs(percent).toFixed(Math.abs(percent) < 100 ? 1 : 0)} %`;
}

/** At most `length` characters: the middle goes, the end keeps two thirds; no character is cut in two. */
export function cutMiddle(text, length) {
  if (text.length <= length) return text;
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  if (length < 2) return ELLIPSIS;
  const tail = Math.floor((length * 2) / 3);
  const head = length - 1 - tail;
  return characters.slice(0, head).join('') + ELLIPSIS + characters.slice(characters.length - tail).join('');
}

const BRACKETS = { ')': '(', '>': '<' };

/** The name without what stands in its outermost brackets: std::map<...>::find(...). */
function withoutLists(name) {
  let result = '';
  const open = [];
  for (let i = 0; i < name.length; i++) {
    const c = name[i];
    const isArrow = c === '>' && name[i - 1] === '-';
    if ((c === '(' || c === '<') && result !== '') {
      if (open.length === 0) result += c + ELLIPSIS;
      open.push(c);
    } else if (open.length > 0 && !isArrow && BRACKETS[c] === open[open.length - 1]) {
      open.pop();
      if (open.length === 0) result += c;
    } else if (open.length === 0) {
      result += c;
    }
  }
  return open.length === 0 ? result : name;
}

/** A name in at most `length` characters: lists of arguments go first, then the middle. */
export function fitName(name, length) {
  if (name.length <= length) return name;
  const short = withoutLists(name);
  return cutMiddle(short.length < name.length ? short : name, length);
}
