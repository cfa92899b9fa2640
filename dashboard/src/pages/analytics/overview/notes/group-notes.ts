import { intervalEnd } from '@trackside/contract/calendar/intervals.ts';
import type { Note } from '#api/shapes.ts';
import type { Series } from '../series/series.ts';

/** The notes of one interval of a series. */
export type NoteGroup = { index: number; notes: readonly Note[] };

/** Puts notes to the intervals in which their days lie, or begin. */
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
