/** Says what an option is instead of what was expected, without its value: it may be the key. */
export function describeOption(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (value === '') return 'an empty string';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
