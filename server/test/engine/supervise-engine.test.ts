import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { takeFolderLock } from '../../src/files/folder-lock.ts';
import { endOrphan } from '../../src/files/store-holder.ts';
import { type EngineSupervisor, superviseEngine } from '../../src/node/supervise-engine.ts';
import { systemClock } from '../../src/time/clock.ts';
import { testLong, times } from '../support/long-form.ts';
import {
  isAlive,
  silentLog,
  startTestEngine,
  type TestEngine,
  until,
  untilReady,
} from '../support/test-engine.ts';

const schema = 'create table kept (a UInt32) engine = MergeTree order by a settings fsync_after_insert = 1';

async function insertOne(engine: TestEngine): Promise<void> {
  const created = await engine.request('/', { body: schema });
  assert.equal(created.status, 200, created.body);
  const query = new URLSearchParams({ query: 'insert into kept (a) format JSONCompactEachRow' });
  assert.equal((await engine.request(`/?${query}`, { body: '[1]\n' })).status, 200);
}

async function countKept(engine: TestEngine): Promise<string> {
  return (await engine.request('/', { body: 'select count() from kept' })).body;
}

function newRoot(): string {
  return mkdtempSync(join(tmpdir(), 'trackside-engine-'));
}

/**
 * Leaves out the file that tells chDB that a store is in use, because an engine that was killed leaves it
 * behind.
 */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'status')
    .sort();
}

/** Several tests use this one, because starting an engine takes longest. Each leaves it ready. */
let engine: TestEngine;
before(async () => {
  engine = await startTestEngine({ command: 'trackside export' });
  await insertOne(engine);
});
after(() => engine.stop());

test('restarts a killed engine, with its data', async () => {
  const first = engine.supervisor.state().pid ?? 0;
  const generation = engine.supervisor.generation();
  let readyAgain = 0;
  engine.supervisor.onReady(() => {
    readyAgain += 1;
  });
  process.kill(first, 'SIGKILL');
  await until(() => engine.supervisor.generation() > generation, 'another engine');
  await untilReady(engine.supervisor);
  assert.equal(isAlive(first), false);
  assert.equal(engine.supervisor.generation(), generation + 1);
  assert.equal(engine.supervisor.state().restarts, 1);
  assert.equal(readyAgain, 2, 'once at once and once for the new engine');
  assert.equal(await countKept(engine), '1\n');
});

test('a kill while many rows are read from a file leaves all of them or none, and no file', async () => {
  const count = async () => Number((await engine.request('/', { body: 'select count() from many' })).body);
  const staged = () => readdirSync(`${engine.folder}.run`).filter((name) => name.startsWith('staged-rows'));
  await engine.request('/', { body: schema.replace('kept', 'many') });
  const query = new URLSearchParams({ query: 'insert into many (a) format JSONCompactEachRow' });
  const rows = 200_000;
  const body = Array.from({ length: rows }, (_, at) => `[${at}]\n`).join('');
  for (let kill = 0; kill < times(2, 12); kill += 1) {
    const before = await count();
    const generation = engine.supervisor.generation();
    const inserted = engine.request(`/?${query}`, { body }).then(
      ({ status }) => status,
      () => undefined,
    );
    await until(() => staged().length > 0, 'the rows to be in a file');
    await delay(10 * kill);
    process.kill(engine.supervisor.state().pid!, 'SIGKILL');
    const status = await inserted;
    await until(() => engine.supervisor.generation() > generation, 'another engine');
    await untilReady(engine.supervisor);
    const added = (await count()) - before;
    assert.ok(added === rows || (added === 0 && status !== 200), `${added} rows after ${status}`);
    assert.deepEqual(staged(), []);
  }
});

test('restarts on demand in the middle of a query', async () => {
  const first = engine.supervisor.state().pid ?? 0;
  const generation = engine.supervisor.generation();
  const query = engine.request('/', {
    body: 'select count() from numbers(100000000000) where cityHash64(number) = 1',
  });
  const lost = assert.rejects(query);
  await engine.supervisor.restart('test');
  assert.equal(isAlive(first), false);
  assert.equal(engine.supervisor.generation(), generation + 1);
  await lost;
  await untilReady(engine.supervisor);
});

