import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closed, oneName, text, whole } from '@trackside/contract/stats/schema-parts.ts';
import Type from 'typebox';
import { createReader, readList, readObject, readText } from './read-value.ts';

const refused = (read: () => unknown, message: string) =>
  assert.throws(read, { name: 'QuestionError', message });

test('reads a value that fits its schema unchanged', () => {
  assert.equal(createReader(oneName(['day', 'week']))('interval', 'week'), 'week');
  assert.equal(createReader(whole(1, 3))('limit', 3), 3);
  assert.equal(createReader(Type.Boolean())('order[0].descending', false), false);
});

test('refuses another value with its path, what the schema expects and what was sent', () => {
  const readInterval = createReader(oneName(['day', 'week']));
  refused(() => readInterval('interval', 'year'), 'interval: expected one of day, week, got "year"');
  refused(() => readInterval('interval', undefined), 'interval: expected one of day, week, got nothing');
  const readLimit = createReader(whole(1, 3));
  for (const [value, shown] of [
    [0, '0'],
    [4, '4'],
    [1.5, '1.5'],
    ['2', '"2"'],
    [null, 'null'],
    [[], 'a list'],
    [{}, 'an object'],
  ])
    refused(() => readLimit('limit', value), `limit: expected a whole number from 1 to 3, got ${shown}`);
  refused(
    () => createReader(Type.Boolean())('order[0].descending', 1),
    'order[0].descending: expected true or false, got 1',
  );
});

test('an object has only members of its schemas', () => {
  const [days, minutes] = [closed({ from: text(), to: text() }), closed({ lastMinutes: whole(1, 9) })];
  const came = { to: 'x', lastMinutes: 'any' };
  assert.equal(readObject('period', came, days, minutes), came);
  refused(
    () => readObject('period', { ...came, form: 1 }, days, minutes),
    'period: expected only the members from, to, lastMinutes, got "form"',
  );
  refused(() => readObject('period', JSON.parse('{"__proto__":1}'), days), protoMessage);
  refused(() => readObject('period', ['x'], days), 'period: expected an object, got a list');
});

const protoMessage = 'period: expected only the members from, to, got "__proto__"';

test('limits the length of texts and lists, and shortens a value in a message', () => {
  assert.deepEqual(readList('anyOf', ['a', 'b\0'], 2, readText), ['a', 'b\uFFFD']);
  refused(() => readList('anyOf', ['a', 'b'], 1, readText), 'anyOf: expected at most 1 elements, got 2');
  refused(() => readList('anyOf', ['a', 7], 2, readText), 'anyOf[1]: expected a string, got 7');
  refused(() => readText('is', 'x'.repeat(2049)), 'is: expected at most 2048 characters, got 2049');
  const long = createReader(oneName(['day']));
  refused(() => long('interval', 'x'.repeat(61)), `interval: expected one of day, got "${'x'.repeat(60)}…"`);
});

test('does not treat null as an absent member, because the document does not allow it', () => {
  const schema = closed({ period: Type.Optional(text()), of: Type.Optional(text()) });
  const advice = 'expected a value, got null; leave it out for the default';
  refused(() => readObject('Question', { period: null }, schema), `period: ${advice}`);
  refused(() => readObject('filters[0]', { of: null }, schema), `filters[0].of: ${advice}`);
});
