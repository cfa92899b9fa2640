import type { Filter } from '@trackside/contract/stats/questions.ts';

/** Finds the one page that a view is filtered by. Undefined when there is none, or several. */
export function findPage(filters: readonly Filter[]): string | undefined {
  const pages = filters.filter(({ dimension }) => dimension === 'page');
  const [only] = pages;
  return pages.length === 1 && only !== undefined && 'is' in only ? only.is : undefined;
}
