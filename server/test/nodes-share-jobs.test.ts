import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { startTestPostgres } from '../src/control/test-postgres.ts';
import { buildMark } from '../src/store/build-fences.ts';
import { openStore } from '../src/store/open-store.ts';
import { findFreePort } from './support/find-free-port.ts';
import { times } from './support/long-form.ts';
import { outsideEnvironment, outsideStoreAt } from './support/outside-environment.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { createServerProcess } from './support/spawn-server.ts';
import { startEngineService } from './support/start-engine-service.ts';
import { silentLog } from './support/test-engine.ts';
import { waitFor } from './support/wait-for.ts';

type Node = Awaited<ReturnType<typeof openNode>>;
type Answer = { asOfMs: number; pageViews: number };

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
  return { ...server, dataDir, origin: `http://127.0.0.1:${port}`, run, environment };
}

/** Two servers on one PostgreSQL and one engine, with a website that sends to both. */
async function prepare(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const postgres = await startTestPostgres();
  t.after(() => postgres.kill());
  await postgres.run('postgres', 'create database trackside template template0');
  const service = await startEngineService(t, { port: await findFreePort() });
  const environment = {
    ...outsideEnvironment(service.origin()),
    TRACKSIDE_DATABASE_URL: postgres.url('trackside'),
    TRACKSIDE_SECRET_KEY_FILE: join(root, 'secret.key'),
  };
  const one = await openNode(t, root, 'one', environment);
  const two = await openNode(t, root, 'two', environment);
  await one.start();
  await two.start();
  const { apiKey } = await one.run('website', 'add', 'shop.test', '--timezone', 'UTC');
  const { token } = await one.run('token', 'add', 'shop.test');
  const store = openStore({ outside: outsideStoreAt(service.origin()), use: 'asking', log: silentLog });
  t.after(() => store.close());
  const sql = (text: string) => postgres.run('trackside', text);
  const ownerOf = async () => {
    const [row] = await sql('select owner_node, owner_fence from control_state');
    return { node: String(row?.owner_node), fence: Number(row?.owner_fence) };
  };
  return { postgres, service, nodes: [one, two] as const, apiKey, token, store, sql, ownerOf };
}

async function ask(node: Node, token: string): Promise<Answer | undefined> {
  const response = await fetch(`${node.origin}/api/stats/query`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({ metrics: ['pageViews'], period: 'today' }),
    signal: AbortSignal.timeout(60_000),
  }).catch(() => undefined);
  if (response?.status !== 200) {
    await response?.body?.cancel();
    return undefined;
  }
  const { asOf, rows } = (await response.json()) as {
    asOf: string;
    rows: { metrics: { pageViews: number } }[];
  };
  return { asOfMs: Date.parse(asOf), pageViews: rows[0]?.metrics.pageViews ?? 0 };
}

/** Sends to both nodes until it is stopped. Returns when each record was acknowledged. */
function startSending(nodes: readonly Node[], apiKey: string, clientId?: string) {
  const acknowledged: number[] = [];
  let isStopped = false;
  const running = nodes.map(async (node) => {
    while (!isStopped) {
      const IP = clientId === undefined ? '198.51.100.7' : '198.51.100.8';
      const Browser = { IP, UserAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0' };
      const record = pageView({ Browser, Identify: { ClientId: clientId ?? null } });
      const answer = await post(node.origin, '/api/page-view', apiKey, record).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(Date.now());
      await delay(times(60, 10) + Math.random() * 40);
    }
  });
  return {
    acknowledged,
    async stop(): Promise<number[]> {
      isStopped = true;
      await Promise.all(running);
      return acknowledged;
    },
  };
}

/** Asks until it is stopped, so that days are built all the time. */
function startAsking(node: Node, token: string) {
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      await ask(node, token);
      await delay(times(800, 400));
    }
  })();
  return {
    async stop(): Promise<void> {
      isStopped = true;
      await running;
    },
  };
}

