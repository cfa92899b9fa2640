import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { takeFolderLock } from '../../src/files/folder-lock.ts';
import { enginePids } from '../support/engine-pids.ts';
import { createAgentClient, createSocketClient } from '../support/keep-alive-clients.ts';
import { times } from '../support/long-form.ts';
import { waitFor } from '../support/wait-for.ts';
import { counts, segmentsOf } from './filled-folder.ts';
import { type Complaints, runInProcess } from './looks.ts';
import type { Scene } from './scene.ts';

export type Trouble = {
  name: string;
  /**
   * Whether only the long form runs this trouble. In the short form, another one of its kind or a separate
   * test takes its place.
   */
  isLong?: true;
  /**
   * Causes the trouble, checks what is said meanwhile, and ends it. If another trouble came before, a server
   * may already be running. A server must be running afterwards. Unless this returns something else, every
   * record that was answered with 200 must then be counted once, and all three must report nothing.
   */
  run(scene: Scene): Promise<void> | Promise<{ missing: number; tells: RegExp }>;
};

/**
 * The troubles in a list happen to one folder, one after the other, so that they can share a running server.
 * One that leaves damage behind comes last.
 */
export const troubles: Trouble[][] = [
  [
    { name: 'the disk is full at the start', isLong: true, run: startOnFullDisk },
    { name: 'the disk becomes full', run: fillDisk },
    { name: 'the disk hangs', run: hangDisk },
  ],
  [
    { name: 'a process that is not ours holds the store', isLong: true, run: holdStore },
    {
      name: 'an engine that stands still is left behind by a killed server',
      isLong: true,
      run: leaveEngineBehind,
    },
    { name: 'the open segment is removed after it was loaded', run: removeLoadedSegment },
  ],
  [
    { name: 'commands run beside the start', isLong: true, run: startBesideCommands },
    { name: 'the data folder is moved away and back', isLong: true, run: moveDataFolder },
    { name: 'the journal is moved away and back', isLong: true, run: moveJournal },
  ],
  [{ name: 'the open segment is removed before it was loaded', isLong: true, run: removeUnloadedSegment }],
  [
    { name: 'there are too few open files for an engine', isLong: true, run: startWithFewFiles },
    { name: 'the server is stopped under keep-alive clients', isLong: true, run: stopUnderLoad },
  ],
];

/** How many more records must be accepted before a trouble goes on. */
const some = times(8, 20);

/**
 * Limits on open files with which the server may start and answer, but has none left for an engine's pipes.
 * Which one it is depends on the version of Node. The likeliest come first.
 */
const fewOpenFiles = [40, 38, 42, 36, 44, 34, 46, 32, 48];

async function startIfNone(scene: Scene, options?: Parameters<Scene['start']>[0]): Promise<void> {
  if (!scene.isServerRunning()) await scene.start(options);
}

async function leaveEngineBehind(scene: Scene): Promise<void> {
  await startIfNone(scene);
  scene.send();
  await scene.untilHealthSays(/^$/);
  const engines = enginePids(scene.server().pid());
  assert.equal(engines.length, 1);
  scene.t.after(() => {
    for (const pid of engines.filter(isRunning)) process.kill(pid, 'SIGKILL');
  });
  for (const pid of engines) process.kill(pid, 'SIGSTOP');
  await scene.untilAccepted(some);
  await scene.server().end('SIGKILL');
  assert.ok(engines.every(isRunning), 'expected the engine to be left behind');
  await scene.start();
  await scene.untilAccepted(some);
  await scene.look();
  await waitFor('the engine to be ended', () => !engines.some(isRunning));
}

async function holdStore(scene: Scene): Promise<void> {
  const lock = takeFolderLock(join(scene.dataDir, 'store.lock'));
  assert.ok(lock);
  await scene.start();
  scene.send();
  await scene.untilAccepted(some);
  await scene.untilHealthSays(/^engine: locked: waiting for another process, which still holds the store/);
  expectAll(await scene.look(), /another process, which still holds the store/);
  await scene.untilAccepted(some);
  lock.release();
}

async function moveDataFolder(scene: Scene): Promise<void> {
  const { dataDir } = scene;
  await startIfNone(scene);
  await loseUnderLoad(scene, () => renameSync(dataDir, `${dataDir}-away`));
  scene.t.after(() => rmSync(`${dataDir}-away`, { recursive: true, force: true }));
  // A service manager restarts it at once, and that must not look like a new installation.
  const restartedMs = performance.now();
  await scene.start();
  expectAll(await scene.look(), /control/);
  const sending = scene.send();
  await waitFor('some answers', () => sending.answersSince(restartedMs).length >= 10);
  assert.deepEqual(new Set(sending.answersSince(restartedMs).map(({ status }) => status)), new Set([503]));
  await scene.server().end('SIGTERM');
  rmSync(dataDir, { recursive: true });
  renameSync(`${dataDir}-away`, dataDir);
  await scene.start();
  await scene.untilAccepted(some);
}

