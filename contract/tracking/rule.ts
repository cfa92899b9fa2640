import { describeValue } from './describe-value.ts';

/** Says what is wrong with a value ("expected …, got …"), or undefined when nothing is. */
export type Rule = (value: unknown) => string | undefined;

export const expected = (what: string, value: unknown): string =>
  `expected ${what}, got ${describeValue(value)}`;

/** A string of at most `max` UTF-16 code units. */
export function textUpTo(max: number): Rule {
  const what = `a string of at most ${max} characters`;
  return (value) => (typeof value === 'string' && value.length <= max ? undefined : expected(what, value));
}

/** A string that has something to read in it, of at most `max` UTF-16 code units. */
export function textFromOneTo(max: number): Rule {
  const what = `a string of 1 to ${max} characters that are not all white space`;
  return (value) =>
    typeof value === 'string' && value.length <= max && /\S/.test(value) ? undefined : expected(what, value);
}

/** Absent and null both mean "unknown". */
export function orNull(rule: Rule): Rule {
  return (value) => {
    if (value === null || value === undefined) return undefined;
    return rule(value)?.replace(', got ', ' or null, got ');
  };
}
