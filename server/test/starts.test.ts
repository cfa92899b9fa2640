import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { openControl } from '../src/control/open-control.ts';
import { damageTable, silentLog } from '../src/control/test-control.ts';
import { readDamage } from '../src/damage/damage-log.ts';
import { segmentPath } from '../src/journal/segment-file.ts';
import { systemClock } from '../src/time/clock.ts';
import { complaintsOfHealth, lookAt } from './damage/looks.ts';
import { isLongForm } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { createServerHere } from './support/serve-here.ts';
import { main } from './support/spawn-server.ts';
import { startTrackside, type Trackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const limit = 1000;
const perSegment = 10;
const segments = [1, 2, 3];

type Prepared = {
  trackside: Trackside;
  apiKey: string;
  send: (path: string) => ReturnType<typeof post>;
  /**
   * Stops the server and restores the folder as it was before any damage, without the store unless
   * `keepStore` is set.
   */
  reset: (options?: { keepStore?: boolean }) => Promise<void>;
};

/**
 * Prepares a folder with three segments of ten records each, all answered, loaded and counted against the
 * contingent.
 */
async function prepare(t: TestContext): Promise<Prepared> {
  const environment = { TRACKSIDE_MIN_FREE_BYTES: '0' };
  const trackside = await startTrackside(t, { environment, isStartedLater: true });
  const { apiKey } = await trackside.addWebsite('example.com', limit);
  const sendTo = (origin: string, path: string) =>
    post(origin, '/api/page-view', apiKey, pageView({ Page: { Absolute: `https://example.com/${path}` } }));
  const send = (path: string) => sendTo(trackside.origin(), path);
  const count = () => trackside.countRows().catch(() => -1);
  // Each start begins a segment.
  const server = createServerHere({ dataDir: trackside.dataDir, environment });
  for (const segment of segments) {
    await server.start();
    for (let record = 0; record < perSegment; record += 1)
      assert.equal((await sendTo(server.origin(), `s${segment}-${record}`)).status, 200);
    if (segment === segments.at(-1))
      await waitFor('the records to be loaded', async () => (await count()) === segment * perSegment);
    await server.end('SIGTERM');
  }
  const saved = `${trackside.dataDir}.saved`;
  await cp(trackside.dataDir, saved, { recursive: true });
  t.after(() => rm(saved, { recursive: true, force: true }));
  return {
    trackside,
    apiKey,
    send,
    async reset({ keepStore = false } = {}) {
      const engines = trackside.enginePids();
      await trackside.end('SIGKILL');
      await waitFor('the engine to end', () => engines.every((pid) => !isRunning(pid)));
      await rm(trackside.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      await cp(saved, trackside.dataDir, { recursive: true });
      if (!keepStore) await rm(trackside.folder.store, { recursive: true });
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function change(path: string, how: (bytes: Buffer) => void): Promise<void> {
  const bytes = await readFile(path);
  how(bytes);
  await writeFile(path, bytes);
}

const flip = (bytes: Buffer, at: number) => {
  bytes[at]! ^= 4;
};

/**
 * The kinds of damage in the short form. The tests of recover-journal.ts cover all kinds without a server, and
 * damage.test.ts has a last segment that is cut. A journal without any segment is tested below, where it is
 * moved away.
 */
const short = new Set(['a middle segment of zeros, and an unfinished write at the end']);
type JournalDamage = { hit: (journal: string) => Promise<void>; left: number; told: number[] };
/** For each kind of damage, how many of the thirty records are left and which segments are reported. */
const damages: Record<string, JournalDamage> = {
  'nothing at all': { hit: async () => {}, left: 30, told: [] },
  'an unfinished write at the end': {
    hit: (journal) => appendFile(segmentPath(journal, 3), Buffer.from([90, 1, 0, 0, 7, 7, 7, 7, 91, 34])),
    left: 30,
    told: [],
  },
  'a middle segment of zeros, and an unfinished write at the end': {
    hit: async (journal) => {
      await damages['a middle segment of zeros']!.hit(journal);
      await damages['an unfinished write at the end']!.hit(journal);
    },
    left: 20,
    told: [2],
  },
  'a flipped bit in the last record': {
    hit: (journal) => change(segmentPath(journal, 3), (bytes) => flip(bytes, bytes.length - 9)),
    left: 29,
    told: [3],
  },
  'a last segment cut in the middle of its last record': {
    hit: async (journal) => {
      const path = segmentPath(journal, 3);
      await truncate(path, (await readFile(path)).length - 100);
    },
    left: 29,
    told: [3],
  },
  'a last segment cut in the middle of its header': {
    hit: (journal) => truncate(segmentPath(journal, 3), 40),
    left: 20,
    told: [3],
  },
  'an empty last segment': { hit: (journal) => truncate(segmentPath(journal, 3), 0), left: 20, told: [3] },
  'a last segment of zeros': {
    hit: (journal) => change(segmentPath(journal, 3), (bytes) => bytes.fill(0)),
    left: 20,
    told: [3],
  },
  'a last segment whose header is zeros': {
    hit: (journal) => change(segmentPath(journal, 3), (bytes) => bytes.fill(0, 0, 200)),
    left: 30,
    told: [3],
  },
  'a flipped bit in the header of a middle segment': {
    hit: (journal) => change(segmentPath(journal, 2), (bytes) => flip(bytes, 60)),
    left: 30,
    told: [2],
  },
  'a middle segment of zeros': {
    hit: (journal) => change(segmentPath(journal, 2), (bytes) => bytes.fill(0)),
    left: 20,
    told: [2],
  },
  'an empty middle segment': { hit: (journal) => truncate(segmentPath(journal, 2), 0), left: 20, told: [2] },
  'a middle segment that is gone': { hit: (journal) => rm(segmentPath(journal, 2)), left: 20, told: [2] },
  'a last segment that is gone': { hit: (journal) => rm(segmentPath(journal, 3)), left: 20, told: [3] },
  'no segment left': {
    hit: async (journal) => {
      for (const segment of segments) await rm(segmentPath(journal, segment));
    },
    left: 0,
    told: [3],
  },
};

async function damagedJournal(t: TestContext, { trackside, send, reset }: Prepared) {
  const { folder } = trackside;
  const told = async () => (await readDamage(folder.damage)).map(({ id }) => id);

  const kinds = Object.entries(damages).filter(([what]) => isLongForm || short.has(what));
  for (const [what, { hit, left, told: expected }] of kinds) {
    await t.test(`the server starts with ${what}, and keeps and counts what is left`, async () => {
      await reset();
      await hit(folder.journal);
      // In the long form, the server starts twice, because the next start must also work with what this one
      // left. In the short form, damage.test.ts has such a start.
      const starts = isLongForm ? [1, 2] : [1];
      for (const start of starts) {
        await trackside.start();
        const answers = [await send(`after-${start}-1`), await send(`after-${start}-2`)];
        assert.deepEqual(
          answers.map(({ status, headers }) => [status, Number(headers.get('contingent-remaining'))]),
          [1, 2].map((one) => [200, limit - 30 - (start - 1) * 2 - one]),
        );
        if (start < starts.length) await trackside.end('SIGKILL');
      }
      const after = "path like '/after-%'";
      const count = (where: string) => trackside.countRows(where).catch(() => -1);
      const answered = starts.length * 2;
      await waitFor('what was answered after the start', async () => (await count(after)) === answered);
      assert.equal(await count(`not ${after}`), left);
      const ids = await told();
      if (expected.length === 0) assert.deepEqual(ids, []);
      for (const segment of expected) assert.ok(ids.includes(`journal-segment-${segment}`), ids.join());
      if (!expected.includes(3)) assert.ok(!ids.includes('journal-segment-3'), ids.join());
    });
  }
}

async function lostControl(t: TestContext, { trackside, send, reset }: Prepared) {
  const { folder, dataDir } = trackside;
  const database = join(folder.control, 'control.db');
  const kinds: Record<string, () => Promise<unknown>> = {
    'is missing': () => rm(folder.control, { recursive: true }),
    'is missing, and all but the records in the store with it': async () => {
      for (const path of [folder.control, folder.journal, folder.installation])
        await rm(path, { recursive: true });
    },
    'is empty': () => truncate(database, 0),
    'is no database': () => writeFile(database, 'x'.repeat(10_000)),
    'has a damaged page': () => damageTable(database, 'websites'),
    'is of another installation': async () => {
      await rm(folder.control, { recursive: true });
      const secretKeyFile = join(dataDir, 'secret.key');
      const other = await openControl({
        folder: folder.control,
        secretKeyFile,
        clock: systemClock,
        log: silentLog(),
      });
      await other.websites.add({ domain: 'other.test', timezone: 'UTC', contingent: null });
      await other.close();
    },
  };
  // The tests of open-own-control.ts cover all kinds without a server.
  const chosen = Object.entries(kinds).filter(([what]) => isLongForm || what.includes('and all but'));
  for (const [what, lose] of chosen) {
    await t.test(`says so when control.db ${what}, and refuses no key`, async () => {
      await reset({ keepStore: true });
      await lose();
      const before = await readFile(database).catch(() => undefined);
      const saidBefore = trackside.output().length;
      await trackside.start();
      const { status, headers } = await send('lost');
      assert.deepEqual([status, headers.get('retry-after')], [503, '30']);
      const health = await fetch(`${trackside.origin()}/health`);
      assert.equal(health.status, 503);
      assert.match(await health.text(), /"part":"control","why":"the control database is missing/);
      const session = (await (await fetch(`${trackside.origin()}/api/session`)).json()) as object;
      assert.deepEqual({ ...session, message: '' }, { code: 503, fault: 'disk-fault', message: '' });
      const said = trackside.output().slice(saidBefore);
      assert.match(said, /control\.db (is missing|is empty|is damaged|belongs to a different).*restore/i);
      assert.doesNotMatch(said, /\/setup#|demo\.test/);
      assert.deepEqual(await readFile(database).catch(() => undefined), before);
      const command = await trackside.runHere('website', 'list');
      assert.deepEqual([command.code, command.stdout], [1, '']);
      assert.match(command.stderr, /restore/i);
      for (const [who, text] of Object.entries(await lookAt(trackside.origin(), dataDir)))
        assert.match(text, /control/, `expected ${who} to tell it`);
    });
  }
}

async function olderControl(t: TestContext, { trackside, reset }: Prepared) {
  await t.test(
    'after control.db alone was restored, no new website gets the records of another',
    async () => {
      await reset({ keepStore: true });
      const { folder } = trackside;
      const older = `${trackside.dataDir}.older`;
      await cp(folder.control, older, { recursive: true });
      await trackside.start();
      const add = async (...words: string[]) => (await trackside.runHere('website', 'add', ...words)).stdout;
      const apiKey = /^API key +(\S+)$/m.exec(await add('lost.test'))?.[1] ?? '';
      await waitFor('the key to be known', async () => {
        const { status } = await post(trackside.origin(), '/api/page-view', apiKey, pageView());
        return status === 200;
      });
      await waitFor('the website to be marked', async () =>
        /^2 /.test(await readFile(folder.lastWebsite, 'utf8')),
      );
      await trackside.end('SIGTERM');
      await rm(folder.control, { recursive: true });
      await rename(older, folder.control);
      await trackside.start();
      assert.match(trackside.output(), /"lostIds":\[2\].*website add DOMAIN --lost-id ID/);

      const pathsOf = async (domain: string) => {
        const file = `${trackside.dataDir}.${domain}`;
        await trackside.runHere('export', domain, '--format', 'ndjson', '--output', file);
        const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
        await rm(file);
        return lines.map((line) => (JSON.parse(line) as { path: string }).path);
      };
      assert.match(await add('new.test'), /^id +3\n/);
      assert.deepEqual(await pathsOf('new.test'), []);
      assert.match(await add('lost.test', '--lost-id', '2'), /^id +2\n/);
      assert.deepEqual(await pathsOf('lost.test'), ['/pricing']);
    },
  );
}

async function takenFiles(t: TestContext, { trackside, send, reset }: Prepared) {
  const { folder, dataDir } = trackside;
  let engines: number[] = [];
  const start = async () => {
    await trackside.start();
    engines = trackside.enginePids();
  };
  const untilEnded = async () => {
    await waitFor('the server to end', () => !isRunning(trackside.pid()));
    await waitFor('its engine to end', () => engines.every((pid) => !isRunning(pid)));
  };

  // Each part continues with the server that the previous one left. A missing installation file is part of
  // the test below in which a start finds no space.
  await t.test('starts as usual with a damaged installation file', async () => {
    await reset({ keepStore: true });
    const before = await readFile(folder.installation, 'utf8');
    await change(folder.installation, (bytes) => flip(bytes, 3));
    await start();
    assert.equal((await fetch(`${trackside.origin()}/health`)).status, 200);
    assert.equal(await readFile(folder.installation, 'utf8'), before);
  });

  await t.test('notices that the journal was moved away, and reports it at the next start', async () => {
    await rename(folder.journal, `${dataDir}/elsewhere`);
    assert.equal((await send('nowhere')).status, 503);
    await untilEnded();
    await start();
    const { status, headers } = await send('somewhere');
    assert.deepEqual([status, headers.get('contingent-remaining')], [200, String(limit - 31)]);
    const [damage] = await readDamage(folder.damage);
    assert.match(
      damage?.says ?? '',
      /the journal was empty when the server started, although records were accepted before/,
    );
    const told = /the journal was empty when the server started/;
    await waitFor('/health to tell it', async () => told.test(await complaintsOfHealth(trackside.origin())));
    for (const [who, text] of Object.entries(await lookAt(trackside.origin(), dataDir)))
      assert.match(text, told, `expected ${who} to tell it`);
  });

  await t.test('a removed lock file lets no second server in, and is created again', async () => {
    await rm(folder.nodeLock);
    const startSecond = () =>
      promisify(execFile)(process.execPath, [main, 'serve', '--port', '0', '--data-dir', dataDir], {
        // The time runs out only if the second server is let in.
        timeout: 300_000,
      }).catch((error: { code: number | null; stderr: string }) => ({
        code: error.code,
        stderr: error.stderr,
      }));
    const reason = 'another server is running on this folder. Stop it, or choose another --data-dir.';
    const refused = { code: 1, stderr: `trackside: ${dataDir}: ${reason}\n` };
    assert.deepEqual(await startSecond(), refused);
    await rm(folder.nodeLock, { force: true });
    await waitFor('the lock file', async () => (await readdir(dataDir)).includes('node.lock'));
    await rm(folder.journalLock);
    assert.deepEqual(await startSecond(), refused);
    assert.equal((await send('still here')).status, 200);
  });

  await t.test(
    'answers no record with 200 once the data folder is removed, nor with 401 afterwards',
    async () => {
      assert.equal((await send('before')).status, 200);
      await rm(dataDir, { recursive: true, maxRetries: 20, retryDelay: 50 });
      const saidBefore = trackside.output().length;
      const { status, headers } = await send('nowhere');
      assert.deepEqual([status, headers.get('retry-after')], [503, '2']);
      await untilEnded();
      assert.match(
        trackside.output().slice(saidBefore),
        /was removed or replaced .*Put the data folder back/,
      );
      await start();
      assert.equal((await send('still nowhere')).status, 503);
      assert.doesNotMatch(trackside.output().slice(saidBefore), /\/setup#/);
    },
  );
}

async function noSpace(t: TestContext, { trackside, send, reset }: Prepared) {
  const { folder } = trackside;
  // The kernel itself refuses writes to these with ENOSPC.
  const steps = { installation: `${folder.installation}.part`, ledger: join(folder.journal, 'ledger.new') };
  const expectNoSpace = async () => {
    const { status, headers } = await send('too early');
    assert.deepEqual([status, headers.get('retry-after')], [503, '30']);
    const health = await fetch(`${trackside.origin()}/health`);
    assert.equal(health.status, 503);
    assert.match(await health.text(), /"part":"disk","why":"the disk is full/);
  };

  await reset({ keepStore: true });
  const installation = await readFile(folder.installation, 'utf8');
  await rm(folder.installation);
  await mkdir(folder.journal, { recursive: true });
  for (const path of Object.values(steps)) await symlink('/dev/full', path);
  await trackside.start();

  await t.test('for the installation file', async () => {
    await expectNoSpace();
    assert.ok(!(await readdir(trackside.dataDir)).includes(basename(folder.installation)));
    await rm(steps.installation);
    await waitFor('the name to be written', async () => {
      return (await readFile(folder.installation, 'utf8').catch(() => '')) === installation;
    });
  });

  await t.test('for the ledger', async () => {
    await expectNoSpace();
    await rm(steps.ledger);
    await waitFor('the server to accept records', () =>
      send('in time').then(
        (answer) => answer.status === 200,
        () => false,
      ),
    );
    assert.equal((await fetch(`${trackside.origin()}/health`)).status, 200);
  });
}

test('whatever happened to the data folder, the server starts, or answers 503 and says why', async (t) => {
  const prepared = await prepare(t);
  await t.test('a damaged journal', (part) => damagedJournal(part, prepared));
  await t.test('a data folder without its control database', (part) => lostControl(part, prepared));
  if (isLongForm)
    await t.test('a data folder with an older control database', (part) => olderControl(part, prepared));
  if (isLongForm)
    await t.test('files that are removed from a running server', (part) => takenFiles(part, prepared));
  await t.test('a start that finds no space at first', (part) => noSpace(part, prepared));
});
