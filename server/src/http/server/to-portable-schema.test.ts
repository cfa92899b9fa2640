import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toPortableSchema } from './to-portable-schema.ts';

test('says which numbers are whole, and how large they get', () => {
  const cases: [object, object][] = [
    [{ type: 'number' }, { type: 'number', format: 'double' }],
    [{ type: ['number', 'null'] }, { type: ['number', 'null'], format: 'double' }],
    [
      { type: 'integer', minimum: 0 },
      { type: 'integer', minimum: 0, format: 'int64' },
    ],
    [
      { type: 'integer', minimum: 0, maximum: 365 },
      { type: 'integer', minimum: 0, maximum: 365, format: 'int32' },
    ],
    [
      { type: 'integer', enum: [200, 503] },
      { type: 'integer', enum: [200, 503] },
    ],
  ];
  for (const [given, expected] of cases) assert.deepEqual(toPortableSchema({ ...given }), expected);
});

test('writes one value as a choice of one', () => {
  assert.deepEqual(toPortableSchema({ const: 'query' }), { type: 'string', enum: ['query'] });
  assert.deepEqual(toPortableSchema({ const: 200 }), { type: 'integer', enum: [200] });
});

test('joins a choice of values, with or without null', () => {
  const [en, de] = [
    { type: 'string', const: 'en' },
    { type: 'string', const: 'de' },
  ];
  assert.deepEqual(toPortableSchema({ anyOf: [en, de], description: 'Spoken.' }), {
    description: 'Spoken.',
    type: 'string',
    enum: ['en', 'de'],
  });
  assert.deepEqual(toPortableSchema({ anyOf: [en, de, { type: 'null' }] }), {
    type: ['string', 'null'],
    enum: ['en', 'de', null],
  });
});

test('joins null with what it may be instead, and leaves other choices', () => {
  const count = { type: 'integer', description: 'How many.' };
  assert.deepEqual(toPortableSchema({ anyOf: [count, { type: 'null' }] }), {
    type: ['integer', 'null'],
    description: 'How many.',
    format: 'int64',
  });
  const choices = { oneOf: [{ $ref: '#/a' }, { type: 'null' }] };
  assert.deepEqual(toPortableSchema(choices), choices);
});

test('reaches every part, and does not mistake names of members for keywords', () => {
  const one = { const: 1 };
  const portable = { type: 'integer', enum: [1] };
  assert.deepEqual(
    toPortableSchema({
      type: 'object',
      additionalProperties: false,
      properties: {
        anyOf: { type: 'array', items: one },
        const: one,
        map: { patternProperties: { '^.*$': one } },
      },
    }),
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        anyOf: { type: 'array', items: portable },
        const: portable,
        map: { additionalProperties: portable },
      },
    },
  );
});
