import { createFakeClock } from '../../src/control/test-control.ts';
import { isOnlyNote, noteOf, readAllFrames, readFrames } from '../../src/journal/read-frames.ts';
import { findHole } from '../../src/loader/find-hole.ts';
import type { JournalPosition } from '../../src/records/journal-position.ts';
import { folder, type Parts } from './live-once.ts';

export type World = ReturnType<typeof createWorld>;

/** Everything outside the disk that remembers what happened: clients, control and the store. */
export function createWorld(onBroken: (error: Error) => void, { readyBytes } = { readyBytes: 900 }) {
  let last = 0;
  return {
    clock: createFakeClock('2026-03-10T09:00:00Z'),
    onBroken,
    /** How many zeros the next segment gets. */
    readyBytes,
    accepted: new Set<string>(),
    /** Verdicts that were answered, and the segment that their note is in. */
    verdicts: new Map<string, number>(),
    /** Refused because the disk was full. */
    refused: new Set<string>(),
    /** What the store has. It has a batch only once the ledger has confirmed it. */
    batches: new Map<number, { segment: number; payloads: string[] }>(),
    /** Segments whose removal has begun. */
    removed: new Set<number>(),
    /** What control remembers of the contingent. */
    checkpoint: undefined as JournalPosition | undefined,
    node: undefined as string | undefined,
    highestSegment: 0,
    /** What doesn't hold. */
    broken: [] as string[],
    nextPayload(): string {
      last += 1;
      const text = 'x'.repeat((last * 37) % 150);
      return JSON.stringify(['2026-03-10', 1, '2026-03-10 09:00:00.000', `${last} ${text}`]);
    },
  };
}

/**
 * Checks what a start has found. Whatever it has found counts as accepted from then on, because it is counted
 * and loaded.
 */
export async function checkParts({ journal, ledger, disk }: Parts, world: World): Promise<void> {
  const say = (what: string) => world.broken.push(what);
  const found = new Map<string, number>();
  const noted = new Set<string>();
  for (const { number, firstFrame, end } of journal.segments()) {
    let at = firstFrame;
    for await (const { frames } of readAllFrames(folder, number, firstFrame, end, disk)) {
      for (const frame of frames) {
        if (frame.offset !== at) say(`segment ${number} has unreadable bytes from ${at} to ${frame.offset}`);
        at = frame.next;
        if (isOnlyNote(frame)) {
          for (const { of } of JSON.parse(noteOf(frame)!).slice(1)) noted.add(of);
          continue;
        }
        const payload = frame.bytes.toString('utf8', frame.start, frame.end);
        found.set(payload, (found.get(payload) ?? 0) + 1);
      }
    }
    if (at !== end) say(`segment ${number} has unreadable bytes from ${at} to its end at ${end}`);
  }
  for (const [of, segment] of world.verdicts)
    if (!noted.has(of) && !world.removed.has(segment)) say(`the verdict on ${of} was answered and is lost`);
  for (const [payload, times] of found) {
    if (times > 1) say(`${payload} is in the journal ${times} times`);
    if (world.refused.has(payload)) say(`${payload} was refused, and is in the journal`);
  }
  const stored = new Set([...world.batches.values()].flatMap(({ payloads }) => payloads));
  for (const payload of world.accepted)
    if (!found.has(payload) && !stored.has(payload)) say(`${payload} was accepted and is lost`);
  for (const payload of found.keys()) world.accepted.add(payload);

  const { batches } = ledger.state;
  if (findHole(journal.segments(), [...batches.values()]) !== undefined) say('the ledger has a gap');
  for (const [batch, { segment }] of world.batches)
    if (!batches.has(batch) && !world.removed.has(segment)) say(`batch ${batch} is in the store and unknown`);
  for (const { batch, segment, months } of batches.values()) {
    const known = world.batches.get(batch);
    if (known !== undefined && (known.segment !== segment || known.payloads.length !== months['202603']))
      say(`batch ${batch} has changed`);
  }
  if (world.accepted.size > 0 && world.node !== undefined && world.node !== ledger.node)
    say('the journal has a new name');
  world.node = ledger.node;
  const newest = journal.segments().at(-1)!.number;
  if (newest <= world.highestSegment && world.accepted.size > 0)
    say(`segment ${newest} has a number of before`);
  world.highestSegment = Math.max(world.highestSegment, newest);
}

/** Brings what the ledger has and the store lacks into the store, as the loader does after a start. */
export async function reload({ journal, ledger, disk }: Parts, world: World): Promise<void> {
  for (const { batch, segment, from, to, months } of ledger.state.batches.values()) {
    if (world.batches.has(batch)) continue;
    const payloads: string[] = [];
    for await (const { frames } of readFrames(folder, segment, from, to, disk))
      for (const { bytes, start, end } of frames) payloads.push(bytes.toString('utf8', start, end));
    if (payloads.length !== months['202603'])
      world.broken.push(`batch ${batch} has ${payloads.length} records, the ledger says ${months['202603']}`);
    if (!journal.segments().some(({ number }) => number === segment))
      world.broken.push(`batch ${batch} is of segment ${segment}, which is gone`);
    world.batches.set(batch, { segment, payloads });
  }
}

/** Checks the end of a history, when everything is loaded: the store has each accepted record once. */
export function checkStore(world: World): void {
  const stored = new Map<string, number>();
  for (const { payloads } of world.batches.values())
    for (const payload of payloads) stored.set(payload, (stored.get(payload) ?? 0) + 1);
  for (const payload of world.accepted)
    if (stored.get(payload) !== 1)
      world.broken.push(`${payload} is in the store ${stored.get(payload) ?? 0} times`);
}
