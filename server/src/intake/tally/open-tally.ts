import { settleBelow } from '../../control/tally/seen-numbers.ts';
import type { Tallies } from '../../control/tally/tallies.ts';
import {
  hourMs,
  hourOf,
  type Outcome,
  type RefusedShape,
  type TallyNumbers,
  type TallyRows,
} from '../../control/tally/tally-rows.ts';
import type { TallyCheckpoint } from '../../control/tally/write-tally.ts';
import type { ApiKey, CachedWebsite } from '../../control/websites/website-cache.ts';
import type { Journal } from '../../journal/open-journal.ts';
import { createReceivedReader, readPayloadStart } from '../../journal/payload-start.ts';
import { type Frame, isOnlyNote, noteOf, readAllFrames } from '../../journal/read-frames.ts';
import type { Log } from '../../log.ts';
import type { JournalPosition } from '../../records/journal-position.ts';
import type { Clock } from '../../time/clock.ts';
import { createMainKeys } from './main-keys.ts';
import type { Sequence } from './sequence.ts';
import { createTallyBounds } from './tally-bounds.ts';
import { type Arrival, TallyCounter } from './tally-counter.ts';
import { readRecordNote, readVerdictNote, withoutNumbers, writeRecordNote } from './tally-notes.ts';

/** Who has sent a record, and what they say about it. */
export type Sender = {
  website: CachedWebsite;
  apiKey: ApiKey;
  sequence: Sequence | undefined;
  /** Empty if the sender doesn't say. */
  release: string;
};

/** What became of a record that isn't accepted, or was before. */
export type NotedOutcome = {
  outcome: Exclude<Outcome, 'accepted' | 'missing'>;
  shape?: RefusedShape | undefined;
};

/** What a website's records came to since the start. */
export type OutcomeCounts = Record<Exclude<Outcome, 'missing'>, number>;

export type Tally = Awaited<ReturnType<typeof openTally>>;

/**
 * Counts what becomes of everything that is sent with a valid key. As with contingents, the counts are the last
 * checkpoint plus the journal after it. What the journal's records don't say by themselves stands there as a
 * note.
 */
