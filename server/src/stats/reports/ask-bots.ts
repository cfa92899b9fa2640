import type { WebsiteStore } from '../../store/of-website.ts';
import { Parameters } from '../answer/parameters.ts';
import type { Period } from '../question/question.ts';
import {
  type QuestionContext,
  readList,
  readNumber,
  readObject,
  readOneOf,
  readPeriod,
  readText,
} from '../question/read-question.ts';

export type Bots = {
  period: Period;
  /** Records of bots in the period, by what was asked for. */
  rows: { dimensions: Record<string, string>; records: number; days: number; lastAt: string }[];
  totalRows: number;
};

const columns = { bot: 'bot', page: 'path', host: 'host', day: 'toString(day)' } as const;
type Column = keyof typeof columns;
const names = Object.keys(columns) as Column[];

/** What robots and AI crawlers looked at, who and how often: server-side tracking sees them, scripts do not. */
export async function askBots(store: WebsiteStore, body: unknown, context: QuestionContext): Promise<Bots> {
  const asked = readObject('Question', body, ['period', 'dimensions', 'bot', 'page', 'limit', 'offset']);
  const period = readPeriod('period', asked.period ?? '30d', context);
  const keys = readList('dimensions', asked.dimensions ?? ['bot'], names.length, (path, value) =>
    readOneOf(path, value, names),
  );
  const parameters = new Parameters();
  const bot = asked.bot === undefined ? undefined : parameters.add('String', readText('bot', asked.bot));
  const page = asked.page === undefined ? undefined : parameters.add('String', readText('page', asked.page));
  const query = `
    select *, count() over () as total from (
      select
        ${keys.map((key, index) => `${columns[key]} as k${index}, `).join('')}
        count() as records, uniqExact(day) as days, toString(max(local_at)) as lastAt
      from records
      where website_id = {website_id:UInt32} and is_bot
        and day between ${parameters.add('Date', period.from)} and ${parameters.add('Date', period.to)}
        ${bot === undefined ? '' : `and bot = ${bot}`}
        ${page === undefined ? '' : `and path = ${page}`}
      ${keys.length > 0 ? `group by ${keys.map((_, index) => `k${index}`).join(', ')}` : 'having records > 0'}
    )
    order by records desc ${keys.map((_, index) => `, k${index}`).join('')}
    limit ${parameters.add('UInt32', readNumber('limit', asked.limit ?? 100, 1, 10_000))}
    offset ${parameters.add('UInt32', readNumber('offset', asked.offset ?? 0, 0, 1_000_000))}`;
  type Row = { [key: `k${number}`]: string; records: number; days: number; lastAt: string; total: number };
  const rows = await store.query<Row>({ query, params: parameters.values });
  return {
    period,
    totalRows: rows[0]?.total ?? 0,
    rows: rows.map((row) => ({
      dimensions: Object.fromEntries(keys.map((key, index) => [key, row[`k${index}`]!])),
      ...{ records: row.records, days: row.days, lastAt: row.lastAt.replace(' ', 'T') },
    })),
  };
}
