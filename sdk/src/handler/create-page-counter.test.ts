import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Metrics } from '../record/metrics.ts';
import { createPageCounter } from './create-page-counter.ts';
import type { PageCounterOptions } from './handler-options.ts';
import type { PageAnswer } from './is-page-load.ts';
import { makeIncoming } from './test-incoming.ts';

const html = { status: 200, contentType: 'text/html; charset=utf-8' };

async function count(
  request: Parameters<typeof makeIncoming>[0],
  answer: PageAnswer = html,
  options: Partial<PageCounterOptions> = {},
) {
  const pages: Metrics[] = [];
  const faults: unknown[] = [];
  const trackside = { trackPageView: (metrics: Metrics) => void pages.push(metrics), trackEvent() {} };
  const counter = createPageCounter({ trackside, onError: (fault) => faults.push(fault), ...options });
  const incoming = makeIncoming({ url: 'http://shop.example/shoes?size=42', ...request });
  if (counter.isCandidate(incoming)) counter.count(incoming, answer, undefined);
  await new Promise(setImmediate);
  return { pages, faults };
}
const isCounted = async (...given: Parameters<typeof count>) => (await count(...given)).pages.length === 1;

describe('counting pages', () => {
  for (const [answer, expected] of [
    [html, true],
    [{ status: 201, contentType: 'application/xhtml+xml' }, true],
    [{ status: 200, contentType: 'TEXT/HTML' }, true],
    [{ status: 200, contentType: 'text/html-sandboxed' }, false],
    [{ status: 200, contentType: undefined }, false],
    [{ status: 304, contentType: 'text/html' }, true],
    [{ status: 304, contentType: undefined }, false],
    [{ status: 301, contentType: 'text/html' }, false],
    [{ status: 404, contentType: 'text/html' }, false],
    [{ status: 500, contentType: 'text/html' }, false],
  ] as const) {
    test(`${expected ? 'counts' : 'leaves out'} ${answer.status} of ${answer.contentType}`, async () => {
      assert.equal(await isCounted({}, answer), expected);
    });
  }

  test('counts a 304 without a type where a document was requested', async () => {
    const known = { status: 304, contentType: undefined };
    assert.equal(await isCounted({ headers: { 'sec-fetch-dest': 'document' } }, known), true);
    assert.equal(await isCounted({ headers: { accept: 'text/html,*/*' } }, known), true);
    assert.equal(await isCounted({ headers: { accept: 'image/webp,*/*' } }, known), false);
  });

  for (const path of [
    '/health',
    '/healthz',
    '/livez',
    '/readyz',
    '/ping',
    '/up',
    '/status',
    '/side',
    '/side/',
  ]) {
    test(`leaves out ${path}, but not what is below it`, async () => {
      assert.equal(await isCounted({ url: `http://shop.example${path}?x` }), false);
      assert.equal(await isCounted({ url: `http://shop.example${path}/more` }), true);
    });
  }

  for (const agent of [
    'kube-probe/1.31',
    'ELB-HealthChecker/2.0',
    'GoogleHC/1.0',
    'Consul Health Check',
    'Envoy/HC',
    'Amazon-Route53-Health-Check-Service (ref 1; report http://amzn.to/1)',
    'Mozilla/5.0 (compatible;Cloudflare-Healthchecks/1.0;+https://www.cloudflare.com/; healthcheck-id: 1)',
  ]) {
    test(`leaves out ${agent.slice(0, 40)}`, async () => {
      assert.equal(await isCounted({ headers: { 'user-agent': agent } }), false);
    });
  }

  test('counts bots, because Trackside recognizes them', async () => {
    assert.equal(await isCounted({ headers: { 'user-agent': 'Googlebot/2.1' } }), true);
  });

  test('leaves out HEAD and POST', async () => {
    for (const method of ['HEAD', 'POST']) assert.equal(await isCounted({ method }), false);
  });

  test('accepts no referrer that is not an address', async () => {
    const referrer = async (referer: string) =>
      (await count({ headers: { referer } })).pages[0]?.Referrer.Absolute;
    assert.equal(await referrer('https://shop.example/shoes?size=42'), 'https://shop.example/shoes?size=42');
    assert.equal(await referrer('about:blank'), null);
    assert.equal(await referrer(''), null);
  });

  test('leaves out an address that the interface would refuse', async () => {
    assert.equal(await isCounted({ url: `http://shop.example/${'x'.repeat(8200)}` }), false);
  });

  test('reports an `ignore` that throws, and continues', async () => {
    const ignore = () => assert.fail('no such list');
    const { pages, faults } = await count({}, html, { ignore });
    assert.deepEqual([pages.length, faults.length], [0, 1]);
  });

  test('limits one address, so that a flood does not use up the contingent', async () => {
    const pages: unknown[] = [];
    const trackside = { trackPageView: () => void pages.push(1), trackEvent() {} };
    const faults: unknown[] = [];
    const onError = (fault: unknown) => void faults.push(fault);
    const counter = createPageCounter({ trackside, rateLimit: { perMinute: 3 }, onError });
    for (let n = 0; n < 10; n += 1) counter.count(makeIncoming({}), html, undefined);
    await new Promise(setImmediate);
    assert.equal(pages.length, 3);
    assert.equal(faults.length, 1, 'told once, not for each');
  });
});
