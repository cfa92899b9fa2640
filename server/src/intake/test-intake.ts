/** What the tests of intake share: a real journal and control in separate folders, and records. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Control } from '../control/open-control.ts';
import { openTestControl, silentLog } from '../control/test-control.ts';
import type { CachedWebsite } from '../control/websites/website-cache.ts';
import { localDisk } from '../files/disk.ts';
import type { AnsweredTo } from '../journal/find-lost-ends.ts';
import { type Journal, openJournal } from '../journal/open-journal.ts';
import { recordColumns } from '../records/record-columns.ts';
import { plainRules } from '../text/address-rules.ts';
import type { Clock } from '../time/clock.ts';
import { type Contingent, openContingent } from './contingent/contingent.ts';
import { openTally, type Sender, type Tally } from './tally/open-tally.ts';
import { writeVerdictNotes } from './tally/tally-notes.ts';

export const node = 'n0000000001';

export function website(changes: Partial<CachedWebsite> = {}): CachedWebsite {
  return {
    id: 1,
    domain: 'example.com',
    timezone: 'UTC',
    contingent: null,
    createdAt: 0,
    name: 'Example',
    version: 1,
    retentionDays: null,
    readOrigins: [],
    exclusions: [],
    deletingSince: null,
    ...plainRules,
    clientIdKey: secretOf(1),
    ...changes,
  };
}

/** Whoever sends records of a website, with its current key and without numbers or a release. */
export function senderOf(of: CachedWebsite, changes: Partial<Sender> = {}): Sender {
  const apiKey = { website: of, id: '0123abcd', expiresAt: null };
  return { website: of, apiKey, sequence: undefined, release: '', ...changes };
}

/** A key or a salt that consists of this byte. */
export function secretOf(byte: number): string {
  return Buffer.alloc(32, byte).toString('hex');
}

/** A payload as the journal takes it. Counting reads only its start. */
export function payloadOf(websiteId: number, receivedAtMs: number): string {
  const at = new Date(receivedAtMs).toISOString().slice(0, 23).replace('T', ' ');
  return JSON.stringify([at.slice(0, 10), websiteId, at]);
}

export type TestNode = {
  journal: Journal;
  contingent: Contingent;
  tally: Tally;
  /** Counts a record and makes it durable. Resolves with false if the contingent is used up. */
  accept(of: { id: number; contingent: number | null }): Promise<boolean>;
  /** Leaves everything as a killed process would: no checkpoint, and nothing after the last answer. */
  crash(): Promise<void>;
};

export async function openTestNode(options: {
  folder: string;
  control: Control;
  clock: Clock;
  maxBytes?: number;
  /** The name of the node, and whether others use the same contingents. */
  name?: string;
  isShared?: boolean;
  answered?: readonly AnsweredTo[];
  /** For a test that breaks the journal. Otherwise the fault is thrown. */
  onBroken?: (error: Error) => void;
}): Promise<TestNode> {
  const { control, clock } = options;
  const journal = await openJournal({
    disk: localDisk,
    folder: join(options.folder, 'journal'),
    node: options.name ?? node,
    columns: recordColumns,
    segmentBytes: 1024 * 1024,
    readyBytes: 0,
    minFreeBytes: 0,
    clock,
    log: silentLog(),
    maxBytes: options.maxBytes ?? 1e9,
    answered: options.answered ?? [],
    damage: { report: async () => {} },
    toNotes: writeVerdictNotes,
    onGroup: () => {},
    onBroken:
      options.onBroken ??
      ((error) => {
        throw error;
      }),
  });
  const name = options.name ?? node;
  const { position } = await control.usage.read(name);
  const tally = await openTally({
    node: name,
    tallies: control.tallies,
    journal,
    position,
    clock,
    log: silentLog(),
  });
  const contingent = await openContingent({
    tally,
    node: options.name ?? node,
    isShared: options.isShared ?? control.isShared,
    usage: control.usage,
    journal,
    clock,
    log: silentLog(),
    answeredTo: () => journal.answeredTo(),
  });
  return {
    journal,
    contingent,
    tally,
    async accept(of) {
      const nowMs = clock.now();
      while (contingent.mustAsk(of, nowMs))
        if (!(await contingent.ask(of, nowMs))) throw new Error('control is away');
      const place = contingent.reserve(of, nowMs);
      if (place === undefined) return false;
      return await new Promise((resolve, reject) =>
        journal.append(payloadOf(of.id, nowMs), (failure) => {
          if (failure !== undefined) return reject(new Error(failure));
          contingent.settle(place);
          resolve(true);
        }),
      );
    },
    crash: () => journal.close(),
  };
}

export async function startTestNode(
  t: TestContext,
  options: { clock: Clock; maxBytes?: number; isShared?: boolean; onBroken?: (error: Error) => void },
) {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-intake-'));
  const { control } = await openTestControl(t, { folder: join(folder, 'control'), clock: options.clock });
  const opened = await openTestNode({ ...options, folder, control });
  t.after(async () => {
    // What was refused by its headers may still be on its way to the disk.
    await opened.journal.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { ...opened, folder, control };
}
