import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHttpExchange } from '../../sdk/src/sending/exchange-by-http.ts';
import { sendRecord } from '../../sdk/src/sending/send-record.ts';
import { systemClock as clientClock } from '../../sdk/src/time/clock.ts';
import { openControl } from '../src/control/open-control.ts';
import { dataFolder } from '../src/files/data-folder.ts';
import { openStore } from '../src/store/open-store.ts';
import { systemClock } from '../src/time/clock.ts';
import { assertAnswer } from './contract/assert-answer.ts';
import { type ContractCase, loadCases } from './contract/load-cases.ts';
import { sendCase } from './contract/send-case.ts';
import { findFreePort } from './support/find-free-port.ts';
import { isLongForm } from './support/long-form.ts';
import { outsideEnvironment, outsideStoreAt } from './support/outside-environment.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { createServerProcess } from './support/spawn-server.ts';
import { startEngineService } from './support/start-engine-service.ts';
import { silentLog } from './support/test-engine.ts';
import { waitFor } from './support/wait-for.ts';

const senders = 8;
/** Records that wait together are in the store together. */
const casesAtOnce = 32;

test('a server that answers once the store has the record', { timeout: 1_800_000 }, async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'trackside-'));
  const dataDir = join(root, 'node');
  const service = await startEngineService(t, { port: await findFreePort() });
  const environment = { ...outsideEnvironment(service.origin()), TRACKSIDE_ACK: 'store' };
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const node = createServerProcess({ dataDir, port, environment });
  const store = openStore({ outside: outsideStoreAt(service.origin()), use: 'asking', log: silentLog });
  t.after(async () => {
    await node.end('SIGKILL');
    await store.close();
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  await node.start();
  const added = await runHere(['website', 'add', 'shop.test', '--data-dir', dataDir, '--json'], environment);
  const { apiKey } = JSON.parse(added.stdout);
  const timesOf = async (path: string) => {
    const rows = await store.query<{ path: string; times: number }>({
      query: 'select path, toUInt32(count()) as times from records group by path',
    });
    return new Map(rows.map((row) => [row.path, row.times])).get(path) ?? 0;
  };
  const send = (path: string, headers: Record<string, string> = {}) =>
    post(
      origin,
      '/api/page-view',
      apiKey,
      pageView({ Page: { Absolute: `https://shop.test${path}` } }),
      headers,
    );

  const destination = { url: origin, apiKey, timeoutMs: 300_000, exchange: createHttpExchange() };
  const bySdk = {
    key: randomUUID(),
    path: '/api/page-view',
    body: JSON.stringify(pageView({ Page: { Absolute: 'https://shop.test/by-sdk' } })),
  } as const;
  const sendBySdk = (attempts: number) => sendRecord(destination, { ...bySdk, attempts }, clientClock);

  await t.test('answers 503 while the store is away, and counts a repeat once when it is back', async () => {
    const first = { 'Idempotency-Key': randomUUID() };
    // On a busy machine, the store may not be ready within the time for which an answer waits.
    await waitFor('an answer', async () => (await send('/first', first)).status === 200);
    assert.equal(await timesOf('/first'), 1, 'the store has it by the time of the answer');
    await service.end('SIGKILL');
    const key = { 'Idempotency-Key': randomUUID() };
    const sendBatch = () => post(origin, '/api/batch', apiKey, { Records: [pageView(), {}] });
    const [unsure, unsureBySdk, unsureBatch] = await Promise.all([
      send('/unsure', key),
      sendBySdk(1),
      sendBatch(),
    ]);
    assert.equal(unsure.status, 503);
    assert.equal(unsure.headers.get('retry-after'), '5');
    assert.equal(unsure.headers.get('trackside-outcome'), 'unknown');
    assert.match(unsure.body.Message, /is kept, but the store has not confirmed it/);
    const outcomes = ({ body }: typeof unsureBatch) => body.Results?.map(({ Outcome }) => Outcome);
    assert.deepEqual(outcomes(unsureBatch), ['unknown', undefined]);
    const batch = await sendBatch();
    assert.deepEqual([batch.status, batch.headers.get('retry-after')], [207, '5']);
    assert.deepEqual(
      batch.body.Results?.map(({ Code }) => Code),
      [503, 503],
    );
    assert.deepEqual(outcomes(batch), [undefined, undefined]);
    const beganMs = performance.now();
    assert.deepEqual(
      [unsureBySdk.result.code, unsureBySdk.isTransient, unsureBySdk.isUncertain],
      [503, true, true],
      'the SDK sends it again only while its key is known',
    );
    const refused = await send('/refused');
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('trackside-outcome'), null, 'it is certain that it was not taken');
    assert.ok(performance.now() - beganMs < 7000, 'nobody waits for a store that is known to be away');
    const health = await fetch(`${origin}/health`);
    assert.equal(health.status, 503);
    assert.match(await health.text(), /TRACKSIDE_ACK=store/);
    await service.start();
    await waitFor('the repeat to be answered', async () => (await send('/unsure', key)).status === 200);
    assert.equal(await timesOf('/unsure'), 1);
    await waitFor('the SDK to be answered', async () => (await sendBySdk(2)).result.kind === 'accepted');
    assert.equal(await timesOf('/by-sdk'), 1);
    assert.equal(await timesOf('/refused'), 0, 'a refused record is not even written');
    const views = ['/b1', '/b2'].map((path) => ({
      ...pageView({ Page: { Absolute: `https://shop.test${path}` } }),
      IdempotencyKey: randomUUID(),
    }));
    const sendViews = () => post(origin, '/api/batch', apiKey, { Records: views });
    await waitFor('the batch to be answered', async () => (await sendViews()).status === 200);
    assert.deepEqual([await timesOf('/b1'), await timesOf('/b2')], [1, 1]);
  });

  await t.test('keeps the contract, and the store has what it has answered', async () => {
    const control = await openControl({
      folder: dataFolder(dataDir).control,
      secretKeyFile: join(dataDir, 'secret.key'),
      clock: systemClock,
      log: silentLog,
    });
    t.after(() => control.close());
    const addWebsite = async (domain: string, contingent: number | null = null) => {
      const { website, apiKey } = await control.websites.add({ domain, timezone: 'UTC', contingent });
      return { id: website.id, apiKey };
    };
    const cases = loadCases().filter(
      ({ about }, index) => isLongForm || about === 'Trackside-Attempt' || index % 5 === 0,
    );
    const [limited, exhausted] = [
      await addWebsite('limited.test', 1e5),
      await addWebsite('exhausted.test', 0),
    ];
    // Cases use the same keys for different records.
    const websites = new Map<ContractCase, { id: number; apiKey: string }>();
    for (const [number, one] of cases.filter(({ verdict }) => verdict === 'accepted').entries())
      websites.set(one, await addWebsite(`case-${number}.test`));
    const last = await addWebsite('last.test');
    await waitFor(
      'the server to know the websites',
      async () => (await post(origin, '/api/page-view', last.apiKey, pageView())).status === 200,
    );
    const keysOf = (one: ContractCase) => ({
      valid: (websites.get(one) ?? last).apiKey,
      limited: limited.apiKey,
      exhausted: exhausted.apiKey,
      // No case of these is about a website with rules.
      excluding: '',
      unknown: 'A'.repeat(43),
    });
    const waiting = [...cases];
    const failed: string[] = [];
    const sendWaiting = async () => {
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        try {
          assertAnswer(one, await sendCase({ origin, keys: keysOf(one) }, one));
        } catch (error) {
          failed.push(`${one.title}: ${error}`);
        }
      }
    };
    await Promise.all(Array.from({ length: casesAtOnce }, sendWaiting));
    assert.deepEqual(failed, []);
    const rows = await store.query<{ times: number }>({
      query: `select toUInt32(count()) as times from records where website_id between ${limited.id} and ${last.id - 1}`,
    });
    const accepted = [...websites.keys()].reduce((sum, one) => sum + one.rows, 0);
    assert.equal(rows[0]?.times, accepted);
  });

  await t.test('every record that was answered is counted after the machine is lost', async () => {
    const answered: string[] = [];
    let isLost = false;
    t.after(() => {
      isLost = true;
    });
    const sending = Array.from({ length: senders }, async (_, sender) => {
      for (let at = 0; !isLost; at += 1) {
        const path = `/${sender}/${at}`;
        const answer = await send(path).catch(() => undefined);
        if (answer?.status === 200) answered.push(path);
      }
    });
    await waitFor('records to be answered', () => answered.length > 150);
    await node.end('SIGKILL');
    isLost = true;
    await rm(dataDir, { recursive: true, force: true });
    await Promise.all(sending);
    const rows = await store.query<{ path: string; times: number }>({
      query: 'select path, toUInt32(count()) as times from records group by path',
    });
    const times = new Map(rows.map((row) => [row.path, row.times]));
    assert.deepEqual(
      answered.filter((path) => times.get(path) !== 1),
      [],
    );
  });
});
