import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import { findFaults } from '@trackside/contract/tracking/find-faults.ts';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { times } from '../../../test/support/long-form.ts';
import { event, pageView } from '../../../test/support/records.ts';

import { eventSchema, pageViewSchema } from '../steps/validate.ts';
import { mutate, mutation } from '../test-mutations.ts';
import { createValidate, type RecordKind } from './validate.ts';

const validate = createValidate();
const rules = { page_view: bodyRules.pageView, event: bodyRules.event };
const checks = { page_view: Compile(pageViewSchema), event: Compile(eventSchema) };
const kind = fc.constantFrom<RecordKind>('page_view', 'event');
const parameters = [
  { Name: 'plan', Value: 'pro' },
  { Name: 'plan', Value: '' },
];
const valid = { page_view: pageView(), event: event('Signup', parameters) };

function messageOf(of: RecordKind, json: unknown): string | undefined {
  const verdict = validate(of, { json });
  return 'refused' in verdict ? verdict.message : undefined;
}

/** The leaves in the order of the interface's table. */
const leaves = [
  'Metrics.Browser.IP',
  'Metrics.Browser.UserAgent',
  'Metrics.Identify.ClientId',
  'Metrics.Language.Code',
  'Metrics.Page.Absolute',
  'Metrics.Referrer.Absolute',
  'Metrics.Screen.Height',
  'Metrics.Screen.Width',
  'Metrics.Location.ContinentCode',
  'Metrics.Location.CountryCode',
  'Metrics.Location.City',
  'Metrics.Location.PostalCode',
  'Metrics.Location.Region',
  'Metrics.Location.RegionCode',
  'Metrics.Location.Timezone',
  'Name',
  'Parameters[0].Name',
  'Parameters[0].Value',
  'Parameters[1].Name',
  'Parameters[1].Value',
];

function setAt(body: unknown, path: string, value: unknown): void {
  const steps = path.split(/[.[\]]+/).filter(Boolean);
  const last = steps.pop()!;
  // biome-ignore lint/suspicious/noExplicitAny: walks a body of any shape
  let at: any = body;
  for (const step of steps) at = at[step];
  at[last] = value;
}

test('accepts a page view and an event, and hands on their bodies', () => {
  assert.deepEqual(validate('page_view', { json: valid.page_view }), {
    kind: 'page_view',
    body: valid.page_view,
  });
  assert.deepEqual(validate('event', { json: valid.event }), { kind: 'event', body: valid.event });
});

test('accepts exactly the mutated bodies in which no fault is found', () => {
  const runs = times(800, 5000);
  let accepted = 0;
  const property = fc.property(kind, fc.array(mutation, { maxLength: 4 }), (of, mutations) => {
    const json = mutate(valid[of], mutations);
    const fault = findFaults(rules[of], json);
    const isAccepted = checks[of].Check(json);
    assert.equal(isAccepted, fault === undefined, `found: ${JSON.stringify(fault)}`);
    if (isAccepted) accepted += 1;
  });
  fc.assert(property, { numRuns: runs });
  const isBoth = accepted > runs * 0.1 && accepted < runs * 0.9;
  assert.ok(isBoth, `a property that sees both sides, got ${accepted} accepted of ${runs}`);
});

test('accepts exactly the arbitrary JSON in which no fault is found', () => {
  fc.assert(
    fc.property(kind, fc.jsonValue(), (of, json) => {
      assert.equal(checks[of].Check(json), findFaults(rules[of], json) === undefined);
    }),
    { numRuns: times(200, 1000) },
  );
});

test('refuses an array in place of an object, even if each of its members may be absent', () => {
  for (const name of ['Identify', 'Referrer', 'Location']) {
    const message = messageOf('page_view', pageView({ [name]: [] }));
    assert.equal(message, `Metrics.${name}: expected an object, got an array of 0 elements`);
  }
});

test('names the first fault in the order of the table, and counts the others', () => {
  fc.assert(
    fc.property(fc.subarray(leaves, { minLength: 1 }), (wrong) => {
      const json = structuredClone(valid.event);
      for (const path of wrong) setAt(json, path, {});
      const message = messageOf('event', json)!;
      assert.ok(message.startsWith(`${wrong[0]}: expected `), message);
      const others = wrong.length - 1;
      const tail =
        others === 0 ? 'got an object' : `(and ${others} more ${others === 1 ? 'fault' : 'faults'})`;
      assert.ok(message.endsWith(tail), message);
    }),
  );
});

