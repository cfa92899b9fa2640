import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StatsFaultCode, statsFaults } from '@trackside/contract/stats/fault-codes.ts';
import { toFault } from '#api/fault.ts';
import { explainDelay } from './explain-delay.ts';
import { headWords } from './head-words.ts';

const explain = (fault: Parameters<typeof explainDelay>[0]) => explainDelay(fault, headWords.delay);
const codes = Object.keys(statsFaults) as StatsFaultCode[];
/** Messages with today's words and with entirely different ones. No decision may depend on the wording. */
const messages = [
  'The days of this period are still being calculated: try again in a moment',
  'This website has too many questions in progress: try again in a moment',
  'The store is restarting (records are still accepted): try again in a moment',
  'Unauthorized: sign in',
  'xyz',
];
const faultOf = (code: StatsFaultCode, message: string) =>
  toFault(statsFaults[code], { code: statsFaults[code], fault: code, message }, '7');

test('another wording changes only the message of a fault, not the explanation of a delay', () => {
  for (const code of codes) {
    const faults = messages.map((message) => faultOf(code, message));
    assert.deepEqual(
      faults.map(({ message }) => message),
      messages,
    );
    for (const fault of faults) {
      assert.deepEqual({ ...fault, message: '' }, { ...faults[0], message: '' }, code);
      assert.equal(explain(fault), explain(faults[0]), code);
    }
  }
});

test('distinguishes days being calculated, a busy engine and an absent one by their codes', () => {
  const said = (code: StatsFaultCode) => explain(faultOf(code, 'xyz')) ?? 'nothing';
  assert.match(said('being-calculated'), /being calculated/);
  assert.match(said('busy'), /busy/);
  assert.match(said('engine-away'), /restarting/);
  assert.match(said('website-not-ready'), /restarting/);
  for (const code of ['question-invalid', 'question-too-large', 'unauthorized'] as const)
    assert.equal(said(code), 'nothing');
  assert.equal(explain(undefined), undefined);
});
