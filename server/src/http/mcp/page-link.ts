import type { Filter } from '@trackside/contract/stats/questions.ts';
import { writeFilter } from '@trackside/contract/stats/write-filter.ts';

/** Returns the address of the dashboard for the period and the filters of a question. */
export function pageLink(origin: string, websiteId: number, question: unknown): string {
  const { period, filters, segment } = (question ?? {}) as Record<string, unknown>;
  const search = new URLSearchParams();
  if (typeof period === 'string') search.set('period', period);
  else if (isSpan(period)) search.set('period', `${period.from}..${period.to}`);
  if (Array.isArray(filters))
    for (const filter of filters as Filter[]) search.append('f', writeFilter(filter));
  // The dashboard replaces the segment with its filters.
  if (segment !== undefined) search.set('segment', String(segment));
  const text = search.toString();
  return `${origin}/websites/${websiteId}${text === '' ? '' : `?${text}`}`;
}

const isSpan = (period: unknown): period is { from: string; to: string } =>
  typeof period === 'object' && period !== null && 'from' in period && 'to' in period;
