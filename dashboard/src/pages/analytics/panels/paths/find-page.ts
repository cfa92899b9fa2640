import type { Filter } from '@trackside/contract/stats/questions.ts';

/** The one page that a view is about; undefined when it is about all, or several. */
export function findPage(filters: readonly Filter[]): string | undefined {
  const pages = filters.filter(({ dimension }) => dimension === 'page');
  const [only] = pages;
  return pages.length === 1 && only !== undefined && 'is' in only ? only.is : undefined;
}
