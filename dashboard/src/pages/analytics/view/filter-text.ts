import { operators } from '@trackside/contract/stats/operators.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { dimensionNames, hasNames } from './dimensions.ts';
import { operatorOf, toFilter, valuesOf } from './filters.ts';

/**
 * A filter as it is in an address: country:is:DE, parameterValue(plan):contains:pro,
 * browser:anyOf:Firefox|Safari
 */
export function writeFilter(filter: Filter): string {
  const { dimension, of } = filter;
  const operator = operatorOf(filter);
  const values = valuesOf(filter);
  const value = operator === 'anyOf' ? values.map(escapeBars).join('|') : values[0];
  const name = of === undefined ? '' : `(${encodeURIComponent(of.toWellFormed()).replaceAll(')', '%29')})`;
  return `${dimension}${name}:${operator}:${value}`;
}

/** Undefined for what is no filter. */
export function readFilter(text: string): Filter | undefined {
  const [, name, nameOf, how, value = ''] = /^(\w+)(?:\(([^)]*)\))?:(\w+):(.*)$/s.exec(text) ?? [];
  const dimension = dimensionNames.find((known) => known === name);
  const operator = operators.find((known) => known === how);
  if (dimension === undefined || operator === undefined) return undefined;
  const of = nameOf === undefined ? undefined : decode(nameOf);
  if (nameOf !== undefined && (of === undefined || !hasNames(dimension))) return undefined;
  const key = { dimension, ...(of !== undefined && { of }) };
  return toFilter(key, operator, operator === 'anyOf' ? splitAtBars(value) : [value]);
}

const escapeBars = (value: string) => value.replace(/[\\|]/g, '\\$&');

function splitAtBars(text: string): string[] {
  const parts = [''];
  for (const [, escaped, bar, plain] of text.matchAll(/\\(.)|(\|)|([^\\|]+)/gs)) {
    if (bar !== undefined) parts.push('');
    else parts[parts.length - 1] += escaped ?? plain ?? '';
  }
  return parts;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
