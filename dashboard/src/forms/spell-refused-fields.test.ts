import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFault } from '#api/fault.ts';
import { faultWords } from '#format/fault-words.ts';
import { faultWordsGerman } from '#format/fault-words-german.ts';
import { spellRefusedFields } from './spell-refused-fields.ts';

const fields = { domain: 'The domain: expected a host name, got "a b".' };
const own = { refused: { domain: 'Enter a domain.' }, taken: { domain: 'This website was already added.' } };
const refusal = toFault(400, { fault: 'invalid', message: '…', fields }, null);

test('uses the form’s own sentence for a value that is refused or already taken', () => {
  assert.deepEqual(spellRefusedFields(refusal, own, faultWords), { domain: 'Enter a domain.' });
  const taken = toFault(400, { fault: 'already-exists', message: '…', fields }, null);
  assert.deepEqual(spellRefusedFields(taken, own, faultWords), { domain: 'This website was already added.' });
  assert.deepEqual(spellRefusedFields(taken, {}, faultWordsGerman), { domain: 'Das gibt es schon.' });
});

test('otherwise shows the server’s message, and marks it in another language', () => {
  assert.deepEqual(spellRefusedFields(refusal, {}, faultWords), fields);
  assert.deepEqual(spellRefusedFields(refusal, {}, faultWordsGerman), {
    domain: 'Der Server meldet: „The domain: expected a host name, got "a b".“',
  });
});

test('names no field when the form as a whole is at fault', () => {
  assert.deepEqual(spellRefusedFields(toFault(403, { fault: 'forbidden' }, null), own, faultWords), {});
});
