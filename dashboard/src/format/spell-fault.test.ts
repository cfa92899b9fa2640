import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fault, toFault, unreachable } from '#api/fault.ts';
import { createFormat } from './create-format.ts';
import { faultWords } from './fault-words.ts';
import { faultWordsGerman } from './fault-words-german.ts';
import { spellFault } from './spell-fault.ts';

const english = { words: faultWords, format: createFormat({ locale: 'en-US', timeZone: 'UTC' }) };
const german = { words: faultWordsGerman, format: createFormat({ locale: 'de-DE', timeZone: 'UTC' }) };
const inEnglish = (fault: Fault) => spellFault(fault, english);
const inGerman = (fault: Fault) => spellFault(fault, german);

test('describes a fault with a code in the language of the page', () => {
  const body = { fault: 'wrong-credentials', message: 'The server’s own words.' };
  const fault = toFault(401, body, null);
  assert.equal(fault.code, 'wrong-credentials');
  assert.equal(inEnglish(fault), 'Incorrect email or password.');
  assert.equal(inGerman(fault), 'E-Mail-Adresse oder Passwort ist falsch.');
});

test('shows the server’s message where the code says too little', () => {
  const fault = toFault(400, { fault: 'invalid', message: 'The day: expected one.' }, null);
  assert.equal(inEnglish(fault), 'The day: expected one.');
  assert.equal(inGerman(fault), 'Der Server meldet: „The day: expected one.“');
});

test('describes a fault with an unknown code by its kind', () => {
  assert.equal(inEnglish(unreachable), 'Can’t reach the server. Check your connection and try again.');
  assert.equal(inEnglish(toFault(500, undefined, null)), 'Something went wrong. Try again.');
  const newer = toFault(403, { fault: 'toString', message: 'Of a newer server.' }, null);
  assert.equal(newer.code, undefined);
  assert.equal(inGerman(newer), 'Etwas ist schiefgegangen. Versuche es noch einmal.');
});

test('leaves it to a button to say that one can try again', () => {
  const fault = toFault(500, undefined, null);
  assert.equal(spellFault(fault, { ...english, hasRetry: true }), 'Something went wrong.');
  assert.equal(spellFault(fault, { ...german, hasRetry: true }), 'Etwas ist schiefgegangen.');
});

test('counts the seconds to wait', () => {
  const wait = (seconds: string) => toFault(429, { fault: 'too-many-attempts', message: '…' }, seconds);
  assert.equal(inEnglish(wait('1')), 'Too many attempts. Try again in 1 second.');
  assert.equal(inGerman(wait('30')), 'Zu viele Versuche. Versuche es in 30 Sekunden noch einmal.');
});