export async function openTally(options: {
  node: string;
  tallies: Pick<Tallies, 'ofNode'>;
  journal: Pick<Journal, 'folder' | 'segments' | 'appendVerdict' | 'oldestUnansweredMs'>;
  /** Up to where the journal is part of the last checkpoint. */
  position: JournalPosition | undefined;
  clock: Clock;
  log: Log;
}) {
  const { journal, clock, log } = options;
  const stored = await options.tallies.ofNode(options.node);
  const bounds = createTallyBounds();
  for (const { websiteId, stream, hour } of stored.streams) bounds.follows(websiteId, stream, hour);
  const mainKeys = createMainKeys({
    known: stored.keys,
    monotonicMs: clock.monotonicMs,
    oldestUnansweredMs: journal.oldestUnansweredMs,
  });
  const counter = new TallyCounter();
  const sinceStart = new Map<number, OutcomeCounts>();
  let { number } = stored;
  let hour = hourOf(clock.now());

  await recall();

  /** Adds what the journal has after the last checkpoint. */
  async function recall(): Promise<void> {
    const { position } = options;
    const readReceivedMs = createReceivedReader();
    for (const segment of journal.segments()) {
      if (position !== undefined && segment.number < position.segment) continue;
      const from = position?.segment === segment.number ? position.offset : segment.firstFrame;
      try {
        for await (const { frames } of readAllFrames(journal.folder, segment.number, from, segment.end))
          for (const frame of frames) recallFrame(frame, readReceivedMs);
      } catch (error) {
        log.error(
          { err: error, segment: segment.number },
          'a journal segment cannot be read: what was sent may be counted too low',
        );
      }
    }
  }

  function recallFrame(frame: Frame, readReceivedMs: (frame: Frame) => number): void {
    const note = noteOf(frame);
    if (note !== undefined && isOnlyNote(frame)) {
      counter.merge(withinBounds(readVerdictNote(note)));
      return;
    }
    const { websiteId } = readPayloadStart(frame);
    const main = mainKeys.of(websiteId) ?? '';
    const at = hourOf(readReceivedMs(frame));
    if (note === undefined) {
      counter.addAccepted(websiteId, at, main, '');
      return;
    }
    const { stream, release, key, ...said } = readRecordNote(note);
    const sequence = stream === '' ? undefined : { stream, number: said.number };
    count({ websiteId, hour: at, key: key || main, release, outcome: 'accepted', sequence });
  }

  function withinBounds({ counts, refusals, numbers }: TallyRows): TallyRows {
    const followed: TallyNumbers[] = [];
    const others: TallyNumbers[] = [];
    for (const row of numbers) {
      const follows = bounds.follows(row.websiteId, row.stream, row.hour);
      if (follows === 'from-here') followed.push({ ...row, numbers: settleBelow(row.numbers) });
      else (follows ? followed : others).push(row);
    }
    return {
      counts: [...counts, ...others.flatMap(withoutNumbers)].map((row) => ({
        ...row,
        release: bounds.releaseOf(row),
      })),
      refusals: refusals.map((row) => {
        const release = bounds.releaseOf(row);
        return { ...row, release, ...bounds.shapeOf({ ...row, release }, row) };
      }),
      numbers: followed.map((row) => ({ ...row, release: bounds.releaseOf(row) })),
    };
  }

  function count(arrival: Arrival): void {
    const { websiteId, sequence, shape } = arrival;
    arrival.release = bounds.releaseOf(arrival);
    if (sequence !== undefined) {
      const follows = bounds.follows(websiteId, sequence.stream, arrival.hour);
      if (follows === false) arrival.sequence = undefined;
      else arrival.isFromHere = follows === 'from-here';
    }
    if (shape !== undefined) arrival.shape = bounds.shapeOf(arrival, shape);
    counter.add(arrival);
  }

  function countSinceStart(websiteId: number, outcome: Arrival['outcome']): void {
    let ofWebsite = sinceStart.get(websiteId);
    if (ofWebsite === undefined) {
      ofWebsite = { accepted: 0, refused: 0, excluded: 0, over_quota: 0, repeated: 0 };
      sinceStart.set(websiteId, ofWebsite);
    }
    ofWebsite[outcome] += 1;
  }

  const hourAt = (ms: number): number => {
    if (ms < hour || ms >= hour + hourMs) hour = hourOf(ms);
    return hour;
  };

  return {
    /** Returns what has to stand in the journal beside a record, if anything has. */
    noteFor({ apiKey, sequence, release }: Sender): string | undefined {
      const isMain = mainKeys.isMain(apiKey);
      if (isMain && sequence === undefined && release === '') return undefined;
      const key = isMain ? '' : apiKey.id;
      return writeRecordNote({ stream: sequence?.stream ?? '', number: sequence?.number ?? 0, release, key });
    },
    /** Counts a record that is on disk. */
    accepted({ website, apiKey, sequence, release }: Sender, receivedAtMs: number): void {
      const at = hourAt(receivedAtMs);
      countSinceStart(website.id, 'accepted');
      if (sequence === undefined && release === '') counter.addAccepted(website.id, at, apiKey.id, '');
      else count({ websiteId: website.id, hour: at, key: apiKey.id, release, outcome: 'accepted', sequence });
    },
    /**
     * Writes down what became of a record that isn't stored, and then calls `done`. If it can't be written, it
     * still counts, unless the server is killed before the next checkpoint. If it may have been written, the
     * next start finds out.
     */
    note({ website, apiKey, sequence, release }: Sender, noted: NotedOutcome, done: () => void): void {
      const place = { websiteId: website.id, hour: hourAt(clock.now()), key: apiKey.id, release };
      const arrival: Arrival = { ...place, ...noted, sequence };
      journal.appendVerdict({ ...arrival }, (failure) => {
        if (failure !== 'journal-broken') count(arrival);
        countSinceStart(website.id, arrival.outcome);
        done();
      });
    },
    /** Returns what was counted since the last checkpoint, if anything was. `confirm` follows when it is written. */
    take(): TallyCheckpoint | undefined {
      const rows = counter.rows();
      const keys = mainKeys.take();
      if (rows === undefined && keys.length === 0) return undefined;
      counter.clear();
      number += 1;
      return { number, rows: rows ?? { counts: [], refusals: [], numbers: [] }, keys };
    },
    confirm: ({ keys }: TallyCheckpoint): void => mainKeys.confirm(keys),
    /** What each website's records came to since the start. */
    sinceStart: (): ReadonlyMap<number, OutcomeCounts> => sinceStart,
  };
}
