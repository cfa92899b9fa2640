import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { answer, hang, startTestServer } from '../client/test-server.ts';
import { waitFor } from '../client/test-wait.ts';
import { Trackside } from '../client/trackside.ts';
import type { TrackFault } from '../faults/track-fault.ts';
import { makePageView } from '../record/make-record.ts';
import type { TrackRecord } from '../record/record.ts';
import { makeMetrics, testKey } from '../record/test-metrics.ts';
import { keepOnDisk } from './keep-on-disk.ts';
import { listFiles, makeFolder } from './test-processes.ts';

const makeRecord = () => ({ ...(makePageView(makeMetrics()) as TrackRecord), sequence: 'stream.17' });

async function openKeep(t: TestContext, folder: string, options = {}) {
  const keep = keepOnDisk(folder, options);
  const faults: TrackFault[] = [];
  keep.open((fault) => faults.push(fault));
  t.after(() => keep.close());
  return { keep, faults };
}

async function readAll(folder: string): Promise<string> {
  const files = (await listFiles(folder)).map((name) => readFile(join(folder, name), 'utf8'));
  return (await Promise.all(files)).join('');
}

test('creates a folder and files that only their owner can read', async (t) => {
  const folder = join(await makeFolder(t), 'deep', 'queue');
  const { keep } = await openKeep(t, folder);
  keep.add(makeRecord(), 5);
  await keep.written();
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  const [file] = await listFiles(folder);
  assert.equal((await stat(join(folder, file!))).mode & 0o777, 0o600);
});

test('refuses a folder that others can read, and says what to do', async (t) => {
  const folder = await makeFolder(t);
  await chmod(folder, 0o750);
  assert.throws(() => keepOnDisk(folder), /expected .*\(0700\), got 0750: .* chmod 700/);
});

test('refuses an invalid limit', async (t) => {
  const folder = await makeFolder(t);
  assert.throws(() => keepOnDisk(folder, { maxBytes: 5 }), /maxBytes: expected a whole number/);
});

test('refuses to serve two clients', async (t) => {
  const { keep } = await openKeep(t, await makeFolder(t));
  assert.throws(() => keep.open(() => {}), /one keepOnDisk\(folder\) per client/);
});

test('passes what is not done to the next process, with what is known about it', async (t) => {
  const folder = await makeFolder(t);
  const { keep } = await openKeep(t, folder);
  const [done, tried, untried, fresh] = [makeRecord(), makeRecord(), makeRecord(), makeRecord()];
  for (const record of [done, tried, untried, fresh]) keep.add(record, 5);
  for (const { key } of [done, tried, untried]) keep.noteTry(key, 7, 3);
  keep.noteDone(done.key);
  keep.noteUntried(untried.key);
  await keep.close();
  const { keep: next } = await openKeep(t, folder);
  assert.deepEqual(await next.claim(100), [
    { ...tried, trackedAt: 5, tried: { at: 7, occurredAt: 3 } },
    { ...untried, trackedAt: 5, tried: undefined },
    { ...fresh, trackedAt: 5, tried: undefined },
  ]);
});

test('continues with notes in a file that it has claimed', async (t) => {
  const folder = await makeFolder(t);
  const records = [makeRecord(), makeRecord()];
  const { keep: first } = await openKeep(t, folder);
  for (const record of records) first.add(record, 5);
  await first.close();
  const { keep: second } = await openKeep(t, folder);
  await second.claim(100);
  second.noteDone(records[0]!.key);
  await second.close();
  const { keep: third } = await openKeep(t, folder);
  assert.deepEqual(
    (await third.claim(100)).map(({ key }) => key),
    [records[1]!.key],
  );
  third.noteDone(records[1]!.key);
  await third.written();
  await third.close();
  assert.deepEqual(await listFiles(folder), []);
});

test('removes empty files that an earlier process has left', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'free-0123456789abcdef.records'), '', { mode: 0o600 });
  const { keep } = await openKeep(t, folder);
  assert.deepEqual(await keep.claim(10), []);
  assert.deepEqual(await listFiles(folder), []);
});

