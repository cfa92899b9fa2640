/** What the tests of recovery share: journals that a killed process left, and the damage that is reported. */

import type { TestContext } from 'node:test';
import { createFakeClock, silentLog } from '../control/test-control.ts';
import { localDisk } from '../files/disk.ts';
import { type RecoverOptions, recoverJournal } from './recover-journal.ts';
import { markBytes, segmentPath } from './segment-file.ts';
import { append, openTestJournal } from './test-journal.ts';

/** Collects damage as it is reported, without the folder that remembers it. */
export function keepDamage() {
  const notes = new Map<string, string>();
  return {
    report: async ({ id, says }: { id: string; says: string }) => void notes.set(id, says),
    ids: () => [...notes.keys()],
    told: (id: string) => notes.get(id) ?? '',
  };
}

export function recover(folder: string, options: Partial<RecoverOptions> = {}) {
  return recoverJournal({
    disk: localDisk,
    folder,
    node: 'n1',
    columns: ['day', 'website_id', 'received_at', 'text'],
    answered: [],
    clock: createFakeClock('2026-03-10T09:00:00Z'),
    log: silentLog(),
    damage: keepDamage(),
    ...options,
  });
}

/**
 * Leaves a folder with one sealed segment of these records, every other one marked, as a killed process
 * would.
 */
export async function leaveJournal(t: TestContext, folder: string, texts: readonly string[]) {
  const journal = await openTestJournal(t, folder);
  const ends: number[] = [];
  for (const [index, text] of texts.entries()) {
    await append(journal, text, index % 2 === 1 ? Buffer.alloc(markBytes, index) : undefined);
    ends.push(journal.durable().offset);
  }
  const { firstFrame } = journal.segments()[0]!;
  await journal.close();
  return { folder, firstFrame, ends, path: segmentPath(folder, 1) };
}