test('leaves the folder free while paused', async () => {
  const { pid: first = 0, restarts } = engine.supervisor.state();
  const generation = engine.supervisor.generation();
  await engine.supervisor.pause();
  assert.equal(isAlive(first), false);
  assert.equal(engine.supervisor.state().state, 'stopped');
  await engine.supervisor.restart('ignored while paused');
  assert.equal(engine.supervisor.generation(), generation);
  engine.supervisor.resume();
  await untilReady(engine.supervisor);
  assert.equal(await countKept(engine), '1\n');
  assert.equal(engine.supervisor.state().restarts, restarts);
});

function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

test('the engine ends when the node is killed', async () => {
  const root = newRoot();
  const { node, enginePid } = await startNodeElsewhere(root);
  assert.ok(isAlive(enginePid));
  node.kill('SIGKILL');
  await until(() => !isAlive(enginePid), 'the engine to go');
  rmSync(root, { recursive: true });
});

function superviseBeside(root: string, name: string): EngineSupervisor {
  return superviseEngine({
    folder: join(root, 'store'),
    socketPath: join(root, `${name}.sock`),
    command: 'trackside serve',
    maxMemoryBytes: 2 ** 30,
    sessions: 1,
    log: silentLog,
    clock: systemClock,
  });
}

testLong('waits for an older engine to leave the store, even if its lock file was removed', async () => {
  const first = await startTestEngine();
  await insertOne(first);
  const { pid } = first.supervisor.state();
  const second = superviseBeside(first.root, 'second');
  await until(() => second.state().state === 'locked', 'the second engine to find the store locked');
  assert.equal(
    second.state().lastError,
    `waiting for another engine process (pid ${pid}), which still holds the store`,
  );
  assert.equal((await first.request('/ping', { method: 'GET' })).status, 200, 'the first one is left alone');
  assert.equal(first.supervisor.state().pid, pid);
  await first.supervisor.stop();
  await untilReady(second);
  assert.equal(second.state().lastError, undefined);
  assert.equal(second.state().restarts, 0, 'one engine waited all the while');

  const { pid: secondPid } = second.state();
  const files = ['store.lock', 'store.lock-journal'];
  for (const name of files) rmSync(join(first.root, name), { force: true });
  const third = superviseBeside(first.root, 'third');
  await until(() => third.state().state === 'locked', 'the third engine to find the store in use');
  assert.match(third.state().lastError ?? '', new RegExp(`pid ${secondPid}\\), which still holds the store`));
  await third.stop();

  // Without the record of the holder, only chDB's own lock is left.
  for (const name of [...files, 'store.run/holder.json']) rmSync(join(first.root, name), { force: true });
  const fourth = superviseBeside(first.root, 'fourth');
  await until(() => fourth.state().restarts > 1, 'some attempts');
  assert.equal(fourth.state().state, 'locked', 'the store does not look damaged');
  assert.equal(fourth.state().lastError, 'waiting for another process, which still holds the store');
  await second.stop();
  await untilReady(fourth);
  await fourth.stop();
  await first.stop();
});

test('names the command that it waits for', async () => {
  const second = superviseBeside(engine.root, 'second');
  await until(() => second.state().state === 'locked', 'the second engine to find the store locked');
  assert.equal(
    second.state().lastError,
    `waiting for \`trackside export\` (pid ${process.pid}) to finish with the store`,
  );
  await second.stop();
  assert.equal(second.state().state, 'stopped');
});

test('says only that the store is locked when nothing is known about the holder', async () => {
  const root = newRoot();
  const lock = takeFolderLock(join(root, 'store.lock'));
  const supervisor = superviseBeside(root, 'engine');
  await until(() => supervisor.state().state === 'locked', 'the engine to find the store locked');
  assert.equal(supervisor.state().lastError, 'waiting for another process, which still holds the store');
  await supervisor.stop();
  lock?.release();
  rmSync(root, { recursive: true });
});

/** Starts a node in its own process, with an engine on the folder. */
async function startNodeElsewhere(root: string): Promise<{ node: ChildProcess; enginePid: number }> {
  const module = new URL('../support/test-engine.ts', import.meta.url).href;
  const script = `
    const { startTestEngine } = await import(${JSON.stringify(module)});
    const engine = await startTestEngine({ root: ${JSON.stringify(root)} });
    console.log(engine.supervisor.state().pid);`;
  const node = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(node.stdout.setEncoding('utf8'), 'data');
  return { node, enginePid: Number(line) };
}