test('nodes that share a store', { timeout: times(1_800_000, 3_600_000) }, async (t) => {
  const { nodes, apiKey, token, sql, ownerOf, store } = await prepare(t);
  const [one, two] = nodes;
  const all: number[] = [];
  const untilAllCounted = (node: Node) =>
    waitFor('every record to be counted', async () => (await ask(node, token))?.pageViews === all.length);
  await waitFor('an owner', async () => (await ownerOf()).fence > 0);
  /** The node that owns jobs, and the other one. */
  const findOwner = async () => {
    const { node } = await ownerOf();
    const isFirst = (await nameOf(one)) === node;
    return { owner: isFirst ? one : two, other: isFirst ? two : one, name: node };
  };
  const nameOf = async (node: Node) => (await node.run('node', 'list')).self as string;
  /** Sets when a node that has ended was last heard of: on a busy machine, that may be long ago. */
  const noteSeen = (name: string, agoMs: number) =>
    sql(`
      update nodes set seen_at = (extract(epoch from clock_timestamp()) * 1000)::bigint - ${agoMs}
      where name = '${name}'`);

  await t.test('asOf is true over both, and never goes back', async () => {
    const sending = startSending(nodes, apiKey);
    let last: Answer = { asOfMs: 0, pageViews: 0 };
    try {
      let counted = 0;
      for (let answers = 0; answers < times(10, 300) || counted < times(60, 1_000); ) {
        const node = Math.floor(Math.random() * 2);
        const answer = await ask(nodes[node]!, token);
        // Each question about records that have just come has today built again.
        await delay(times(150, 0));
        if (answer === undefined) continue;
        answers += 1;
        const expected = sending.acknowledged.filter((ms) => ms <= answer.asOfMs).length;
        const says = `answer ${answers}, by node ${node}: ${JSON.stringify({ answer, last, expected })}`;
        assert.ok(answer.pageViews >= expected, `records are missing in ${says}`);
        assert.ok(answer.asOfMs >= last.asOfMs, `asOf goes back in ${says}`);
        assert.ok(answer.pageViews >= last.pageViews, `the number goes back in ${says}`);
        last = answer;
        counted = expected;
      }
    } finally {
      all.push(...(await sending.stop()));
    }
    const sentMs = Date.now();
    for (const node of nodes)
      await waitFor('asOf to follow', async () => ((await ask(node, token))?.asOfMs ?? 0) > sentMs);
    for (const node of nodes) await untilAllCounted(node);
  });

  await t.test('a frozen owner is replaced, and counts nothing twice when it wakes up', async () => {
    for (let round = 0; round < times(1, 6); round += 1) {
      const { owner, other } = await findOwner();
      const { fence } = await ownerOf();
      const sending = startSending([other], apiKey);
      t.after(() => sending.stop());
      const asking = startAsking(other, token);
      t.after(() => asking.stop());
      await delay(500 + Math.random() * 1000);
      process.kill(owner.pid(), 'SIGSTOP');
      try {
        await waitFor('another owner', async () => (await ownerOf()).fence > fence);
        all.push(...(await sending.stop()));
        await untilAllCounted(other);
      } finally {
        await asking.stop();
        process.kill(owner.pid(), 'SIGCONT');
      }
      await delay(1_000);
      for (const node of nodes) await untilAllCounted(node);
    }
  });

  await t.test('if the owner is killed, the other node builds what it needs', async () => {
    const { owner, other, name } = await findOwner();
    const { fence } = await ownerOf();
    await owner.end('SIGKILL');
    const sending = startSending([other], apiKey);
    t.after(() => sending.stop());
    await waitFor('another owner', async () => (await ownerOf()).fence > fence);
    await delay(500);
    all.push(...(await sending.stop()));
    await untilAllCounted(other);
    let held: Answer | undefined;
    await waitFor('the killed node to hold asOf back', async () => {
      held = await ask(other, token);
      await delay(1_500);
      return held !== undefined && (await ask(other, token))?.asOfMs === held.asOfMs;
    });
    await waitFor('health to name it', async () => {
      const { degraded } = (await (await fetch(`${other.origin}/health`)).json()) as {
        degraded: { part: string; why: string }[];
      };
      return degraded.some(({ part, why }) => part === 'nodes' && why.includes(name));
    });
    await noteSeen(name, 0);
    const refused = await runHere(['node', 'retire', name, '--data-dir', other.dataDir], other.environment);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /was heard of within the last 90 seconds/);
    await noteSeen(name, 90_000);
    await other.run('node', 'retire', name);
    const goesOn = async () => ((await ask(other, token))?.asOfMs ?? 0) > held!.asOfMs + 1_000;
    await waitFor('asOf to go on', goesOn);
    await owner.start();
    for (const node of nodes) await untilAllCounted(node);
  });

  await t.test('an erased person does not come back through another node', async () => {
    for (let round = 0; round < times(1, 5); round += 1) {
      const { other } = await findOwner();
      const person = `person ${round}`;
      const sending = startSending(nodes, apiKey, person);
      t.after(() => sending.stop());
      await waitFor('records of the person', () => sending.acknowledged.length > 20);
      const before = sending.acknowledged.length;
      const atMs = Date.now();
      const { records } = await other.run('person', 'erase', 'shop.test', person, '--yes');
      assert.ok(records >= before, `${records} of ${before}`);
      const countLeft = async () => {
        const [row] = await store.query<{ left: number }>({
          query: `
            select count() as left from records
            where has_client_id and received_at < fromUnixTimestamp64Milli({at:Int64})`,
          params: { at: atMs },
        });
        return row!.left;
      };
      assert.equal(await countLeft(), 0);
      await sending.stop();
      await delay(2_000);
      assert.equal(await countLeft(), 0);
      await other.run('person', 'erase', 'shop.test', person, '--yes');
    }
    for (const node of nodes) await untilAllCounted(node);
  });

  const readBuild = async () => {
    const query = 'select toString(max(build)) as build from day_builds final where records > 0';
    return (await store.query<{ build: string }>({ query }))[0]!.build;
  };

  await t.test('nobody waits for a new node that could not open its port', async (t) => {
    const third = createServerProcess({
      dataDir: join(one.dataDir, '..', 'three'),
      port: Number(new URL(one.origin).port),
      environment: one.environment,
    });
    t.after(() => third.end('SIGKILL').then(() => {}));
    third.launch();
    await waitFor('it to give up', third.hasEnded);
    assert.match(third.output.join(''), /port/);
    // On a busy machine, a node may not be heard of for a while.
    await waitFor('both others to be running, and this one to be stopped', async () => {
      const { nodes: listed } = await one.run('node', 'list');
      const states = listed.map(({ state }: { state: string }) => state).toSorted();
      return states.join() === 'running,running,stopped';
    });
    const asked = await sql('select 1 from key_holders where left_at is null');
    assert.equal(asked.length, 2, 'nobody asks it about repeats');
    await sql(`delete from nodes where name not in ('${await nameOf(one)}', '${await nameOf(two)}')`);
  });

  await t.test('rebuild has the owner do it, and takes nothing over', async () => {
    // On a busy machine, an owner may be late to say that it is there, and is replaced by the other node.
    await waitFor('a rebuild after which the owner is the same', async () => {
      const { other } = await findOwner();
      const [before, owner] = [await readBuild(), await ownerOf()];
      const { websites } = await other.run('rebuild', 'shop.test');
      assert.equal(websites[0].records, all.length);
      assert.ok(BigInt(await readBuild()) > BigInt(before));
      return isDeepStrictEqual(await ownerOf(), owner);
    });
    for (const node of nodes) await untilAllCounted(node);
  });

  await t.test(
    'without a server, rebuild does it, after ending what an earlier owner left behind',
    async () => {
      for (const node of nodes) assert.equal(await node.end('SIGTERM'), 0);
      const { fence } = await ownerOf();
      const leftBehind = store.ofWebsite(1).run({
        query: `
          insert into build_fences (fence, node)
          select 0, 'left behind' from numbers(10000) where sleepEachRow(0.01) = 1`,
        settings: { max_block_size: '1', max_execution_time: 110, log_comment: `${buildMark}${fence}` },
      });
      const ended = assert.rejects(leftBehind, /QUERY_WAS_CANCELLED/);
      await waitFor('it to run', async () => {
        const query = `
          select count() as running from system.processes
          where startsWith(Settings['log_comment'], '${buildMark}')`;
        return (await store.query<{ running: number }>({ query, isQuick: true }))[0]!.running > 0;
      });
      const before = await readBuild();
      const { websites } = await one.run('rebuild', 'shop.test');
      assert.equal(websites[0].records, all.length);
      assert.ok(BigInt(await readBuild()) > BigInt(before));
      await ended;
      assert.deepEqual(
        await ownerOf(),
        { node: 'null', fence: fence + 1 },
        'the next server takes it at once',
      );
    },
  );

  await t.test('a node whose folder is destroyed is forgotten, and never starts again', async () => {
    const [own, lost] = [await nameOf(one), await nameOf(two)];
    const readUsage = async () => {
      const [row] = await sql(`select settled as usage, leased from usage where node = '${lost}'`);
      return { usage: Number(row?.usage), leased: Number(row?.leased) };
    };
    const forget = (name: string, ...flags: string[]) =>
      runHere(['node', 'retire', name, '--forget', '--data-dir', one.dataDir, ...flags], one.environment);
    assert.match((await forget(own, '--yes')).stderr, /its journal is still there/);
    assert.match((await forget(lost)).stderr, /Is the data folder of node .* destroyed, .* add --yes/);
    await noteSeen(lost, 0);
    assert.match((await forget(lost, '--yes')).stderr, /was heard of within the last 90 seconds/);
    await noteSeen(lost, 90_000);
    const { usage } = await readUsage();
    const [counted] = await store.query<{ records: number }>({
      query: `select count() as records from records where node = '${lost}'`,
    });
    // It was killed after the store had its records, and before it could write down their number.
    await sql(`update usage set settled = 1, leased = ${usage} + 500 where node = '${lost}'`);
    const { givenBack } = await one.run('node', 'retire', lost, '--forget', '--yes');
    assert.equal(givenBack, usage + 500 - counted!.records);
    assert.deepEqual(await readUsage(), { usage: counted!.records, leased: counted!.records });
    const { nodes: listed } = await one.run('node', 'list');
    const states = listed.map(({ name, state, holdsFrom }: Record<string, string | null>) => [
      name === lost,
      state,
      holdsFrom === null,
    ]);
    assert.deepEqual(states.toSorted(), [
      [false, 'stopped', false],
      [true, 'forgotten', true],
    ]);
    two.launch();
    await waitFor('the server to refuse', () =>
      /was declared destroyed .* Start the server with an empty data folder/.test(two.output.join('')),
    );
    await waitFor('it to end', two.hasEnded);
  });
});
