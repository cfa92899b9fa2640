import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDividedWebsites, dividedAmong, markSql } from './divided-websites.ts';

/** A host with these views, which counts how often it is asked. */
function openHost(views: string[]) {
  const host = { views, asked: 0, isAway: false };
  const divided = createDividedWebsites(async () => {
    host.asked += 1;
    if (host.isAway) throw new Error('away');
    return host.views.map((name) => ({ name }));
  });
  return { host, divided };
}

test('a website is asked about on all shards before it is written to all of them', async () => {
  const { divided } = openHost(['store_identity', 'website_5_on_all_shards', 'website_9_by_visitor']);
  assert.equal(await divided.has(5), true);
  assert.equal(await divided.has(9), true);
  assert.equal(await divided.has(59), false);
  assert.deepEqual(await divided.list(), [9]);
});

test('reads the marks once for statements of the same moment, and again when told to', async () => {
  const { host, divided } = openHost(['store_identity']);
  await Promise.all([divided.has(5), divided.list(), divided.has(6)]);
  assert.equal(host.asked, 1);
  host.views.push('website_5_by_visitor');
  divided.forget();
  assert.deepEqual(await divided.list(), [5]);
});

test('does not remember a failure, and does not guess', async () => {
  const { host, divided } = openHost(['store_identity', 'website_5_by_visitor']);
  host.isAway = true;
  await assert.rejects(divided.has(5), /away/);
  host.isAway = false;
  assert.equal(await divided.has(5), true);
});

test('does not believe a host that lacks its views', async () => {
  const { divided } = openHost([]);
  await assert.rejects(divided.has(5), /expected the host to have the view trackside\.store_identity/);
});

test('finds divided websites by the views, in the order of their ids', () => {
  const names = [10, 9].map((id) => /website_\w+/.exec(markSql(id, 'by_visitor'))![0]);
  assert.deepEqual(
    dividedAmong([...names, 'website_3_on_all_shards', 'website_x_by_visitor', 'records']),
    [9, 10],
  );
});
