import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import { findFaults, spellBodyFault } from '@trackside/contract/tracking/find-faults.ts';
import { makeEvent, makePageView } from './make-record.ts';
import type { EventParameters, Metrics } from './metrics.ts';
import { makeMetrics, testIp } from './test-metrics.ts';

const any = (value: unknown) => value as never;

function bodyOf(record: ReturnType<typeof makePageView>): unknown {
  assert.ok('body' in record, JSON.stringify(record));
  return JSON.parse(record.body);
}

function messageOf(record: ReturnType<typeof makePageView>): string {
  assert.ok('kind' in record, 'it is not refused');
  assert.equal(record.code, 400);
  return record.message;
}

test('sends the metrics unchanged, with members that only a later server knows', () => {
  const metrics = { ...makeMetrics(), Browser: { ...makeMetrics().Browser, Engine: 'x' }, Extra: [1] };
  assert.deepEqual(bodyOf(makePageView(metrics)), { Metrics: metrics });
});

test('turns short parameters into the list of the interface, in order', () => {
  const body = bodyOf(makeEvent('Order', { plan: 'pro', seats: 5, isNew: true, free: false }, makeMetrics()));
  assert.deepEqual((body as { Parameters: unknown }).Parameters, [
    { Name: 'plan', Value: 'pro' },
    { Name: 'seats', Value: '5' },
    { Name: 'isNew', Value: 'true' },
    { Name: 'free', Value: 'false' },
  ]);
});

test('leaves a list of parameters unchanged, with the same name twice', () => {
  const parameters = [
    { Name: 'tag', Value: 'a' },
    { Name: 'tag', Value: 'b' },
  ];
  const body = bodyOf(makeEvent('Order', parameters, makeMetrics()));
  assert.deepEqual((body as { Parameters: unknown }).Parameters, parameters);
});

test('leaves out a short parameter that is undefined', () => {
  const body = bodyOf(makeEvent('Order', { plan: 'pro', coupon: undefined }, makeMetrics()));
  assert.deepEqual((body as { Parameters: unknown }).Parameters, [{ Name: 'plan', Value: 'pro' }]);
});

for (const value of [Number.NaN, Number.POSITIVE_INFINITY, null, { a: 1 }, ['x']]) {
  test(`refuses ${JSON.stringify(value)} (${String(value)}) as a short parameter`, () => {
    const message = messageOf(makeEvent('Order', any({ plan: 'pro', seats: value }), makeMetrics()));
    assert.match(message, /^Parameters\[1\]\.Value: expected a string/);
  });
}

test('refuses a number in a list of parameters, as the server does', () => {
  const message = messageOf(makeEvent('Order', any([{ Name: 'seats', Value: 5 }]), makeMetrics()));
  assert.match(message, /^Parameters\[0\]\.Value: expected a string .*send it as a string/);
});

test('refuses an event with 13 parameters', () => {
  const parameters = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`p${index}`, 'x']));
  assert.match(messageOf(makeEvent('Order', parameters, makeMetrics())), /^Parameters: .*13 elements/);
});

test('refuses with the words of the server', () => {
  const metrics = { ...makeMetrics(), Screen: { Width: '1920', Height: -1 } };
  const expected = findFaults(bodyRules.pageView, { Metrics: metrics });
  assert.equal(messageOf(makePageView(any(metrics))), spellBodyFault(expected!));
});

test('judges the JSON of the values, not what they are in memory', () => {
  const plain = makeMetrics();
  class Visitor {
    toJSON(): Metrics {
      return plain;
    }
  }
  assert.deepEqual(bodyOf(makePageView(any(new Visitor()))), { Metrics: plain });
  const inherited = Object.create(plain);
  assert.match(messageOf(makePageView(inherited)), /^Metrics\.Browser: expected an object, got nothing/);
});

test('refuses what JSON cannot represent, and reveals nothing of what was thrown', () => {
  const cyclic: Record<string, unknown> = { ...makeMetrics() };
  cyclic.self = cyclic;
  const throwing = Object.defineProperty({ ...makeMetrics() }, 'Page', {
    enumerable: true,
    get: () => {
      throw new Error(`no page for ${testIp}`);
    },
  });
  for (const metrics of [cyclic, throwing, { ...makeMetrics(), big: 1n }]) {
    const message = messageOf(makePageView(any(metrics)));
    assert.match(message, /^Body: expected values that JSON can hold/);
    assert.ok(!message.includes(testIp));
  }
});

test('refuses a body of more than 512 KiB', () => {
  const withExtra = (Extra: string) => makePageView({ ...makeMetrics(), Extra } as Metrics);
  assert.ok('body' in withExtra('a'.repeat(500_000)));
  assert.match(messageOf(withExtra('a'.repeat(525_000))), /524288 bytes/);
  assert.match(messageOf(withExtra('漢'.repeat(180_000))), /524288 bytes/);
});

test('gives every record its own key', () => {
  const keys = Array.from({ length: 100 }, () => makePageView(makeMetrics())).map((record) =>
    'key' in record ? record.key : '',
  );
  assert.equal(new Set(keys).size, 100);
  assert.match(keys[0]!, /^[\da-f-]{36}$/);
});

test('refuses values of the wrong kind instead of throwing', () => {
  for (const value of [undefined, null, 5, 'x', [], () => {}, Symbol('x')]) {
    assert.match(messageOf(makePageView(any(value))), /^Metrics/);
  }
  for (const value of [undefined, null, 5, 'x']) {
    assert.match(messageOf(makeEvent('x', any(value) as EventParameters, makeMetrics())), /^Parameters: /);
  }
});