testLong('ends a hanging engine that its node left behind', async () => {
  const root = newRoot();
  const { node, enginePid } = await startNodeElsewhere(root);
  // A stopped engine can neither notice that its node has ended nor release the lock.
  process.kill(enginePid, 'SIGSTOP');
  const supervisor = superviseBeside(root, 'next');
  await until(() => supervisor.state().state === 'locked', 'the next engine to find the store locked');
  assert.ok(isAlive(enginePid), 'as long as its node lives, it is left alone');
  node.kill('SIGKILL');
  await untilReady(supervisor);
  await until(() => !isAlive(enginePid), 'the old engine to be gone');
  await supervisor.stop();
  rmSync(root, { recursive: true });
});

test('never touches a process that only has the pid of the previous engine', async () => {
  const root = newRoot();
  const lock = takeFolderLock(join(root, 'store.lock'));
  const bystander = spawn('sleep', ['60'], { stdio: 'ignore' });
  const stat = readFileSync(`/proc/${bystander.pid}/stat`, 'utf8');
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  mkdirSync(join(root, 'store.run'));
  // Its start time matches as well, but its parent is not the one in the file.
  const holder = { pid: bystander.pid, startedAt, parentPid: 1, command: 'trackside serve' };
  writeFileSync(join(root, 'store.run', 'holder.json'), JSON.stringify(holder));
  assert.equal(endOrphan(join(root, 'store')), undefined);
  assert.equal(bystander.exitCode ?? bystander.signalCode, null);
  assert.ok(isAlive(bystander.pid!));
  bystander.kill();
  lock?.release();
  rmSync(root, { recursive: true });
});

test('ends with its node even while its main thread is blocked', async () => {
  const root = newRoot();
  const module = new URL('../../src/engine/watch-parent.ts', import.meta.url).href;
  const blocked = join(root, 'blocked.mjs');
  writeFileSync(
    blocked,
    `import { watchParent } from ${JSON.stringify(module)};
    watchParent(process.ppid);
    process.send(process.pid);
    process.once('message', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000));`,
  );
  const script = `
    const { fork } = await import('node:child_process');
    const child = fork(${JSON.stringify(blocked)}, { stdio: 'ignore', execArgv: [] });
    child.on('message', (pid) => child.send('block', () => console.log(pid)));`;
  const node = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(node.stdout.setEncoding('utf8'), 'data');
  const pid = Number(line);
  assert.ok(isAlive(pid));
  node.kill('SIGKILL');
  await until(() => !isAlive(pid), 'the blocked process to end');
  rmSync(root, { recursive: true });
});

testLong('always ends when it is told to in the middle of loading', async () => {
  const { restarts } = engine.supervisor.state();
  const rows = Array.from({ length: 20_000 }, (_, i) => `[${i}]`).join('\n');
  const insert = `/?${new URLSearchParams({ query: 'insert into kept (a) format JSONCompactEachRow' })}`;
  // On a regular exit, chDB's destructors run beside its merges. About one in eight of these exits hung or
  // crashed.
  for (let round = 0; round < times(1, 5); round += 1) {
    let isLoading = true;
    const { pid = 0 } = engine.supervisor.state();
    const ticksBefore = cpuTicks(pid);
    const loading = [0, 1].map(async () => {
      while (isLoading) await engine.request(insert, { body: rows }).catch(() => {});
    });
    await until(() => cpuTicks(pid) > ticksBefore + 30, 'rows to be loaded');
    const ended = until(() => !isAlive(pid), 'the engine to end');
    const hasStopped = engine.supervisor.pause();
    await ended;
    await hasStopped;
    isLoading = false;
    await Promise.all(loading);
    assert.equal(engine.supervisor.state().lastError, undefined);
    engine.supervisor.resume();
    await untilReady(engine.supervisor);
  }
  assert.equal(engine.supervisor.state().restarts, restarts);
  const { pid = 0 } = engine.supervisor.state();
  process.kill(pid, 'SIGTERM');
  await until(() => engine.supervisor.state().restarts === restarts + 1, 'the end to be noticed');
  assert.equal(engine.supervisor.state().lastError, 'was told to end', 'an end on demand is no crash');
  await untilReady(engine.supervisor);
});

