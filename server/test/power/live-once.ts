import { dirname } from 'node:path';
import { silentLog } from '../../src/control/test-control.ts';
import { makeFolder } from '../../src/files/make-folder.ts';
import { type Journal, openJournal } from '../../src/journal/open-journal.ts';
import { isOnlyNote, readAllFrames } from '../../src/journal/read-frames.ts';
import { type Ledger, openLedger } from '../../src/loader/open-ledger.ts';
import { nextStretch } from '../../src/loader/read-batch.ts';
import type { SimulatedDisk } from './simulated-disk.ts';
import type { World } from './world.ts';

export const folder = '/data/journal';
const columns = ['day', 'website_id', 'received_at', 'text'];
/** Small, so that a history has many segments. */
const segmentBytes = 1500;

export type Parts = { disk: SimulatedDisk; journal: Journal; ledger: Ledger };

/** Opens ledger and journal as a node does at its start. Nothing here can be damaged, so any report is wrong. */
export async function openParts(disk: SimulatedDisk, world: World): Promise<Parts> {
  await makeFolder(dirname(folder), disk);
  const ledger = await openLedger({ folder, disk });
  const { checkpoint } = world;
  const journal = await openJournal({
    disk,
    folder,
    node: ledger.node,
    columns,
    segmentBytes,
    readyBytes: world.readyBytes,
    maxBytes: 1e9,
    minFreeBytes: 0,
    answered: [...ledger.answered, ...(checkpoint ? [{ ...checkpoint, isStored: false }] : [])],
    damage: { report: async ({ says }) => void world.broken.push(`damage was reported: ${says}`) },
    clock: world.clock,
    log: silentLog(),
    toNotes: (verdicts) => [JSON.stringify(['verdicts', ...verdicts])],
    onGroup: () => {},
    onBroken: (error) => world.onBroken(error),
  });
  return { disk, journal, ledger };
}

/** Sends a record and, with some, one that isn't stored. Remembers what was answered. */
export function send({ journal }: Parts, world: World): Promise<void> {
  const payload = world.nextPayload();
  if (payload.length % 3 === 0)
    journal.appendVerdict({ of: payload }, (failure) => {
      if (failure === undefined) world.verdicts.set(payload, journal.durable().segment);
    });
  return new Promise((resolve) =>
    journal.append(payload, (failure) => {
      if (failure === undefined) world.accepted.add(payload);
      else if (failure === 'journal-full') world.refused.add(payload);
      resolve();
    }),
  );
}

/** Loads the next batch as the loader does: the ledger has it before the store. False if there is none. */
export async function loadBatch(
  { journal, ledger, disk }: Parts,
  world: World,
  maxRows: number,
): Promise<boolean> {
  const next = nextStretch(journal.segments(), ledger.state.batchedTo);
  if (next === undefined) return false;
  const { segment, from } = next;
  const payloads: string[] = [];
  let to = from;
  reading: for await (const { frames } of readAllFrames(folder, segment, from, next.to, disk)) {
    for (const frame of frames) {
      if (payloads.length === maxRows) break reading;
      if (frame.offset !== to) world.broken.push(`segment ${segment} has unreadable bytes from ${to}`);
      if (!isOnlyNote(frame)) payloads.push(frame.bytes.toString('utf8', frame.start, frame.end));
      to = frame.next;
    }
  }
  if (to === from) {
    world.broken.push(`segment ${segment} has nothing readable from ${from} to ${next.to}`);
    return false;
  }
  const batch = ledger.state.lastBatch + 1;
  const received = { firstReceivedAt: '2026-03-10 09:00:00', lastReceivedAt: '2026-03-10 09:00:00' };
  await ledger.addBatch({ batch, segment, from, to, months: { '202603': payloads.length }, ...received });
  world.batches.set(batch, { segment, payloads });
  return true;
}

export async function verifyBatches({ ledger }: Parts, world: World): Promise<void> {
  await ledger.markVerified([...ledger.state.batches.keys()].filter((batch) => world.batches.has(batch)));
}

/** Removes the oldest segment, if the store has all of it, as the node does once it is old. */
export async function removeOldest({ journal, ledger }: Parts, world: World): Promise<void> {
  const [oldest, next] = journal.segments();
  if (oldest === undefined || next === undefined) return;
  const { batchedTo, batches, verified } = ledger.state;
  const isBatched =
    batchedTo.segment > oldest.number ||
    (batchedTo.segment === oldest.number && batchedTo.offset >= oldest.end);
  const own = [...batches.values()].filter(({ segment }) => segment === oldest.number);
  if (!isBatched || !own.every(({ batch }) => verified.has(batch) && world.batches.has(batch))) return;
  const { checkpoint } = world;
  if (oldest.end > oldest.firstFrame && (checkpoint === undefined || checkpoint.segment <= oldest.number))
    return;
  world.removed.add(oldest.number);
  await journal.remove(oldest.number);
  await ledger.forgetSegment(oldest.number);
}
