import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestPostgres } from '../src/control/test-postgres.ts';
import { openStore } from '../src/store/open-store.ts';
import { findFreePort } from './support/find-free-port.ts';
import { isLongForm, times } from './support/long-form.ts';
import { outsideEnvironment, outsideStoreAt } from './support/outside-environment.ts';
import { openRaw, requestText } from './support/raw-connection.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { createServerProcess } from './support/spawn-server.ts';
import { startEngineService } from './support/start-engine-service.ts';
import { silentLog } from './support/test-engine.ts';
import { waitFor } from './support/wait-for.ts';

const kills = times(2, 30);
const recordsBeforeKill = 60;
const clients = times(6, 12);
const againMs = times(60, 10);

/** What a client says about its attempts. One of another kind says nothing. */
type Attempt = number | undefined;

async function prepare(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'trackside-'));
  const postgres = await startTestPostgres();
  await postgres.run('postgres', 'create database trackside template template0');
  const service = await startEngineService(t, { port: await findFreePort() });
  const environment = {
    ...outsideEnvironment(service.origin()),
    TRACKSIDE_DATABASE_URL: postgres.url('trackside'),
    TRACKSIDE_SECRET_KEY_FILE: join(root, 'one', 'secret.key'),
  };
  const open = async (name: string) => {
    const [port, nodePort] = [await findFreePort(), await findFreePort()];
    const settings = { ...environment, TRACKSIDE_NODE_ADDRESS: `127.0.0.1:${nodePort}` };
    const dataDir = join(root, name);
    const server = createServerProcess({ dataDir, port, environment: settings });
    return { ...server, dataDir, nodePort, at: `http://127.0.0.1:${port}` };
  };
  const nodes = [await open('one'), await open('two')] as const;
  const store = openStore({ outside: outsideStoreAt(service.origin()), use: 'asking', log: silentLog });
  t.after(async () => {
    for (const node of nodes) await node.end('SIGKILL');
    await store.close();
    await postgres.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  for (const node of nodes) await node.start();
  const words = ['website', 'add', 'shop.test', '--data-dir', nodes[0].dataDir, '--json'];
  const { code, stdout, stderr } = await runHere(words, environment);
  assert.equal(code, 0, stderr);
  /** How often each path is in the store. */
  const countPaths = async () => {
    const rows = await store.query<{ path: string; times: number }>({
      query: 'select path, toUInt32(count()) as times from records group by path',
    });
    return new Map(rows.map((row) => [row.path, row.times]));
  };
  return { nodes, apiKey: JSON.parse(stdout).apiKey as string, countPaths };
}

function createSend(apiKey: string) {
  return async (at: string, path: string, key: string, attempt: Attempt, isLost = false) => {
    const body = JSON.stringify(pageView({ Page: { Absolute: `https://shop.test${path}` } }));
    const said: Record<string, string> =
      attempt === undefined ? {} : { 'Trackside-Attempt': String(attempt) };
    const headers = { Authorization: apiKey, 'Idempotency-Key': key, ...said };
    const connection = await openRaw(at);
    try {
      connection.send(requestText('POST', '/api/page-view', headers, body));
      if (!isLost) return (await connection.untilAnswers(1))[0];
      // The connection closes while the server works on the request, or just afterwards.
      await delay(2);
      return undefined;
    } finally {
      connection.destroy();
    }
  };
}

test('two nodes recognize each other’s records', { timeout: 1_800_000 }, async (t) => {
  const { nodes, apiKey, countPaths } = await prepare(t);
  const [one, two] = nodes;
  const send = createSend(apiKey);
  const statusOf = async (...sent: Parameters<typeof send>) =>
    (await send(...sent).catch(() => undefined))?.status;
  /** On a busy machine, another node may answer too late. Then a record has to be sent again. */
  const settledStatusOf = async (...sent: Parameters<typeof send>) => {
    let status: number | undefined;
    await waitFor('an answer that settles it', async () => {
      status = await statusOf(...sent);
      return status !== undefined && status !== 503;
    });
    return status;
  };
  const sent: string[] = [];

  await t.test('a repeat at the other node is answered and not counted', async () => {
    for (const attempt of [2, undefined]) {
      const [path, key] = [`/repeat-${attempt}`, randomUUID()];
      sent.push(path);
      assert.equal(await statusOf(one.at, path, key, 1), 200);
      assert.equal(await settledStatusOf(two.at, path, key, attempt), 200);
    }
    assert.equal(await statusOf(one.at, '/reused', 'the same key', 1), 200);
    assert.equal(
      await settledStatusOf(two.at, '/another', 'the same key', 2),
      400,
      'another record with its key',
    );
    sent.push('/reused');
  });

  await t.test(
    'a receipt of one node is answered by the other, and never says that a record is gone',
    async () => {
      const answers = await Promise.all(
        nodes.map(({ at }, index) => send(at, `/receipt-${index}`, randomUUID(), 1)),
      );
      sent.push('/receipt-0', '/receipt-1');
      const receipts = answers.map((answer) => answer!.headers['trackside-receipt']!);
      for (const [receipt, { at }] of receipts.flatMap((text) => nodes.map((node) => [text, node] as const)))
        await waitFor('the record to be in the store', async () => {
          const headers = { Authorization: apiKey };
          const answer = await fetch(`${at}/api/receipt/${receipt}`, { headers });
          const { State: state } = (await answer.json()) as { State?: string };
          assert.notEqual(state, 'gone');
          return state === 'stored';
        });
    },
  );

  await t.test('a first attempt that arrives after its repeat is not counted', async () => {
    const key = randomUUID();
    sent.push('/late');
    assert.equal(await settledStatusOf(two.at, '/late', key, 2), 200);
    assert.equal(await settledStatusOf(one.at, '/late', key, 1), 200);
  });

  await t.test('repeats that arrive at both nodes at the same moment are counted once', async () => {
    const together = Array.from({ length: 40 }, async (_, at) => {
      const [path, key] = [`/both-${at}`, randomUUID()];
      sent.push(path);
      // Every third is a first attempt that is still on its way when its repeat arrives.
      const attempts: Attempt[] = [
        [2, 3],
        [1, 2],
        [undefined, 2],
      ][at % 3]!;
      const both = () =>
        Promise.all(nodes.map((node, which) => statusOf(node.at, path, key, attempts[which])));
      await waitFor('one of the two to be accepted', async () => (await both()).includes(200));
    });
    await Promise.all(together);
  });

  await t.test('the records of a batch are recognized at the other node, and counted once', async () => {
    const list = Array.from({ length: 30 }, (_, at) => ({
      ...pageView({ Page: { Absolute: `https://shop.test/batch-${at}` } }),
      IdempotencyKey: randomUUID(),
    }));
    sent.push(...list.map((_, at) => `/batch-${at}`));
    const codesAt = async (at: string, records: unknown[]) => {
      const { body } = await post(at, '/api/batch', apiKey, { Records: records });
      return body.Results?.map(({ Code }) => Code) ?? records.map(() => body.Code);
    };
    // Both nodes get all of them at once, in different order, until each was accepted or recognized.
    const answered = new Set<string>();
    await waitFor('each record to be answered by one of them', async () => {
      const orders = [list, list.toReversed()] as const;
      const codes = await Promise.all(nodes.map((node, at) => codesAt(node.at, orders[at]!)));
      for (const [node, order] of orders.entries())
        for (const [at, { IdempotencyKey }] of order.entries())
          if (codes[node]![at] === 200) answered.add(IdempotencyKey);
      return answered.size === list.length;
    });
    for (const node of nodes)
      await waitFor('all of them to be recognized', async () =>
        (await codesAt(node.at, list)).every((code) => code === 200),
      );
    const { IdempotencyKey } = list[0]!;
    let codes: number[] = [];
    await waitFor('an answer that settles it', async () => {
      codes = await codesAt(two.at, [{ ...pageView(), IdempotencyKey }]);
      return !codes.includes(503);
    });
    assert.deepEqual(codes, [400]);
  });

  await t.test('while a node is away, first attempts are accepted and repeats have to wait', async () => {
    const key = randomUUID();
    sent.push('/away', '/new');
    await one.end('SIGKILL');
    assert.equal(await statusOf(two.at, '/new', randomUUID(), 1), 200);
    const answer = await send(two.at, '/away', key, 2);
    assert.equal(answer?.status, 503);
    assert.equal(answer?.headers['retry-after'], '2');
    await one.start();
    assert.equal(await settledStatusOf(two.at, '/away', key, 3), 200);
  });

  await t.test('a node that is stopped leaves its keys to the others', async () => {
    const key = randomUUID();
    sent.push('/left');
    assert.equal(await statusOf(two.at, '/left', key, 1), 200);
    // A node that stops before leaves no keys.
    const hasRecord = async () => (await countPaths().catch(() => new Map())).has('/left');
    await waitFor('the store to have the record', hasRecord);
    // On a busy machine, a question may take longer than a node waits. Without the keys, it would be an hour.
    const isAccepted = async (path: string, of: string) =>
      await waitFor(
        `${path} to be accepted`,
        async () => (await statusOf(one.at, path, of, undefined)) === 200,
      );
    const acceptsAll = async () => {
      sent.push(`/after-${sent.length}`);
      await isAccepted(sent.at(-1)!, randomUUID());
      await isAccepted('/left', key);
    };
    await two.end('SIGTERM');
    try {
      await acceptsAll();
      if (isLongForm) {
        await one.end('SIGTERM');
        await one.start();
        await acceptsAll();
      }
    } finally {
      await two.start();
    }
    await acceptsAll();
  });

  await t.test('only nodes with the secret key may ask', async () => {
    const question = JSON.stringify({ from: '', to: '', nonce: '', claims: [] });
    const ask = (proof: Record<string, string>) =>
      fetch(`http://127.0.0.1:${one.nodePort}/keys`, { method: 'POST', body: question, headers: proof });
    assert.equal((await ask({})).status, 403);
    assert.equal((await ask({ 'X-Trackside-Proof': 'a'.repeat(64) })).status, 403);
  });

  await t.test(`every record is counted once, despite lost answers and ${kills} kills`, async () => {
    let [answered, lost] = [0, 0];
    let isStopped = false;
    t.after(() => {
      isStopped = true;
    });
    const clientsDone = Array.from({ length: clients }, async (_, client) => {
      for (let record = 0; !isStopped; record += 1) {
        const [path, key] = [`/c${client}-${record}`, randomUUID()];
        sent.push(path);
        for (let attempt = 1; ; attempt += 1) {
          const isLost = attempt === 1 && record % 3 === client % 3;
          const { at } = nodes[Math.floor(Math.random() * nodes.length)]!;
          const said = client === 0 ? undefined : attempt;
          const answer = await send(at, path, key, said, isLost).catch(() => undefined);
          if (answer?.status === 200) break;
          if (isLost) lost += 1;
          else await delay(againMs);
        }
        answered += 1;
      }
    });
    for (let kill = 0; kill < kills; kill += 1) {
      const before = answered;
      await waitFor('records to be accepted', () => answered > before + recordsBeforeKill);
      const victim = nodes[kill % nodes.length]!;
      await victim.end('SIGKILL');
      await delay((kill * 331) % 900);
      await victim.start();
    }
    isStopped = true;
    await Promise.all(clientsDone);
    assert.ok(lost > 20, `only ${lost} answers were lost`);
  });

  await waitFor(
    'the store to have all',
    async () => (await countPaths().catch(() => new Map())).size >= sent.length,
  );
  const found = await countPaths();
  assert.deepEqual(
    [...found].filter(([, count]) => count !== 1),
    [],
  );
  assert.deepEqual([...found.keys()].sort(), sent.toSorted());
});
