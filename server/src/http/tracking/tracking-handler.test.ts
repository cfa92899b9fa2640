import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageView, post } from '../../../test/support/records.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { startTestHttp } from '../test-http.ts';
import { trackedKind } from './tracking-handler.ts';

test('recognizes the two paths with any query, and no other', () => {
  assert.equal(trackedKind('/api/page-view'), 'page_view');
  assert.equal(trackedKind('/api/event-view?a=1?b'), 'event');
  for (const url of [
    '',
    '?',
    '/api/page-view/',
    '//api/page-view',
    '/API/page-view',
    '/api/page-view%3F',
    '/api/event',
  ])
    assert.equal(trackedKind(url), undefined, url);
});

test('identifies a refused request in the answer and in the log', async (t) => {
  const { origin, messages } = await startTestHttp(t, { clock: createFakeClock('2026-03-10T09:00:00Z') });
  const { headers, body } = await post(origin, '/api/page-view', 'x', pageView());
  assert.match(headers.get('request-id') ?? '', /^[\w-]+-1$/);
  assert.ok(messages.includes(body.Message));
});

test('answers 503 when a step throws, and accepts the next record', async (t) => {
  const { origin, addWebsite, counts, journal, messages } = await startTestHttp(t, {
    clock: createFakeClock('2026-03-10T09:00:00Z'),
  });
  const { apiKey } = await addWebsite('a.test', 2);
  const append = journal.append;
  journal.append = () => {
    throw new Error('broken on purpose');
  };
  const broken = await post(origin, '/api/page-view', apiKey, pageView());
  assert.deepEqual([broken.status, broken.headers.get('retry-after')], [503, '5']);
  assert.equal(broken.headers.get('contingent-remaining'), '2');
  assert.equal(counts.refused.get('internal'), 1);
  assert.ok(messages.includes('a tracking request failed'));
  journal.append = append;
  const next = await post(origin, '/api/page-view', apiKey, pageView());
  assert.deepEqual([next.status, next.headers.get('contingent-remaining')], [200, '1']);
});
