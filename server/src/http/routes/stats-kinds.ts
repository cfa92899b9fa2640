import type { Directory } from '../../control/watch-directory.ts';
import type { Website } from '../../control/website-row.ts';
import type { Log } from '../../core/log.ts';
import type { Statistics } from '../../stats/create-statistics.ts';
import type { ReaderOf } from '../app/session-reader.ts';

export type StatsParts = {
  statistics: Statistics;
  directory: Pick<Directory, 'get' | 'refresh'>;
  readerOf: ReaderOf;
  log: Log;
};
type Ask = (
  statistics: Statistics,
  website: Website,
  question: unknown,
  gone: AbortSignal,
) => Promise<object>;

/** What can be asked, by name. Each has a path of its own, and all can be asked together. */
export const statsKinds = {
  query: (statistics, website, question, gone) => statistics.query(website, question, gone),
  live: (statistics, website, _question, gone) => statistics.live(website, gone),
  bots: (statistics, website, question, gone) => statistics.bots(website, question, gone),
  funnel: (statistics, website, question, gone) => statistics.funnel(website, question, gone),
  retention: (statistics, website, question, gone) => statistics.retention(website, question, gone),
  paths: (statistics, website, question, gone) => statistics.paths(website, question, gone),
} satisfies Record<string, Ask>;

export type StatsKind = keyof typeof statsKinds;

export const statsKindNames = Object.keys(statsKinds) as StatsKind[];

/** An answer as it is sent. */
export function withWebsite({ domain, timezone }: Website, answered: object): object {
  return { website: domain, timezone, ...answered };
}
