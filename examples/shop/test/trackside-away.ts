import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { times } from '../../../server/test/support/long-form.ts';
import type { Trackside } from '../../../server/test/support/start-trackside.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';
import { type Browsing, browse, createBrowsing } from './browse.ts';
import { openLossyNetwork } from './lossy-network.ts';
import { openShops, untilKnown } from './open-shops.ts';

export const awaySeconds = times(2, 60);
const isLongForm = awaySeconds >= 30;
const visitors = times(4, 8);
/** The queue takes 10,000 records, which is more than a minute's worth at this pace. */
const pauseMs = 100;
const minSamples = 500;

/** Returns how often each record is in the store. */
async function readStore({ store }: Trackside, websiteId: number) {
  const query = `
    select kind, query, event_name || ' ' || parameter_values[1] as event, toUInt32(count()) as times
    from records where website_id = {id:UInt32} group by all`;
  const found = await store.query<{ kind: string; query: string; event: string; times: number }>({
    query,
    params: { id: websiteId },
  });
  const isView = ({ kind }: { kind: string }) => kind === 'page_view';
  return {
    records: found.reduce((sum, { times }) => sum + times, 0),
    views: found.filter(isView).map((one) => [one.query, one.times] as const),
    events: found.filter((one) => !isView(one)).map((one) => [one.event, one.times] as const),
  };
}

function p99(samples: number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length * 0.99)]!;
}

/** Visitors come and go in the shop until they are stopped. Everything they did is recorded. */
function openForVisitors(t: TestContext, shopUrls: string[]) {
  const done: Browsing = createBrowsing();
  const stop = new AbortController();
  let number = 0;
  const visit = async (shop: string) => {
    while (!stop.signal.aborted) {
      number += 1;
      await browse(shop, number, done);
      await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => {});
    }
  };
  const all = Promise.all(
    Array.from({ length: visitors }, (_, index) => visit(shopUrls[index % shopUrls.length]!)),
  );
  all.catch(() => stop.abort());
  t.after(() => stop.abort());
  return {
    done,
    async end(): Promise<void> {
      stop.abort();
      await all;
    },
  };
}

/** The shop is open while Trackside is killed and away for a while. */
export async function testTracksideAway(t: TestContext, trackside: Trackside): Promise<void> {
  const { id, apiKey } = await trackside.addWebsite('away.example');
  await untilKnown(trackside.origin(), apiKey);
  const network = await openLossyNetwork(t, trackside.origin);
  const shops = await openShops(t, { url: network.url, apiKey, timeoutMs: 120_000, onError: () => {} });
  const shop = openForVisitors(t, [shops.expressUrl, shops.honoUrl]);
  const { done } = shop;
  const accepted = () => shops.client.counts().accepted;
  await waitFor('records to be accepted', () => accepted() > times(20, 50));
  if (isLongForm) await waitFor('enough pages to compare with', () => done.pageMs.length > minSamples);
  const presentMs = done.pageMs.splice(0);

  const killFor = async (seconds: number): Promise<number[]> => {
    // Just before the kill, answers get lost: these records are in the journal and will be sent again.
    network.holdAnswers();
    await waitFor('answers to be held back', () => network.held() >= 3);
    await trackside.end('SIGKILL');
    // The kill has closed these connections, so the answers that were held back never arrive.
    network.loseAnswers();
    done.pageMs.splice(0);
    await delay(seconds * 1000);
    const awayMs = done.pageMs.splice(0);
    await trackside.start();
    return awayMs;
  };
  if (isLongForm) {
    await killFor(0.1);
    const acceptedBefore = accepted();
    await waitFor('records to be accepted again, by itself', () => accepted() > acceptedBefore + 10);
  }
  const awayMs = await killFor(awaySeconds);
  await shop.end();
  await shops.untilSent(300_000);

  const sent = done.views.size + done.events.size;
  await waitFor('the store to have them', async () => {
    const { records } = await readStore(trackside, id).catch(() => ({ records: 0 }));
    return records >= sent;
  });
  const { views, events } = await readStore(trackside, id);
  const once = (texts: Set<string>) => [...texts].map((text) => [text, 1] as const).sort();
  assert.deepEqual(views.sort(), once(done.views), 'every page view once');
  assert.deepEqual(events.sort(), once(done.events), 'every event once');
  assert.equal(accepted(), sent);
  assert.ok(network.lost.size >= times(3, 6));
  assert.deepEqual(network.repeated, network.lost, 'every lost answer led to another attempt');

  if (isLongForm) {
    assert.ok(awayMs.length >= minSamples, `expected ${minSamples} pages, got ${awayMs.length}`);
    const ratio = p99(awayMs) / p99(presentMs);
    t.diagnostic(`p99 of the shop's pages while Trackside is away: ${ratio.toFixed(2)} of what it is else`);
    assert.ok(ratio < 5, `expected less than 5, got ${ratio}`);
  }
}
