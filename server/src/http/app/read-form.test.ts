import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppFault } from './app-fault.ts';
import { domainField } from './fields.ts';
import { flag, listOf, oneOf, optional, orNull, readForm, text, whole } from './read-form.ts';

const fields = {
  name: text({ max: 5, description: 'a name' }),
  count: orNull(whole({ min: 1, max: 9, description: 'a count' })),
  isOn: optional(flag('a switch')),
  hours: optional(oneOf([0, 24] as const, 'hours')),
  ids: optional(listOf(whole({ min: 1, max: 9, description: 'an id' }), { max: 2, description: 'ids' })),
};

function faultOf(body: unknown): AppFault {
  try {
    readForm(body, fields);
  } catch (error) {
    assert.ok(error instanceof AppFault);
    return error;
  }
  assert.fail('expected a fault');
}

test('reads what is as it should be, and leaves out what may be left out', () => {
  assert.deepEqual(readForm({ name: 'ab', count: null }, fields), { name: 'ab', count: null });
  assert.deepEqual(readForm({ name: '', count: 3, isOn: false, hours: 24, ids: [1, 2] }, fields), {
    ...{ name: '', count: 3, isOn: false, hours: 24, ids: [1, 2] },
  });
});

test('tells of all that is wrong, by field', () => {
  const { code, fields: faults } = faultOf({
    name: 'abcdef',
    count: 0,
    isOn: 'yes',
    hours: 3,
    ids: [1, 2, 3],
  });
  assert.equal(code, 400);
  assert.deepEqual(Object.keys(faults!), ['name', 'count', 'isOn', 'hours', 'ids']);
  assert.match(faults!.name!, /at most 5 characters, got 6/);
  assert.match(faults!.hours!, /0 or 24/);
});

test('a field that must be there and is not, and one that nobody knows, are faults', () => {
  assert.deepEqual(Object.keys(faultOf({}).fields!), ['name', 'count']);
  assert.deepEqual(Object.keys(faultOf({ name: 'a', count: null, more: 1 }).fields!), ['more']);
  assert.deepEqual(Object.keys(faultOf(JSON.parse('{"name":"a","count":null,"__proto__":1}')).fields!), [
    '__proto__',
  ]);
});

test('what is not an object at all is a fault', () => {
  for (const body of [null, [], 'text', 3, undefined]) assert.match(faultOf(body).message, /JSON object/);
});

test("a field's own check says what it expected", () => {
  const read = () => readForm({ domain: 'https://a.test/x' }, { domain: domainField });
  assert.throws(read, /domain: The domain: expected a host name such as/);
});
