import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { testLong, times } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { useTracksideOfProcess } from './support/share-trackside.ts';
import { startTrackside, type Trackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const victims = ['node', 'engine', 'both'] as const;
const clients = times(6, 16);
const recordsInBatch = 30;
/** Keeps records coming all the time, without the clients taking the whole machine. */
const pauseMs = times(100, 0);
/** How long a client waits for a server that is away before it tries again. */
const awayMs = times(50, 5);

type Answers = { accepted: Set<string>; sent: number };

/**
 * Sends records, each with its own path, and remembers which were answered with 200. Network errors are
 * expected.
 */
async function sendUntil(
  stopped: AbortSignal,
  client: number,
  trackside: Trackside,
  apiKey: string,
  answers: Answers,
) {
  for (let i = 0; !stopped.aborted; i += 1) {
    // Every third client sends batches.
    const size = client % 3 === 0 ? recordsInBatch : 1;
    const paths = Array.from({ length: size }, (_, at) => `/c${client}-${i}-${answers.sent + at}`);
    answers.sent += size;
    const views = paths.map((path) => pageView({ Page: { Absolute: `https://example.com${path}` } }));
    try {
      if (size === 1) {
        const { status } = await post(trackside.origin(), '/api/page-view', apiKey, views[0]);
        if (status === 200) answers.accepted.add(paths[0]!);
      } else {
        const { body } = await post(trackside.origin(), '/api/batch', apiKey, { Records: views });
        for (const [at, { Code }] of (body.Results ?? []).entries())
          if (Code === 200) answers.accepted.add(paths[at]!);
      }
      if (pauseMs > 0) await delay(pauseMs);
    } catch {
      await delay(awayMs);
    }
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended on its own.
  }
}

const startShared = useTracksideOfProcess();

test('a 200 means "on this disk"', async (t) => {
  // In the short form, both are killed at once. torture.test.ts kills one of them.
  await killUnderLoad(t, await startShared(), times(1, 500));
});

testLong('a 200 means "in the store"', async (t) => {
  const trackside = await startTrackside(t, { environment: { TRACKSIDE_ACK: 'store' } });
  await killUnderLoad(t, trackside, times(2, 500));
});

/** Every record answered 200 must be in the store exactly once after all the kills. */
async function killUnderLoad(t: TestContext, trackside: Trackside, rounds: number): Promise<void> {
  const { id, apiKey } = await trackside.addWebsite('crash.test', 10_000_000);
  const answers: Answers = { accepted: new Set(), sent: 0 };
  const stop = new AbortController();
  const senders = Array.from({ length: clients }, (_, i) =>
    sendUntil(stop.signal, i, trackside, apiKey, answers),
  );

  for (let round = 0; round < rounds; round += 1) {
    const before = answers.accepted.size;
    await waitFor('records to be accepted', () => answers.accepted.size > before + 50);
    // The kill comes at a different moment each time: while writing, loading, inserting or starting up.
    await delay((round * 411) % 1500);
    const victim = victims[(round + victims.length - (rounds % victims.length)) % victims.length]!;
    const engines = trackside.enginePids();
    if (victim !== 'node') for (const pid of engines) killIfThere(pid);
    if (victim !== 'engine') {
      await trackside.end('SIGKILL');
      await trackside.start();
    }
  }
  stop.abort();
  await Promise.all(senders);

  /** With a key, so that it can be sent again while the store is away. */
  const sendUntilAccepted = async (body: unknown) => {
    const key = { 'Idempotency-Key': randomUUID() };
    let answer = await post(trackside.origin(), '/api/page-view', apiKey, body, key);
    await waitFor('a record to be accepted', async () => {
      if (answer.status === 200) return true;
      answer = await post(trackside.origin(), '/api/page-view', apiKey, body, key);
      return false;
    });
    return answer;
  };
  // Counting rows is not enough, because records that were stored but never answered are rows too. The
  // journal is loaded in order, so a record that is missing once the last one is there is lost.
  const last = pageView({ Page: { Absolute: 'https://example.com/last' } });
  await sendUntilAccepted(last);
  answers.accepted.add('/last');
  await waitFor('the store to have the last record', () =>
    trackside.countRows(`website_id = ${id} and path = '/last'`).then(
      (count) => count > 0,
      () => false,
    ),
  );
  const rows = await trackside.store.query<{ path: string; times: number }>({
    query:
      'select path, toUInt32(count()) as times from records where website_id = {id:UInt32} group by path',
    params: { id },
  });
  const times = new Map(rows.map((row) => [row.path, row.times]));
  const lost = [...answers.accepted].filter((path) => !times.has(path));
  const doubled = rows.filter((row) => row.times !== 1);
  assert.deepEqual({ lost, doubled }, { lost: [], doubled: [] });
  assert.ok(answers.accepted.size > rounds * 50);

  await t.test('the contingent has counted exactly the records that are in the store', async () => {
    const { headers } = await sendUntilAccepted(pageView());
    const used = 10_000_000 - Number(headers.get('contingent-remaining'));
    assert.equal(used, rows.length + 1);
  });

  await t.test('the ledger has counted the same', async () => {
    const readTotals = async () => {
      const { code, stdout } = await trackside.runHere('ledger', 'crash.test', '--json');
      assert.equal(code, 0, stdout);
      return JSON.parse(stdout).totals;
    };
    // Those of the last seconds are included later.
    await waitFor('the last record to be counted', async () => (await readTotals()).sent > rows.length);
    const { accepted, sent } = await readTotals();
    assert.deepEqual([accepted, sent], [rows.length + 1, rows.length + 1]);
  });

  await t.test('verify finds every batch complete', async () => {
    // It finds differences while the last record is being loaded.
    await waitFor('verify to find no difference', async () => {
      const { code, stdout } = await trackside.runHere('verify', '--json');
      return code === 0 && JSON.parse(stdout).differences.length === 0;
    });
  });
}
