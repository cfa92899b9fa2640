/** What the tests of the journal and of its readers share: a real journal in a separate folder. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { createFakeClock, silentLog } from '../control/test-control.ts';
import { localDisk } from '../files/disk.ts';
import type { AppendFailure } from './append-failure.ts';
import { type Journal, type JournalOptions, openJournal } from './open-journal.ts';
import { readFrames } from './read-frames.ts';
import { segmentPath } from './segment-file.ts';

/**
 * Creates folders that are removed when all tests of the file have ended, because a journal that is still
 * writing must not lose its folder.
 */
export function useFolders(): () => Promise<string> {
  const folders: string[] = [];
  after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trackside-journal-'));
    folders.push(folder);
    return folder;
  };
}

export async function openTestJournal(
  t: TestContext,
  folder: string,
  options: Partial<JournalOptions> = {},
): Promise<Journal> {
  const journal = await openJournal({
    disk: localDisk,
    folder,
    node: 'n1',
    columns: ['day', 'website_id', 'received_at', 'text'],
    segmentBytes: 64 * 1024 * 1024,
    readyBytes: 0,
    maxBytes: 1024 * 1024 * 1024,
    minFreeBytes: 0,
    answered: [],
    damage: { report: async () => {} },
    clock: createFakeClock('2026-03-10T09:00:00Z'),
    log: silentLog(),
    toNotes: (verdicts) => [JSON.stringify(['verdicts', ...verdicts])],
    onGroup: () => {},
    onBroken: (error) => {
      throw error;
    },
    ...options,
  });
  t.after(() => journal.close());
  return journal;
}

/** A payload as intake writes it, beginning with the day, the website and the time of receipt. */
export function payloadOf(number: number, part: { day?: string; websiteId?: number; text?: string } = {}) {
  const { day = '2026-03-10', websiteId = 1, text = `record ${number}` } = part;
  const receivedAt = new Date(Date.UTC(2026, 2, 10, 9) + number).toISOString().slice(0, 23).replace('T', ' ');
  return JSON.stringify([day, websiteId, receivedAt, text]);
}

export function payloads(count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, index) => payloadOf(from + index));
}

export function append(
  journal: Pick<Journal, 'append'>,
  payload: string,
  mark?: Uint8Array,
): Promise<AppendFailure | undefined> {
  return new Promise((resolve) => journal.append(payload, resolve, mark));
}

/** Appends the payloads one after the other, so that each forms its own group. */
export async function appendEach(journal: Journal, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const failure = await append(journal, text);
    if (failure !== undefined) throw new Error(`a record was refused: ${failure}`);
  }
}

/** Reads everything that can be read between two places of a segment. */
export async function readStretch(folder: string, segment: number, from: number, to: number) {
  const read = { payloads: [] as string[], damagedBytes: 0, damagedPlaces: 0, next: from };
  for await (const chunk of readFrames(folder, segment, from, to)) {
    for (const { bytes, start, end } of chunk.frames) read.payloads.push(bytes.toString('utf8', start, end));
    read.damagedBytes += chunk.damagedBytes;
    read.damagedPlaces += chunk.damagedPlaces;
    read.next = chunk.next;
  }
  return read;
}

export async function readJournal(journal: Journal): Promise<string[]> {
  const read: string[] = [];
  for (const { number, firstFrame, end } of journal.segments()) {
    read.push(...(await readStretch(journal.folder, number, firstFrame, end)).payloads);
  }
  return read;
}

/** Changes the bytes of a segment's file, as a failing disk would. */
export async function damage(
  folder: string,
  segment: number,
  change: (bytes: Buffer) => void,
): Promise<void> {
  const bytes = await readFile(segmentPath(folder, segment));
  change(bytes);
  await writeFile(segmentPath(folder, segment), bytes);
}
