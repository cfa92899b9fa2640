/** A second implementation of who crawls and who is there now, over records in memory. */
import { asShown, decodePath } from './oracle-addresses.ts';
import { periodOf, type SentPeriod } from './oracle-questions.ts';
import { occurredAtMs, type TestRecord } from './records.ts';

/** A question about bots as somebody sends it. Every member can be left out. */
export type SentBots = {
  period?: SentPeriod;
  dimensions?: readonly ('bot' | 'page' | 'host' | 'day')[];
  bot?: string;
  page?: string;
  limit?: number;
  offset?: number;
};

/** Answers a question about bots. `now` is the current minute at the website. */
export function botsOracle(records: readonly TestRecord[], sent: SentBots, now: string) {
  const { dimensions = ['bot'], limit = 100, offset = 0 } = sent;
  const { from, to, fromTime = '00:00', toTime = '23:59' } = periodOf(sent.period ?? '30d', records, now);
  const isAsked = ({ isBot, bot, path, localAt }: TestRecord) => {
    const minute = localAt.slice(0, 16);
    if (!isBot || minute < `${from} ${fromTime}` || minute > `${to} ${toTime}`) return false;
    return (sent.bot ?? bot) === bot && (sent.page === undefined || decodePath(sent.page) === path);
  };
  const columns = { bot: 'bot', page: 'path', host: 'host', day: 'day' } as const;
  const keyOf = (record: TestRecord) => JSON.stringify(dimensions.map((name) => record[columns[name]]));
  const groups = Map.groupBy(records.map(asShown).filter(isAsked), keyOf);
  if (dimensions.length === 0 && groups.size === 0) groups.set('[]', []);
  const rows = [...groups].map(([key, of]) => ({
    values: JSON.parse(key) as string[],
    records: of.length,
    days: new Set(of.map(({ day }) => day)).size,
    lastAt:
      of
        .map(({ localAt }) => localAt.replace(' ', 'T'))
        .toSorted()
        .at(-1) ?? null,
  }));
  rows.sort((a, b) => b.records - a.records || compareValues(a.values, b.values));
  return {
    totalRows: rows.length,
    rows: rows.slice(offset, offset + limit).map(({ values, ...counts }) => ({
      dimensions: Object.fromEntries(dimensions.map((name, at) => [name, values[at]!])),
      ...counts,
    })),
  };
}

function compareValues(a: readonly string[], b: readonly string[]): number {
  return a.reduce((found, value, at) => found || Buffer.compare(Buffer.from(value), Buffer.from(b[at]!)), 0);
}

/** Returns who was there in the last minutes. */
export function liveOracle(records: readonly TestRecord[], nowMs: number) {
  const within = (firstMs: number, lastMs: number) =>
    records.filter(
      (record) =>
        !record.isBot &&
        record.receivedAtMs <= nowMs &&
        nowMs - occurredAtMs(record) >= firstMs &&
        nowMs - occurredAtMs(record) < lastMs,
    );
  const visitorsOf = (some: readonly TestRecord[]) => new Set(some.map(({ visitorId }) => visitorId)).size;
  const minuteMs = 60_000;
  return {
    visitors: visitorsOf(within(0, 5 * minuteMs)),
    minutes: Array.from({ length: 30 }, (_, index) => {
      const minutesAgo = 29 - index;
      const some = within(minutesAgo * minuteMs, (minutesAgo + 1) * minuteMs);
      const pageViews = some.filter(({ kind }) => kind === 'page_view').length;
      return { minutesAgo, visitors: visitorsOf(some), pageViews };
    }),
  };
}
