/** What the tests of control and of its commands share: a real control database in a separate folder. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import type { PasswordCost } from './accounts/hash-password.ts';
import { openControl, type WritableControl } from './open-control.ts';
import { databaseUrlOf, prepareControl } from './test-database.ts';

export type FakeClock = Clock & {
  /** Lets real time pass. */
  pass(ms: number): void;
  /** Sets the wall clock to another time, without letting time pass. */
  jump(ms: number): void;
};

export function createFakeClock(start: string): FakeClock {
  let wallMs = Date.parse(start);
  let monotonicMs = 5_000;
  return {
    now: () => wallMs,
    monotonicMs: () => monotonicMs,
    pass(ms) {
      wallMs += ms;
      monotonicMs += ms;
    },
    jump(ms) {
      wallMs += ms;
    },
  };
}

export const silentLog = (): Log => pino({ level: 'silent' });

/** A log whose lines can be inspected. */
export function createTestLog(): { log: Log; messages: string[]; levels: number[] } {
  const messages: string[] = [];
  const levels: number[] = [];
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line);
    messages.push(msg);
    levels.push(level);
  };
  return { log: pino({ level: 'info' }, { write }), messages, levels };
}

export async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-control-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The least that Argon2 allows. Only the tests of the hash itself need passwords that are hard to guess. */
export const leastPasswordCost: PasswordCost = { memory: 8, passes: 1, parallelism: 1 };

export async function openTestControl(
  t: TestContext,
  options: {
    folder?: string;
    clock?: Clock;
    log?: Log;
    hasFullPasswordCost?: boolean;
    /** For a test in which one connection waits for another, which must continue in the meantime. */
    hasOwnThread?: boolean;
  } = {},
): Promise<{ control: WritableControl; folder: string }> {
  const folder = options.folder ?? (await makeFolder(t));
  // A test that gives a log or a folder may look at how the database is created.
  if (options.folder === undefined && options.log === undefined) {
    await prepareControl(t, folder, createControl);
  }
  const control = await openControl({
    folder,
    databaseUrl: await databaseUrlOf(t, folder),
    isPatient: true,
    secretKeyFile: join(folder, 'secret-key'),
    clock: options.clock ?? createFakeClock('2026-03-10T09:00:00Z'),
    log: options.log ?? silentLog(),
    passwordCost: options.hasFullPasswordCost === true ? undefined : leastPasswordCost,
    isOnThisThread: options.hasOwnThread !== true,
  });
  t.after(() => control.close());
  return { control, folder };
}

async function createControl(options: { folder: string; databaseUrl?: string | undefined }): Promise<void> {
  const secretKeyFile = join(options.folder, 'secret-key');
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const control = await openControl({ ...options, isPatient: true, secretKeyFile, clock, log: silentLog() });
  await control.close();
}

/** Overwrites bytes in the page in which a table begins, as a failing disk would. The database still opens. */
export async function damageTable(database: string, table: string): Promise<void> {
  const sqlite = new DatabaseSync(database);
  const { start } = sqlite
    .prepare('select (rootpage - 1) * page_size as start from sqlite_master, pragma_page_size where name = ?')
    .get(table) as { start: number };
  sqlite.close();
  const file = await open(database, 'r+');
  await file.write(Buffer.from([0xff, 0xff, 0xff]), 0, 3, start);
  await file.close();
}
