import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../core/clock.ts';
import { superviseEngine } from './supervise-engine.ts';
import { isAlive, silentLog, startTestEngine, type TestEngine, until, untilReady } from './test-engine.ts';

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

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

test('starts a killed engine again, with its data', async () => {
  const engine = await startTestEngine();
  await insertOne(engine);
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
  await engine.stop();
});

test('restarts on demand in the middle of a query', async () => {
  const engine = await startTestEngine();
  const first = engine.supervisor.state().pid ?? 0;
  const query = engine.request('/', {
    body: 'select count() from numbers(100000000000) where cityHash64(number) = 1',
  });
  const lost = assert.rejects(query);
  await engine.supervisor.restart('test');
  assert.equal(isAlive(first), false);
  assert.equal(engine.supervisor.generation(), 2);
  await lost;
  await untilReady(engine.supervisor);
  await engine.stop();
  assert.equal(engine.supervisor.state().state, 'stopped');
});

test('leaves the folder free while paused', async () => {
  const engine = await startTestEngine();
  await insertOne(engine);
  const first = engine.supervisor.state().pid ?? 0;
  await engine.supervisor.pause();
  assert.equal(isAlive(first), false);
  assert.equal(engine.supervisor.state().state, 'stopped');
  await engine.supervisor.restart('ignored while paused');
  assert.equal(engine.supervisor.generation(), 1);
  engine.supervisor.resume();
  await untilReady(engine.supervisor);
  assert.equal(await countKept(engine), '1\n');
  assert.equal(engine.supervisor.state().restarts, 0);
  await engine.stop();
});

test('stops an engine that is busy within its time', async () => {
  const engine = await startTestEngine();
  const query = engine.request('/', {
    body: 'select count() from numbers(100000000000) where cityHash64(number) = 1',
  });
  const lost = assert.rejects(query);
  await until(() => cpuTicks(engine.supervisor.state().pid ?? 0) > 100, 'the query to run');
  const started = performance.now();
  await engine.supervisor.stop();
  assert.ok(performance.now() - started < 10_000);
  await lost;
  await engine.stop();
});

function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

test('takes the engine along when the node is killed', async () => {
  const root = newRoot();
  const module = new URL('./test-engine.ts', import.meta.url).href;
  const script = `
    const { startTestEngine } = await import(${JSON.stringify(module)});
    const engine = await startTestEngine({ root: ${JSON.stringify(root)} });
    console.log(engine.supervisor.state().pid);`;
  const node = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(node.stdout.setEncoding('utf8'), 'data');
  const enginePid = Number(line);
  assert.ok(isAlive(enginePid));
  node.kill('SIGKILL');
  await until(() => !isAlive(enginePid), 'the engine to go');
  rmSync(root, { recursive: true });
});

test('waits for an older engine to leave the store', async () => {
  const first = await startTestEngine();
  await insertOne(first);
  const socketPath = join(first.root, 'second.sock');
  const second = superviseEngine({
    folder: first.folder,
    socketPath,
    maxMemoryBytes: 2 ** 30,
    sessions: 1,
    log: silentLog,
    clock: systemClock,
  });
  await until(() => cpuTicks(second.state().pid ?? 0) > 5, 'the second engine to run');
  assert.equal(second.state().state, 'starting');
  await first.supervisor.stop();
  await untilReady(second);
  await second.stop();
  await first.stop();
});

test('ends with its own exit code when another engine keeps the store', async () => {
  const first = await startTestEngine();
  const main = new URL('../engine/main.ts', import.meta.url).pathname;
  const flags = [
    '--folder',
    first.folder,
    '--socket',
    join(first.root, 'x.sock'),
    '--max-memory-bytes',
    '1000000000',
  ];
  const second = spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const said = once(second, 'message');
  const [code] = await once(second, 'exit');
  const [message] = await said;
  assert.equal(code, 75);
  assert.equal(message.reason, 'locked');
  assert.equal((await first.request('/ping', { method: 'GET' })).status, 200);
  await first.stop();
});

test('says that a damaged store cannot be opened, touches nothing, and recovers when it is mended', async () => {
  const root = newRoot();
  const engine = await startTestEngine({ root });
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
  await engine.stop();
});

test('says that a store that is no folder cannot be opened', async () => {
  const root = newRoot();
  const folder = join(root, 'store');
  writeFileSync(folder, 'a file');
  const supervisor = superviseEngine({
    folder,
    socketPath: join(root, 'engine.sock'),
    maxMemoryBytes: 2 ** 30,
    sessions: 1,
    log: silentLog,
    clock: systemClock,
  });
  await until(() => supervisor.state().state === 'cannot-open', 'the fault to show');
  assert.equal(readFileSync(folder, 'utf8'), 'a file');
  await supervisor.stop();
  rmSync(root, { recursive: true });
});

test('goes on trying when the place of the store cannot be written', async () => {
  const root = newRoot();
  const place = join(root, 'data');
  writeFileSync(place, 'a file where the data folder should be');
  const supervisor = superviseEngine({
    folder: relative(process.cwd(), join(place, 'store')),
    socketPath: join(root, 'engine.sock'),
    maxMemoryBytes: 2 ** 30,
    sessions: 1,
    log: silentLog,
    clock: systemClock,
  });
  assert.equal(supervisor.state().state, 'cannot-open');
  rmSync(place);
  await untilReady(supervisor);
  assert.ok(listFiles(place).includes('store'));
  await supervisor.stop();
  rmSync(root, { recursive: true });
});

test('restarts an engine that outgrows its memory', async () => {
  const engine = await startTestEngine({ maxMemoryBytes: 100 * 2 ** 20 });
  await until(() => engine.supervisor.state().restarts > 0, 'a restart');
  assert.match(
    engine.supervisor.state().lastError ?? '',
    /used \d+ bytes of memory where 104857600 are allowed/,
  );
  await engine.stop();
});

test('refuses a socket path that the kernel would cut', () => {
  const options = {
    folder: '/tmp/x',
    maxMemoryBytes: 2 ** 30,
    sessions: 1,
    log: silentLog,
    clock: systemClock,
  };
  assert.throws(
    () => superviseEngine({ ...options, socketPath: `/tmp/${'x'.repeat(120)}` }),
    /at most 103 bytes/,
  );
});
