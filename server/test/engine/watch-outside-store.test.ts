import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { watchOutsideStore } from '../../src/node/watch-outside-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { outsideStoreAt } from '../support/outside-environment.ts';
import {
  basic,
  type EngineService,
  enginePassword,
  engineUser,
  startEngineService,
} from '../support/start-engine-service.ts';
import { silentLog } from '../support/test-engine.ts';
import { waitFor } from '../support/wait-for.ts';

const cleanUps: (() => Promise<void>)[] = [];
let service: EngineService;

before(async () => {
  service = await startEngineService({ after: (cleanUp) => void cleanUps.push(cleanUp) });
  const slow = 'create table default.slow (a UInt8, b UInt8 materialized sleepEachRow(0.3)) engine = Memory';
  await service.ask(slow);
});
after(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** Begins an INSERT that takes 2.7 seconds, and returns its status. On a busy machine, one may end unseen. */
async function insertSlowly(queryId: string): Promise<{ status: Promise<number> }> {
  const query = 'insert into default.slow (a) format JSONCompactEachRow';
  const begin = () => {
    const begun = { hasEnded: false, status: Promise.resolve(0) };
    const address = `${service.origin()}/?${new URLSearchParams({ query, log_comment: queryId })}`;
    begun.status = fetch(address, {
      method: 'POST',
      body: '[1]\n[2]\n[3]\n[4]\n[5]\n[6]\n[7]\n[8]\n[9]\n',
      headers: basic(engineUser, enginePassword),
    }).then(({ status }) => {
      begun.hasEnded = true;
      return status;
    });
    return begun;
  };
  let begun = begin();
  await waitFor('the INSERT to run', async () => {
    if ((await countRunning(queryId)) === 1) return true;
    if (begun.hasEnded) begun = begin();
    return false;
  });
  return begun;
}

async function countRunning(queryId: string): Promise<number> {
  const sql = `select count() from system.processes where Settings['log_comment'] = '${queryId}'`;
  return Number(await (await service.ask(sql)).text());
}

function watch(t: { after(work: () => Promise<void>): void }, node: string, ...origins: string[]) {
  let aheadMs = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
  const outside = outsideStoreAt(...origins);
  const engine = watchOutsideStore({ outside, node, clock, log: silentLog });
  t.after(() => engine.stop());
  const untilReady = () => waitFor('the store to be ready', () => engine.state().state === 'ready');
  const advance = (ms: number): void => {
    aheadMs += ms;
  };
  return { engine, outside, untilReady, advance };
}

test('the store is ready when no INSERT of an earlier process of this node is running', async (t) => {
  // Again if it has ended by itself, because the machine is busy.
  await waitFor('one that is ended', async () => {
    const own = await insertSlowly('node-a-1-x');
    const { engine, untilReady } = watch(t, 'node-a', service.origin());
    assert.equal(engine.state().state, 'starting');
    await untilReady();
    assert.equal(await countRunning('node-a-1-x'), 0);
    assert.equal(engine.generation(), 1);
    return (await own.status) === 500;
  });
});

test('an INSERT of unknown outcome is ended, and those of other nodes go on', async (t) => {
  const { engine, untilReady } = watch(t, 'node-a', service.origin());
  let timesReady = 0;
  engine.onReady(() => {
    timesReady += 1;
  });
  await untilReady();
  // Again if it has ended by itself, because the machine is busy.
  await waitFor('one that is ended', async () => {
    const generation = engine.generation();
    const own = await insertSlowly('node-a-2-x');
    await engine.restart('the outcome of batch 2 is unknown');
    assert.notEqual(engine.state().state, 'ready');
    await untilReady();
    assert.equal(engine.generation(), generation + 1);
    return (await own.status) === 500;
  });
  const other = await insertSlowly('node-b-1-x');
  await engine.restart('the outcome of batch 3 is unknown');
  await untilReady();
  assert.equal(await other.status, 200);
  assert.equal(timesReady, 1, 'the loader keeps its pause before it tries the same host again');
});

test('a restarted engine is noticed, and the batches are compared again later', async (t) => {
  const { engine, untilReady, advance } = watch(t, 'node-a', service.origin());
  await untilReady();
  let timesReady = 0;
  engine.onReady(() => {
    timesReady += 1;
  });
  const [killed] = service.enginePids();
  process.kill(killed!, 'SIGKILL');
  await waitFor('another generation', () => engine.generation() === 2 && engine.state().state === 'ready');
  assert.equal(timesReady, 2, 'once at the beginning, and once for the new engine');
  advance(300_000);
  await waitFor('another comparison', () => engine.generation() === 3);
});

test('another host answers when one is away, which is waited for first, but not forever', async (t) => {
  const away = `http://127.0.0.1:${await findFreePort()}`;
  const { engine, outside, untilReady, advance } = watch(t, 'node-a', away, service.origin());
  await waitFor('the reason', () => /may still be running on a host/.test(engine.state().lastError ?? ''));
  assert.ok(engine.state().lastError?.includes(away));
  advance(120_000);
  await untilReady();
  assert.equal(outside.hosts.current(), service.origin());
  const store = openStore({ outside, use: 'asking', log: silentLog });
  t.after(() => store.close());
  await store.migrate();
  outside.hosts.choose(away);
  await assert.rejects(store.query({ query: 'select 1 as one' }), { code: 'ECONNREFUSED' });
  assert.deepEqual(await store.query({ query: 'select 1 as one' }), [{ one: 1 }]);
});

test('when the clients go on to another host, the batches are compared there', async (t) => {
  const other = service.origin().replace('127.0.0.1', 'localhost');
  const { engine, outside, untilReady } = watch(t, 'node-a', service.origin(), other);
  await untilReady();
  outside.hosts.giveUp(service.origin());
  await waitFor('another generation', () => engine.generation() === 2 && engine.state().state === 'ready');
  assert.equal(engine.state().host, other);
});

test('a wrong password is named, and never shown', async (t) => {
  const outside = { ...outsideStoreAt(service.origin()), password: 'not the password' };
  const engine = watchOutsideStore({ outside, node: 'node-a', clock: systemClock, log: silentLog });
  t.after(() => engine.stop());
  await waitFor('the reason', () => engine.state().state === 'unreachable');
  assert.match(engine.state().lastError ?? '', /expected the user and the password of this engine/);
  assert.ok(!engine.state().lastError?.includes('not the password'));
});

test('a question with more values than an address holds is answered', async (t) => {
  const outside = outsideStoreAt(service.origin());
  const store = openStore({ outside, use: 'asking', log: silentLog });
  t.after(() => store.close());
  await store.migrate();
  const values = Array.from({ length: 2_000 }, (_, at) => `${'ü'.repeat(500)}${at}\r\n'`);
  const answer = await store.query({
    query: 'select length({values:Array(String)}) as all, {values:Array(String)}[2000] as last',
    params: { values },
  });
  assert.deepEqual(answer, [{ all: 2_000, last: values.at(-1) }]);
});
