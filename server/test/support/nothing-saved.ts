import type { Saved } from '../../src/stats/create-statistics.ts';

/** A website where nobody has saved a goal or a segment. */
export const nothingSaved: Saved = { goalsOf: async () => [], findSegment: async () => undefined };
