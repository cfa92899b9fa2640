import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StatsFaultCode, statsFaults } from '@trackside/contract/stats/fault-codes.ts';
import { ControlError } from '../../control/database/control-error.ts';
import { DaysNotReady } from '../../stats/days/ready-days.ts';
import { QuestionTooLarge, StoreAway } from '../../stats/faults.ts';
import { QuestionError } from '../../stats/question/question-error.ts';
import { readStatsFault } from './read-stats-fault.ts';

type Expected = [(message: string) => Error, StatsFaultCode, number | undefined];

const faults: Expected[] = [
  [(message) => new QuestionError(message), 'question-invalid', undefined],
  [(message) => new QuestionTooLarge(message), 'question-too-large', undefined],
  [(message) => new ControlError('busy', message), 'busy', 2],
  [(message) => new StoreAway(message), 'engine-away', 2],
  [(message) => new StoreAway(message, { fault: 'busy' }), 'busy', 2],
  [(message) => new DaysNotReady(message, 'being-calculated'), 'being-calculated', 5],
  [(message) => new DaysNotReady(message, 'engine-away'), 'engine-away', 5],
  [(message) => new Error(message), 'internal', 5],
];

test('each fault has its code, its status and its wait, whatever its message says', () => {
  const messages = ['the store is restarting', 'still being added up', 'too many questions', 'xyz', ''];
  for (const [make, fault, retryAfterSeconds] of faults) {
    for (const text of messages) {
      const { message: _, isOurs, ...rest } = readStatsFault(make(text));
      const expected = { code: statsFaults[fault], fault };
      assert.deepEqual(rest, retryAfterSeconds === undefined ? expected : { ...expected, retryAfterSeconds });
      assert.equal(isOurs, fault === 'internal');
    }
  }
});

test('passes a message on, with a hint when to try again, but not an internal one', () => {
  const messageOf = (error: Error) => readStatsFault(error).message;
  assert.equal(messageOf(new QuestionError('limit: expected 1, got 0')), 'limit: expected 1, got 0');
  assert.equal(messageOf(new StoreAway('the store rests')), 'The store rests: try again in a moment');
  assert.equal(messageOf(new Error('/secret/path')), 'Internal fault: try again');
});