test('has no address on disk anymore when everything is done', async (t) => {
  const folder = await makeFolder(t);
  const { keep } = await openKeep(t, folder);
  const record = makeRecord();
  keep.add(record, 5);
  await keep.written();
  assert.ok((await readAll(folder)).includes(record.key));
  keep.noteDone(record.key);
  await keep.written();
  assert.equal(await readAll(folder), '');
  const next = makeRecord();
  keep.add(next, 5);
  await keep.written();
  assert.ok((await readAll(folder)).includes(next.key));
});

test('never has the API key on disk', async (t) => {
  const folder = await makeFolder(t);
  const server = await startTestServer(t);
  server.behave(answer(503, 'Later'));
  const trackside = new Trackside({
    url: server.url,
    apiKey: testKey,
    queue: { disk: keepOnDisk(folder) },
  });
  for (let index = 0; index < 10; index += 1) trackside.trackPageView(makeMetrics());
  assert.deepEqual(await trackside.close({ withinMs: 50 }), { remaining: 10 });
  assert.equal(trackside.counts().dropped, 0);
  const text = await readAll(folder);
  assert.equal(text.match(/\["record"/g)?.length, 10);
  assert.ok(!text.includes(testKey));
});

test('sends what an earlier client has left, with the current key', async (t) => {
  const folder = await makeFolder(t);
  const server = await startTestServer(t);
  const open = (apiKey: string) =>
    new Trackside({ url: server.url, apiKey, queue: { disk: keepOnDisk(folder) } });
  server.behave(answer(401, 'No'));
  const old = open('old-key');
  for (let index = 0; index < 5; index += 1) old.trackPageView(makeMetrics());
  await old.close({ withinMs: 50 });
  server.behave(server.counting(answer(200, 'Success')));
  const next = open(testKey);
  assert.deepEqual(await next.close(), { remaining: 0 });
  assert.equal(server.counted.size, 5);
  assert.equal(server.requests.at(-1)?.authorization, testKey);
  assert.deepEqual(await listFiles(folder), []);
});

test('skips a torn last line and continues after it', async (t) => {
  const folder = await makeFolder(t);
  const records = [makeRecord(), makeRecord()];
  const { keep } = await openKeep(t, folder);
  for (const record of records) keep.add(record, 5);
  await keep.close();
  const file = join(folder, (await listFiles(folder))[0]!);
  await writeFile(file, `${await readFile(file, 'utf8')}0123abcd ["done","${records[0]!.key}`);
  for (let round = 0; round < 2; round += 1) {
    const { keep: next, faults } = await openKeep(t, folder);
    assert.equal((await next.claim(100)).length, 2);
    assert.deepEqual(faults, []);
    next.noteTry(records[0]!.key, 9, undefined);
    await next.close();
  }
});

test('skips a damaged line, and reports how many', async (t) => {
  const folder = await makeFolder(t);
  const { keep } = await openKeep(t, folder);
  for (let index = 0; index < 3; index += 1) keep.add(makeRecord(), 5);
  await keep.close();
  const file = join(folder, (await listFiles(folder))[0]!);
  const lines = (await readFile(file, 'utf8')).split('\n');
  lines[1] = lines[1]!.replace('shop.example', 'shop.exam\0\0\0');
  await writeFile(file, lines.join('\n'));
  const { keep: next, faults } = await openKeep(t, folder);
  assert.equal((await next.claim(100)).length, 2);
  assert.partialDeepStrictEqual(faults, [{ kind: 'disk', records: 1 }]);
});

test('claims no more files than there is room for', async (t) => {
  const folder = await makeFolder(t);
  for (let index = 0; index < 3; index += 1) {
    const { keep } = await openKeep(t, folder);
    for (let count = 0; count < 10; count += 1) keep.add(makeRecord(), 5);
    await keep.close();
  }
  const { keep } = await openKeep(t, folder);
  assert.equal((await keep.claim(15)).length, 20);
  assert.equal((await keep.claim(15)).length, 10);
});

test('writes to a new file when one is long, and removes it when everything in it is done', async (t) => {
  const folder = await makeFolder(t);
  const { keep } = await openKeep(t, folder, { maxBytes: 2 ** 20 });
  const records = Array.from({ length: 900 }, makeRecord);
  for (const record of records) keep.add(record, 5);
  await keep.written();
  assert.equal((await listFiles(folder)).length, 2);
  for (const { key } of records.slice(0, 890)) keep.noteDone(key);
  await keep.written();
  await keep.close();
  assert.equal((await listFiles(folder)).length, 1);
});

test('accepts no more than its limit, reports that, and has room again later', async (t) => {
  const folder = await makeFolder(t);
  const { keep, faults } = await openKeep(t, folder, { maxBytes: 2 ** 20 });
  const records = Array.from({ length: 3000 }, makeRecord);
  for (const record of records) keep.add(record, 5);
  await keep.written();
  assert.ok((await readAll(folder)).length <= 2 ** 20);
  assert.equal(faults.length, records.filter(({ key }) => !keep.has(key)).length);
  assert.match(faults[0]!.message, /in memory only/);
  for (const { key } of records) keep.noteDone(key);
  await keep.written();
  const record = makeRecord();
  keep.add(record, 5);
  assert.ok(keep.has(record.key));
});

test('counts what other processes have in the folder', async (t) => {
  const folder = await makeFolder(t);
  const { keep: first } = await openKeep(t, folder);
  for (let index = 0; index < 3000; index += 1) first.add(makeRecord(), 5);
  await first.written();
  const { keep: second, faults } = await openKeep(t, folder, { maxBytes: 2 ** 20 });
  assert.deepEqual(await second.claim(100), []);
  second.add(makeRecord(), 5);
  assert.equal(faults.length, 1);
});

test('falls back to memory when it cannot write, reports that, and still delivers', async (t) => {
  const folder = join(await makeFolder(t), 'queue');
  const server = await startTestServer(t);
  const faults: TrackFault[] = [];
  const disk = keepOnDisk(folder);
  await rm(folder, { recursive: true });
  const onError = (fault: TrackFault) => faults.push(fault);
  const trackside = new Trackside({ url: server.url, apiKey: testKey, onError, queue: { disk } });
  for (let index = 0; index < 10; index += 1) trackside.trackPageView(makeMetrics());
  assert.deepEqual(await trackside.close(), { remaining: 0 });
  assert.equal(server.requests.length, 10);
  assert.ok(
    faults.some(({ kind, message }) => kind === 'disk' && /ENOENT: records are kept in memory/.test(message)),
  );
});

test('reports a file that it cannot read, and continues with the others', async (t) => {
  const folder = await makeFolder(t);
  const { keep } = await openKeep(t, folder);
  keep.add(makeRecord(), 5);
  await keep.close();
  await mkdir(join(folder, 'free-0123456789abcdef.records'));
  const { keep: next, faults } = await openKeep(t, folder);
  assert.equal((await next.claim(100)).length, 1);
  assert.partialDeepStrictEqual(faults, [{ kind: 'disk' }]);
});

test('reports what is lost with close() if the folder is gone', async (t) => {
  const folder = join(await makeFolder(t), 'queue');
  const server = await startTestServer(t);
  server.behave(hang);
  const faults: TrackFault[] = [];
  const onError = (fault: TrackFault) => faults.push(fault);
  const queue = { disk: keepOnDisk(folder) };
  const trackside = new Trackside({ url: server.url, apiKey: testKey, onError, queue });
  for (let index = 0; index < 10; index += 1) trackside.trackPageView(makeMetrics());
  await waitFor('requests under way', () => server.requests.length === 4);
  await rm(folder, { recursive: true });
  assert.deepEqual(await trackside.close({ withinMs: 50 }), { remaining: 10 });
  assert.partialDeepStrictEqual(faults.at(-1), { kind: 'closed', records: 10 });
  assert.equal(trackside.counts().dropped, 10);
});

test('claims once what its owner has written again', async (t) => {
  const folder = await makeFolder(t);
  const records = [makeRecord(), makeRecord()];
  const { keep: owner, faults } = await openKeep(t, folder);
  for (const record of records) owner.add(record, 5);
  await owner.written();
  const [file] = await listFiles(folder);
  await rename(join(folder, file!), join(folder, 'free-0123456789abcdef.records'));
  const { keep: next } = await openKeep(t, folder);
  assert.equal((await next.claim(100)).length, 2);
  const later = makeRecord();
  owner.add(later, 5);
  await owner.close();
  assert.partialDeepStrictEqual(faults, [{ kind: 'disk', records: 3 }]);
  const claimed = await next.claim(100);
  assert.deepEqual(
    claimed.map(({ key }) => key),
    [later.key],
  );
  for (const { key } of [...records, later]) next.noteDone(key);
  await next.close();
  assert.deepEqual(await listFiles(folder), []);
});
