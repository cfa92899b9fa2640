import type { Operator } from '@trackside/contract/stats/operators.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { shownText } from '@trackside/contract/stats/shown-text.ts';
import type { Names } from '#format/names.ts';
import { showValue } from '#format/show-value.ts';
import { fill } from '#words/fill.ts';
import { operatorOf, valuesOf } from './filters.ts';
import type { ViewWords } from './view-words.ts';

/** A filter in words: its parts, and the sentence that they make. */
export type FilterText = { name: string; operator: Operator; value: string; text: string };

export function describeFilter(filter: Filter, names: Pick<Names, 'value'>, words: ViewWords): FilterText {
  const operator = operatorOf(filter);
  const { dimension, of } = filter;
  // A part of a value is not a code, so it has no name.
  const spell = (value: string) =>
    operator === 'contains' ? showValue(dimension, value) : names.value(dimension, value);
  const name = of === undefined ? words.dimensions[dimension] : shownText(of);
  const value = valuesOf(filter).map(spell).join(', ');
  return { name, operator, value, text: fill(words.filters[operator], { name, value }).join('') };
}
