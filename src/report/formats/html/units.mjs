// Formats numbers and names as in all reports. units.c is the same in C, with the same rounding.

const TIMES = ['ns', '\u00b5s', 'ms', 's'];
const BYTES = ['B', 'KB', 'MB', 'GB'];
const COUNTS = ['', 'K', 'M', 'G'];

/** 1,234,567 */
export function formatCount(count) {
  return Math.round(count).toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** "1 call", "2 calls" */
export function formatQuantity(count, noun) {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a number of calls; NaN: not counted; `isAtMost`: some may have been on other stacks. */
export const formatCallCount = (calls, isAtMost = false) =>
  Number.isNaN(calls) ? '?' : `${isAtMost ? '\u2264' : ''}${formatCount(calls)}`;

/** Like formatCallCount, in words. */
export const formatCalls = (calls, isAtMost = false) =>
  Number.isNaN(calls) ? 'calls not counted' : `${isAtMost ? '\u2264' : ''}${formatQuantity(calls, 'call')}`;

/** Divides, with that many decimals; half rounds up. Both are integers, because a fraction would be inexact. */
function formatQuotient(count, divisor, decimals) {
  const fractions = 10n ** BigInt(decimals);
  const whole = BigInt(divisor);
  const rounded = (2n * BigInt(count) * fractions + whole) / (2n * whole);
  const text = (rounded / fractions).toLocaleString('en-US');
  return decimals === 0 ? text : `${text}.${String(rounded % fractions).padStart(decimals, '0')}`;
}

/** Formats a value with three digits, in one of four units; each is 1000 times the previous one. */
function formatThousands(value, units) {
  if (value < 1000) return `${value} ${units[0]}`;
  let dropped = 1;
  while (dropped < 9 && value >= 9995 * 10 ** (dropped - 1)) dropped++; // until four digits are left
  const decimals = 2 - ((dropped - 1) % 3);
  return `${formatQuotient(value, 10 ** (dropped + decimals), decimals)} ${units[Math.floor((dropped - 1) / 3) + 1]}`;
}

/** A value with its unit: "12.3 ms", "1,234 instructions", "5 calls". */
export function formatValue(unit, value) {
  if (unit === 'nanoseconds') return formatThousands(value, TIMES);
  if (unit === 'bytes') return formatThousands(value, BYTES);
  return formatQuantity(value, unit.replace(/s$/, ''));
}

/** A round value at a mark of an axis: "12 ms", "500 M". At 0, the unit unless it is a time or bytes: "0 instructions". */
export function formatMark(unit, value) {
  const hasUnit = unit === 'nanoseconds' || unit === 'bytes';
  if (value === 0) return hasUnit ? '0' : `0 ${unit}`;
  const text = hasUnit ? formatValue(unit, value) : formatThousands(value, COUNTS);
  return text.replace(/(\.\d*?)0+(?= )/, '$1').replace(/\.(?= )/, '').trim();
}

/** Like formatValue, for a cell whose heading names the unit unless it is a time or bytes. */
export function formatCell(unit, value) {
  return unit === 'nanoseconds' || unit === 'bytes' ? formatValue(unit, value) : formatCount(value);
}

/** Formats value / calls, times below a microsecond in tenths of a nanosecond. "-": no calls; "?": unknown. */
export function formatMean(unit, value, calls) {
  if (Number.isNaN(calls)) return '?';
  if (calls === 0) return '-';
  if (unit === 'nanoseconds' && value >= 1000 * calls) return formatValue(unit, Math.floor(value / calls));
  return `${formatQuotient(value, calls, 1)}${unit === 'nanoseconds' ? ' ns' : ''}`;
}

/** "45.6 %" */
export function formatShare(part, whole, decimals = 1) {
  return `${whole <= 0 ? (0).toFixed(decimals) : formatQuotient(100n * BigInt(Math.min(part, whole)), whole, decimals)} %`;
}

/** "+12.3 ms", "-5 calls", "no change" */
export function formatChange(unit, before, after, format = formatValue) {
  const difference = after - before;
  if (difference === 0) return 'no change';
  return (difference > 0 ? '+' : '\u2212') + format(unit, Math.abs(difference));
}

/** The deviation after a value, with plus and minus, or '' without an error. */
export const formatError = (unit, error, format = formatValue) => (error > 0 ? ` \u00b1 ${format(unit, error)}` : '');

/** Formats a change relative to `before`: "+20.0 %", "none before"; `appearance`: "new", "gone" or '', see tree.mjs. */
export function formatRelative(before, after, appearance = '') {
  if (before === after) return '0 %';
  if (before === 0) return appearance || 'none before';
  if (after === 0) return appearance || 'none after';
  const size = Math.abs(after - before);
  return `${after > before ? '+' : '\u2212'}${formatQuotient(100n * BigInt(size), before, size < before ? 1 : 0)} %`;
}
