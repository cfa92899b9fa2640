import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { workerFolder } from '../src/files/worker-folders.ts';
import { readSegments } from '../src/journal/read-segments.ts';
import { findFreePort } from './support/find-free-port.ts';
import { testLong, times } from './support/long-form.ts';
import { type AnswerBody, pageView } from './support/records.ts';
import { shareTrackside } from './support/share-trackside.ts';
import type { Trackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

type Sent = { status: number; headers: NodeJS.Dict<string | string[]>; text: string };

let trackside: Trackside;
const environment: Record<string, string> = { TRACKSIDE_WORKERS: '2' };
const start = shareTrackside({ environment, port: await findFreePort() });
before(async () => {
  trackside = await start();
});

type Options = { apiKey?: string; body?: string; key?: string; method?: string; isSplit?: boolean };

/** Opens a new connection for each request, so that any worker may get it. */
function send(path: string, options: Options = {}) {
  const { apiKey, body, key, method = 'POST', isSplit = false } = options;
  return new Promise<Sent>((resolve, reject) => {
    const headers = {
      ...(apiKey && { Authorization: apiKey }),
      ...(key && { 'Idempotency-Key': key }),
      ...(body && { 'Content-Length': Buffer.byteLength(body) }),
      Connection: 'keep-alive',
    };
    const sent = request(`${trackside.origin()}${path}`, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        resolve({ status: response.statusCode!, headers: response.headers, text });
        sent.destroy();
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    if (!isSplit) return sent.end(body);
    // The rest arrives while the connection is on its way to another process.
    sent.flushHeaders();
    sent.write(body!.slice(0, 10));
    setImmediate(() => sent.end(body!.slice(10)));
  });
}

/** Sends a record again while nobody can judge it. */
async function sendUntilTaken(options: Options): Promise<Sent> {
  let sent: Sent | undefined;
  await waitFor('an answer', async () => {
    sent = await send('/api/page-view', options);
    return sent.status !== 503;
  });
  return sent!;
}

const viewOf = (path: string) =>
  JSON.stringify(pageView({ Page: { Absolute: `https://example.com${path}` } }));

/** The processes of the other workers. */
function workerPids(): number[] {
  const pid = trackside.pid();
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.filter((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('worker');
    } catch {
      return false;
    }
  });
}

async function countByPath(id: number): Promise<Map<string, number>> {
  const rows = await trackside.store.query<{ path: string; times: number }>({
    query:
      'select path, toUInt32(count()) as times from records where website_id = {id:UInt32} group by path',
    params: { id },
  });
  return new Map(rows.map(({ path, times }) => [path, times]));
}

const isStored = (id: number, paths: readonly string[]) => async () => {
  const found = await countByPath(id).catch(() => new Map<string, number>());
  return paths.every((path) => found.has(path));
};

describe('a server with two workers', { timeout: times(1_800_000, 3_600_000) }, () => {
  test('takes records in all of them, counts each once, and says so in one place', async () => {
    const { id, apiKey } = await trackside.addWebsite('workers.test');
    const before = await readAccepted();
    const paths: string[] = [];
    const hasRecords = async (worker: number) => {
      const { journal } = workerFolder(trackside.dataDir, worker);
      // On a busy machine, it takes a while until the worker has begun.
      if (!existsSync(journal)) return false;
      const segments = await readSegments(journal);
      return segments.some(({ firstFrame, end }) => end > firstFrame);
    };
    // The system decides who accepts a connection: usually the one that is awake first.
    await waitFor('both workers to have records', async () => {
      const wave = Array.from({ length: 100 }, (_, at) => `/p${paths.length + at}`);
      paths.push(...wave);
      const sent = wave.map((path) => send('/api/page-view', { apiKey, body: viewOf(path) }));
      for (const { status, text } of await Promise.all(sent)) assert.equal(status, 200, text);
      return (await hasRecords(1)) && (await hasRecords(2));
    });
    assert.equal((await readAccepted()) - before, paths.length);
    await waitFor('all records to be in the store', isStored(id, paths));
    const found = await countByPath(id);
    assert.deepEqual(new Set(found.values()), new Set([1]));
    assert.equal(found.size, paths.length);
    // On a busy machine, one of them may be late with what it has to load.
    await waitFor('nothing to be degraded', async () => {
      const { status, text } = await send('/health', { method: 'GET' });
      return status === 200 && JSON.parse(text).degraded.length === 0;
    });
  });

  test('answers everything else on any connection, however it is sent', async () => {
    const { apiKey } = await trackside.addWebsite('others.test');
    for (let round = 0; round < 12; round += 1) {
      const [page, unknown, large] = await Promise.all([
        send('/', { method: 'GET' }),
        send('/api/page-view', { apiKey: 'wrong', body: viewOf('/') }),
        send('/nowhere', { body: 'x'.repeat(200_000) }),
      ]);
      assert.deepEqual([page.status, unknown.status, large.status], [200, 401, 404]);
      const sent = Array.from({ length: 8 }, () =>
        send('/api/page-view?split', { apiKey, body: viewOf('/split'), isSplit: true }),
      );
      for (const { status, text } of await Promise.all(sent)) assert.equal(status, 200, text);
    }
  });

  test('recognizes a repeat, whichever worker gets it', async () => {
    const { id, apiKey } = await trackside.addWebsite('repeats.test');
    const keys = Array.from({ length: 20 }, () => randomUUID());
    const attempts = keys.flatMap((key) =>
      Array.from({ length: 6 }, () => send('/api/page-view', { apiKey, key, body: viewOf(`/${key}`) })),
    );
    for (const { status, text } of await Promise.all(attempts)) assert.equal(status, 200, text);
    const other = await send('/api/page-view', { apiKey, key: keys[0]!, body: viewOf('/other') });
    assert.equal(other.status, 400);
    assert.match(other.text, /Idempotency-Key: expected a new key/);
    await waitFor(
      'all records to be in the store',
      isStored(
        id,
        keys.map((key) => `/${key}`),
      ),
    );
    await delay(1500);
    assert.deepEqual(new Set((await countByPath(id)).values()), new Set([1]));
  });

  test('judges each record of a batch where its key belongs, once', async () => {
    const { id, apiKey } = await trackside.addWebsite('batches.test');
    const keys = Array.from({ length: 40 }, () => randomUUID());
    const views = keys.map((key) => ({ ...JSON.parse(viewOf(`/${key}`)), IdempotencyKey: key }));
    const free = Array.from({ length: 10 }, (_, at) => JSON.parse(viewOf(`/free-${at}`)));
    const codesOf = async (list: unknown[]) => {
      const { status, text } = await send('/api/batch', { apiKey, body: JSON.stringify({ Records: list }) });
      const { Code, Results } = JSON.parse(text) as AnswerBody;
      assert.equal(Code, status);
      return [status, ...new Set(Results?.map((result) => result.Code))];
    };
    const before = await readAccepted();
    assert.deepEqual(await codesOf([...views, ...free]), [200, 200]);
    const again = await Promise.all([codesOf(views), codesOf(views.toReversed())]);
    assert.deepEqual(again, [
      [200, 200],
      [200, 200],
    ]);
    const single = await send('/api/page-view', { apiKey, key: keys[0]!, body: viewOf(`/${keys[0]}`) });
    assert.equal(single.status, 200, single.text);
    const { IdempotencyKey } = views[1]!;
    assert.deepEqual(await codesOf([{ ...JSON.parse(viewOf('/other')), IdempotencyKey }]), [207, 400]);
    assert.equal((await readAccepted()) - before, views.length + free.length);
    await waitFor(
      'all records to be in the store',
      isStored(id, [...keys.map((key) => `/${key}`), ...free.map((_, at) => `/free-${at}`)]),
    );
    assert.deepEqual(new Set((await countByPath(id)).values()), new Set([1]));
  });

  test('erases a person and deletes a website in all of them', async () => {
    const { id, apiKey } = await trackside.addWebsite('erased.test');
    const bodyOf = (path: string, ClientId: string) =>
      JSON.stringify(pageView({ Page: { Absolute: `https://example.com${path}` }, Identify: { ClientId } }));
    const people = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 'carl' : 'dora'));
    const sent = people.map((person, at) =>
      send('/api/page-view', { apiKey, body: bodyOf(`/${person}/${at}`, person) }),
    );
    for (const { status } of await Promise.all(sent)) assert.equal(status, 200);
    // Records that are not loaded yet are found too.
    const erased = await trackside.runHere('person', 'erase', 'erased.test', 'carl', '--yes', '--json');
    assert.equal(erased.code, 0, erased.stderr);
    const left = people.map((person, at) => `/${person}/${at}`).filter((path) => path.startsWith('/dora'));
    await waitFor('the others to be in the store', isStored(id, left));
    assert.deepEqual([...(await countByPath(id)).keys()].toSorted(), left.toSorted());
    const words = ['website', 'delete', 'erased.test', '--confirm', 'erased.test', '--json'];
    const deleted = await trackside.runHere(...words);
    assert.equal(deleted.code, 0, deleted.stderr);
    assert.equal((await countByPath(id)).size, 0);
    for (let attempt = 0; attempt < 8; attempt += 1)
      assert.equal((await send('/api/page-view', { apiKey, body: viewOf('/late') })).status, 401);
  });

  test('accepts exactly the contingent', async () => {
    const { apiKey } = await trackside.addWebsite('limited.test', 50);
    const all: Sent[] = [];
    for (let wave = 0; wave < 12; wave += 1) {
      // By their keys, about half of them are judged by each worker.
      const sent = Array.from({ length: 10 }, () =>
        send('/api/page-view', { apiKey, body: viewOf('/'), key: randomUUID() }),
      );
      all.push(...(await Promise.all(sent)));
    }
    const answers = Map.groupBy(all, ({ status }) => status);
    assert.deepEqual([...answers].map(([status, { length }]) => [status, length]).toSorted(), [
      [200, 50],
      [429, 70],
    ]);
  });

  test('accepts exactly the contingent of batches', async () => {
    const { apiKey } = await trackside.addWebsite('limited-batches.test', 50);
    const bodyOf = () => {
      const list = Array.from({ length: 20 }, () => ({ ...pageView(), IdempotencyKey: randomUUID() }));
      return JSON.stringify({ Records: list });
    };
    const sent = await Promise.all(
      Array.from({ length: 6 }, () => send('/api/batch', { apiKey, body: bodyOf() })),
    );
    const codes = sent.flatMap(({ text }) =>
      (JSON.parse(text) as AnswerBody).Results!.map(({ Code }) => Code),
    );
    const answers = Map.groupBy(codes, (code) => code);
    assert.deepEqual([...answers].map(([code, { length }]) => [code, length]).toSorted(), [
      [200, 50],
      [429, 70],
    ]);
  });

  testLong('loses nothing and counts nothing twice while workers are killed', async (t) => {
    const { id, apiKey } = await trackside.addWebsite('killed.test', 1_000_000);
    const accepted = new Map<string, string>();
    const stop = new AbortController();
    const senders = Array.from({ length: 6 }, (_, client) => sendUntil(stop.signal, client));
    t.after(() => stop.abort());
    async function sendUntil(stopped: AbortSignal, client: number): Promise<void> {
      for (let at = 0; !stopped.aborted; at += 1) {
        const path = `/c${client}-${at}`;
        const key = randomUUID();
        // Tried again until there is an answer, as the SDK does.
        for (let isOpen = true; isOpen && !stopped.aborted; ) {
          const sent = await send('/api/page-view', { apiKey, key, body: viewOf(path) }).catch(
            () => undefined,
          );
          isOpen = sent?.status !== 200;
          if (isOpen) await delay(20);
          else accepted.set(path, key);
        }
        await delay(times(60, 0));
      }
    }
    for (let round = 0; round < times(2, 40); round += 1) {
      const workers = ['2', '1', '3', '3', '4'][round % 5]!;
      const before = accepted.size;
      await waitFor('records to be accepted', () => accepted.size > before + 40);
      for (const pid of workerPids().slice(0, 1 + (accepted.size % 2))) process.kill(pid, 'SIGKILL');
      await waitFor('more records to be accepted', () => accepted.size > before + 80);
      environment.TRACKSIDE_WORKERS = workers;
      await trackside.end(workers === '2' ? 'SIGTERM' : 'SIGKILL');
      await trackside.start();
    }
    const before = accepted.size;
    await waitFor('records to be accepted', () => accepted.size > before + 20);
    stop.abort();
    await Promise.all(senders);
    await waitFor('the store to have all records', isStored(id, [...accepted.keys()]));

    for (const [path, key] of [...accepted].filter((_, at) => at % 5 === 0)) {
      // A worker that was started again is away for a while.
      const { status, text } = await sendUntilTaken({ apiKey, key, body: viewOf(path) });
      assert.equal(status, 200, text);
    }
    const last = await sendUntilTaken({ apiKey, key: randomUUID(), body: viewOf('/last') });
    await waitFor('the store to have the last record', isStored(id, ['/last']));
    const found = await countByPath(id);
    const doubled = [...found].filter(([, count]) => count !== 1);
    assert.deepEqual(doubled, []);
    assert.equal(found.size, accepted.size + 1);
    assert.equal(last.status, 200);

    await t.test('the contingent has counted exactly the records that are in the store', async () => {
      await waitFor('all workers to have said what they counted', async () => {
        const { headers } = await send('/api/page-view', { apiKey, key: 'again', body: viewOf('/again') });
        return 1_000_000 - Number(headers['contingent-remaining']) >= found.size + 1;
      });
      const used = await trackside.control.usage.usedOf(id, new Date().toISOString().slice(0, 7));
      assert.ok(used <= found.size + 1, `${used} were counted, ${found.size + 1} accepted`);
    });

    await t.test('verify finds every record once, in all journals', async () => {
      // It finds differences while the last record is being loaded.
      await waitFor('verify to find no difference', async () => {
        const { code, stdout } = await trackside.runHere('verify', '--json');
        return code === 0 && JSON.parse(stdout).differences.length === 0;
      });
    });
  });
});

async function readAccepted(): Promise<number> {
  const { text } = await send('/metrics', { method: 'GET' });
  return [...text.matchAll(/^trackside_records_accepted_total\{[^}]*\} (\d+)/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}
