import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  type IdempotencyKey,
  idempotencyHash,
  readIdempotencyKey,
} from '../../intake/idempotency/idempotency-hash.ts';
import { ownerOf } from '../../intake/idempotency/owner-of.ts';
import { senderOf, website } from '../../intake/test-intake.ts';
import { successText } from '../server/answer.ts';
import { createForward } from './forward-records.ts';

const workers = 2;
const sender = website();

/** A key that the second worker has to judge. */
function keyOfSecond(): IdempotencyKey {
  for (let at = 0; ; at += 1) {
    const key = readIdempotencyKey(`key ${at}`);
    assert.ok(!('refused' in key));
    if (ownerOf(idempotencyHash(sender, key), workers) === 2) return key;
  }
}

/** Forwards a record to the worker at this socket, and returns whether that one may have got it. */
async function isSentTo(t: TestContext, socket: string): Promise<boolean> {
  const forward = createForward({ worker: 1, workers, socketOf: () => socket });
  t.after(() => forward.stop());
  const key = keyOfSecond();
  const request = { ...senderOf(sender), kind: 'page_view', key, authorization: 'a' } as const;
  const reply = { success: () => assert.fail(), other: () => assert.fail() };
  return await new Promise((resolve) =>
    assert.ok(forward.record(request, Buffer.from('{}'), reply, resolve)),
  );
}

test('knows whether a worker that is away can have got the record', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  assert.equal(await isSentTo(t, join(folder, 'nobody')), false);
  const dying = createServer((connection) => connection.once('data', () => connection.destroy()));
  dying.listen(join(folder, 'dying'));
  await once(dying, 'listening');
  t.after(() => dying.close());
  assert.equal(await isSentTo(t, join(folder, 'dying')), true);
});

test('says that a worker may have got the record if it is killed on a connection that was used before', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  let got = 0;
  const owner = createHttpServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume().once('end', () => {
      got += 1;
      if (got === 1) return response.end(successText);
      owner.close();
      owner.closeAllConnections();
    });
  });
  owner.listen(join(folder, 'owner'));
  await once(owner, 'listening');
  const forward = createForward({ worker: 1, workers, socketOf: () => join(folder, 'owner') });
  t.after(() => forward.stop());
  const key = keyOfSecond();
  const request = { ...senderOf(sender), kind: 'page_view', key, authorization: 'a' } as const;
  const send = () =>
    new Promise<string>((resolve) => {
      const reply = { success: () => resolve('accepted'), other: () => assert.fail() };
      const onAway = (isSent: boolean) => resolve(isSent ? 'unknown' : 'not sent');
      assert.ok(forward.record(request, Buffer.from('{}'), reply, onAway));
    });
  assert.equal(await send(), 'accepted');
  // The connection is free again in one of the next turns.
  await setImmediate();
  assert.equal(await send(), 'unknown');
  assert.equal(got, 2);
});

test('passes on whether the client sends a record for the first time', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const attempts: unknown[] = [];
  const owner = createHttpServer((request, response) => {
    attempts.push(request.headers['trackside-attempt']);
    request.resume();
    response.end(successText);
  });
  owner.listen(join(folder, 'owner'));
  await once(owner, 'listening');
  t.after(() => owner.close());
  const forward = createForward({ worker: 1, workers, socketOf: () => join(folder, 'owner') });
  t.after(() => forward.stop());
  const key = keyOfSecond();
  const request = { ...senderOf(sender), kind: 'page_view', key, authorization: 'a' } as const;
  for (const isFirst of [true, false])
    await new Promise<void>((resolve) => {
      const reply = { success: () => resolve(), other: () => assert.fail() };
      assert.ok(forward.record({ ...request, isFirst }, Buffer.from('{}'), reply, () => assert.fail()));
    });
  assert.deepEqual(attempts, ['1', undefined]);
});
