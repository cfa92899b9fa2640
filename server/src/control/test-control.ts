/** What the tests of control and of its commands share: a real control database in a separate folder. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import type { PasswordCost } from './accounts/hash-password.ts';
import { openControl, type WritableControl } from './open-control.ts';

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
    newDatabase ??= createDatabase();
    for (const [name, bytes] of await newDatabase)
      await writeFile(join(folder, name), bytes, { mode: 0o600 });
  }
  const control = await openControl({
    folder,
    secretKeyFile: join(folder, 'secret-key'),
    clock: options.clock ?? createFakeClock('2026-03-10T09:00:00Z'),
    log: options.log ?? silentLog(),
    passwordCost: options.hasFullPasswordCost === true ? undefined : leastPasswordCost,
    isOnThisThread: options.hasOwnThread !== true,
  });
  t.after(() => control.close());
  return { control, folder };
}

/** The files of a database that is still empty. Copying them takes a third less time than creating them. */
let newDatabase: Promise<Map<string, Buffer>> | undefined;

async function createDatabase(): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-control-'));
  const secretKeyFile = join(folder, 'secret-key');
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const control = await openControl({ folder, secretKeyFile, clock, log: silentLog() });
  await control.close();
  const files = new Map<string, Buffer>();
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name)));
  await rm(folder, { recursive: true });
  return files;
}

/** Makes the database refuse every new entry of the audit log, until the returned function is called. */
export function refuseEntries(folder: string): () => void {
  const execute = (sql: string) => {
    using database = new DatabaseSync(join(folder, 'control.db'));
    database.exec(sql);
  };
  execute(
    "create trigger no_entries before insert on audit_log begin select raise(abort, 'no entries'); end",
  );
  return () => execute('drop trigger no_entries');
}

/** All rows of the database, by table. */
export function readTables(folder: string): Record<string, unknown[]> {
  using database = new DatabaseSync(join(folder, 'control.db'), { readOnly: true });
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
  return Object.fromEntries(
    tables.map(({ name }) => [name, database.prepare(`select * from "${name}"`).all()]),
  );
}

/** Returns the names of the files in a folder that contain these bytes. */
export async function filesHolding(folder: string, bytes: Buffer | string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(folder)) {
    if ((await readFile(join(folder, name))).includes(bytes)) names.push(name);
  }
  return names.sort();
}
