import { intervalEnd } from '@trackside/contract/calendar/intervals.ts';
import type { Note } from '#api/shapes.ts';
import type { Series } from '../series/series.ts';

/** The notes of one interval of a series. */
export type NoteGroup = { index: number; notes: readonly Note[] };

/** Groups notes by the interval that contains their day, or the first interval of that day. */
export function groupNotes(
  notes: readonly Note[],
  { interval, times, period }: Pick<Series, 'interval' | 'times' | 'period'>,
): NoteGroup[] {
  const groups = new Map<number, Note[]>();
  for (const note of notes) {
    if (note.day < period.from || note.day > period.to) continue;
    const index = times.findIndex(
      (time) => time.slice(0, 10) <= note.day && note.day <= intervalEnd(interval, time).slice(0, 10),
    );
    if (index >= 0) groups.set(index, [...(groups.get(index) ?? []), note]);
  }
  return [...groups].map(([index, of]) => ({ index, notes: of })).sort((a, b) => a.index - b.index);
}
