import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { times } from '../../../test/support/long-form.ts';
import { parse } from './validate.ts';

function messageOf(body: Buffer | string): string {
  const parsed = parse(Buffer.from(body));
  assert.ok('refused' in parsed, 'expected a refusal');
  assert.equal(parsed.refused, 'malformed');
  return parsed.message;
}

test('reads any JSON as JSON.parse does, with or without a byte order mark', () => {
  fc.assert(
    fc.property(fc.json(), fc.boolean(), (text, hasMark) => {
      assert.deepEqual(parse(Buffer.from(`${hasMark ? '\uFEFF' : ''}${text}`)), { json: JSON.parse(text) });
    }),
  );
});

test('refuses an empty body, and one with only a byte order mark', () => {
  assert.equal(messageOf(''), 'Body: expected a JSON object, got nothing');
  assert.match(messageOf('\uFEFF'), /^Body: expected a JSON object/);
  assert.match(messageOf('\uFEFF\uFEFF{}'), /^Body: expected a JSON object/);
});

test('refuses bytes that are not UTF-8', () => {
  const notUtf8 = ['ff', 'c0af', 'eda080', 'e282', 'f5808080', '7b22c322'];
  for (const hex of notUtf8) assert.match(messageOf(Buffer.from(hex, 'hex')), /not UTF-8$/);
  assert.match(messageOf(Buffer.from('\uFEFF{}', 'utf16le')), /not UTF-8$/);
});

test('survives 200,000 brackets, closed or not', () => {
  const depth = 200_000;
  assert.match(messageOf('['.repeat(depth)), /not valid JSON/);
  assert.match(messageOf('{"a":'.repeat(depth)), /not valid JSON/);
  assert.ok('json' in parse(Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`)));
});

test('says where the JSON breaks off', () => {
  assert.match(messageOf('{"Metrics": nothing}'), /got text that is not valid JSON/);
  assert.match(messageOf('{"Metrics": {}'), /\(near character 15\)$/);
});

test('does not mistake a number in the body for the position of the fault', () => {
  assert.doesNotMatch(messageOf('at position 49151'), /4915/);
  assert.doesNotMatch(messageOf('{"x": at position 49151'), /4915/);
  assert.doesNotMatch(messageOf('[in JSON at position 49151'), /4915/);
});

test('quotes nothing from a body that is not JSON', () => {
  const broken = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('Ω', '"Ω', '{Ω', '"\\Ω', 'Ω\n'));
  fc.assert(
    fc.property(broken, ([text, at, mark]) => {
      const place = at % (text.length + 1);
      const body = `${text.slice(0, place)}${mark}${text.slice(place)}`;
      const parsed = parse(Buffer.from(body));
      if ('refused' in parsed) assert.doesNotMatch(parsed.message, /Ω/);
    }),
    { numRuns: times(150, 500) },
  );
});
