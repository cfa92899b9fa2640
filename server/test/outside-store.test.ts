import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStore } from '../src/store/open-store.ts';
import { enginePids } from './support/engine-pids.ts';
import { findFreePort } from './support/find-free-port.ts';
import { outsideEnvironment, outsideStoreAt } from './support/outside-environment.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { createServerProcess } from './support/spawn-server.ts';
import { type EngineService, enginePassword, startEngineService } from './support/start-engine-service.ts';
import { silentLog } from './support/test-engine.ts';
import { waitFor } from './support/wait-for.ts';
import { type InsertFault, openFaultyStore } from './torture/open-faulty-store.ts';

/** Records are loaded every second, and INSERTs of an unknown outcome are waited for. */
const disturbedWithinMs = 300_000;

type Node = Awaited<ReturnType<typeof openNode>>;

/** A server that is not started yet, whose store is at the service. */
async function openNode(t: TestContext, root: string, name: string, environment: Record<string, string>) {
  const dataDir = join(root, name);
  const port = await findFreePort();
  const server = createServerProcess({ dataDir, port, environment });
  t.after(() => server.end('SIGKILL').then(() => {}));
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runHere([...words, '--data-dir', dataDir, '--json'], environment);
    assert.equal(code, 0, `${stderr}${stdout}`);
    return JSON.parse(stdout);
  };
  const health = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/health`);
    return (await answer.json()) as { degraded: { part: string; state?: string; why: string }[] };
  };
  return { ...server, dataDir, origin: `http://127.0.0.1:${port}`, run, health };
}

async function makeRoot(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return root;
}

