import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { testLong } from '../../../server/test/support/long-form.ts';
import { answer, answerPage, hang, startTestServer } from '../client/test-server.ts';
import { waitFor } from '../client/test-wait.ts';
import { pageOf } from '../record/test-metrics.ts';
import { listFiles, makeFolder, startProgram } from './test-processes.ts';

test('sends everything before a program ends', async (t) => {
  const server = await startTestServer(t);
  const { ended } = startProgram(t, { url: server.url, name: 'a', records: 20, ending: 'end' });
  assert.deepEqual(await ended, { code: 0, signal: null });
  assert.equal(server.requests.length, 20);
});

test('tries once more at the end of a program, and then lets it end', async (t) => {
  const server = await startTestServer(t);
  server.behaveInTurn(answerPage(503, { 'Retry-After': '120' }), server.counting(answer(200, 'Success')));
  const { ended, stderr } = startProgram(t, {
    url: server.url,
    name: 'a',
    records: 3,
    ending: 'end',
    clients: 15,
  });
  assert.deepEqual(await ended, { code: 0, signal: null });
  assert.equal(server.counted.size, 45);
  const unlike = stderr()
    .split('\n')
    .filter((line) => !/^(Trackside: .* \(\d+ records?\))?$/.test(line));
  assert.deepEqual(unlike, [], 'many clients are no reason for a warning');
  assert.match(stderr(), /^Trackside: /, 'what goes wrong is told, even when nobody asked for it');
});

test('sends what was tracked before kill -9 after a restart, once', async (t) => {
  const server = await startTestServer(t);
  const folder = await makeFolder(t);
  const task = { url: server.url, folder, records: 10 };
  // The server has counted some records, but the process ends before it gets the answers.
  server.behave((response, seen) => (server.counted.size < 3 ? server.counting(hang) : hang)(response, seen));
  const first = startProgram(t, { ...task, name: 'a', ending: 'stay' });
  await first.said;
  await waitFor('requests under way', () => server.requests.length === 4);
  first.child.kill('SIGKILL');
  await first.ended;
  assert.equal(server.counted.size, 3);

  server.behave(server.counting(answer(200, 'Success')));
  const second = startProgram(t, { ...task, name: 'b', records: 1, ending: 'stay' });
  await second.said;
  await waitFor('all records', () => server.counted.size === 11);
  await waitFor('an empty file', async () => (await listFiles(folder)).length <= 1);
  second.child.kill('SIGKILL');
  await second.ended;

  // A third process finds nothing left to do.
  const before = server.requests.length;
  const third = startProgram(t, { ...task, name: 'c', records: 1, ending: 'stay' });
  await third.said;
  await waitFor('its own record', () => server.counted.size === 12);
  assert.equal(server.requests.length, before + 1);
  const pages = [...server.counted.values()].map(pageOf);
  assert.equal(new Set(pages).size, 12);
});

test('leaves what was tracked just before process.exit() to the next process', async (t) => {
  const server = await startTestServer(t);
  const folder = await makeFolder(t);
  const task = { url: server.url, folder };
  const first = startProgram(t, { ...task, name: 'a', records: 10, ending: 'exit' });
  assert.deepEqual(await first.ended, { code: 0, signal: null });
  assert.equal(server.requests.length, 0);
  server.behave(server.counting(answer(200, 'Success')));
  await startProgram(t, { ...task, name: 'b', records: 0, ending: 'end' }).ended;
  assert.equal(server.counted.size, 10);
  assert.equal(server.requests.length, 10);
});

testLong('says once how many records a program could not send before its end', async (t) => {
  const server = await startTestServer(t);
  server.behave(answerPage(503));
  const { ended, stderr } = startProgram(t, { url: server.url, name: 'a', records: 3, ending: 'end' });
  assert.deepEqual(await ended, { code: 0, signal: null });
  const lost = stderr().match(/they are lost\..*$/gm);
  assert.deepEqual(lost, ['they are lost. Before process.exit(), await close(). (3 records)']);
});

test('says how many records are lost with process.exit()', async (t) => {
  const server = await startTestServer(t);
  const { ended, stderr } = startProgram(t, { url: server.url, name: 'a', records: 10, ending: 'exit' });
  assert.deepEqual(await ended, { code: 0, signal: null });
  assert.equal(server.requests.length, 0);
  assert.match(stderr(), /^Trackside: .* they are lost\. .* \(10 records\)\n$/);
});

