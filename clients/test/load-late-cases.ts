import { readFileSync } from 'node:fs';

export type LateAnswer =
  | 'accepted'
  | 'time-refused'
  | 'unauthorized'
  | 'unavailable'
  | 'unknown'
  | 'no-connection'
  | 'no-response';

/** The attempts to send one record. */
export type LateCase = {
  title: string;
  /** The record's body. */
  body: string;
  /** When it was handed over, in seconds since 1970. */
  startedAt: number;
  attempts: {
    /** Seconds since it was handed over. */
    after: number;
    /** By how many seconds the clock has been set since, or was right while the machine slept. */
    clock: number;
    answer: LateAnswer;
  }[];
};

/** As in the file: what is left out is 0, and times are in seconds after the record was handed over. */
type LateCaseFile = {
  title: string;
  attempts: { after: number; clock?: number; answer: LateAnswer }[];
  /** It takes a clock that is never set. */
  monotonic?: true;
  expected: (number | null)[];
};

const startedAt = Date.UTC(2026, 0, 15) / 1000;
const members = '"Metrics":{}';

/** Returns the cases, with the body that each attempt has to have, byte for byte. */
export function loadLateCases(): { given: LateCase; isMonotonic: boolean; expected: string[] }[] {
  const file = new URL('../cases/late.json', import.meta.url);
  const cases: LateCaseFile[] = JSON.parse(readFileSync(file, 'utf8'));
  return cases.map(({ title, attempts, monotonic = false, expected }) => ({
    isMonotonic: monotonic,
    given: {
      title,
      body: `{${members}}`,
      startedAt,
      attempts: attempts.map(({ after, clock = 0, answer }) => ({ after, clock, answer })),
    },
    expected: expected.map((seconds) => {
      if (seconds === null) return `{${members}}`;
      return `{${members},"OccurredAt":"${new Date((startedAt + seconds) * 1000).toISOString()}"}`;
    }),
  }));
}
