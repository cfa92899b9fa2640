import type { LedgerAnswer, LedgerCounts } from '@trackside/contract/app/ledger.ts';
import { addDays } from '@trackside/contract/calendar/day.ts';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import { readLedger, readLedgerDays } from '../../intake/tally/read-ledger.ts';
import { type Command, CommandError, type CommandInput } from '../command.ts';
import { withControl } from '../parts/with-control.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { findWebsite } from '../website/find-website.ts';

const listed = 10;

export const ledgerCommand: Command = {
  usage: 'ledger WEBSITE [--period 30d]',
  help:
    'Shows what became of everything that was sent to a website: accepted, refused, excluded, over quota, ' +
    'missing\nand repeated, by day, and why records were refused. A period is a number of days ending today, ' +
    'such as 30d (the\ndefault, at most 400d), or a range of days such as 2026-03-01..2026-03-31. Records of ' +
    'the last 5 seconds may not\nbe included yet. docs/reliability.md explains the counts.',
  words: { min: 1, max: 1 },
  flags: { period: { type: 'string', help: 'which days (default: 30d)' } },
  run: (input) =>
    withControl(input, async (control) => {
      const website = await findWebsite(control, input.words[0]!);
      const ledger = await readLedger(control, website, readPeriod(input, website.timezone), input.clock);
      const { id, domain } = website;
      return { json: { website: { id, domain }, ...ledger }, text: describeLedger(domain, ledger) };
    }),
};

function readPeriod({ flags, clock }: CommandInput, timezone: string) {
  const period = typeof flags.period === 'string' ? flags.period : '30d';
  const days = /^([1-9]\d{0,3})d$/.exec(period)?.[1];
  const [from, to] = period.split('..');
  if (days === undefined && to === undefined)
    throw new CommandError(`--period: expected 30d or 2026-03-01..2026-03-31, got "${period}".`);
  const today = createLocalTime(timezone)(clock.now()).day;
  const asked = days === undefined ? { from, to } : { from: addDays(today, 1 - Number(days)), to: today };
  const read = readLedgerDays(asked, timezone, clock.now());
  if ('fault' in read) throw new CommandError(`--period: ${read.fault}.`);
  return read;
}

/** Writes the ledger as tables for people. */
export function describeLedger(domain: string, ledger: LedgerAnswer): string {
  const { from, to, timezone, since } = ledger;
  const title = `${domain}, ${from} to ${to} (${timezone})`;
  if (since === null) return `${title}\nNothing has been sent yet.`;
  const parts = [title, describeTotals(ledger), alignColumns([columns, ...dayRows(ledger)])];
  if (ledger.refusals.length > 0) parts.push(describeRefusals(ledger));
  if (ledger.gaps.length > 0) parts.push(describeGaps(ledger));
  return parts.join('\n\n');
}

const columns = ['day', 'sent', 'accepted', 'refused', 'excluded', 'over quota', 'missing', 'repeated'];
const cells = ({ sent, accepted, refused, excluded, overQuota, missing, repeated }: LedgerCounts) =>
  [sent, accepted, refused, excluded, overQuota, missing, repeated].map(String);

const dayRows = ({ days, totals }: LedgerAnswer): string[][] => [
  ...days.map(({ day, ...counts }) => [day, ...cells(counts)]),
  ['all', ...cells(totals)],
];

function describeTotals({ totals, numbered }: LedgerAnswer): string {
  const { sent, refused, overQuota, missing } = totals;
  if (sent === 0) return 'Nothing was sent in this period.';
  // Only numbered records can be known to be missing.
  const kinds = numbered === 0 ? 'refused or over quota' : 'refused, over quota or missing';
  const lost = refused + overQuota + missing;
  if (lost === 0) return `No records were ${kinds}.`;
  return `Records ${kinds}: ${lost} of ${sent} (${((100 * lost) / sent).toFixed(1)}%).`;
}

function describeRefusals({ refusals, totals }: LedgerAnswer): string {
  const rows = refusals.map(({ field, expected, got, records }) => [
    String(records),
    field ?? 'other reasons',
    expected === null ? '' : `expected ${expected}, got ${got ?? 'something else'}`,
  ]);
  const refused = refusals.reduce((sum, { records }) => sum + records, 0);
  const others = refused > totals.refused ? ', also of records that were accepted later' : '';
  return `Reasons for refusals${others}:\n${listFirst(rows)}`;
}

function describeGaps({ gaps }: LedgerAnswer): string {
  const rows = gaps.map(({ stream, from, to, hour }) => [
    stream,
    from === to ? `${from}` : `${from} to ${to}`,
    hour,
  ]);
  return `Missing numbers, by stream and the hour they were due:\n${listFirst(rows)}`;
}

/** Writes the first rows as a table, and says how many more there are. */
function listFirst(rows: readonly string[][]): string {
  const table = alignColumns(rows.slice(0, listed));
  return rows.length <= listed
    ? table
    : `${table}\n… and ${rows.length - listed} more: --json has all of them`;
}
