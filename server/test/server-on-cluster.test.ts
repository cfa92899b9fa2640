import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { outsideEnvironment } from './support/outside-environment.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { createServerHere } from './support/serve-here.ts';
import { clusterName, sortByVisitor } from './support/test-cluster.ts';
import { openTestStore } from './support/test-store.ts';
import { waitFor } from './support/wait-for.ts';

test('a server whose store is a cluster', { timeout: 1_800_000 }, async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trackside-'));
  const { engine, store, address, close } = await openTestStore({ place: 'cluster' });
  assert.ok('outside' in address);
  const environment = {
    ...outsideEnvironment(...address.outside.hosts.urls),
    TRACKSIDE_CLICKHOUSE_CLUSTER: clusterName,
    TRACKSIDE_LOG_LEVEL: 'error',
  };
  const server = createServerHere({ dataDir, environment });
  t.after(async () => {
    await server.end('SIGTERM');
    await close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runHere([...words, '--data-dir', dataDir, '--json'], environment);
    assert.equal(code, 0, `${stderr}${stdout}`);
    return JSON.parse(stdout);
  };
  await server.start();
  const domains = ['one.test', 'two.test'];
  const keys = await Promise.all(
    domains.map(async (domain) => ({ domain, apiKey: (await run('website', 'add', domain)).apiKey })),
  );
  let sent = 0;
  const send = async (records: number) => {
    for (const { apiKey } of keys)
      for (let at = 0; at < records; at += 1) {
        const isAda = at % 2 === 0;
        const record = pageView({
          Identify: { ClientId: isAda ? 'ada' : null },
          Browser: { IP: isAda ? '203.0.113.7' : '203.0.113.8', UserAgent: 'Mozilla/5.0 Firefox/145.0' },
        });
        const { status } = await post(server.origin(), '/api/page-view', apiKey, record);
        assert.equal(status, 200);
      }
    sent += records;
  };
  /** Waits until each website has all of its records, and returns the shards that they are on. */
  const untilLoaded = async () => {
    const query = `
      select shardNum() as shard, count() as records
      from records where node != 'demo' group by website_id, shard order by shard`;
    const count = () => store.query<{ shard: number; records: number }>({ query }).catch(() => []);
    await waitFor(
      'all records to be loaded',
      async () =>
        (await count()).every(({ records }) => records === sent) && (await count()).length === domains.length,
    );
    return await count();
  };

  await t.test('puts each website on its shard', async () => {
    await send(4);
    assert.deepEqual(
      (await untilLoaded()).map(({ shard }) => shard),
      [1, 2],
    );
  });

  await t.test('loads each record once, even if the engine is killed', async () => {
    process.kill(engine.supervisor.state().pid!, 'SIGKILL');
    await send(4);
    await untilLoaded();
    await send(2);
    await untilLoaded();
    const { differences } = await run('verify');
    assert.deepEqual(differences, []);
  });

  await t.test('answers questions about each website', async () => {
    for (const domain of domains) {
      const stats = await run('stats', domain, '--period', '7d');
      assert.match(JSON.stringify(stats), new RegExp(`"pageViews":${sent}\\b`));
    }
  });

  await t.test('erases a person on one website, and not on the other', async () => {
    await run('person', 'erase', 'one.test', 'ada', '--yes');
    const views = async (domain: string) => JSON.stringify(await run('stats', domain, '--period', '7d'));
    assert.match(await views('one.test'), new RegExp(`"pageViews":${sent / 2}\\b`));
    assert.match(await views('two.test'), new RegExp(`"pageViews":${sent}\\b`));
  });

  await t.test('divides a website while it takes records, and counts each once', async () => {
    const unconfirmed = await runHere(['website', 'divide', 'two.test', '--data-dir', dataDir], environment);
    assert.equal(unconfirmed.code, 1);
    assert.match(unconfirmed.stderr, /--confirm: expected two\.test, got nothing\. .* will need all shards/s);
    const divide = () => run('website', 'divide', 'two.test', '--confirm', 'two.test');
    const [{ id, isNew }] = await Promise.all([divide(), send(2)]);
    assert.equal(isNew, true);
    assert.equal((await divide()).isNew, false);
    await sortByVisitor(store.query, id);
    await send(6);
    const count = async () =>
      await store
        .ofWebsite(id)
        .countRecords('all')
        .catch(() => 0);
    await waitFor('all records to be loaded', async () => (await count()) === sent);
    const { differences } = await run('verify');
    assert.deepEqual(differences, []);
    const isCounted = new RegExp(`"visitors":2,.*"pageViews":${sent}\\b`);
    await waitFor('today to be built again', async () =>
      isCounted.test(JSON.stringify(await run('stats', 'two.test', '--period', '7d'))),
    );
    await run('person', 'erase', 'two.test', 'ada', '--yes');
    assert.equal(await count(), sent / 2);
  });
});