test('counts a missing object as one fault, and each of 12 wrong parameters', () => {
  assert.equal(messageOf('page_view', {}), 'Metrics: expected an object, got nothing');
  assert.match(messageOf('event', {})!, /^Metrics: .*\(and 2 more faults\)$/);
  const wrong = Array.from({ length: 12 }, () => 1);
  assert.match(
    messageOf('event', { ...valid.event, Parameters: wrong })!,
    /^Parameters\[0\]: expected an object, got a number \(and 11 more faults\)$/,
  );
  const tooMany = Array.from({ length: 13 }, () => 1);
  assert.equal(
    messageOf('event', { ...valid.event, Parameters: tooMany }),
    'Parameters: expected an array of 0 to 12 elements, got an array of 13 elements',
  );
});

test('suggests the right spelling of a member that differs only in letter case', () => {
  const body = pageView({ Identify: { ClientID: 'a' } });
  assert.equal(
    messageOf('page_view', body),
    'Metrics.Identify.ClientId: expected the member to be spelled ClientId, got ClientID',
  );
  const both = pageView({ Identify: { ClientId: 'a', clientid: 'b', CLIENTID: 'c' } });
  assert.match(messageOf('page_view', both)!, /^Metrics\.Identify\.ClientId: expected .*spelled ClientId/);
  assert.doesNotMatch(messageOf('page_view', both)!, /more fault/);
});

test('ignores unknown members, whatever they are called', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'Browsers', '', 'IP ', 'ΙP'];
  const unknown = names.map((name) => `${JSON.stringify(name)}:{"IP":1,"Code":[]}`).join();
  const insert = (text: string) => text.replaceAll('{', `{${unknown},`).replaceAll(',}', '}');
  const json: unknown = JSON.parse(insert(JSON.stringify(valid.event)));
  assert.equal(messageOf('event', json), undefined);
  assert.equal(({} as { IP?: unknown }).IP, undefined);
});

test('does not mistake anything on the prototype for a member', () => {
  const json: unknown = JSON.parse('{"__proto__":{"Metrics":{}},"Name":"a","Parameters":[]}');
  assert.equal(messageOf('event', json), 'Metrics: expected an object, got nothing');
});

test('shows no value from the body, except codes of up to 16 characters', () => {
  const codes = ['Metrics.Language.Code', 'Metrics.Location.ContinentCode', 'Metrics.Location.CountryCode'];
  // Ω marks text outside the code fields, and Ж marks text in them.
  const marked = (mark: string) =>
    fc
      .tuple(fc.string({ maxLength: 20 }), fc.constantFrom('', '𐐀'.repeat(9), 'x'.repeat(15)))
      .map(([text, more]) => `${mark}${text}${more}`);
  const change = fc.record({
    // The codes are repeated, because a Message is only about the first fault and must often be about a code.
    path: fc.constantFrom(
      ...leaves,
      ...codes,
      ...codes,
      'Metrics',
      'Metrics.Screen',
      'Parameters',
      'Parameters[1]',
    ),
    outside: marked('Ω'),
    code: marked('Ж'),
  });
  const runs = times(500, 3000);
  let shown = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
      const json = structuredClone(valid.event);
      for (const { path, outside, code } of changes) {
        try {
          setAt(json, path, codes.includes(path) ? code : outside.repeat(path.endsWith('City') ? 300 : 1));
        } catch {
          // The object that would hold it was replaced by an earlier change.
        }
      }
      const message = messageOf('event', json) ?? '';
      assert.ok(!message.includes('Ω'), message);
      const quoted = /got "(.*)"/s.exec(message)?.[1];
      assert.equal(quoted !== undefined, message.includes('Ж'), message);
      if (quoted === undefined) return;
      shown += 1;
      assert.ok(quoted.length <= 16, message);
    }),
    { numRuns: runs },
  );
  assert.ok(shown > runs / 60, `a property that sees codes shown, got ${shown}`);
});
