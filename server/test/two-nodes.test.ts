import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startTestPostgres } from '../src/control/test-postgres.ts';
import { dataFolder } from '../src/files/data-folder.ts';
import { copyEmptyStore } from './support/copy-empty-store.ts';
import { findFreePort } from './support/find-free-port.ts';
import { isLongForm, times } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { createServerHere } from './support/serve-here.ts';
import { shareCompiledCode } from './support/share-compiled-code.ts';
import { waitFor } from './support/wait-for.ts';

/** It takes less than a second, on a machine that doesn't run all other tests at the same time. */
const oldKeyMs = times(300_000, 1_000);

/** A real PostgreSQL, and two nodes on it that are not started yet. */
async function prepare(t: TestContext) {
  const postgres = await startTestPostgres();
  await postgres.run('postgres', 'create database trackside template template0');
  const environment = { TRACKSIDE_DATABASE_URL: postgres.url('trackside') };
  const root = await mkdtemp(join(tmpdir(), 'trackside-'));
  const open = async (name: string) => {
    const dataDir = join(root, name);
    const { store } = dataFolder(dataDir);
    shareCompiledCode(store);
    await copyEmptyStore(store);
    const port = await findFreePort();
    const secretKeyFile = join(root, 'one', 'secret.key');
    const settings = { ...environment, TRACKSIDE_SECRET_KEY_FILE: secretKeyFile };
    const server = createServerHere({ dataDir, port, environment: settings });
    return { ...server, origin: `http://127.0.0.1:${port}`, dataDir, settings };
  };
  const nodes = [await open('one'), await open('two')] as const;
  t.after(async () => {
    for (const node of nodes) await node.end('SIGKILL');
    await postgres.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return { postgres, nodes, open };
}

test('two nodes on one PostgreSQL', { timeout: times(1_800_000, 3_600_000) }, async (t) => {
  const { postgres, nodes, open } = await prepare(t);
  const [one, two] = nodes;
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runHere(
      [...words, '--data-dir', one.dataDir, '--json'],
      one.settings,
    );
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const send = (node: (typeof nodes)[number], apiKey: string) =>
    post(node.origin, '/api/page-view', apiKey, pageView());
  const statusOf = async (node: (typeof nodes)[number], apiKey: string) => (await send(node, apiKey)).status;
  const health = async (node: (typeof nodes)[number]) => {
    const response = await fetch(`${node.origin}/health`);
    const { degraded } = (await response.json()) as { degraded: { part: string; why: string }[] };
    return { status: response.status, control: degraded.find(({ part }) => part === 'control')?.why };
  };

  /** On a busy machine, PostgreSQL may take longer than a node waits for it. */
  const untilControlIsFine = (node: (typeof nodes)[number]) =>
    waitFor('health to be fine', async () => (await health(node)).control === undefined);
  /** Sends a record again until the node knows whether it is within the contingent. */
  const settledStatusOf = async (node: (typeof nodes)[number], apiKey: string) => {
    let status = 503;
    await waitFor('an answer that settles it', async () => {
      status = await statusOf(node, apiKey);
      return status !== 503;
    });
    return status;
  };

  await t.test('without PostgreSQL, a node waits, says so, and starts as soon as it is there', async () => {
    await postgres.kill();
    const starting = one.start();
    await waitFor('the waiting server', async () => {
      const said = await health(one).catch(() => undefined);
      return said?.status === 503 && /cannot be reached/.test(said.control ?? '');
    });
    const answer = await send(one, 'a'.repeat(43));
    assert.equal(answer.status, 503);
    await postgres.start();
    await starting;
    assert.match(one.output.join(''), /cannot start: the settings database cannot be reached/);
    await two.start();
    for (const node of nodes) await untilControlIsFine(node);
  });

  await t.test('a key works on both from the moment it is created, and an old one stops soon', async () => {
    const { apiKey } = await run('website', 'add', 'keys.test');
    for (const node of nodes) assert.equal(await statusOf(node, apiKey), 200);
    const { apiKey: newKey } = await run('website', 'regenerate-key', 'keys.test');
    for (const node of nodes) assert.equal(await statusOf(node, newKey), 200);
    for (const node of nodes)
      await waitFor('the old key to stop', async () => (await statusOf(node, apiKey)) === 401, oldKeyMs);
  });

  await t.test('both together accept exactly the contingent', async () => {
    const limit = times(100, 10_000);
    const { apiKey } = await run('website', 'add', 'limited.test', '--contingent', String(limit));
    const answers = { 200: 0, 429: 0 };
    let sent = 0;
    const sendInTurn = async () => {
      while (sent < 3 * limit) {
        const status = await settledStatusOf(nodes[sent++ % 2]!, apiKey);
        assert.ok(status === 200 || status === 429, `got ${status}`);
        answers[status] += 1;
      }
    };
    await Promise.all(Array.from({ length: 50 }, sendInTurn));
    assert.deepEqual(answers, { 200: limit, 429: 2 * limit });
  });

  await t.test('both together accept exactly the contingent of batches', async () => {
    const { apiKey } = await run('website', 'add', 'limited-batches.test', '--contingent', '300');
    const sent = Array.from({ length: 12 }, async (_, at) => {
      const list = Array.from({ length: 70 }, () => pageView());
      const { body } = await post(nodes[at % 2]!.origin, '/api/batch', apiKey, { Records: list });
      return body.Results!.map(({ Code }) => Code);
    });
    const codes = (await Promise.all(sent)).flat();
    const count = (wanted: number) => codes.filter((code) => code === wanted).length;
    assert.deepEqual([count(200), count(429)], [300, 12 * 70 - 300]);
  });

  await t.test('while PostgreSQL is away, nodes accept what they may, and recover on their own', async () => {
    const free = await run('website', 'add', 'free.test');
    const limited = await run('website', 'add', 'away.test', '--contingent', '10');
    for (const node of nodes)
      for (const { apiKey } of [free, limited]) assert.equal(await statusOf(node, apiKey), 200);
    await postgres.kill();
    await waitFor('health to say so', async () => /cannot be read/.test((await health(one)).control ?? ''));
    assert.equal((await health(one)).status, 200, 'records without a limit are still accepted');
    for (const node of nodes) {
      assert.equal(await statusOf(node, free.apiKey), 200);
      assert.equal(await statusOf(node, 'b'.repeat(43)), 503, 'nobody knows whether this key is right');
    }
    const without = await send(one, limited.apiKey);
    assert.equal(without.status, 503);
    assert.equal(without.headers.get('retry-after'), '5');
    await postgres.start();
    assert.equal(await settledStatusOf(one, limited.apiKey), 200, 'the contingent is known again');
    await untilControlIsFine(one);
    let accepted = 3;
    for (let at = 0; at < 20; at++)
      if ((await settledStatusOf(nodes[at % 2]!, limited.apiKey)) === 200) accepted++;
    assert.equal(accepted, 10);
  });

  if (isLongForm)
    await t.test('a node that joins is healthy, and one whose journal is lost says so', async (t) => {
      const three = await open('three');
      t.after(() => three.end('SIGKILL').then(() => {}));
      const complaints = async () => await (await fetch(`${three.origin}/health`)).text();
      await three.start();
      await waitFor('the new node to be healthy', async () => (await complaints()).includes('"degraded":[]'));
      await three.end('SIGTERM');
      await rm(join(three.dataDir, 'journal'), { recursive: true });
      await three.start();
      await waitFor('it to say so', async () =>
        (await complaints()).includes('the journal was empty when the server started'),
      );
    });

  await t.test('a newer version may change the database: nodes that run go on, none starts', async () => {
    const { apiKey } = await run('website', 'add', 'newer.test', '--contingent', '1000');
    for (const node of nodes) assert.equal(await statusOf(node, apiKey), 200);
    await postgres.run(
      'trackside',
      `insert into migrations (number, name, applied_at) values (9999, 'later', 0);
       alter table websites add column later text not null default 'x';
       create table later (id integer)`,
    );
    for (const node of nodes) {
      assert.equal(await settledStatusOf(node, apiKey), 200);
      await untilControlIsFine(node);
    }
    const says = /The control database has version 9999, .* a newer Trackside has used it\. Start the newer/;
    const { code, stderr } = await runHere(['website', 'list', '--data-dir', one.dataDir], one.settings);
    assert.equal(code, 1);
    assert.match(stderr, says);
    await two.end('SIGTERM');
    await assert.rejects(two.start(), says);
    assert.equal(await statusOf(one, apiKey), 200);
  });

  await t.test('neither the log nor health contains the URL of the database', async () => {
    for (const node of nodes) assert.doesNotMatch(node.output.join(''), /postgres:\/\//);
  });
});
