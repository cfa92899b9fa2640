import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pageView, post } from '../support/records.ts';
import { createServerHere } from '../support/serve-here.ts';
import { startTrackside } from '../support/start-trackside.ts';
import { waitFor } from '../support/wait-for.ts';

export type FilledFolder = Awaited<ReturnType<typeof fill>>;

/**
 * How many records there are. The first and the second are in the store and in one segment of the journal
 * each. The rest are only in the journal.
 */
export const counts = { first: 30, second: 30, unloaded: 20 };

export const pathOf = (record: number) => `/record/${record}`;

export async function sendRecord(origin: string, apiKey: string, record: number): Promise<number> {
  const page = { Page: { Absolute: `https://damage.test${pathOf(record)}` } };
  return (await post(origin, '/api/page-view', apiKey, pageView(page))).status;
}

let filled: ReturnType<typeof fill> | undefined;

/**
 * Returns a data folder as a killed server leaves it, with some records loaded and some not. Each case damages
 * a copy of it. There is one for all tests of the process.
 */
export function fillFolder(): ReturnType<typeof fill> {
  filled ??= fill();
  return filled;
}

async function fill() {
  const saved = await mkdtemp(join(tmpdir(), 'trackside-'));
  process.once('exit', () => rmSync(saved, { recursive: true, force: true }));
  const cleanUps: (() => Promise<void>)[] = [];
  const t = { after: (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp) };
  const trackside = await startTrackside(t, { isStartedLater: true });
  const { id, apiKey } = await trackside.addWebsite('damage.test');
  const acknowledged: number[] = [];
  const send = async (origin: string, count: number) => {
    for (const from = acknowledged.length; acknowledged.length < from + count; ) {
      const record = acknowledged.length;
      assert.equal(await sendRecord(origin, apiKey, record), 200);
      acknowledged.push(record);
    }
  };
  const rows = () => trackside.countRows(`website_id = ${id}`).catch(() => -1);
  const isLoaded = async () => (await rows()) === acknowledged.length;
  const first = createServerHere({ dataDir: trackside.dataDir });
  await first.start();
  await send(first.origin(), counts.first);
  await waitFor('the first records to be loaded', isLoaded);
  await first.end('SIGTERM');
  await trackside.start();
  await send(trackside.origin(), counts.second);
  await waitFor('the second records to be loaded', isLoaded);
  // A stopped engine loads nothing, and is not restarted before the node is killed.
  const engines = trackside.enginePids();
  for (const pid of engines) process.kill(pid, 'SIGSTOP');
  await send(trackside.origin(), counts.unloaded);
  const month = new Date().toISOString().slice(0, 7);
  await waitFor('the contingent to be written down', async () => {
    return (await trackside.control.usage.usedOf(id, month)) === acknowledged.length;
  });
  await trackside.end('SIGKILL');
  for (const pid of engines) process.kill(pid, 'SIGKILL');
  await copyTo(saved, trackside.dataDir);
  for (const cleanUp of cleanUps) await cleanUp();
  return { dataDir: saved, websiteId: id, apiKey, acknowledged };
}

export function copyTo(dataDir: string, from: string): Promise<void> {
  const filter = (path: string) => !path.endsWith('.sock');
  return cp(from, dataDir, { recursive: true, verbatimSymlinks: true, filter });
}

export async function copyFolder(t: TestContext, from: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trackside-'));
  await copyTo(dataDir, from);
  t.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return dataDir;
}

/** Returns the folders of the parts that hold records, as the engine lays them out. */
export function partsOf(dataDir: string): string[] {
  const store = join(dataDir, 'store');
  const names = readdirSync(store, { recursive: true, encoding: 'utf8' });
  const metadata = readFileSync(join(store, names.find((name) => /\brecords\.sql$/.test(name))!), 'utf8');
  const table = /UUID '([0-9a-f-]+)'/.exec(metadata)![1]!;
  return names
    .filter((name) => name.includes(`${table}/`) && /\/\d{6}_\d+_\d+_\d+$/.test(name))
    .map((name) => join(store, name));
}

export function segmentsOf(dataDir: string): string[] {
  const folder = join(dataDir, 'journal');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.segment'))
    .sort()
    .map((name) => join(folder, name));
}
