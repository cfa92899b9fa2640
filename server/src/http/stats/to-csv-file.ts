import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import { maxRows, pathsLimits } from '@trackside/contract/stats/limits.ts';
import {
  botsTable,
  funnelTable,
  goalsTable,
  liveTable,
  pathsTable,
  retentionTable,
} from '../../stats/table/report-tables.ts';
import { toCsv } from '../../stats/table/to-csv.ts';
import { type Table, toTable } from '../../stats/table/to-table.ts';

/** An answer as CSV, with what rows have no place for as headers of the response. */
export type CsvFile = { headers: Record<string, string>; text: string };

type AnswerOf<Kind extends StatsKind> = WithoutAbout<Answers[Kind]>;
type Arranged = { table: Table; headers: Record<string, string | number | undefined> };
type Arrange<Kind extends StatsKind> = (answer: AnswerOf<Kind>, asked: object) => Arranged;

const arrangers: { [Kind in StatsKind]: Arrange<Kind> } = {
  query: (answer, asked) => ({
    table: toTable(answer, asked),
    headers: {
      'Trackside-Total-Rows': answer.totalRows,
      'Trackside-Visitors-Are': answer.visitorsAre,
    },
  }),
  live: (answer) => ({ table: liveTable(answer), headers: { 'Trackside-Visitors': answer.visitors } }),
  bots: (answer, asked) => ({
    table: botsTable(answer, asked),
    headers: { 'Trackside-Total-Rows': answer.totalRows },
  }),
  funnel: (answer) => ({
    table: funnelTable(answer),
    headers: { 'Trackside-Visitors-Are': answer.visitorsAre },
  }),
  retention: (answer) => ({
    table: retentionTable(answer),
    headers: { 'Trackside-Visitors-Without-ClientId': answer.visitorsWithoutClientId },
  }),
  paths: (answer, asked) => ({ table: pathsTable(answer, asked), headers: {} }),
  goals: (answer) => ({
    table: goalsTable(answer),
    headers: { 'Trackside-Visitors-Are': answer.visitorsAre },
  }),
};

/** Makes a CSV file of the answer to a question of this kind. */
export function toCsvFile(kind: StatsKind, answer: object, asked: object): CsvFile {
  const { table, headers } = (arrangers[kind] as (answer: object, asked: object) => Arranged)(answer, asked);
  const known = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return { headers: Object.fromEntries(known), text: toCsv(table.header, table.rows) };
}

/** The number of rows in a file, unless fewer are asked for. A file does not show that rows are missing. */
const rowLimits: Partial<Record<StatsKind, number>> = {
  query: maxRows,
  bots: maxRows,
  paths: pathsLimits.maxPages,
};

/** Asks for all rows that a file can have. */
export function withAllRows(kind: StatsKind, question: unknown): unknown {
  const isObject = typeof question === 'object' && question !== null && !Array.isArray(question);
  const limit = rowLimits[kind];
  return isObject && limit !== undefined ? { limit, ...question } : question;
}