test('reports a damaged store, touches nothing, and recovers when it is repaired', async () => {
  await engine.request('/', { body: 'create database d engine = Atomic' });
  await engine.request('/?database=d', { body: schema });
  await engine.supervisor.pause();

  const metadata = join(engine.folder, 'metadata', 'd.sql');
  const sound = readFileSync(metadata, 'utf8');
  writeFileSync(metadata, 'scrambled');
  const filesBefore = listFiles(engine.folder);
  engine.supervisor.resume();
  await until(() => engine.supervisor.state().state === 'cannot-open', 'the damage to show');
  assert.match(engine.supervisor.state().lastError ?? '', /Failed to create connection.*Syntax error/);
  const generation = engine.supervisor.generation();
  await until(() => engine.supervisor.generation() > generation, 'another attempt');
  assert.equal(engine.supervisor.state().state, 'cannot-open');
  assert.deepEqual(listFiles(engine.folder), filesBefore);
  assert.equal(readFileSync(metadata, 'utf8'), 'scrambled');

  writeFileSync(metadata, sound);
  await untilReady(engine.supervisor);
  assert.equal((await engine.request('/?database=d', { body: 'select count() from kept' })).body, '0\n');
  assert.equal(engine.supervisor.state().lastError, undefined);
});

test('says that a store that is not a folder cannot be opened', async () => {
  const root = newRoot();
  const folder = join(root, 'store');
  writeFileSync(folder, 'a file');
  const supervisor = superviseEngine({
    folder,
    socketPath: join(root, 'engine.sock'),
    maxMemoryBytes: 2 ** 30,
    sessions: 1,
    command: 'trackside serve',
    log: silentLog,
    clock: systemClock,
  });
  await until(() => supervisor.state().state === 'cannot-open', 'the fault to show');
  assert.equal(readFileSync(folder, 'utf8'), 'a file');
  await supervisor.stop();
  rmSync(root, { recursive: true });
});

testLong('keeps trying when the store has no space, and when the system provides no process', async () => {
  const root = newRoot();
  const place = join(root, 'data');
  writeFileSync(place, 'a file where the data folder should be');
  const supervisor = superviseEngine({
    folder: relative(process.cwd(), join(place, 'store')),
    socketPath: join(root, 'engine.sock'),
    maxMemoryBytes: 2 ** 30,
    sessions: 1,
    command: 'trackside serve',
    log: silentLog,
    clock: systemClock,
  });
  assert.equal(supervisor.state().state, 'cannot-open');
  const { execPath } = process;
  process.execPath = join(root, 'missing');
  try {
    rmSync(place);
    await until(() => supervisor.state().state === 'cannot-start', 'an attempt without a program');
    const { restarts } = supervisor.state();
    await until(() => supervisor.state().restarts > restarts + 1, 'some attempts');
  } finally {
    process.execPath = execPath;
  }
  assert.equal(supervisor.state().state, 'cannot-start', 'nothing is wrong with the store');
  assert.match(supervisor.state().lastError ?? '', /ENOENT/);
  await untilReady(supervisor);
  assert.ok(listFiles(place).includes('store'));
  await supervisor.stop();
  rmSync(root, { recursive: true });
});

test('restarts an engine that exceeds its memory', async (t) => {
  const engine = await startTestEngine({ maxMemoryBytes: 100 * 2 ** 20 });
  t.after(() => engine.stop());
  // The reason is gone once the next engine is ready.
  await until(() => {
    const { restarts, lastError = '' } = engine.supervisor.state();
    return restarts > 0 && /used \d+ bytes of memory where 104857600 are allowed/.test(lastError);
  }, 'a restart for this reason');
});

test('refuses a socket path that the kernel would cut off', () => {
  const options = {
    folder: '/tmp/x',
    maxMemoryBytes: 2 ** 30,
    sessions: 1,
    command: 'trackside serve',
    log: silentLog,
    clock: systemClock,
  };
  assert.throws(
    () => superviseEngine({ ...options, socketPath: `/tmp/${'x'.repeat(120)}` }),
    /at most 103 bytes/,
  );
});

// This comes last, because it ends the engine that the tests share.
testLong('stops a busy engine within its time limit', async () => {
  // It sleeps at each row, so that it keeps a session busy and the processor idle.
  const query = engine.request('/?max_execution_time=600', {
    body: `
      select count() from numbers(100000000000) where sleepEachRow(0.01) = 1 settings max_block_size = 1`,
  });
  const lost = assert.rejects(query);
  const isRunning = async () => {
    const sql = `select count() from system.processes where position(query, 'sleepEachRow(' || '0.01') > 0`;
    return (await engine.request('/', { body: sql })).body === '1\n';
  };
  await until(isRunning, 'the query to run');
  const started = performance.now();
  await engine.supervisor.stop();
  assert.ok(performance.now() - started < 300_000, 'it ended before the query did');
  await lost;
  assert.equal(engine.supervisor.state().state, 'stopped');
});