async function moveJournal(scene: Scene): Promise<void> {
  const journal = join(scene.dataDir, 'journal');
  await startIfNone(scene);
  await loseUnderLoad(scene, () => renameSync(journal, `${journal}-away`));
  const { doctor, verify } = await scene.look();
  expectAll({ doctor, verify }, /journal .*is missing/);
  rmSync(journal, { recursive: true, force: true });
  renameSync(`${journal}-away`, journal);
  await scene.start();
  scene.send();
  await scene.untilAccepted(some);
}

async function removeLoadedSegment(scene: Scene): Promise<{ missing: number; tells: RegExp }> {
  await startIfNone(scene);
  const sending = scene.send();
  await scene.untilAccepted(some);
  await sending.stop();
  await waitFor('all records to be loaded', async () => (await scene.count())?.missing === 0);
  await loseUnderLoad(scene, () => rmSync(segmentsOf(scene.dataDir).at(-1)!), { acceptedBefore: 0 });
  await scene.start();
  scene.send();
  await scene.untilAccepted(some);
  return { missing: 0, tells: /journal segment \d+ is missing/ };
}

async function removeUnloadedSegment(scene: Scene): Promise<{ missing: number; tells: RegExp }> {
  await scene.start();
  await waitFor('all records to be loaded', async () => (await scene.count())?.missing === 0);
  const engines = enginePids(scene.server().pid());
  for (const pid of engines) process.kill(pid, 'SIGSTOP');
  const lost = scene.send();
  await scene.untilAccepted(some);
  await lost.stop();
  await loseUnderLoad(scene, () => rmSync(segmentsOf(scene.dataDir).at(-1)!), { acceptedBefore: 0 });
  await scene.start();
  scene.send();
  await scene.untilAccepted(some);
  const missing = lost.accepted().length;
  return { missing, tells: /journal segment \d+ is missing.*weren't loaded before are missing/ };
}

async function startWithFewFiles(scene: Scene): Promise<void> {
  const startedMs = performance.now();
  const sending = scene.send({ atOnce: 1 });
  const isAnswered = async () => {
    const before = performance.now();
    await waitFor('an answer', () => sending.answersSince(before).length > 0 || scene.server().hasEnded());
    return sending.answersSince(startedMs).some(({ status }) => status === 200);
  };
  const output = () => scene.server().output.join('');
  const lacksFiles = async () => {
    await waitFor('an engine, or none', () => /EMFILE|engine is ready/.test(output()));
    return output().includes('EMFILE');
  };
  for (const openFiles of [...fewOpenFiles, undefined]) {
    assert.ok(openFiles, 'expected a limit that is enough for the server, but not for an engine');
    const hasStarted = await scene.start({ openFiles }).then(
      () => true,
      () => false,
    );
    if (hasStarted && (await isAnswered()) && (await lacksFiles())) break;
    await scene.server().end('SIGKILL');
  }
  const server = scene.server();
  await waitFor('the node to try again', () => output().split('EMFILE').length > 3);
  await scene.untilHealthSays(/^engine: cannot-start: .*EMFILE.*open files/);
  await scene.untilAccepted(some);
  const { doctor, verify } = await scene.look({ isHealthAsked: false });
  expectAll({ doctor, verify }, /EMFILE/);
  assert.match(doctor, /raise the limits on open files/);
  // More connections than can be opened: those that find no room wait or fail, and the node keeps running.
  const signal = AbortSignal.timeout(3000);
  await Promise.allSettled(Array.from({ length: 60 }, () => fetch(`${server.origin()}/health`, { signal })));
  await scene.untilAccepted(1);
  assert.equal(await server.end('SIGTERM'), 0);
  await scene.start();
  await scene.untilAccepted(some);
}

async function startBesideCommands(scene: Scene): Promise<void> {
  const run = runInProcess({ nodeArguments: [], environment: {} });
  scene.send();
  const export_ = run(scene.dataDir, 'export', 'damage.test', '--format', 'ndjson');
  const doctor = run(scene.dataDir, 'doctor');
  await scene.start();
  await scene.untilAccepted(some);
  for (const { code, stdout, stderr } of await Promise.all([export_, doctor]))
    assert.equal(code, 0, `${stdout}${stderr}`);
  const exported = (await export_).stdout.trimEnd().split('\n').length;
  assert.ok(exported >= counts.first + counts.second, `${exported} records are exported`);
}

async function hangDisk(scene: Scene): Promise<void> {
  const disk = await scene.openFaultyDisk();
  await startIfNone(scene, disk.options);
  const sending = scene.send();
  await scene.untilAccepted(some);
  await scene.untilHealthSays(/^$/);
  disk.say('hang');
  const hungMs = performance.now();
  await scene.untilHealthSays(/^journal: the disk has not responded for \d+ s/m);
  const looks = await scene.look({ run: disk.run });
  expectAll(looks, /the disk has not responded/);
  assert.match(looks.doctor, /engine.*not checked/, 'nothing else waits for the disk');
  const falselyAnswered = sending.answersSince(hungMs).filter(({ status }) => status === 200);
  assert.deepEqual(falselyAnswered, []);
  assert.ok(sending.waiting() > 0, 'expected records to wait');
  const held = sending.waiting();
  const before = sending.countAccepted();
  disk.say('well');
  await waitFor('who waited to be answered', () => sending.countAccepted() >= before + held);
}

async function startOnFullDisk(scene: Scene): Promise<void> {
  const disk = await scene.openFaultyDisk();
  disk.say('full');
  const fullMs = performance.now();
  await scene.start(disk.options);
  const sending = scene.send();
  await expectRefusals(scene, sending, fullMs);
  const { health, doctor } = await scene.look({ run: disk.run });
  expectAll({ health, doctor }, /the disk is full/);
  disk.say('well');
  await scene.untilAccepted(some);
}

async function fillDisk(scene: Scene): Promise<void> {
  const disk = await scene.openFaultyDisk();
  await startIfNone(scene, disk.options);
  const sending = scene.send();
  await scene.untilAccepted(some);
  disk.say('full');
  const fullMs = performance.now();
  await expectRefusals(scene, sending, fullMs);
  await scene.untilHealthSays(/^journal: the journal or the disk is full/m);
  const { health, doctor } = await scene.look({ run: disk.run, isVerified: false });
  expectAll({ health, doctor }, /full/);
  await expectRefusals(scene, sending, fullMs);
  disk.say('well');
  await scene.untilAccepted(some);
}

async function stopUnderLoad(scene: Scene): Promise<void> {
  await startIfNone(scene);
  const { apiKey } = scene.filled;
  const origin = scene.server().origin();
  const unanswered: string[] = [];
  const clients = Array.from({ length: 8 }, (_, index) => {
    const client =
      index % 2 === 0
        ? createSocketClient(origin, apiKey, '/api/page-view')
        : createAgentClient(origin, apiKey, {});
    return { client, index };
  });
  const sending = clients.map(async ({ client, index }) => {
    for (let record = 0; ; record += 1) {
      const path = `/client-${index}/${record}`;
      try {
        const status = await client.send(path);
        if (status === undefined) break;
        if (status === 200) scene.accept(path);
        else assert.equal(status, 503, path);
      } catch (error) {
        unanswered.push(`${path}: ${error}`);
      }
    }
    client.close();
  });
  await scene.untilAccepted(times(150, 300));
  assert.equal(await scene.server().end('SIGTERM'), 0);
  await Promise.all(sending);
  assert.deepEqual(unanswered, []);
  await scene.start();
}

/** Removes files while records are sent. Everything sent from then on is refused, and the server ends. */
async function loseUnderLoad(
  scene: Scene,
  lose: () => void,
  { acceptedBefore } = { acceptedBefore: some },
): Promise<void> {
  const sending = scene.send();
  if (acceptedBefore > 0) await scene.untilAccepted(acceptedBefore);
  lose();
  const lostMs = performance.now();
  const statuses = () => sending.answersSince(lostMs).map(({ status }) => status);
  const isFalse = () => statuses().includes(200);
  await waitFor('the server to end', () => scene.server().hasEnded() || isFalse());
  assert.ok(!isFalse(), 'expected no record to be accepted that is nowhere');
  await sending.stop();
  assert.ok(!isFalse(), 'expected no record to be accepted that is nowhere');
  // It may have been sent a moment before: the server ends as soon as it has refused one group.
  const isRefused = sending.answersSince(0).some(({ status }) => status === 503);
  assert.ok(isRefused, 'expected a record to be refused');
  assert.equal(scene.server().exitCode(), 1);
}

/** Expects only 503, for a while. Records that were sent just before may still have been accepted. */
async function expectRefusals(scene: Scene, sending: ReturnType<Scene['send']>, sinceMs: number) {
  const before = sending.answersSince(sinceMs).length;
  await waitFor('some answers', () => sending.answersSince(sinceMs).length >= before + 10);
  for (const { status, retryAfter } of sending.answersSince(sinceMs)) {
    assert.equal(status, 503, scene.server().output.join(''));
    assert.match(retryAfter ?? '', /^\d+$/);
  }
}

function expectAll(complaints: Partial<Complaints>, what: RegExp): void {
  for (const [who, text] of Object.entries(complaints))
    assert.match(text, what, `expected ${who} to tell it`);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
