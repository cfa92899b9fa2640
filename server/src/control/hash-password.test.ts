import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import { hashPassword, verifyNothing, verifyPassword } from './hash-password.ts';

/** Holds every derivation back until it is let go, and shows what it was asked. */
function holdArgon2(t: TestContext) {
  const asked: { parameters: crypto.Argon2Parameters; go: () => void }[] = [];
  t.mock.method(
    crypto,
    'argon2',
    (_: string, parameters: crypto.Argon2Parameters, done: (...args: unknown[]) => void) => {
      asked.push({ parameters, go: () => done(null, Buffer.alloc(parameters.tagLength)) });
    },
  );
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
    // Or those that wait behind them would wait for ever.
    for (const { go } of asked) go();
  });
  return asked;
}

test('verifies the password that was hashed, and no other', async () => {
  const hash = await hashPassword('correct horse');
  assert.equal(await verifyPassword('correct horse', hash), true);
  for (const wrong of ['correct hors', 'Correct horse', 'correct horse ', '']) {
    assert.equal(await verifyPassword(wrong, hash), false, wrong);
  }
});

test('writes its cost, a salt of its own and the hash as the PHC format has it', async () => {
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

test('takes letters as the same, whichever code points the keyboard sent', async () => {
  const hash = await hashPassword('caf\u00e9 cr\u00e8me!');
  assert.equal(await verifyPassword('cafe\u0301 cre\u0300me!', hash), true);
});

test('throws for what is no hash, so that a damaged row is not a wrong password', async () => {
  for (const hash of ['', 'x', '$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c']) {
    await assert.rejects(verifyPassword('correct horse', hash), /expected the hash of a password/);
  }
});

test('works as much for nothing as for a user', async (t) => {
  const hash = await hashPassword('correct horse');
  const asked = holdArgon2(t);
  const [real, nothing] = [verifyPassword('a wrong one', hash), verifyNothing('a wrong one')];
  assert.equal(asked.length, 2);
  const [forUser, forNothing] = asked.map(({ parameters: { nonce, ...rest } }) => ({
    ...rest,
    saltBytes: Buffer.from(nonce as Buffer).length,
  }));
  assert.deepEqual(forNothing, forUser);
  for (const { go } of asked) go();
  assert.deepEqual(await Promise.all([real, nothing]), [false, undefined]);
});

test('runs two at once, lets others wait, and refuses a flood', async (t) => {
  const asked = holdArgon2(t);
  const flood = Array.from({ length: 300 }, (_, at) => hashPassword(`correct horse ${at}`));
  assert.equal(asked.length, 2);
  const settled = Promise.allSettled(flood);
  let most = 0;
  for (let done = 0; done < asked.length; done++) {
    most = Math.max(most, asked.length - done);
    asked[done]!.go();
    await flood[done];
  }
  assert.equal(most, 2);
  const outcomes = (await settled).map(({ status }) => status);
  assert.equal(outcomes.filter((status) => status === 'fulfilled').length, 202);
  assert.ok(outcomes.slice(202).every((status) => status === 'rejected'));
});

test('leaves the event loop free', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await hashPassword('correct horse');
  clearInterval(timer);
  assert.ok(turns > 0);
});
