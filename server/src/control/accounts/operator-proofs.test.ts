import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretBox } from '../database/secret-box.ts';
import { createOperatorProofs } from './operator-proofs.ts';

test('a proof is valid for a while, and only with the same key', () => {
  let now = Date.parse('2026-11-16T12:00:30Z');
  const clock = { now: () => now, monotonicMs: () => 0 };
  const proofs = createOperatorProofs({ box: createSecretBox(Buffer.alloc(32, 1)), clock });
  const others = createOperatorProofs({ box: createSecretBox(Buffer.alloc(32, 2)), clock });
  const proof = proofs.make();
  assert.equal(proofs.isValid(proof), true);
  assert.equal(others.isValid(proof), false);
  assert.equal(proofs.isValid(''), false);
  assert.equal(proofs.isValid(`${proof} `), false);
  now += 60_000;
  assert.equal(proofs.isValid(proof), true);
  now += 60_000;
  assert.equal(proofs.isValid(proof), false);
});
