import { operators } from '@trackside/contract/stats/operators.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';

/** Returns the address of the dashboard for the period and the filters of a question. */
export function pageLink(origin: string, websiteId: number, question: unknown): string {
  const { period, filters, segment } = (question ?? {}) as Record<string, unknown>;
  const search = new URLSearchParams();
  if (typeof period === 'string') search.set('period', period);
  else if (isSpan(period)) search.set('period', `${period.from}..${period.to}`);
  if (Array.isArray(filters))
    for (const filter of filters as Filter[]) search.append('f', writeFilter(filter));
  // The dashboard puts the filters of the segment in its place.
  if (segment !== undefined) search.set('segment', String(segment));
  const text = search.toString();
  return `${origin}/websites/${websiteId}${text === '' ? '' : `?${text}`}`;
}

const isSpan = (period: unknown): period is { from: string; to: string } =>
  typeof period === 'object' && period !== null && 'from' in period && 'to' in period;

/** Writes a filter as the dashboard's address has it. */
function writeFilter(filter: Filter): string {
  const operator = operators.find((one) => one in filter)!;
  const value = (filter as unknown as Record<string, string | readonly string[]>)[operator]!;
  const text =
    typeof value === 'string' ? value : value.map((one) => one.replace(/[\\|]/g, '\\$&')).join('|');
  const of =
    filter.of === undefined ? '' : `(${encodeURIComponent(filter.of.toWellFormed()).replaceAll(')', '%29')})`;
  return `${filter.dimension}${of}:${operator}:${text}`;
}
