import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readLedger } from '../src/loader/open-ledger.ts';
import { isLongForm, testLong, times } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { shareTrackside } from './support/share-trackside.ts';
import { main } from './support/spawn-server.ts';
import type { Trackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const people = ['anna', 'bert', 'carl', 'dora', 'emil', 'fred'];

type Site = { id: number; apiKey: string };
/** For each person, the paths of the records that were answered with 200. */
type Accepted = Map<string, Set<string>>;

let lastRecord = 0;

async function send(trackside: Trackside, site: Site, person: string, accepted: Accepted): Promise<number> {
  lastRecord += 1;
  const path = `/${person}/${lastRecord}`;
  const body = pageView({ Identify: { ClientId: person }, Page: { Absolute: `https://a.test${path}` } });
  const { status } = await post(trackside.origin(), '/api/page-view', site.apiKey, body);
  if (status === 200) accepted.set(person, (accepted.get(person) ?? new Set()).add(path));
  return status;
}

/** Sends a record without a ClientId, and then one with it from the same browser: both are the person's. */
async function signIn(site: Site, person: string, accepted: Accepted): Promise<void> {
  const Browser = { IP: '203.0.113.99', UserAgent: `Browser of ${person}` };
  for (const Identify of [{}, { ClientId: person }]) {
    const path = `/signing-in/${'ClientId' in Identify ? 'after' : 'before'}`;
    const body = pageView({ Identify, Browser, Page: { Absolute: `https://a.test${path}` } });
    assert.equal((await post(trackside.origin(), '/api/page-view', site.apiKey, body)).status, 200);
    accepted.get(person)!.add(path);
  }
}

function readJson({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) {
  assert.equal(code, 0, `${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** All tests share one server, and each leaves it running. */
let trackside: Trackside;
const startShared = shareTrackside();
before(async () => {
  trackside = await startShared();
});

/** Adds two websites with records of six people each, for a single test. */
async function addSites(a: string, b: string) {
  const sites = [await trackside.addWebsite(a), await trackside.addWebsite(b)] as const;
  const accepted: [Accepted, Accepted] = [new Map(), new Map()];
  for (const [index, site] of sites.entries()) {
    await waitFor('the key to be known', async () => {
      return (await send(trackside, site, 'anna', accepted[index]!)) === 200;
    });
    for (const person of people)
      for (let i = 0; i < 5; i += 1) await send(trackside, site, person, accepted[index]!);
  }
  /** Runs a command in this process, which takes less time than its own process would. */
  const json = async (...words: string[]) => readJson(await trackside.runHere(...words, '--json'));
  /** Returns the paths of all stored records, including duplicates. */
  const stored = async ({ id }: Site): Promise<string[]> => {
    const query = `select path from records where website_id = ${id} order by path`;
    return (await trackside.store.query<{ path: string }>({ query })).map(({ path }) => path);
  };
  const isStored = (site: Site, expected: readonly string[]) => async () =>
    (await stored(site).catch(() => ['?'])).join() === expected.toSorted().join();
  return { sites, accepted, json, stored, isStored };
}

const pathsOf = (accepted: Accepted, without?: string) =>
  [...accepted].flatMap(([person, paths]) => (person === without ? [] : [...paths]));

/** Whether the websites of the first test have what they should. The last test asks a new store as well. */
const afterErasure: (() => Promise<boolean>)[] = [];

/** In the short form, engine/data.test.ts erases a person while records arrive. */
testLong('erases a person while records arrive, and the journal does not bring them back', async (t) => {
  const { sites, accepted, json, stored, isStored } = await addSites('a.test', 'b.test');
  const [a, b] = sites;
  await waitFor('all records to be loaded', isStored(a, pathsOf(accepted[0])));
  const { token } = await json('token', 'add', 'a.test');
  const numbers = async () => {
    const response = await fetch(`${trackside.origin()}/api/stats/query`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ metrics: ['visitors', 'pageViews'], period: 'today' }),
    });
    const body = (await response.json()) as { rows?: { metrics: Record<string, number> }[] };
    return body.rows?.[0]?.metrics;
  };
  await waitFor('the numbers', async () => (await numbers())?.visitors === people.length);

  const stop = new AbortController();
  const senders = people.map(async (person) => {
    while (!stop.signal.aborted) {
      await send(trackside, a, person, accepted[0]);
      await delay(times(80, 10));
    }
  });
  await signIn(a, 'carl', accepted[0]);
  const before = new Set(accepted[0].get('carl'));
  const erased = await json('person', 'erase', 'a.test', 'carl', '--yes');
  const during = new Set(accepted[0].get('carl'));
  await waitFor('further records', () => (accepted[0].get('carl')?.size ?? 0) > during.size + 5);
  stop.abort();
  await Promise.all(senders);
  const expected = [...pathsOf(accepted[0], 'carl'), ...accepted[0].get('carl')!.difference(during)];
  /**
   * Whether earlier records are gone while the rest stays. Records that arrived in the meantime may be
   * either.
   */
  const isErased = async () => {
    const paths = new Set(await stored(a).catch(() => []));
    return expected.every((path) => paths.has(path)) && paths.isDisjointFrom(before);
  };

  await t.test('the answer is the number, and earlier records are gone while the rest stays', async () => {
    assert.ok(erased.records >= before.size, `${erased.records} of at least ${before.size}`);
    await waitFor('the others, and what came after', isErased);
    const paths = await stored(a);
    assert.deepEqual(new Set(paths).size, paths.length, 'each is there once');
    await waitFor('the numbers', async () => (await numbers())?.pageViews === paths.length);
    await waitFor('the other website as before', isStored(b, pathsOf(accepted[1])));
  });

  await t.test('verify does not miss the erased records', async () => {
    assert.deepEqual((await json('verify')).differences, []);
  });

  afterErasure.push(isErased, isStored(b, pathsOf(accepted[1])));
});

/**
 * In the short form, engine/data.test.ts interrupts an erasure, and a website is deleted below despite a kill
 * of the server.
 */
if (isLongForm) test('a server that is killed in the middle of an erasure continues it', killDuringErasures);

async function killDuringErasures(): Promise<void> {
  const { sites, accepted, isStored } = await addSites('killed.test', 'beside.test');
  const [a] = sites;
  await waitFor('all records to be loaded', isStored(a, pathsOf(accepted[0])));
  const erased = new Set<string>();
  const moments = [
    ['anna', 300],
    ['bert', 1200],
    ['carl', 2500],
  ] as const;
  for (const [person, waitMs] of moments) {
    const known = (await trackside.control.erasures.list()).length;
    const command = trackside.runHere('person', 'erase', 'killed.test', person, '--yes');
    await waitFor('the erasure to be written down', async () => {
      return (await trackside.control.erasures.list()).length > known;
    });
    await delay(waitMs);
    await trackside.end('SIGKILL');
    await trackside.start();
    const { code, stderr } = await command;
    assert.equal(code, 0, stderr);
    erased.add(person);
    await waitFor(
      `nothing of ${person}`,
      isStored(
        a,
        [...accepted[0]].flatMap(([name, paths]) => (erased.has(name) ? [] : [...paths])),
      ),
    );
  }
}

testLong('the commands for persons, retention and deletion work with and without a server', async (t) => {
  const { sites, accepted, json, isStored } = await addSites('asked.test', 'kept.test');
  const [a, b] = sites;
  await waitFor('all records to be loaded', isStored(a, pathsOf(accepted[0])));
  const dataDir = ['--data-dir', trackside.dataDir];
  const file = join(trackside.dataDir, 'dora.ndjson');

  await t.test('sets a retention and removes it again', async () => {
    const { code, stdout } = await trackside.runHere('website', 'set-retention', 'kept.test', '30');
    assert.equal(code, 0);
    assert.match(stdout, /The records of kept\.test are kept for 30 days after the day they were received/);
    assert.equal((await trackside.control.websites.find('kept.test'))?.retentionDays, 30);
    assert.deepEqual(await json('website', 'set-retention', String(b.id), 'forever'), {
      id: b.id,
      domain: 'kept.test',
      retentionDays: null,
    });
    const wrong = await trackside.runHere('website', 'set-retention', 'kept.test', '0');
    assert.deepEqual([wrong.code, /from 1 to 36500/.test(wrong.stderr)], [1, true]);
  });

  await t.test('exports to standard output and to a file', async () => {
    const { code, stdout } = await trackside.run('person', 'export', 'asked.test', 'dora');
    assert.equal(code, 0);
    const records = stdout.trimEnd().split('\n');
    const paths = records.map((line) => JSON.parse(line).path);
    assert.deepEqual(paths.toSorted(), [...accepted[0].get('dora')!].toSorted());
    assert.equal(
      (await json('person', 'export', 'asked.test', 'dora', '--output', file)).records,
      records.length,
    );
    assert.equal(readFileSync(file, 'utf8'), stdout);
    assert.equal((await trackside.runHere('person', 'export', 'asked.test', 'nobody')).stdout, '');
  });

  await t.test('asks before it erases, and never repeats the ClientId', async () => {
    const { code, stdout, stderr } = await trackside.run('person', 'erase', 'asked.test', 'dora');
    assert.equal(code, 1);
    assert.match(stderr, /To go ahead without confirmation, add --yes/);
    assert.doesNotMatch(stdout + stderr, /dora/);
    assert.equal((await trackside.runHere('person', 'erase', 'asked.test', '', '--yes')).code, 1);
    assert.equal((await trackside.runHere('person', 'erase', 'nowhere.test', 'dora', '--yes')).code, 1);
  });

  await t.test('deletes a website, and reads a ClientId from standard input, without a server', async () => {
    await trackside.end('SIGTERM');
    const deleted = await json('website', 'delete', String(b.id), '--confirm', 'kept.test');
    assert.equal(deleted.records, pathsOf(accepted[1]).length);
    assert.equal(await trackside.control.websites.find('kept.test'), undefined);
    assert.ok(existsSync(trackside.folder.store));
    const words = ['person', 'erase', 'asked.test', '-', '--yes', '--json', ...dataDir];
    const command = spawn(process.execPath, [main, ...words], { stdio: ['pipe', 'pipe', 'pipe'] });
    command.stdin.end('dora\n');
    const [stdout, stderr] = await Promise.all([text(command.stdout), text(command.stderr)]);
    assert.equal(stderr, '');
    assert.equal(JSON.parse(stdout).records, accepted[0].get('dora')!.size);
    await trackside.start();
    await waitFor('the others only', isStored(a, pathsOf(accepted[0], 'dora')));
    assert.equal(await trackside.countRows(`website_id = ${b.id}`), 0);
    const { entries } = { entries: await trackside.control.auditLog.list({ limit: 50 }) };
    assert.deepEqual(
      entries
        .filter(({ action, subject }) => action.startsWith('person.') && subject === 'asked.test')
        .map(({ action, actor }) => [action, actor]),
      [
        ['person.erased', 'server'],
        ['person.erasure-started', 'command line'],
        ...Array.from({ length: 3 }, () => ['person.exported', 'command line']),
      ],
    );
  });
});

testLong('deletes a website with many records, despite a kill in the middle', async (t) => {
  const { sites, accepted, json, isStored } = await addSites('gone.test', 'alone.test');
  const [a, b] = sites;
  await waitFor('all records to be loaded', isStored(a, pathsOf(accepted[0])));
  const records = times(8000, 70_000);
  await trackside.store.query({
    query: `insert into records (node, batch, website_id, day, received_at, local_at, kind, visitor_id, path)
            select 'test', 1, {id:UInt32}, toDate('2025-06-01') + number % {days:UInt32} as at,
              toDateTime64(at, 3, 'UTC'), toDateTime(at, 'UTC'), 'page_view', cityHash64(number),
              concat('/page/', toString(number % 100))
            from numbers({records:UInt32})`,
    params: { id: a.id, records, days: times(40, 300) },
  });
  const rows = () => trackside.countRows(`website_id = ${a.id}`).catch(() => -1);
  const all = await rows();
  assert.ok(all > records);

  await t.test('requires the domain once more', async () => {
    const { code, stderr } = await trackside.runHere(
      'website',
      'delete',
      'gone.test',
      '--confirm',
      'alone.test',
    );
    assert.equal(code, 1);
    assert.match(stderr, /--confirm: expected gone\.test, got "alone\.test"/);
    assert.equal((await trackside.runHere('website', 'delete', 'gone.test')).code, 1);
    assert.equal(await rows(), all);
  });

  await t.test('its key stops at once, and the next server finishes what a killed one left', async () => {
    const command = trackside.runHere('website', 'delete', 'gone.test', '--confirm', 'Gone.test', '--json');
    await waitFor('the key to stop', async () => (await send(trackside, a, 'anna', accepted[0])) === 401);
    await trackside.end('SIGKILL');
    assert.equal((await trackside.control.websites.find('gone.test'))?.id, a.id, 'the website goes last');
    await trackside.start();
    const { code, stdout, stderr } = await command;
    assert.equal(code, 0, stderr);
    assert.ok(JSON.parse(stdout).records >= all, stdout);
    assert.equal(await trackside.control.websites.find('gone.test'), undefined);
    assert.equal(await rows(), 0);
    for (const table of ['visits', 'rollups', 'day_builds']) {
      const query = `select 1 from ${table} where website_id = ${a.id} limit 1`;
      assert.deepEqual(await trackside.store.query({ query }), [], table);
    }
    await waitFor('the other website as before', isStored(b, pathsOf(accepted[1])));
    // What only the store has is counted when its engine starts. The test after next takes this store away.
    for (const pid of trackside.enginePids()) process.kill(pid, 'SIGKILL');
    await waitFor('nothing to be only in the store', async () => {
      return (await readLedger(trackside.folder.journal))!.onlyInStore?.rows === 0;
    });
  });

  await t.test('an erasure without a server waits for records that only the journal has', async () => {
    const readLastBatch = async () => (await readLedger(trackside.folder.journal))!.lastBatch;
    // A loader that is still comparing batches would wait for the engine below, and note nothing.
    assert.equal(await send(trackside, b, 'emil', accepted[1]), 200);
    await waitFor('the loader to load again', isStored(b, pathsOf(accepted[1])));
    const lastBatch = await readLastBatch();
    // The loader stands still, so that the sign-in stays in the journal.
    const engines = trackside.enginePids();
    for (const pid of engines) process.kill(pid, 'SIGSTOP');
    await signIn(b, 'dora', accepted[1]);
    // If the loader looks between the two records of the sign-in, the second one stays in no batch.
    await waitFor('a batch that never arrives to be noted', async () => (await readLastBatch()) > lastBatch);
    await trackside.end('SIGKILL');
    for (const pid of engines) process.kill(pid, 'SIGKILL');
    const { code, stderr } = await trackside.runHere('person', 'erase', 'alone.test', 'dora', '--yes');
    assert.equal(code, 1);
    assert.match(stderr, /scheduled, but some records in a journal have not been loaded yet/);
  });

  await t.test('records in the journal bring back neither the website nor an erased person', async () => {
    await rm(trackside.folder.store, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    await trackside.start();
    await waitFor('nothing of the person', isStored(b, pathsOf(accepted[1], 'dora')));
    assert.equal(await rows(), 0);
    assert.equal(afterErasure.length, 2);
    for (const isStoredAgain of afterErasure) await waitFor('all but the erased person', isStoredAgain);
    assert.deepEqual((await json('verify')).differences, []);
    assert.equal(await trackside.control.usage.usedOf(a.id, new Date().toISOString().slice(0, 7)), 0);
  });
});
