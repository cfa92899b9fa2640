import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Answers } from '@trackside/contract/stats/answers.ts';
import { type Fault, ok } from '#api/fault.ts';
import type { BatchQuestion, OnAnswer } from '#api/stats-api.ts';
import { createAsker, keyOf } from './create-asker.ts';

type Sent = {
  questions: readonly BatchQuestion[];
  answer: OnAnswer;
  finish: (fault: Fault) => void;
  signal: AbortSignal;
};

function start() {
  const sent: Sent[] = [];
  const statsApi = {
    batch: (_: unknown, questions: readonly BatchQuestion[], answer: OnAnswer, signal?: AbortSignal) =>
      new Promise<Fault>((finish, reject) => {
        sent.push({ questions, answer, finish, signal: signal! });
        signal!.addEventListener('abort', () => reject(signal!.reason));
      }),
  };
  const clock = { nowMs: 0 };
  const access = { headers: {}, livePath: '' };
  const asker = createAsker({ access, statsApi, now: () => clock.nowMs, maxKept: 2 });
  const ask = (period: `${number}d`, aborter = new AbortController()) => ({
    aborter,
    answer: asker.ask('query', { period }, aborter.signal),
  });
  const recall = (period: `${number}d`) => asker.recall(keyOf('query', { period }));
  return { sent, ask, recall, clock };
}

const numbers = (period: string) => ok({ asOf: period } as Answers['query']);
const unreachable: Fault = { kind: 'unreachable', message: 'away', code: undefined };

test('sends simultaneous questions as one request, and reports each answer as it arrives', async () => {
  const { sent, ask } = start();
  const [one, other] = [ask('7d'), ask('30d')];
  await turn();
  assert.deepEqual(sent[0]?.questions, [
    { kind: 'query', question: { period: '7d' } },
    { kind: 'query', question: { period: '30d' } },
  ]);
  sent[0]!.answer(1, numbers('second'));
  assert.deepEqual(await other.answer, numbers('second'));
  sent[0]!.answer(0, numbers('first'));
  assert.deepEqual(await one.answer, numbers('first'));
  assert.equal(sent.length, 1);
});

test('sends the same question once, even while it is on its way', async () => {
  const { sent, ask } = start();
  const one = ask('7d');
  await turn();
  const other = ask('7d');
  await turn();
  assert.equal(sent.length, 1);
  sent[0]!.answer(0, numbers('same'));
  assert.deepEqual(await Promise.all([one.answer, other.answer]), [numbers('same'), numbers('same')]);
});

test('aborts a request when nobody waits for it anymore, and not before', async () => {
  const { sent, ask } = start();
  const [one, other, third] = [ask('7d'), ask('30d'), ask('90d')];
  await turn();
  sent[0]!.answer(2, numbers('third'));
  await third.answer;
  one.aborter.abort();
  await assert.rejects(one.answer);
  assert.equal(sent[0]!.signal.aborted, false);
  other.aborter.abort();
  await assert.rejects(other.answer);
  assert.equal(sent[0]!.signal.aborted, true);
  ask('30d');
  await turn();
  assert.equal(sent.length, 2, 'it is asked anew');
});

test('never sends a question that is dropped at once', async () => {
  const { sent, ask } = start();
  const one = ask('7d');
  one.aborter.abort();
  await assert.rejects(one.answer);
  await turn();
  assert.equal(sent.length, 0);
});

test('reports the fault of a request for the questions without an answer', async () => {
  const { sent, ask } = start();
  const [one, other] = [ask('7d'), ask('30d')];
  await turn();
  sent[0]!.answer(0, numbers('first'));
  sent[0]!.finish(unreachable);
  assert.deepEqual(await one.answer, numbers('first'));
  assert.deepEqual(await other.answer, { isOk: false, fault: unreachable });
});

test('splits many questions into several requests', async () => {
  const { sent, ask } = start();
  for (let days = 1; days <= 40; days += 1) ask(`${days}d`);
  await turn();
  assert.deepEqual(
    sent.map(({ questions }) => questions.length),
    [32, 8],
  );
});

test('keeps the answers that were seen last, and knows how old they are', async () => {
  const { sent, ask, recall, clock } = start();
  for (const period of ['7d', '30d', '90d'] as const) ask(period);
  await turn();
  sent[0]!.answer(0, numbers('7'));
  sent[0]!.answer(1, numbers('30'));
  clock.nowMs = 500;
  assert.deepEqual(recall('7d'), { answer: { asOf: '7' }, ageMs: 500 });
  sent[0]!.answer(2, numbers('90'));
  assert.equal(recall('30d'), undefined, 'it was looked at least recently');
  assert.equal(recall('7d')?.answer.asOf, '7');
  assert.deepEqual(recall('90d'), { answer: { asOf: '90' }, ageMs: 0 });
  ask('7d');
  await turn();
  sent[1]!.answer(0, numbers('7, again'));
  assert.deepEqual(recall('7d'), { answer: { asOf: '7, again' }, ageMs: 0 });
});

test('keeps no fault', async () => {
  const { sent, ask, recall } = start();
  ask('7d');
  await turn();
  sent[0]!.finish(unreachable);
  await turn();
  assert.equal(recall('7d'), undefined);
});
