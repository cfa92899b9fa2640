import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { appFaults } from '@trackside/contract/app/fault-codes.ts';
import Fastify from 'fastify';
import { ControlError } from '../../control/database/control-error.ts';
import { createFakeClock, createTestLog, openTestControl } from '../../control/test-control.ts';
import { QuestionTooLarge, StoreAway } from '../../stats/faults.ts';
import { appRoute } from './app-route.ts';
import { appRoutes } from './register-app.ts';

/** Calls a route that does the given work, behind the guards of all routes. */
async function ask(t: TestContext, work: () => void) {
  const { control } = await openTestControl(t);
  const { log, messages } = createTestLog();
  const route = appRoute({
    method: 'GET',
    path: '/api/saving',
    access: 'anyone',
    summary: 'Saves',
    answers: { code: 204, description: 'Saved.' },
    async handle() {
      work();
      return {};
    },
  });
  const app = Fastify();
  t.after(() => app.close());
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const parts = { control, trustedProxies: 0, onUnknownProxy: () => {}, clock, log };
  for (const { register } of appRoutes(parts, [route])) register(app);
  const { statusCode, headers, body } = await app.inject({ url: '/api/saving' });
  return { statusCode, headers, body: JSON.parse(body), messages };
}

test('answers a full disk with 503 and what to do, and logs it', async (t) => {
  const database = new DatabaseSync(':memory:');
  database.exec('create table t (text); pragma max_page_count = 3');
  const { statusCode, headers, body, messages } = await ask(t, () =>
    database.exec('insert into t values (zeroblob(1000000))'),
  );
  assert.equal(statusCode, 503);
  assert.equal(headers['retry-after'], '30');
  assert.deepEqual(body, {
    code: 503,
    message: "The server's disk is full, so nothing was saved: free up space and try again",
    fault: 'disk-fault',
  });
  assert.match(messages.join('\n'), /^The disk is full: the control database cannot be written\. Free/m);
});

test('answers without the path of a file that cannot be opened', async (t) => {
  const { statusCode, body } = await ask(t, () => {
    throw Object.assign(new Error("EACCES: permission denied, open '/data/secret.key'"), {
      code: 'EACCES',
      syscall: 'open',
      path: '/data/secret.key',
    });
  });
  assert.equal(statusCode, 503);
  assert.doesNotMatch(JSON.stringify(body), /secret\.key/);
  assert.match(body.message, /can't write to its data folder/);
  assert.equal(body.fault, 'disk-fault');
});

test('reports by its code what the statistics cannot answer', async (t) => {
  for (const [error, fault] of [
    [new StoreAway('the store restarts'), 'engine-away'],
    [new QuestionTooLarge('memory'), 'question-too-large'],
    [new ControlError('busy', 'Too many requests at once.'), 'busy'],
    [new ControlError('not-allowed', 'The last admin'), 'not-allowed'],
  ] as const) {
    const { statusCode, body } = await ask(t, () => {
      throw error;
    });
    assert.deepEqual([statusCode, body.code, body.fault], [appFaults[fault], appFaults[fault], fault]);
  }
});

test('answers a bug as our own fault', async (t) => {
  const { statusCode, body, messages } = await ask(t, () => {
    throw new TypeError('undefined is not a function');
  });
  assert.equal(statusCode, 503);
  assert.deepEqual(body, { code: 503, fault: 'internal', message: 'Internal fault: try again' });
  assert.ok(messages.includes('a request failed'));
});
