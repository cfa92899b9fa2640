import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { AppFault } from './app-fault.ts';
import { addGoalBody, addWebsiteBody } from './forms.ts';
import { readForm } from './read-form.ts';

const few = Type.Integer({ minimum: 1, maximum: 9 });
const schema = Type.Object({
  name: Type.String({ maxLength: 5 }),
  count: Type.Union([few, Type.Null()]),
  isOn: Type.Optional(Type.Boolean()),
  hours: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(24)])),
  language: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('de'), Type.Null()])),
  ids: Type.Optional(Type.Array(few, { maxItems: 2 })),
});
const form = { schema };

function faultOf(body: unknown): AppFault {
  try {
    readForm(body, form);
  } catch (error) {
    assert.ok(error instanceof AppFault);
    return error;
  }
  assert.fail('expected a fault');
}

test('reads valid fields, and omits optional ones', () => {
  assert.deepEqual(readForm({ name: 'ab', count: null }, form), { name: 'ab', count: null });
  assert.deepEqual(readForm({ name: '', count: 3, isOn: false, hours: 24, ids: [1, 2] }, form), {
    name: '',
    count: 3,
    isOn: false,
    hours: 24,
    ids: [1, 2],
  });
});

test('reports everything that is wrong, by field', () => {
  const { code, fields: faults } = faultOf({
    name: 'abcdef',
    count: 0,
    isOn: 'yes',
    hours: 3,
    language: 'fr',
    ids: [1, 2, 3],
  });
  assert.equal(code, 400);
  assert.deepEqual(faults, {
    name: 'Expected at most 5 characters, got 6.',
    count: 'Expected a whole number from 1 to 9.',
    isOn: 'Expected true or false.',
    hours: 'Expected 0 or 24.',
    language: 'Expected en or de or null.',
    ids: 'Expected a list of at most 2.',
  });
});

test('reports what is wrong in a list, and values that are not texts', () => {
  assert.deepEqual(faultOf({ name: 3, count: 1.5, ids: [1, 'two'] }).fields, {
    name: 'Expected text.',
    count: 'Expected a whole number from 1 to 9.',
    ids: 'Expected a whole number from 1 to 9.',
  });
});

test('counts typed text in UTF-16 code units, like every limit of a form', () => {
  const fields = (domain: string) => {
    try {
      readForm({ domain, timezone: 'UTC', contingent: null }, addWebsiteBody);
    } catch (error) {
      return (error as AppFault).fields;
    }
    return undefined;
  };
  assert.deepEqual(fields('😀'.repeat(151)), { domain: 'Expected at most 300 characters, got 302.' });
});

test('a missing required field is a fault, and so is an unknown one', () => {
  assert.deepEqual(Object.keys(faultOf({}).fields!), ['name', 'count']);
  assert.deepEqual(Object.keys(faultOf({ name: 'a', count: null, more: 1 }).fields!), ['more']);
  assert.deepEqual(Object.keys(faultOf(JSON.parse('{"name":"a","count":null,"__proto__":1}')).fields!), [
    '__proto__',
  ]);
});

test('a body that is not an object is a fault', () => {
  for (const body of [null, [], 'text', 3, undefined]) assert.match(faultOf(body).message, /JSON object/);
});

test("a field's own check says what it expected", () => {
  const read = () =>
    readForm({ domain: 'https://a.test/x', timezone: 'UTC', contingent: null }, addWebsiteBody);
  assert.throws(read, /domain: Domain: expected a host name such as/);
});

test('a goal is a page or an event, and not a text as in a question', () => {
  assert.deepEqual(readForm({ goal: { event: 'Signup' } }, addGoalBody), { goal: { event: 'Signup' } });
  for (const goal of ['Signup', 3, undefined])
    assert.throws(() => readForm({ goal }, addGoalBody), { message: 'goal: Expected a page or an event.' });
});