testLong(
  'says how many records are lost with process.exit() when the disk accepts only a part',
  async (t) => {
    const server = await startTestServer(t);
    const task = { url: server.url, folder: await makeFolder(t), name: 'a', records: 100, ending: 'exit' };
    const { ended, stderr } = startProgram(t, task, { maxFileBlocks: '8' });
    assert.deepEqual(await ended, { code: 0, signal: null });
    assert.match(stderr(), /^Trackside: .* got EFBIG: .* \(100 records\)$/m);
    assert.match(stderr(), /^Trackside: .* they are lost\. .* \(100 records\)$/m);
  },
);

testLong('says how many records are lost with process.exit() after the disk has failed', async (t) => {
  const server = await startTestServer(t);
  server.behave(answerPage(503));
  const task = { url: server.url, folder: await makeFolder(t), name: 'a', records: 3 };
  const { ended, stderr } = startProgram(t, { ...task, ending: 'flush-and-exit' }, { maxFileBlocks: '0' });
  assert.deepEqual(await ended, { code: 0, signal: null });
  assert.match(stderr(), /^Trackside: .* they are lost\. .* \(3 records\)$/m);
});

test('lets one of several processes claim what another has left', async (t) => {
  const server = await startTestServer(t);
  const folder = await makeFolder(t);
  const task = { url: server.url, folder, ending: 'stay' };
  server.behave(hang);
  const left = startProgram(t, { ...task, name: 'left', records: 20 });
  await left.said;
  left.child.kill('SIGKILL');
  await left.ended;
  server.requests.length = 0;

  server.behave(server.counting(answer(200, 'Success')));
  const others = ['b', 'c', 'd'].map((name) => startProgram(t, { ...task, name, records: 5 }));
  await Promise.all(others.map(({ said }) => said));
  await waitFor('all records', () => server.counted.size === 35);
  const keys = server.requests.map(({ key }) => key);
  assert.equal(keys.length, new Set(keys).size, 'a record was sent by two processes');
});

test('does not touch the files of a live process', async (t) => {
  const server = await startTestServer(t);
  const folder = await makeFolder(t);
  server.behave((response, seen) =>
    seen.body.includes('/living/') ? undefined : server.counting(answer(200, 'Success'))(response, seen),
  );
  const living = startProgram(t, { url: server.url, folder, name: 'living', records: 4, ending: 'stay' });
  await living.said;
  await waitFor('requests under way', () => server.requests.length === 4);
  const other = startProgram(t, { url: server.url, folder, name: 'other', records: 1, ending: 'end' });
  await other.ended;
  assert.equal(server.requests.length, 5);
  assert.equal(server.counted.size, 1);
});

test('sends the rest on SIGTERM, and then ends', async (t) => {
  const server = await startTestServer(t);
  server.behave(answerPage(503));
  const task = { url: server.url, name: 'a', records: 5, ending: 'close-on-signals', clients: 2 };
  const { child, said, ended } = startProgram(t, task);
  await said;
  server.behave(server.counting(answer(200, 'Success')));
  child.kill('SIGTERM');
  assert.deepEqual(await ended, { code: null, signal: 'SIGTERM' });
  assert.equal(server.counted.size, 10);
});

test('ends on SIGTERM as PID 1 too, which the kernel spares', async (t) => {
  const server = await startTestServer(t);
  const task = { url: server.url, name: 'a', records: 5, ending: 'close-on-signals', isPid1: true };
  const { child, said, ended } = startProgram(t, task);
  await said;
  child.kill('SIGTERM');
  assert.deepEqual(await ended, { code: 143, signal: null });
  assert.equal(server.requests.length, 5);
});

test('continues in memory when the disk accepts only a part, and leaves no part there', async (t) => {
  const server = await startTestServer(t);
  const folder = await makeFolder(t);
  server.behave(hang);
  const task = { url: server.url, folder, name: 'a', records: 100, ending: 'stay' };
  const { said } = startProgram(t, task, { maxFileBlocks: '8' });
  await said;
  await waitFor('requests under way', () => server.requests.length === 4);
  const [file] = await listFiles(folder);
  assert.equal(await readFile(join(folder, file!), 'utf8'), '');
});
