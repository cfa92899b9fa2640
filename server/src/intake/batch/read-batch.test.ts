import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxBatchValues, maxBodyBytes, maxRecordValues } from '@trackside/contract/tracking/body-sizes.ts';
import fc from 'fast-check';
import { times } from '../../../test/support/long-form.ts';
import { event, pageView } from '../../../test/support/records.ts';
import { type BatchRecord, type RefusedRecord, readBatch } from './read-batch.ts';

const runs = times(300, 5000);

function read(text: string | Buffer) {
  const work = readBatch(Buffer.from(text));
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}

function records(text: string | Buffer): readonly (BatchRecord | RefusedRecord)[] {
  const found = read(text);
  if ('refused' in found) assert.fail(found.message);
  return found;
}

function refusal(text: string | Buffer): string {
  const found = read(text);
  assert.ok('refused' in found, 'expected a refusal');
  assert.equal(found.refused, 'malformed');
  return found.message;
}

/** What JSON.parse makes of the same text: the records, or undefined if the text is not JSON. */
function parseAll(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const json = fc.jsonValue({ maxDepth: 3 });
const space = fc.constantFrom('', ' ', '\n', '\t \r\n');
/** Writes a value as JSON with white space in all places that allow it. */
function spell(value: unknown, pad: () => string): string {
  const around = (text: string) => `${pad()}${text}${pad()}`;
  if (Array.isArray(value)) return around(`[${value.map((one) => spell(one, pad)).join(',')}${pad()}]`);
  if (typeof value !== 'object' || value === null) return around(JSON.stringify(value));
  const members = Object.entries(value).map(
    ([name, one]) => `${around(JSON.stringify(name))}:${spell(one, pad)}`,
  );
  return around(`{${members.join(',')}${pad()}}`);
}

test('finds the records that JSON.parse finds, whatever is in them and around them', () => {
  const batch = fc.record({
    list: fc.array(json, { minLength: 1, maxLength: 6 }),
    others: fc.dictionary(fc.string(), json, { maxKeys: 3 }),
    pads: fc.array(space, { minLength: 1, maxLength: 5 }),
  });
  fc.assert(
    fc.property(batch, ({ list, others, pads }) => {
      const isOther = ([name]: [string, unknown]) => !/^records$/i.test(name);
      const body = { ...Object.fromEntries(Object.entries(others).filter(isOther)), Records: list };
      let at = 0;
      const text = spell(body, () => pads[at++ % pads.length]!);
      const parsed = records(text).map((record) => JSON.parse(record.sent.toString()));
      assert.deepEqual(parsed, JSON.parse(text).Records);
    }),
    { numRuns: runs },
  );
});

test('refuses as a whole what is not JSON, wherever the fault is', () => {
  const whole = JSON.stringify({ A: [1, { b: '"\\' }], Records: [{ IdempotencyKey: 'k"' }, [2, 'x'], null] });
  const spot = fc.record({
    at: fc.nat(whole.length),
    cut: fc.nat(3),
    put: fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '1', 'null', ' ', '\uFEFF', 'é'),
  });
  fc.assert(
    fc.property(fc.array(spot, { minLength: 1, maxLength: 3 }), (spots) => {
      let text = whole;
      for (const { at, cut, put } of spots) text = text.slice(0, at) + put + text.slice(at + cut);
      const parsed = parseAll(text.replace(/^\uFEFF/, ''));
      const found = read(text);
      if (parsed === undefined) {
        assert.ok('refused' in found, text);
        assert.match(found.message, /^Body: expected a JSON object, got /);
      } else if (!('refused' in found))
        assert.deepEqual(
          found.map((record) => JSON.parse(record.sent.toString())),
          (parsed as { Records: unknown }).Records,
        );
    }),
    { numRuns: runs },
  );
});

test('says what is wrong with a batch that is refused as a whole', () => {
  assert.equal(refusal(''), 'Body: expected a JSON object, got nothing');
  assert.equal(refusal('[]'), 'Body: expected a JSON object, got an array of 0 elements');
  assert.equal(refusal('null'), 'Body: expected a JSON object, got null');
  assert.match(refusal('{"Records":[{]}'), /not valid JSON/);
  assert.match(refusal('{"Records":[]} x'), /not valid JSON/);
  assert.match(refusal(Buffer.from('{"Records":["\xff"]}', 'latin1')), /not UTF-8/);
  assert.equal(refusal('{}'), 'Records: expected an array of 1 to 500 records, got nothing');
  assert.equal(refusal('{"Records":{}}'), 'Records: expected an array of 1 to 500 records, got an object');
  assert.equal(
    refusal('{"Records":[]}'),
    'Records: expected an array of 1 to 500 records, got an array of 0 elements',
  );
  assert.equal(
    refusal(JSON.stringify({ Records: Array(501).fill({}) })),
    'Records: expected an array of 1 to 500 records, got more than 500',
  );
  assert.equal(
    refusal('{"records":[{}]}'),
    'Records: expected the member to be spelled Records, got records',
  );
  assert.equal(records(JSON.stringify({ Records: Array(500).fill({}) })).length, 500);
});

test('does not parse what is too large, which could take seconds', () => {
  const large = 'x'.repeat(maxBodyBytes + 10_000);
  const notJson = `[tru,${JSON.stringify(large)}]`;
  const numbered = `{"Name":${notJson},"Sequence":"a.7"}`;
  const [first, second, third] = records(
    `{"Records":[${numbered},${JSON.stringify(pageView())},${notJson}]}`,
  );
  assert.ok('refusal' in first! && 'parsed' in second! && 'refusal' in third!);
  assert.equal(first.refusal.message, 'Body: expected at most 524288 bytes, got more');
  assert.deepEqual([first.kind, first.sequence?.text, third.kind], ['event', 'a.7', 'page_view']);

  assert.equal(
    refusal(`{"x":${notJson},"Records":[1]}`),
    'Body: expected at most 524288 bytes beside Records, got more',
  );
  assert.equal(
    refusal(`{"Records":["${large}"]}}`),
    'Body: expected a JSON object, got text that is not valid JSON',
  );
  assert.equal(refusal(`["${large}"]`), 'Body: expected a JSON object, got an array');
});

