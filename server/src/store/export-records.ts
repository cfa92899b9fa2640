import { addAbortSignal, Readable } from 'node:stream';
import { ClickHouseError } from '@clickhouse/client';
import { recordColumns } from '../records/record-columns.ts';
import type { Question } from './create-store-client.ts';
import { type ExportFormat, formatRules } from './export/export-format.ts';
import { harmlessSql } from './export/harmless-sql.ts';
import {
  beginning,
  type DayCount,
  type FindPlace,
  nextSlice,
  type Place,
  type Slice,
} from './export/slice-days.ts';
import { findErasedVisits } from './find-erased-visits.ts';
import type { AnsweredBytes } from './query-bytes.ts';
import { recordsOfPerson } from './removals.ts';

export type ExportOptions = {
  format: ExportFormat;
  /** Local days of the website, both included. */
  from?: string | undefined;
  to?: string | undefined;
  /**
   * Limits the export to one visitor: 64 bits in decimal. What a visitor with a ClientId did before they
   * signed in, in the same visits, is part of it.
   */
  visitorId?: string | undefined;
  /**
   * Writes values into CSV unchanged. This is for programs only: a spreadsheet could run some values as
   * formulas.
   */
  isRaw?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /**
   * `ofRecords` is the number of records at the start. Records that arrive during the export may come on top.
   */
  onProgress?: ((progress: { records: number; ofRecords: number }) => void) | undefined;
};

/** Can ask about one website only. */
export type WebsiteAsker = {
  query<Row>(question: Question): Promise<Row[]>;
  queryBytes(question: Question): Promise<AnsweredBytes>;
};

/** The columns of an export, in order. */
export const exportColumns = recordColumns.filter((column) => column !== 'website_id');

/** The range of days that the store's date type can hold. */
const allDays = { from: '1970-01-01', to: '2149-06-06' };

/** Later than any record. */
const endOfTime = Date.parse('2200-01-01T00:00:00Z');

const firstSliceRecords = 4_096;
const maxSliceRecords = 131_072;
const minSliceRecords = 64;
/** The target size of a slice, uncompressed. For a moment the engine needs several times as much memory. */
const sliceBytes = 16 * 2 ** 20;
/** If records get larger, a slice can need so much memory that it is better to ask for smaller slices. */
const maxSliceMemoryBytes = 128 * 2 ** 20;
/** MEMORY_LIMIT_EXCEEDED and TIMEOUT_EXCEEDED. */
const tooLargeCodes = ['241', '159'];

/** How the records are written. */
type Form = Pick<ExportOptions, 'format' | 'isRaw'>;

/** Selects whose records are exported: another condition and its parameters. */
type Whose = { sql: string; params: Record<string, unknown> };
const ofEverybody: Whose = { sql: '', params: {} };

const inPeriod = ({ sql }: Whose) => `
  r.website_id = {website_id:UInt32} and r.day between {from:Date} and {to:Date} ${sql}`;

const countDays = (whose: Whose) => `
  select toString(r.day) as day, count() as records
  from records as r
  where ${inPeriod(whose)}
  group by r.day
  order by r.day`;

const inSlice = ({ after, until }: Slice, whose: Whose) => `
  where ${inPeriod(whose)}
  ${after === undefined ? '' : `and ${afterPlace}`}
  ${until === undefined ? '' : `and ${untilPlace}`}`;

const afterPlace = `
  r.visitor_id >= {after_visitor:UInt64}
  and (r.visitor_id > {after_visitor:UInt64} or r.received_at > {after_time:DateTime64(3, 'UTC')})`;

const untilPlace = `
  r.visitor_id <= {until_visitor:UInt64}
  and (r.visitor_id < {until_visitor:UInt64} or r.received_at <= {until_time:DateTime64(3, 'UTC')})`;

// The prefix r. names the column. Without it, ClickHouse takes a name for the expression in the select list.
const inOrder = 'order by r.website_id, r.day, r.visitor_id, r.received_at';

const placeBehind = (slice: Slice, whose: Whose) => `
  select toString(r.visitor_id) as visitorId, toString(r.received_at) as receivedAt
  from records as r
  ${inSlice(slice, whose)}
  ${inOrder}
  limit 1 offset {skipped:UInt64}`;

const recordsOf = (slice: Slice, whose: Whose, form: Form) => `
  select ${exportColumns.map((column) => `${selected(column, form)} as ${column}`).join(', ')}
  from records as r
  ${inSlice(slice, whose)}
  ${inOrder}
  ${formatRules[form.format].clause}`;

/** Columns with numbers, times, and words that we choose ourselves. */
const plainColumns: readonly string[] = [
  'day',
  'received_at',
  'local_at',
  'kind',
  'visitor_id',
  'has_client_id',
  'is_bot',
  'screen_width',
  'screen_height',
  'device_id',
  'received_order',
  'waited_ms',
];

function selected(column: (typeof exportColumns)[number], { format, isRaw }: Form): string {
  // JSON readers would lose digits of 64-bit numbers, and a name says more than the number of an enum.
  if (column === 'visitor_id' || column === 'device_id' || column === 'kind') return `toString(r.${column})`;
  if (format !== 'csv' || plainColumns.includes(column)) return `r.${column}`;
  // CSV has no lists. Everyone can read JSON, but few can read the way that ClickHouse writes lists.
  const isList = column === 'parameter_names' || column === 'parameter_values';
  const text = isList ? `toJSONString(r.${column})` : `r.${column}`;
  return isRaw === true ? text : harmlessSql(text);
}

