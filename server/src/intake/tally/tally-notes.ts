import type { TallyRows } from '../../control/tally/tally-rows.ts';
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
const maxVerdictsPerNote = 1000;

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
