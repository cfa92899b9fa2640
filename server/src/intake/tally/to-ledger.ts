import type { LedgerAnswer, LedgerCounts, LedgerRefusal } from '@trackside/contract/app/ledger.ts';
import { maxLedgerDaysWithHours } from '@trackside/contract/app/limits.ts';
import { daysBetween } from '@trackside/contract/calendar/day.ts';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import { inSlices } from '../../concurrency/in-slices.ts';
import { accountStream } from '../../control/tally/account-stream.ts';
import type { WebsiteTally } from '../../control/tally/tallies.ts';
import { hourMs, type TallyCount, type TallyRefusal } from '../../control/tally/tally-rows.ts';

/** A key that a website has or had in the period. */
export type KeyName = { id: string; masked: string; isCurrent: boolean };

type Options = {
  tally: WebsiteTally;
  keys: readonly KeyName[];
  timezone: string;
  from: string;
  to: string;
  nowMs: number;
};

type Count = Omit<TallyCount, 'websiteId'>;
type Gap = { stream: string; hour: number; from: number; to: number; records: number };

const maxListed = 50;
/** How long after its hour a number counts as missing. Until then, it may be on its way. */
const lateMs = hourMs;
const newestFirst = (a: number, b: number) => b - a;

/** Makes the answer of what was counted. An hour belongs to the day on which it begins. */
export async function toLedger(options: Options): Promise<LedgerAnswer> {
  const { tally, keys, timezone, from, to, nowMs } = options;
  const localTime = createLocalTime(timezone);
  const days = new Map<number, string>();
  const dayOf = (hour: number): string => {
    const known = days.get(hour) ?? localTime(hour).day;
    days.set(hour, known);
    return known;
  };
  const isAsked = ({ hour }: { hour: number }) => dayOf(hour) >= from && dayOf(hour) <= to;
  const { counts: all, gaps: allGaps } = await inSlices(addNumbers(tally, nowMs));
  const counts = all.filter(isAsked);
  const gaps = allGaps.filter(isAsked).sort((a, b) => newestFirst(a.hour, b.hour) || newestFirst(a.to, b.to));
  const hasHours = daysBetween(from, to) < maxLedgerDaysWithHours;
  const byRelease = Map.groupBy(counts, ({ release }) => release);
  const sentOf = new Map([...byRelease].map(([release, own]) => [release, sum(own).sent]));
  return {
    timezone,
    from,
    to,
    since: tally.since === undefined ? null : timeOf(tally.since),
    totals: sum(counts),
    numbered: sum(counts.filter(({ isNumbered }) => isNumbered)).sent,
    days: sumBy(counts, ({ hour }) => dayOf(hour)).map(([day, own]) => ({ day, ...own })),
    hours: hasHours ? sumBy(counts, ({ hour }) => timeOf(hour)).map(([hour, own]) => ({ hour, ...own })) : [],
    refusals: listRefusals(tally.refusals.filter(isAsked), sentOf),
    releases: [...byRelease]
      .map(([release, own]) => ({ release: release || null, ...timesOf(own), ...sum(own) }))
      .sort((a, b) => Date.parse(b.firstAt) - Date.parse(a.firstAt) || b.sent - a.sent)
      .slice(0, maxListed),
    keys: listKeys(counts, keys),
    gaps: gaps.slice(0, maxListed).map((gap) => ({ ...gap, hour: timeOf(gap.hour) })),
  };
}

/** Completes the plain counts with those of numbers that aren't counted for good yet. */
function* addNumbers(tally: WebsiteTally, nowMs: number): Generator<void, { counts: Count[]; gaps: Gap[] }> {
  const counts: Count[] = [...tally.counts];
  const gaps: Gap[] = [];
  for (const { stream, foldedTo, rows } of tally.streams) {
    yield;
    const account = accountStream(rows, foldedTo);
    for (const count of account.counts) counts.push({ ...count, isNumbered: true });
    for (const { key, release, ...gap } of account.gaps) {
      if (gap.hour + hourMs + lateMs > nowMs) continue;
      const { hour, records } = gap;
      counts.push({ hour, key, release, outcome: 'missing', isNumbered: true, records });
      gaps.push({ stream, hour, from: gap.from, to: gap.to, records });
    }
  }
  return { counts, gaps };
}

function sum(counts: readonly Pick<Count, 'outcome' | 'records'>[]): LedgerCounts {
  const of = { accepted: 0, refused: 0, excluded: 0, over_quota: 0, missing: 0, repeated: 0 };
  for (const { outcome, records } of counts) of[outcome] += records;
  const { accepted, refused, excluded, over_quota: overQuota, missing, repeated } = of;
  const sent = accepted + refused + excluded + overQuota + missing;
  return { sent, accepted, refused, excluded, overQuota, missing, repeated };
}

/** Sums in the order of their names. */
function sumBy(counts: readonly Count[], nameOf: (count: Count) => string): [string, LedgerCounts][] {
  return [...Map.groupBy(counts, nameOf)]
    .map(([name, own]): [string, LedgerCounts] => [name, sum(own)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function listRefusals(
  refusals: readonly TallyRefusal[],
  sentOf: ReadonlyMap<string, number>,
): LedgerRefusal[] {
  const byReason = Map.groupBy(refusals, ({ code, field, expected, got }) =>
    JSON.stringify([code, field, expected, got]),
  );
  return [...byReason.values()]
    .map((own) => {
      const { code, field, expected, got } = own[0]!;
      const releases = [...Map.groupBy(own, ({ release }) => release)].map(([release, ofRelease]) => ({
        release: release || null,
        records: recordsOf(ofRelease),
        sent: sentOf.get(release) ?? 0,
      }));
      const shape = { field: field || null, expected: expected || null, got: got || null };
      const records = recordsOf(own);
      releases.sort((a, b) => b.records - a.records);
      return { code, ...shape, records, ...timesOf(own), releases };
    })
    .sort((a, b) => b.records - a.records)
    .slice(0, maxListed);
}

function listKeys(counts: readonly Count[], names: readonly KeyName[]): LedgerAnswer['keys'] {
  return [...Map.groupBy(counts, ({ key }) => key)]
    .map(([id, own]) => {
      const name = names.find((one) => one.id === id);
      return { id, masked: name?.masked ?? null, isCurrent: name?.isCurrent ?? false, ...sum(own) };
    })
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.sent - a.sent);
}

function timesOf(of: readonly { hour: number }[]): { firstAt: string; lastAt: string } {
  const hours = of.map(({ hour }) => hour).sort((a, b) => a - b);
  return { firstAt: timeOf(hours[0]!), lastAt: timeOf(hours.at(-1)!) };
}

const recordsOf = (of: readonly { records: number }[]): number =>
  of.reduce((total, { records }) => total + records, 0);

const timeOf = (ms: number): string => new Date(ms).toISOString();
