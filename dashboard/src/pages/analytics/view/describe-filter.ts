import type { Filter } from '@trackside/contract/stats/questions.ts';
import type { Names } from '#format/names.ts';
import { dimensions } from './dimensions.ts';
import { operatorOf, operatorTexts, valuesOf } from './filters.ts';

/** A filter in words: Country · is · Germany. */
export type FilterText = { name: string; operator: string; value: string };

export function describeFilter(filter: Filter, names: Pick<Names, 'value'>): FilterText {
  const operator = operatorOf(filter);
  const { dimension, of } = filter;
  // A part of a value is not a code, so it is shown as it was typed.
  const spell = (value: string) => (operator === 'contains' ? value : names.value(dimension, value));
  return {
    name: of === undefined ? dimensions[dimension].label : of,
    operator: operatorTexts[operator],
    value: valuesOf(filter).map(spell).join(', '),
  };
}
