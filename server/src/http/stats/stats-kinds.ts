import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import type { WebsiteCache } from '../../control/websites/website-cache.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { Log } from '../../log.ts';
import type { Asking, Statistics } from '../../stats/create-statistics.ts';
import type { ReaderOf } from '../app/session-reader.ts';

export type StatsParts = {
  statistics: Statistics;
  websiteCache: Pick<WebsiteCache, 'get' | 'refresh'>;
  readerOf: ReaderOf;
  log: Log;
};
type Ask = (statistics: Statistics, website: Website, question: unknown, asking: Asking) => Promise<object>;

/** Who answers what can be asked. */
export const statsKinds = {
  query: (statistics, website, question, asking) => statistics.query(website, question, asking),
  live: (statistics, website, _question, asking) => statistics.live(website, asking),
  bots: (statistics, website, question, asking) => statistics.bots(website, question, asking),
  funnel: (statistics, website, question, asking) => statistics.funnel(website, question, asking),
  retention: (statistics, website, question, asking) => statistics.retention(website, question, asking),
  paths: (statistics, website, question, asking) => statistics.paths(website, question, asking),
} satisfies Record<StatsKind, Ask>;

/** An answer as it is sent. */
export function withWebsite({ domain, timezone }: Website, answered: object): object {
  return { website: domain, timezone, ...answered };
}