/** Sends records until it is stopped, each with a path of its own. Returns the paths that got a 200. */
function startSending(node: Node, apiKey: string, prefix: string) {
  const answered: string[] = [];
  let isStopped = false;
  const running = (async () => {
    for (let at = 0; !isStopped; at += 1) {
      const path = `/${prefix}/${at}`;
      const record = pageView({ Page: { Absolute: `https://www.example.com${path}` } });
      const answer = await post(node.origin, '/api/page-view', apiKey, record).catch(() => undefined);
      if (answer?.status === 200) answered.push(path);
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    answered,
    async stop(): Promise<string[]> {
      isStopped = true;
      await running;
      return answered;
    },
  };
}

function openStoreOf(t: TestContext, service: EngineService) {
  const store = openStore({ outside: outsideStoreAt(service.origin()), use: 'asking', log: silentLog });
  t.after(() => store.close());
  /** How often each path is in the store. */
  const countPaths = async (): Promise<Map<string, number>> => {
    const rows = await store.query<{ path: string; times: number }>({
      query: 'select path, count() as times from records group by path',
    });
    return new Map(rows.map(({ path, times }) => [path, times]));
  };
  return { store, countPaths };
}

async function assertOnce(countPaths: () => Promise<Map<string, number>>, answered: string[]): Promise<void> {
  await waitFor('every answered record to be in the store', async () => {
    const found = await countPaths().catch(() => new Map<string, number>());
    return answered.every((path) => found.has(path));
  });
  const found = await countPaths();
  assert.deepEqual(
    [...found].filter(([, times]) => times !== 1),
    [],
    'no record is there twice',
  );
}

test('a server whose store is an engine elsewhere', { timeout: 1_800_000 }, async (t) => {
  const root = await makeRoot(t);
  const port = await findFreePort();
  const service = await startEngineService(t, { port });
  const faulty = await openFaultyStore({ host: '127.0.0.1', port });
  t.after(() => faulty.close());
  const environment = outsideEnvironment(faulty.origin);
  const node = await openNode(t, root, 'one', environment);
  await node.start();
  const { apiKey } = await node.run('website', 'add', 'shop.test');
  const { countPaths } = openStoreOf(t, service);
  const answered: string[] = [];
  const sendUntil = async (prefix: string, work: (sent: string[]) => Promise<void>) => {
    const sending = startSending(node, apiKey, prefix);
    await waitFor('records to be answered', () => sending.answered.length > 5);
    await work(sending.answered);
    answered.push(...(await sending.stop()));
  };
  const more = async (sent: string[]) => {
    const before = sent.length;
    await waitFor('more records to be answered', () => sent.length > before + 20);
  };

  await t.test('starts no engine, and loads records into the store', async () => {
    await sendUntil('plain', more);
    await assertOnce(countPaths, answered);
    assert.deepEqual(enginePids(node.pid()), []);
    await waitFor('health to be fine', async () => (await node.health()).degraded.length === 0);
  });

  await t.test(
    'an INSERT whose answer is wrong, or that ends in the middle, leaves each record once',
    async () => {
      await sendUntil('disturbed', async (sent) => {
        const faults = [
          'an error after it was stored',
          'no answer after it was stored',
          'cut off in the middle',
        ];
        for (const fault of faults as InsertFault[]) {
          assert.ok(
            await faulty.disturbNext(fault, 0, disturbedWithinMs),
            `expected an INSERT for "${fault}"`,
          );
          await more(sent);
        }
      });
      await assertOnce(countPaths, answered);
    },
  );

  await t.test('records are accepted while the engine and the service are killed', async () => {
    await sendUntil('killed', async (sent) => {
      process.kill(service.enginePids()[0]!, 'SIGKILL');
      await more(sent);
      await service.end('SIGKILL');
      await more(sent);
      await waitFor('health to say so', async () =>
        (await node.health()).degraded.some(({ state }) => state === 'unreachable'),
      );
      await service.start();
    });
    await assertOnce(countPaths, answered);
  });

  await t.test('a killed server goes on where it was', async () => {
    await sendUntil('again', async (sent) => {
      await more(sent);
      await node.end('SIGKILL');
      await node.start();
      await more(sent);
    });
    await assertOnce(countPaths, answered);
    await waitFor('health to be fine', async () => (await node.health()).degraded.length === 0);
  });

  await t.test(
    'a newer version may change the store: records are loaded until the store restarts',
    async () => {
      const ask = async (sql: string) => assert.equal((await service.ask(sql)).status, 200, sql);
      await ask("insert into trackside.schema_migrations (number, name) select 9999, 'later'");
      await sendUntil('newer', more);
      await assertOnce(countPaths, answered);
      await service.end('SIGKILL');
      await service.start();
      await service.untilReady();
      await sendUntil('waiting', async (sent) => {
        await waitFor('health to say so', async () =>
          (await node.health()).degraded.some(
            ({ part, why }) => part === 'loader' && /schema 9999/.test(why),
          ),
        );
        await more(sent);
      });
      // As if the newer version had been started on the same data folder.
      await ask(
        'alter table trackside.schema_migrations delete where number = 9999 settings mutations_sync = 2',
      );
      await assertOnce(countPaths, answered);
      await waitFor('health to be fine', async () => (await node.health()).degraded.length === 0);
    },
  );

  await t.test('commands use the same store, with and without the server', async () => {
    for (const isRunning of [true, false]) {
      if (!isRunning) await node.end('SIGTERM');
      const report = await node.run('verify');
      assert.deepEqual(report.differences, []);
      assert.ok(report.rows >= answered.length, `${report.rows}`);
      const { findings } = await node.run('doctor');
      const engine = findings.find(({ check }: { check: string }) => check === 'engine');
      assert.match(engine.says, /^ClickHouse .* answered in .*http:\/\/127\.0\.0\.1/);
      const stats = await node.run('stats', 'shop.test', '--period', '7d');
      assert.ok(JSON.stringify(stats).includes(String(report.rows)), JSON.stringify(stats));
    }
  });

  await t.test('repair is refused, and so is a store of its own by mistake', async () => {
    const refuse = async (words: string[], given: Record<string, string>) => {
      const { code, stderr } = await runHere([...words, '--data-dir', node.dataDir], given);
      assert.equal(code, 1);
      return stderr;
    };
    assert.match(await refuse(['repair', '--yes'], environment), /for those who run it to repair/);
    assert.match(
      await refuse(['stats', 'shop.test'], {}),
      /Set TRACKSIDE_CLICKHOUSE_URL to use it, or delete/,
    );
    assert.match(await refuse(['serve', '--port', '0'], {}), /Set TRACKSIDE_CLICKHOUSE_URL to use it/);
    const { code } = await runHere(['verify', '--data-dir', node.dataDir], environment);
    assert.equal(code, 0);
  });

  assert.ok(!node.output.join('').includes(enginePassword), 'the password is in no line of the log');
});
