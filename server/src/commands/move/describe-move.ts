import { alignColumns } from '../terminal/align-columns.ts';
import type { MoveReport } from './move-report.ts';

const count = (n: number) => n.toLocaleString('en-US');
const counted = (n: number, one: string) => `${count(n)} ${n === 1 ? one : `${one}s`}`;
const shownDifferences = 20;

export function describeMove(report: MoveReport, domains: ReadonlyMap<number, string>): string {
  const { direction, isFinished, wasFinished, copied, records, control } = report;
  const again = direction === 'back' ? 'trackside move --back --finish' : 'trackside move --finish';
  const start =
    direction === 'back'
      ? 'Start the server without TRACKSIDE_DATABASE_URL and TRACKSIDE_CLICKHOUSE_URL.'
      : 'Start the server with TRACKSIDE_DATABASE_URL and TRACKSIDE_CLICKHOUSE_URL.';
  if (wasFinished) return `The move was finished before. ${start}`;
  const lines = [`Copied ${counted(copied, 'record')}.`];
  if (records !== null) lines.push('', compareRecords(records, domains));
  if (control !== null) lines.push('', compareTables(control));
  lines.push('');
  const isDifferent =
    (records?.differences.length ?? 0) > 0 || control?.some(({ isSame }) => !isSame) === true;
  if (isDifferent) lines.push(`The two sides differ. Run the command again: ${again}`);
  else if (isFinished) lines.push(`All counts agree, and the old side is closed. ${start}`);
  else if (direction === 'back') lines.push(`Now stop all servers, then run: ${again}`);
  else lines.push(`Now stop the server, then run: ${again}`);
  return lines.join('\n');
}

function compareRecords(
  { records, days, websites, differences }: NonNullable<MoveReport['records']>,
  domains: ReadonlyMap<number, string>,
): string {
  const nameOf = (id: number) => domains.get(id) ?? `website ${id}`;
  const table = alignColumns([
    ['Website', 'Days', 'Records', 'Copied'],
    ...websites.map((one) => [nameOf(one.websiteId), count(one.days), count(one.records), count(one.copied)]),
  ]);
  const found = differences
    .slice(0, shownDifferences)
    .map(
      ({ websiteId, day, records, copied }) =>
        `${nameOf(websiteId)}, ${day}: ${count(records)} records, ${count(copied)} copied`,
    );
  if (differences.length > shownDifferences)
    found.push(`… and ${differences.length - shownDifferences} more`);
  const sum = `Compared ${counted(records, 'record')} by website and day (${count(days)} in all): `;
  return [table, `${sum}${differences.length === 0 ? 'all agree.' : 'these differ:'}`, ...found].join('\n');
}

function compareTables(control: NonNullable<MoveReport['control']>): string {
  return alignColumns([
    ['Table', 'Rows', 'Copied', ''],
    ...control.map(({ table, rows, copied, isSame }) => [
      table,
      count(rows),
      count(copied),
      isSame ? 'same' : 'different',
    ]),
  ]);
}