/**
 * Exports all records of a period in the store's own order. The engine's own streams would occupy one of its
 * few sessions for as long as the reader takes, would end when the reader pauses, and would start a new CSV
 * or Parquet file with each block. So the records come in slices: each is a short question with a complete
 * answer, and nothing is asked while the reader is busy.
 */
export async function exportRecords(asker: WebsiteAsker, options: ExportOptions): Promise<Readable> {
  const { signal } = options;
  const period = { from: options.from ?? allDays.from, to: options.to ?? allDays.to };
  const whose = options.visitorId === undefined ? ofEverybody : await ofVisitor(asker, options.visitorId);
  const days = await asker.query<DayCount>({
    query: countDays(whose),
    params: { ...period, ...whose.params },
    ...(signal && { abortSignal: signal }),
  });
  const ended = new AbortController();
  const stream = Readable.from(readSlices(asker, options, { days, period, whose, signal: ended.signal }), {
    objectMode: false,
  });
  stream.once('close', () => ended.abort());
  if (signal !== undefined) addAbortSignal(signal, stream);
  return stream;
}

async function ofVisitor(asker: WebsiteAsker, visitorId: string): Promise<Whose> {
  const visitor = { visitorId, receivedBefore: endOfTime };
  const visits = await findErasedVisits(asker, visitor);
  const { condition, params } = recordsOfPerson({ ...visitor, visits }, 'r.');
  return { sql: `and ${condition}`, params };
}

async function* readSlices(
  asker: WebsiteAsker,
  { format, isRaw, onProgress }: ExportOptions,
  {
    days,
    period,
    whose,
    signal,
  }: {
    days: DayCount[];
    period: { from: string; to: string };
    whose: Whose;
    signal: AbortSignal;
  },
): AsyncGenerator<Buffer> {
  const assembly = formatRules[format].assemble(exportColumns);
  const ofRecords = days.reduce((sum, day) => sum + day.records, 0);
  const findPlace: FindPlace = async (day, after, records) => {
    const slice = { from: day, to: day, after };
    const params = { ...paramsOf(slice, whose), skipped: records - 1 };
    const query = placeBehind(slice, whose);
    const [place] = await asker.query<Place>({ query, params, abortSignal: signal });
    return place;
  };
  // Ask for one slice even if there are no records: only the store can write a Parquet file without rows.
  const toSlice = days.length > 0 ? days : [{ day: period.from, records: 0 }];
  let position = beginning;
  let size = firstSliceRecords;
  if (assembly.head.length > 0) yield assembly.head;
  for (;;) {
    const next = await nextSlice({ days: toSlice, position, size, findPlace });
    if (next === undefined) break;
    const answer = await askSlice(asker, next.slice, { whose, format, isRaw, signal });
    if (answer === 'too large' && size > minSliceRecords) {
      size = Math.max(minSliceRecords, Math.floor(size / 8));
      continue;
    }
    if (answer === 'too large')
      throw new Error(`the store does not have enough memory or time for ${size} records at once`);
    const recordsBefore = assembly.records();
    yield* assembly.add(answer.chunks);
    const records = assembly.records();
    size = nextSize(size, records - recordsBefore, answer);
    position = next.end;
    onProgress?.({ records, ofRecords });
  }
  if (assembly.records() < ofRecords) {
    throw new Error(
      `expected at least ${ofRecords} records, got ${assembly.records()}: ` +
        'some were removed or lost in the meantime, so export again',
    );
  }
  const end = assembly.end();
  if (end.length > 0) yield end;
}

async function askSlice(
  asker: WebsiteAsker,
  slice: Slice,
  { whose, signal, ...form }: Form & { whose: Whose; signal: AbortSignal },
): Promise<AnsweredBytes | 'too large'> {
  try {
    return await asker.queryBytes({
      query: recordsOf(slice, whose, form),
      params: paramsOf(slice, whose),
      settings: { max_memory_usage: String(maxSliceMemoryBytes) },
      abortSignal: signal,
    });
  } catch (error) {
    if (error instanceof ClickHouseError && tooLargeCodes.includes(error.code)) return 'too large';
    throw error;
  }
}

/** Goes by what the last slice took, but with care: the next records may be larger. */
function nextSize(size: number, records: number, { chunks, readBytes }: AnsweredBytes): number {
  if (records === 0) return size;
  const answeredBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const fitting = Math.floor((sliceBytes / Math.max(readBytes, answeredBytes)) * records);
  return Math.max(minSliceRecords, Math.min(fitting, 4 * size, maxSliceRecords));
}

function paramsOf({ from, to, after, until }: Slice, { params }: Whose): Record<string, unknown> {
  return {
    ...params,
    from,
    to,
    ...(after && { after_visitor: after.visitorId, after_time: after.receivedAt }),
    ...(until && { until_visitor: until.visitorId, until_time: until.receivedAt }),
  };
}
