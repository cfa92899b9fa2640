import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, hang, type SeenRequest, startTestServer } from '../client/test-server.ts';
import { waitFor } from '../client/test-wait.ts';
import { pageOf } from '../record/test-metrics.ts';
import { makeFolder, startProgram } from './test-processes.ts';

const hourMs = 60 * 60_000;

const sequenceOf = ({ headers }: SeenRequest) => String(headers['trackside-sequence']);
const streamOf = (seen: SeenRequest) => sequenceOf(seen).split('.')[0]!;
const numberOf = (seen: SeenRequest) => Number(sequenceOf(seen).split('.')[1]);
const indexOf = ({ body }: SeenRequest) => Number(pageOf(body).split('/').at(-1));
const nameOf = ({ body }: SeenRequest) => pageOf(body).split('/').at(-2);
const timeOf = ({ body }: SeenRequest): string | undefined => JSON.parse(body).OccurredAt;

test('sends what an ended process left with its time, its stream and its numbers', async (t) => {
  const server = await startTestServer(t);
  const task = { url: server.url, folder: await makeFolder(t) };
  const startedAt = Date.now();
  await startProgram(t, { ...task, name: 'a', records: 10, ending: 'exit' }).ended;
  const endedAt = Date.now();
  assert.equal(server.requests.length, 0);
  await startProgram(t, { ...task, name: 'b', records: 2, ending: 'end', laterMs: hourMs }).ended;
  const [left, own] = ['a', 'b'].map((name) => server.requests.filter((seen) => nameOf(seen) === name));
  assert.deepEqual([left!.length, own!.length], [10, 2]);
  for (const seen of left!) {
    const occurredAt = Date.parse(timeOf(seen) ?? '');
    assert.ok(occurredAt >= startedAt && occurredAt <= endedAt, seen.body);
  }
  for (const seen of own!) assert.equal(timeOf(seen), undefined);
  for (const seen of server.requests) assert.equal(numberOf(seen), indexOf(seen) + 1);
  assert.deepEqual(
    [left, own].map((each) => new Set(each!.map(streamOf)).size),
    [1, 1],
  );
  assert.notEqual(streamOf(left![0]!), streamOf(own![0]!));
});

test('repeats what a killed process may have delivered byte for byte, half an hour later by the clock', async (t) => {
  const server = await startTestServer(t);
  const task = { url: server.url, folder: await makeFolder(t) };
  server.behave(hang);
  const first = startProgram(t, { ...task, name: 'a', records: 10, ending: 'stay' });
  await first.said;
  await waitFor('requests under way', () => server.requests.length === 4);
  first.child.kill('SIGKILL');
  await first.ended;
  const received = server.requests.splice(0);

  server.behave(answer(200, 'Success'));
  const laterMs = hourMs / 2;
  await startProgram(t, { ...task, name: 'b', records: 0, ending: 'end', laterMs }).ended;
  assert.equal(server.requests.length, 10);
  for (const { key, body, headers } of received) {
    const repeat = server.requests.find((seen) => seen.key === key);
    assert.equal(repeat?.body, body);
    assert.equal(repeat?.headers['trackside-sequence'], headers['trackside-sequence']);
  }
  const keys = new Set(received.map(({ key }) => key));
  const others = server.requests.filter(({ key }) => !keys.has(key));
  assert.equal(others.length, 6);
  for (const seen of others) assert.ok(timeOf(seen) !== undefined, seen.body);
});

test('gives each of several processes with one folder its own stream', async (t) => {
  const server = await startTestServer(t);
  const task = { url: server.url, folder: await makeFolder(t), records: 20, ending: 'end' };
  const programs = ['a', 'b', 'c'].map((name) => startProgram(t, { ...task, name }));
  await Promise.all(programs.map(({ ended }) => ended));
  assert.equal(server.requests.length, 60);
  for (const name of ['a', 'b', 'c']) {
    const own = server.requests.filter((seen) => nameOf(seen) === name);
    assert.equal(new Set(own.map(streamOf)).size, 1);
    for (const seen of own) assert.equal(numberOf(seen), indexOf(seen) + 1);
  }
  assert.equal(new Set(server.requests.map(streamOf)).size, 3);
});
