import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOptions } from './check-options.ts';

const trackside = { trackPageView() {}, trackEvent() {} };

for (const options of [undefined, null, 'https://trackside.example', () => {}]) {
  test(`refuses ${String(options)} instead of options`, () => {
    assert.throws(() => checkOptions(options), { message: /^options: expected an object with the client, / });
  });
}

test('refuses the client instead of options with the client', () => {
  assert.throws(() => checkOptions(trackside), {
    message:
      'trackside: expected the client, as in { trackside: new Trackside({ url, apiKey }) }, got nothing',
  });
});

for (const [name, value] of [
  ['trackside', {}],
  ['trackside', () => trackside],
  ['clientId', 'x'],
  ['ignore', /x/],
  ['onError', 5],
  ['peer', '192.0.2.1'],
  ['after', true],
  ['location', 5],
  ['location', null],
  ['location', [() => ({}), 'cloudflare']],
  ['rateLimit', 0],
  ['rateLimit', true],
  ['rateLimit', null],
  ['rateLimit', {}],
  ['respectDoNotTrack', 'false'],
] as const) {
  test(`refuses a ${name} of ${String(value)}`, () => {
    assert.throws(() => checkOptions({ trackside, [name]: value }), {
      message: new RegExp(`^${name}: expected .*, got `),
    });
  });
}

test('accepts each option in its own form', () => {
  checkOptions({ trackside });
  const [clientId, ignore, onError, location] = Array.from({ length: 4 }, () => () => {});
  checkOptions({ trackside, clientId, ignore, onError, location, rateLimit: false, respectDoNotTrack: true });
  checkOptions({ trackside, location: [location, location], rateLimit: { perMinute: 5 }, path: '/x' });
});
