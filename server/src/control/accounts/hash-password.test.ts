import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { hashPassword, verifyNothing, verifyPassword } from './hash-password.ts';
import { watchPasswords } from './test-passwords.ts';

test('verifies the password that was hashed, and no other', async () => {
  const hash = await hashPassword('correct horse');
  assert.equal(await verifyPassword('correct horse', hash), true);
  for (const wrong of ['correct hors', 'Correct horse', 'correct horse ', '']) {
    assert.equal(await verifyPassword(wrong, hash), false, wrong);
  }
});

test('writes its cost, its own salt and the hash in the PHC format', async () => {
  const [one, two] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
  assert.notEqual(one, two);
  assert.match(one!, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('verifies hashes of other programs, with the cost that they state', async () => {
  // From the test vectors of the reference implementation.
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.equal(await verifyPassword('password', hash), true);
  assert.equal(await verifyPassword('passwore', hash), false);
});

test('treats letters as equal, whichever code points the keyboard sent', async () => {
  const hash = await hashPassword('caf\u00e9 cr\u00e8me!');
  assert.equal(await verifyPassword('cafe\u0301 cre\u0300me!', hash), true);
});

test('throws for an invalid hash, so that a damaged row is not a wrong password', async () => {
  for (const hash of ['', 'x', '$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c']) {
    await assert.rejects(verifyPassword('correct horse', hash), /expected the hash of a password/);
  }
});

test('works as hard for an unknown user as for a known one', async (t) => {
  const hash = await hashPassword('correct horse');
  const asked = watchPasswords(t);
  assert.equal(await verifyPassword('a wrong one', hash), false);
  assert.equal(await verifyNothing('a wrong one'), undefined);
  const [forUser, forNothing] = asked.map(({ parameters: { nonce, ...rest } }) => ({
    ...rest,
    saltBytes: Buffer.from(nonce as Buffer).length,
  }));
  assert.equal(forUser?.memory, 19_456);
  assert.deepEqual(forNothing, forUser);
});

test('hashes one at a time, lets others wait, and refuses a flood', async (t) => {
  await hashPassword('the thread is there');
  const asked = watchPasswords(t, { isHeld: true });
  const flood = Array.from({ length: 300 }, (_, at) => hashPassword(`correct horse ${at}`));
  const settled = Promise.allSettled(flood);
  for (let done = 0; done < 31; done++) {
    assert.equal(asked.length, done + 1);
    asked[done]!.answer();
    await flood[done];
    await new Promise(setImmediate);
  }
  const outcomes = (await settled).map(({ status }) => status);
  assert.ok(outcomes.slice(0, 31).every((status) => status === 'fulfilled'));
  assert.ok(outcomes.slice(31).every((status) => status === 'rejected'));
});

test('fails when its thread ends, and hashes again on a new one', async (t) => {
  await hashPassword('the thread is there');
  const asked = watchPasswords(t, { isHeld: true });
  const started: Worker[] = [];
  const onWorker = (worker: Worker) => started.push(worker);
  process.on('worker', onWorker);
  t.after(() => process.off('worker', onWorker));
  const lost = hashPassword('correct horse');
  await asked[0]!.end();
  await assert.rejects(lost, /The thread for passwords has ended/);
  t.mock.restoreAll();
  assert.match(await hashPassword('correct horse'), /argon2id/);
  assert.equal(started.length, 1);
});

test('leaves the event loop free', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  // On a busy machine, the hash and the first turn may be due at the same time.
  for (let hashes = 0; turns === 0 && hashes < 20; hashes += 1) await hashPassword('correct horse');
  clearInterval(timer);
  assert.ok(turns > 0);
});

test('ends its thread when nobody has signed in for a while, and starts another', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await hashPassword('correct horse');
  let started = 0;
  const onWorker = () => started++;
  process.on('worker', onWorker);
  t.after(() => process.off('worker', onWorker));
  t.mock.timers.tick(29_000);
  await hashPassword('correct horse');
  assert.equal(started, 0);
  t.mock.timers.tick(30_000);
  await hashPassword('correct horse');
  assert.equal(started, 1);
});
