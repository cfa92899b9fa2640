/** A plain model of the ledger: it remembers every arrival, and counts them one by one when it is asked. */
import type { LedgerCounts } from '@trackside/contract/app/ledger.ts';

export type ModelOutcome = 'accepted' | 'excluded' | 'refused' | 'overQuota' | 'repeated';
type Outcome = ModelOutcome | 'missing';
type Arrival = { hour: number; outcome: ModelOutcome; stream: string | undefined; number: number };

const hourMs = 3_600_000;
/** The best one first. */
const order = ['accepted', 'excluded', 'refused', 'overQuota', 'repeated'] as const;

export function createLedgerModel() {
  let numbered: Arrival[] = [];
  const plain: { hour: number; outcome: Outcome; records: number }[] = [];
  const foldedTo = new Map<string, number>();
  const endOf = (stream: string) => foldedTo.get(stream) ?? 0;

  /** Says for one stream what became of each number, and which arrivals were repeats. */
  function account(stream: string) {
    const own = numbered.filter((arrival) => arrival.stream === stream);
    const hours = [...new Set(own.map(({ hour }) => hour))].sort((a, b) => a - b);
    const hourOf = new Map<number, number>();
    let highest = endOf(stream);
    for (const hour of hours)
      for (const { number } of own.filter((arrival) => arrival.hour === hour))
        while (highest < number) hourOf.set(++highest, hour);
    const counts: { hour: number; outcome: Outcome; number: number }[] = [];
    for (const [number, hour] of hourOf) {
      const outcomes = own.filter((arrival) => arrival.number === number).map(({ outcome }) => outcome);
      const best = order.find((outcome) => outcomes.includes(outcome));
      counts.push({ hour, number, outcome: best ?? 'missing' });
    }
    const seen = new Set<number>();
    const repeats: Arrival[] = [];
    for (const arrival of own.toSorted((a, b) => a.hour - b.hour)) {
      // A number of 0 stands for a repeat whose number was counted for good.
      if (arrival.number === 0 || seen.has(arrival.number)) repeats.push(arrival);
      seen.add(arrival.number);
    }
    return { counts, repeats, highestBefore: (hour: number) => highestOf(hourOf, hour, endOf(stream)) };
  }

  return {
    isFolded: (stream: string, number: number) => number <= endOf(stream),
    arrive(arrival: Arrival): void {
      const { hour, outcome, stream, number } = arrival;
      if (stream !== undefined && number > endOf(stream)) numbered.push(arrival);
      else plain.push({ hour, outcome, records: 1 });
    },
    fold(beforeHour: number): void {
      for (const stream of new Set(numbered.map((arrival) => arrival.stream!))) {
        if (!numbered.some((arrival) => arrival.stream === stream && arrival.hour < beforeHour)) continue;
        const { counts, repeats, highestBefore } = account(stream);
        for (const { hour, outcome } of counts)
          if (hour < beforeHour) plain.push({ hour, outcome, records: 1 });
        for (const { hour } of repeats)
          if (hour < beforeHour) plain.push({ hour, outcome: 'repeated', records: 1 });
        const end = highestBefore(beforeHour);
        const others = numbered.filter((arrival) => arrival.stream !== stream);
        const later = numbered.filter((arrival) => arrival.stream === stream && arrival.hour >= beforeHour);
        const left = later
          .filter((arrival) => arrival.number > end || repeats.includes(arrival))
          .map((arrival) => (arrival.number > end ? arrival : { ...arrival, number: 0 }));
        numbered = [...others, ...left];
        foldedTo.set(stream, end);
      }
    },
    /** The counts of each hour, as the ledger has them. */
    hours(nowMs: number): Record<string, LedgerCounts> {
      const hours: Record<string, LedgerCounts> = {};
      const add = (hour: number, outcome: Outcome, records = 1) => {
        const name = new Date(hour).toISOString();
        const empty = {
          sent: 0,
          accepted: 0,
          refused: 0,
          excluded: 0,
          overQuota: 0,
          missing: 0,
          repeated: 0,
        };
        hours[name] ??= empty;
        hours[name][outcome] += records;
        if (outcome !== 'repeated') hours[name].sent += records;
      };
      for (const { hour, outcome, records } of plain) add(hour, outcome, records);
      for (const stream of new Set(numbered.map((arrival) => arrival.stream!))) {
        const { counts, repeats } = account(stream);
        for (const { hour, outcome } of counts)
          if (outcome !== 'missing' || nowMs >= hour + 2 * hourMs) add(hour, outcome);
        for (const { hour } of repeats) add(hour, 'repeated');
      }
      return hours;
    },
  };
}

function highestOf(hourOf: ReadonlyMap<number, number>, beforeHour: number, start: number): number {
  const before = [...hourOf].filter(([, hour]) => hour < beforeHour).map(([number]) => number);
  return Math.max(start, ...before);
}