test('takes a limited number of values, however small they are', () => {
  const nested = (values: number) => `${'['.repeat(values)}${']'.repeat(values)}`;
  const batch = (...list: string[]) => `{"Records":[${list.join(',')}]}`;
  const full = Array(10).fill(nested(maxRecordValues));
  assert.ok(records(batch(...full)).every((record) => 'parsed' in record));
  const tooMany = 'Records: expected at most 100000 members and elements in all records together, got more';
  assert.equal(refusal(batch(...full, '1')), tooMany);
  assert.equal(refusal(batch(`[${'0,'.repeat(maxBatchValues)}0]`)), tooMany);
  const [one, other] = records(batch(nested(maxRecordValues + 1), '1'));
  assert.ok('refusal' in one! && 'parsed' in other!);
  assert.equal(one.refusal.message, 'Body: expected at most 10000 members and elements, got more');
  const largest = event('e'.repeat(200), Array(12).fill({ Name: 'n', Value: 'v' }));
  assert.equal(records(JSON.stringify({ Records: Array(500).fill(largest) })).length, 500);
});

test('a record that is refused has arrived under its number', () => {
  const [misspelled, wrongKey] = records(
    JSON.stringify({
      Records: [
        { Sequence: 'a.1', idempotencyKey: 'x' },
        { Sequence: 'a.2', IdempotencyKey: '' },
      ],
    }),
  );
  assert.ok('refusal' in misspelled! && 'refusal' in wrongKey!);
  assert.equal(
    misspelled.refusal.message,
    'IdempotencyKey: expected the member to be spelled IdempotencyKey, got idempotencyKey',
  );
  assert.deepEqual([misspelled.sequence?.text, wrongKey.sequence?.text], ['a.1', 'a.2']);
});

test('the last of several lists counts, and a byte order mark is ignored', () => {
  assert.equal(records('\uFEFF {"Records":[1,2],"Records":[3]}').length, 1);
  assert.equal(records('{"Rec\\u006frds":[1,2]}').length, 2);
  assert.match(refusal('{"Records":[1],"Records":null}'), /got null/);
});

test('a record with a name or parameters is an event, however they are spelled', () => {
  const kinds = (list: unknown[]) => records(JSON.stringify({ Records: list })).map(({ kind }) => kind);
  assert.deepEqual(kinds([pageView(), event('Signup', []), { name: 'x' }, { PARAMETERS: [] }, 7, null]), [
    'page_view',
    'event',
    'event',
    'event',
    'page_view',
    'page_view',
  ]);
});

test('takes the key out of the bytes, so that they are those of a single request', () => {
  const own = JSON.stringify(pageView());
  const inside = own.slice(1, -1);
  const key = '"IdempotencyKey":"a"';
  for (const text of [
    `{${key},${inside}}`,
    `{${inside},${key}}`,
    `{${key},${inside},${key}}`,
    `{"Idempotency\\u004bey":"a",${inside}}`,
  ]) {
    const [record] = records(`{"Records":[${text}]}`);
    assert.ok('body' in record!);
    assert.deepEqual([record.body.toString(), record.key], [own, { text: 'a' }]);
    assert.equal(record.sent.toString(), text);
  }
  const spaced = '{ "Metrics": { "IdempotencyKey": "inside" }, "IdempotencyKey": "a", "Other": 1 }';
  const [record] = records(`{"Records": [ ${spaced} ]}`);
  assert.ok('body' in record!);
  assert.equal(record.body.toString(), '{ "Metrics": { "IdempotencyKey": "inside" }, "Other": 1 }');
  const [alone] = records('{"Records":[{"IdempotencyKey":"a"}]}');
  assert.ok('body' in alone!);
  assert.deepEqual(JSON.parse(alone.body.toString()), {});
});

test('refuses a record with a bad key, by itself and without quoting it', () => {
  const messages = (list: unknown[]) =>
    records(JSON.stringify({ Records: list })).map((record) =>
      'refusal' in record ? record.refusal.message : record.key?.text,
    );
  assert.deepEqual(
    messages([
      { IdempotencyKey: 'marked' },
      { IdempotencyKey: null },
      {},
      { IdempotencyKey: '' },
      { IdempotencyKey: 7 },
      { IdempotencyKey: 'marked\n' },
      { IdempotencyKey: 'm'.repeat(256) },
      { idempotencykey: 'marked' },
    ]),
    [
      'marked',
      undefined,
      undefined,
      'IdempotencyKey: expected 1 to 255 characters, got none: leave it out or set it',
      'IdempotencyKey: expected a string or null, got a number',
      'IdempotencyKey: expected printable ASCII characters, got others',
      'IdempotencyKey: expected at most 255 characters, got 256',
      'IdempotencyKey: expected the member to be spelled IdempotencyKey, got idempotencykey',
    ],
  );
});

test('refuses a record that would be too large on its own, and no other', () => {
  const large = { ...pageView(), Extra: 'a'.repeat(512 * 1024) };
  const [first, second] = records(JSON.stringify({ Records: [large, pageView()] }));
  assert.ok('refusal' in first!);
  assert.equal(first.refusal.message, 'Body: expected at most 524288 bytes, got more');
  assert.ok(!('refusal' in second!));
});
