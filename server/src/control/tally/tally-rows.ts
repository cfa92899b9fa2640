import type { Ranges } from './number-ranges.ts';

/** What became of something that was sent. `repeated` was counted before, `missing` has never arrived. */
export type Outcome = 'accepted' | 'refused' | 'excluded' | 'over_quota' | 'missing' | 'repeated';

/**
 * The outcomes that a number can have, the best first. That one counts if it was sent again. It is `repeated` if
 * its record was accepted under another number, or under none.
 */
export const outcomesOfNumbers = ['accepted', 'excluded', 'refused', 'over_quota', 'repeated'] as const;
export type OutcomeOfNumber = (typeof outcomesOfNumbers)[number];

/** Whose records are counted, and when. `hour` is its start in milliseconds since 1970, UTC. */
export type TallyPlace = {
  websiteId: number;
  hour: number;
  /** Identifies the API key. */
  key: string;
  /** Empty if the sender didn't say. */
  release: string;
};

export type TallyCount = TallyPlace & { outcome: Outcome; isNumbered: boolean; records: number };

/** Records that were refused for the same reason. Of what was sent, it has the form only. */
export type TallyRefusal = TallyPlace & RefusedShape & { records: number };

/** What was refused, in words that contain nothing of the record. All are empty if nothing is known. */
export type RefusedShape = { code: number; field: string; expected: string; got: string };

/**
 * The numbers of a stream that arrived in an hour, by what became of them. `settled` ones were counted, and
 * nobody knows anymore which of them arrived.
 */
export type SeenNumbers = Partial<Record<OutcomeOfNumber | 'settled', Ranges>>;

/**
 * What one node saw of a stream in an hour. A stream is of one process, so it has one key and one release. If it
 * comes with several, those of its highest number stand for the hour.
 */
export type TallyNumbers = TallyPlace & {
  stream: string;
  /** How many records with a number arrived, whether or not others had the same number. */
  arrivals: number;
  numbers: SeenNumbers;
};

/** The node of rows that were made of the rows of all nodes. */
export const ofAllNodes = '';

/** What a node has counted since its last checkpoint. */
export type TallyRows = {
  counts: readonly TallyCount[];
  refusals: readonly TallyRefusal[];
  numbers: readonly TallyNumbers[];
};

export const hourMs = 3_600_000;
export const hourOf = (ms: number): number => ms - (((ms % hourMs) + hourMs) % hourMs);
