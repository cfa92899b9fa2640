import { operators } from './operators.ts';
import type { Filter } from './questions.ts';

/**
 * Writes a filter as the address of the dashboard has it: country:is:DE, parameterValue(plan):contains:pro,
 * browser:anyOf:Firefox|Safari
 */
export function writeFilter(filter: Filter): string {
  const operator = operators.find((one) => one in filter)!;
  const given = (filter as unknown as Record<string, string | readonly string[]>)[operator]!;
  const value = typeof given === 'string' ? given : given.map(escapeBars).join('|');
  const { dimension, of } = filter;
  const name = of === undefined ? '' : `(${encodeURIComponent(of.toWellFormed()).replaceAll(')', '%29')})`;
  return `${dimension}${name}:${operator}:${value}`;
}

const escapeBars = (value: string) => value.replace(/[\\|]/g, '\\$&');
