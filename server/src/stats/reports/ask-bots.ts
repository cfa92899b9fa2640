import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import { type BotDimension, botDimensions } from '@trackside/contract/stats/dimensions.ts';
import { defaultRows } from '@trackside/contract/stats/limits.ts';
import {
  botDimensionSchema,
  botQuestionSchema,
  limitSchema,
  offsetSchema,
} from '@trackside/contract/stats/questions.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import { addressSql } from '../addresses/address-sql.ts';
import { Parameters } from '../question/dimensions.ts';
import { QuestionError } from '../question/question-error.ts';
import { readPage } from '../question/read-address.ts';
import { type QuestionContext, readPeriod } from '../question/read-period.ts';
import { createReader, readList, readObject, readText } from '../question/read-value.ts';

/** Records of bots in the period, grouped as asked. */
export type Bots = WithoutAbout<Answers['bots']>;

const readColumn = createReader(botDimensionSchema);
const readLimit = createReader(limitSchema);
const readOffset = createReader(offsetSchema);

export type BotsInput = {
  period: Period;
  keys: readonly BotDimension[];
  bot?: string;
  page?: string;
  limit: number;
  offset: number;
  addressRules?: AddressRules;
};

type Row = { [key: `k${number}`]: string; records: number; days: number; lastAt: string; total: number };

export function readBots(body: unknown, context: QuestionContext): BotsInput {
  const asked = readObject('Question', body, botQuestionSchema);
  const input = {
    period: readPeriod('period', asked.period ?? '30d', context),
    keys: readList('dimensions', asked.dimensions ?? ['bot'], botDimensions.length, readColumn),
    ...(asked.bot !== undefined && { bot: readText('bot', asked.bot) }),
    ...(asked.page !== undefined && { page: readPage(readText('page', asked.page), context.addressRules) }),
    limit: readLimit('limit', asked.limit ?? defaultRows),
    offset: readOffset('offset', asked.offset ?? 0),
    ...(context.addressRules && { addressRules: context.addressRules }),
  };
  const { keys, offset } = input;
  if (new Set(keys).size < keys.length)
    throw new QuestionError('dimensions: expected each at most once, got a duplicate');
  if (keys.length === 0 && offset > 0)
    throw new QuestionError(
      `offset: expected only with dimensions, got ${offset}: without them the answer is always complete`,
    );
  return input;
}

/**
 * Reports which pages bots and AI crawlers requested, and how often. Server-side tracking sees them; browser
 * scripts do not.
 */
export async function askBots(store: WebsiteStore, input: BotsInput): Promise<Bots> {
  const { period, keys, offset } = input;
  const rows = await askPage(store, input);
  // An offset past the last row returns no row, and so no total.
  const [first] =
    rows.length > 0 || offset === 0 ? rows : await askPage(store, { ...input, offset: 0, limit: 1 });
  return {
    period,
    totalRows: first?.total ?? 0,
    rows: rows.map((row) => ({
      dimensions: Object.fromEntries(keys.map((key, index) => [key, row[`k${index}`]!])),
      records: row.records,
      days: row.days,
      // Without dimensions there is a row even if no bot came.
      lastAt: row.records === 0 ? null : row.lastAt.replace(' ', 'T'),
    })),
  };
}

async function askPage(store: WebsiteStore, input: BotsInput): Promise<Row[]> {
  const { period, keys, bot, page, limit, offset } = input;
  const addresses = addressSql(input.addressRules);
  const columns: Readonly<Record<BotDimension, string>> = {
    bot: 'bot',
    page: addresses.path('path'),
    host: addresses.host('host'),
    day: 'toString(day)',
  };
  const parameters = new Parameters();
  const { fromTime, toTime } = period;
  const minute = (day: string, time: string) =>
    `toDateTime(${parameters.add('DateTime', `${day} ${time}`)}, 'UTC')`;
  const query = `
    select *, count() over () as total from (
      select
        ${keys.map((key, index) => `${columns[key]} as k${index}, `).join('')}
        count() as records, uniqExact(day) as days, toString(max(local_at)) as lastAt
      from records
      where website_id = {website_id:UInt32} and is_bot
        and day between ${parameters.add('Date', period.from)} and ${parameters.add('Date', period.to)}
        ${fromTime === undefined ? '' : `and local_at >= ${minute(period.from, `${fromTime}:00`)}`}
        ${toTime === undefined ? '' : `and local_at <= ${minute(period.to, `${toTime}:59`)}`}
        ${bot === undefined ? '' : `and bot = ${parameters.add('String', bot)}`}
        ${page === undefined ? '' : `and ${addresses.path('path')} = ${parameters.add('String', page)}`}
      ${keys.length > 0 ? `group by ${keys.map((_, index) => `k${index}`).join(', ')}` : ''}
    )
    order by records desc ${keys.map((_, index) => `, k${index}`).join('')}
    limit ${parameters.add('UInt32', limit)} offset ${parameters.add('UInt32', offset)}`;
  return await store.query<Row>({ query, params: parameters.values });
}
