import { sizeOf } from '../../control/tally/number-ranges.ts';
import type { Outcome, TallyCount, TallyNumbers, TallyRows } from '../../control/tally/tally-rows.ts';
import type { NotedVerdict } from '../../journal/waiting-group.ts';
import { type Arrival, TallyCounter } from './tally-counter.ts';

/** What a frame says about its record, where that isn't what applies to most records. */
export type RecordNote = {
  stream: string;
  /** 0 if the record has none. */
  number: number;
  release: string;
  /** Empty for the key that most records of the website come with. */
  key: string;
};

export function writeRecordNote({ stream, number, release, key }: RecordNote): string {
  return JSON.stringify([stream, number, release, key]);
}

export function readRecordNote(note: string): RecordNote {
  const [stream, number, release, key] = JSON.parse(note);
  return { stream, number, release, key };
}

/** So many verdicts stay far below the largest frame, whatever they say. */
const maxVerdictsPerNote = 500;

/** Writes the verdicts of a group as counts, so that a flood of refusals takes few bytes. */
export function writeVerdictNotes(verdicts: readonly NotedVerdict[]): string[] {
  const notes: string[] = [];
  for (let start = 0; start < verdicts.length; start += maxVerdictsPerNote) {
    const counter = new TallyCounter();
    for (const verdict of verdicts.slice(start, start + maxVerdictsPerNote)) counter.add(verdict as Arrival);
    notes.push(JSON.stringify(['verdicts', counter.rows()]));
  }
  return notes;
}

export function readVerdictNote(note: string): TallyRows {
  return JSON.parse(note)[1];
}

/** Counts the verdicts of a stream as if they had no numbers. */
export function withoutNumbers({ stream, arrivals, numbers, ...place }: TallyNumbers): TallyCount[] {
  const count = (outcome: Outcome, records: number) => ({ ...place, outcome, isNumbered: false, records });
  const counts = (['excluded', 'refused', 'over_quota'] as const).map((outcome) =>
    count(outcome, sizeOf(numbers[outcome] ?? [])),
  );
  // The others are repeats: a record that is accepted has a frame of its own.
  const repeated = counts.reduce((left, { records }) => left - records, arrivals);
  return [...counts, count('repeated', repeated)].filter(({ records }) => records > 0);
}
