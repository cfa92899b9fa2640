import type { Filter } from '@trackside/contract/stats/questions.ts';
import { hasFilter } from '../view/filters.ts';

/** Whether both have the same filters, in any order. */
export const hasSameFilters = (some: readonly Filter[], others: readonly Filter[]): boolean =>
  some.length === others.length &&
  some.every((filter) => hasFilter(others, filter)) &&
  others.every((filter) => hasFilter(some, filter));
