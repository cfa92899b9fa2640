/**
 * Describes a value by type and length only. Values are not repeated, because an IP address can be in the
 * wrong field.
 */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${count(value.length, 'element')}`;
  if (typeof value === 'string') {
    return value === '' ? 'an empty string' : `a string of ${count(value.length, 'character')}`;
  }
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function count(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}

const maxShownLength = 16;
const codeLike = /^[\p{L}\p{N}_-]+$/u;

/**
 * Does the same as describeValue, but shows a short value. Only for fields whose values are codes, and never
 * for values with dots or colons.
 */
export function describeCode(value: unknown): string {
  const isShown = typeof value === 'string' && value.length <= maxShownLength && codeLike.test(value);
  return isShown ? `"${value}"` : describeValue(value);
}
