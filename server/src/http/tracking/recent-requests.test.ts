import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../control/test-control.ts';
import { malformedField, type Refusal } from '../../intake/refusal.ts';
import { toRequestAnswer } from '../app/to-answers.ts';
import { createRecentRequests } from './recent-requests.ts';

const summary = {
  page: '/',
  event: null,
  parameters: 0,
  browser: 'Firefox',
  os: 'Linux',
  country: 'DE',
  source: '',
  bot: null,
  hasClientId: false,
};
const malformed = (message: string): Refusal => ({ refused: 'malformed', message });
const open = () => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  return { clock, recent: createRecentRequests(clock) };
};

test('keeps the last hundred requests of a website, the newest first', () => {
  const { clock, recent } = open();
  for (let at = 0; at < 130; at += 1) {
    clock.pass(100);
    recent.accepted(1, 'page_view', () => ({ ...summary, page: `/${at}` }));
  }
  const { requests, skipped } = recent.list(1);
  assert.equal(requests.length, 100);
  assert.equal(requests[0]!.summary!.page, '/129');
  assert.equal(requests.at(-1)!.summary!.page, '/30');
  assert.equal(skipped, 0);
  assert.deepEqual(recent.list(2), { requests: [], skipped: 0, excluded: 0 });
});

test('keeps the last request with an unknown key, whoever sent it', () => {
  const { clock, recent } = open();
  assert.equal(recent.lastUnauthorized(), undefined);
  recent.unauthorized('event', 'Unauthorized: first');
  clock.pass(1000);
  recent.unauthorized('page_view', 'Unauthorized: second');
  const atMs = clock.now();
  assert.deepEqual(recent.lastUnauthorized(), { atMs, kind: 'page_view', message: 'Unauthorized: second' });
});

test('keeps only a few per second, and counts the others', () => {
  const { clock, recent } = open();
  let looks = 0;
  const summarize = () => {
    looks += 1;
    return summary;
  };
  for (let at = 0; at < 1000; at += 1) recent.accepted(1, 'event', summarize);
  assert.equal(looks, 20);
  assert.equal(recent.list(1).skipped, 980);
  clock.pass(1000);
  recent.accepted(1, 'event', summarize);
  assert.equal(looks, 21);
});

test('marks a repeat, and shows nothing of its record', () => {
  const { recent } = open();
  recent.accepted(1, 'event', () => summary);
  recent.repeated(1, 'event');
  const [repeat, first] = recent.list(1).requests;
  assert.deepEqual(repeat, { ...first, isRepeat: true, summary: undefined });
  assert.deepEqual(toRequestAnswer(repeat!), {
    ...toRequestAnswer(first!),
    isRepeat: true,
    understood: null,
  });
  assert.ok(!('isRepeat' in toRequestAnswer(first!)));
});

test('shows the shape of a refused body, and none of its values', () => {
  const { recent } = open();
  const body = Buffer.from(
    JSON.stringify({
      Metrics: {
        Browser: { IP: '203.0.113.7', UserAgent: 'Secret Browser' },
        Identify: { ClientId: 'account-77' },
        Language: { Code: 'en-US' },
        Screen: { Width: 1920, Height: null },
        'ada@example.com': [true, 'x'],
      },
    }),
  );
  const message = 'Metrics.Language.Code: expected a code, got "en-US"';
  recent.refused(1, 'page_view', { code: 400, refusal: malformed(message), body });
  const [request] = recent.list(1).requests;
  assert.equal(request!.message, message);
  assert.deepEqual(request!.shape, {
    Metrics: {
      Browser: { IP: 'text with 11 characters', UserAgent: 'text with 14 characters' },
      Identify: { ClientId: 'text with 10 characters' },
      Language: { Code: 'text with 5 characters' },
      Screen: { Width: 'number', Height: 'null' },
      'name with 15 characters': ['boolean', 'text with 1 character'],
    },
  });
});

test('removes the values of IP addresses and ClientIds from messages', () => {
  const { recent } = open();
  for (const path of ['Metrics.Browser.IP', 'Metrics.Identify.ClientId']) {
    const about = { path, fault: { expected: 'something', got: '"203.0.113.7:80\nand more"' }, others: 2 };
    recent.refused(1, 'page_view', { code: 400, refusal: malformedField(about) });
  }
  assert.ok(!JSON.stringify(recent.list(1)).includes('203.0'));
  assert.match(
    recent.list(1).requests[0]!.message,
    /^Metrics\.Identify\.ClientId: expected something, got something else$/,
  );
});

test('survives bodies that are not JSON, deep, wide or large', () => {
  const { clock, recent } = open();
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`m${at}`, at])));
  const bodies = ['not json \ud800', deep, wide, JSON.stringify('x'.repeat(70_000)), '{"__proto__":{"a":1}}'];
  for (const body of bodies) {
    clock.pass(1000);
    recent.refused(1, 'page_view', { code: 400, refusal: malformed('no'), body: Buffer.from(body) });
  }
  const shapes = recent.list(1).requests.map(({ shape }) => JSON.stringify(shape) ?? 'none');
  assert.ok(
    shapes.every((shape) => shape.length < 5000),
    shapes.map(({ length }) => length).join(),
  );
});
