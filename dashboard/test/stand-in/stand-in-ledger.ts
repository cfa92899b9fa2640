import { addDays, daysBetween } from '@trackside/contract/calendar/day.ts';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import type { Ledger, LedgerCounts, LedgerRefusal } from '../../src/api/shapes.ts';

/** How well everything that was sent to the websites arrived. */
export type LedgerState = 'fine' | 'troubled' | 'silent' | 'empty';

const hourMs = 3_600_000;
const none: LedgerCounts = {
  sent: 0,
  accepted: 0,
  refused: 0,
  excluded: 0,
  overQuota: 0,
  missing: 0,
  repeated: 0,
};

/** The releases of the sender, with how many days ago each began. */
const releases = [
  { release: '1.42', fromDay: 8 },
  { release: '1.41', fromDay: 22 },
  { release: '1.40', fromDay: 1_000 },
];
const sinceDays = 210;

function add(...all: LedgerCounts[]): LedgerCounts {
  const keys = Object.keys(none) as (keyof LedgerCounts)[];
  return Object.fromEntries(
    keys.map((key) => [key, all.reduce((sum, counts) => sum + counts[key], 0)]),
  ) as LedgerCounts;
}

/** What became of the records of a day that is so many days ago. */
function countDay(daysAgo: number, state: LedgerState): LedgerCounts {
  if (state === 'empty' || state === 'silent' || daysAgo > sinceDays) return none;
  const sent = Math.round(1_650 + 420 * Math.sin(daysAgo * 0.9) + 180 * Math.sin(daysAgo * 2.3));
  const excluded = Math.round(sent * 0.004);
  if (state === 'fine') return { ...none, sent, excluded, accepted: sent - excluded, repeated: daysAgo % 3 };
  if (daysAgo === 15) return none;
  const share = daysAgo === 8 ? 0.124 : daysAgo < 8 ? 0.03 : daysAgo % 11 === 4 ? 0.006 : 0;
  const refused = Math.round(sent * share);
  const missing = daysAgo === 3 ? 17 : daysAgo === 12 ? 3 : 0;
  const overQuota = daysAgo === 19 ? 212 : 0;
  const accepted = sent - refused - excluded - missing - overQuota;
  return { sent, accepted, refused, excluded, overQuota, missing, repeated: daysAgo % 4 };
}

/** Divides the counts of a day among its hours. */
function listHours(day: string, timezone: string, counts: LedgerCounts): Ledger['hours'] {
  const local = createLocalTime(timezone);
  const starts = Array.from({ length: 54 }, (_, index) => Date.parse(day) + (index - 15) * hourMs).filter(
    (ms) => local(ms).day === day && ms <= Date.now(),
  );
  const weights = starts.map((_, index) => 1.15 + Math.sin((index - 8) / 3.6));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return starts.map((ms, index) => {
    const part = (count: number) => Math.round((count * weights[index]!) / total);
    // What was lost was lost in the afternoon.
    const lost = (count: number) => (index >= 14 && index < 18 ? Math.round(count / 4) : 0);
    const { excluded, repeated } = none;
    const refused = lost(counts.refused);
    const missing = index === 15 ? counts.missing : 0;
    const overQuota = lost(counts.overQuota);
    const accepted = part(counts.accepted);
    const sent = accepted + refused + missing + overQuota;
    return {
      hour: new Date(ms).toISOString(),
      sent,
      accepted,
      refused,
      excluded,
      overQuota,
      missing,
      repeated,
    };
  });
}

/** The ledger of a website, as the server would answer it. */
export function standInLedger(query: URLSearchParams, timezone: string, state: LedgerState): Ledger {
  const today = createLocalTime(timezone)(Date.now()).day;
  const to = query.get('to') ?? today;
  const from = query.get('from') ?? addDays(to, -29);
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => {
    const day = addDays(from, index);
    return { day, daysAgo: daysBetween(day, today), counts: countDay(daysBetween(day, today), state) };
  });
  const totals = add(none, ...days.map(({ counts }) => counts));
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 24 * hourMs).toISOString();
  const isTroubled = state === 'troubled' && totals.refused > 0;
  const ofRelease = releases.map(({ release, fromDay }, index) => {
    const untilDay = releases[index - 1]?.fromDay ?? -1;
    const own = days.filter(({ daysAgo }) => daysAgo <= fromDay && daysAgo > untilDay);
    return {
      release,
      firstAt: at(Math.min(fromDay, days.length - 1)),
      lastAt: at(untilDay + 1),
      ...add(none, ...own.map(({ counts }) => counts)),
    };
  });
  const known = ofRelease.filter(({ sent }) => sent > 0);
  return {
    timezone,
    from,
    to,
    since: state === 'empty' ? null : at(sinceDays),
    totals,
    numbered: state === 'troubled' ? totals.sent : 0,
    days: days.filter(({ counts }) => counts.sent > 0).map(({ day, counts }) => ({ day, ...counts })),
    hours: from === to && totals.sent > 0 ? listHours(from, timezone, totals) : [],
    refusals: isTroubled ? listRefusals(totals.refused, known, at) : [],
    releases:
      state === 'troubled' || totals.sent === 0
        ? known
        : [{ release: null, firstAt: at(days.length - 1), lastAt: at(0), ...totals }],
    keys: [
      { id: '6f1b02c9', masked: 'k3Vd…9xQe', isCurrent: true, ...totals },
      ...(isTroubled ? [{ id: 'b81f77d0', masked: null, isCurrent: false, ...none, sent: 41 }] : []),
    ],
    gaps: isTroubled
      ? [
          { stream: 'web-1', from: 184_201, to: 184_217, records: 17, hour: at(3) },
          { stream: 'checkout-worker-2', from: 9_114, to: 9_114, records: 1, hour: at(12) },
          { stream: 'checkout-worker-2', from: 9_120, to: 9_121, records: 2, hour: at(12) },
        ]
      : [],
  };
}

function listRefusals(
  refused: number,
  known: Ledger['releases'],
  at: (daysAgo: number) => string,
): LedgerRefusal[] {
  const newest = known.find(({ release }) => release === '1.42');
  const most = newest?.refused ?? 0;
  const rest = refused - most;
  const others = known.filter((one) => one !== newest && one.refused > 0);
  return [
    ...(newest === undefined || most === 0
      ? []
      : [
          {
            code: 400,
            field: 'Metrics.Page.Absolute',
            expected: 'an absolute http or https URL of at most 8192 characters',
            got: 'nothing',
            records: most,
            firstAt: newest.firstAt,
            lastAt: at(0),
            releases: [{ release: '1.42', records: most, sent: newest.sent }],
          },
        ]),
    ...(rest === 0
      ? []
      : [
          {
            code: 400,
            field: 'Parameters[].Value',
            expected: 'a string of at most 2048 characters',
            got: 'a number',
            records: rest - 2,
            firstAt: at(26),
            lastAt: at(15),
            releases: others.map(({ release, refused: records, sent }) => ({ release, records, sent })),
          },
          {
            code: 400,
            field: null,
            expected: null,
            got: null,
            records: 2,
            firstAt: at(9),
            lastAt: at(9),
            releases: [{ release: null, records: 2, sent: 2 }],
          },
        ]),
  ];
}
