import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { askActivity } from '../../src/stats/reports/ask-activity.ts';
import { askLive } from '../../src/stats/reports/ask-live.ts';
import { askLiveScene } from '../../src/stats/reports/ask-live-scene.ts';
import { asShown } from '../oracle/oracle-addresses.ts';
import { occurredAtMs, recordsOf, type TestRecord } from '../oracle/records.ts';
import { openTestDays } from '../support/test-days.ts';

const days = await openTestDays();
after(() => days.close());

const startMs = Date.parse('2026-05-10T00:00:00Z');
const [drawn] = fc.sample(recordsOf({ startMs, days: 3, timezones: ['UTC', 'UTC'] }), {
  numRuns: 1,
  seed: 3,
});
const anyRecord = { ...drawn![0]!, waitedMs: 0 };

test('activity counts the visitors of 24 hours, by hour, and those of the previous 24 hours, without bots', async () => {
  const hourMs = 3_600_000;
  const nowMs = startMs + 50 * hourMs;
  const records = [...Array(60).keys()].map((at) => {
    const happenedMs = startMs + at * hourMs + 1;
    const day = new Date(happenedMs).toISOString().slice(0, 10);
    const waitedMs = at % 7 === 3 ? 2 * hourMs : 0;
    // One visitor comes every other hour. The others come once.
    const visitorId = at % 2 === 0 ? 7n : BigInt(1000 + at);
    return {
      ...anyRecord,
      receivedAtMs: happenedMs + waitedMs,
      waitedMs,
      day,
      visitorId,
      deviceId: visitorId,
      isBot: at === 45,
    };
  });
  const website = await days.addWebsite(records);
  const inHour = (hour: number) =>
    records.filter(
      (one) =>
        !one.isBot && one.receivedAtMs <= nowMs && Math.floor((nowMs - occurredAtMs(one)) / hourMs) === hour,
    );
  const byHour = [...Array(24).keys()].map(
    (hour) => new Set(inHour(23 - hour).map((one) => one.visitorId)).size,
  );
  const visitorsFrom = (first: number) => {
    const all = [...Array(24).keys()].flatMap((hour) => inHour(first + hour));
    return new Set(all.map(({ visitorId }) => visitorId)).size;
  };
  assert.deepEqual(await askActivity(website, nowMs), {
    visitors: visitorsFrom(0),
    visitorsBefore: visitorsFrom(24),
    byHour,
  });
  assert.ok(byHour.includes(0) && byHour.includes(1));
});

test('the live scene shows the last half hour, without bots and without distinguishing visitors', async () => {
  const nowMs = Date.parse('2026-05-12T00:10:00Z');
  const paths = [
    '/',
    '/pricing',
    '/blog/ä',
    "/it's",
    '/blog/%c3%A4',
    '/%20',
    ...[...Array(8).keys()].map((at) => `/p${at}`),
  ];
  const records = [...Array(150).keys()].map((at): TestRecord => {
    const visitor = (at * at) % 23;
    const visitorId = 2n ** 63n + BigInt(visitor);
    const waitedMs = at % 6 === 1 ? 100_000 : 0;
    return {
      ...anyRecord,
      // They happen between 45 minutes ago and just after now, on two days as in different timezones.
      receivedAtMs: nowMs + 20_001 - at * 18_000 + waitedMs,
      waitedMs,
      day: visitor % 2 === 0 ? '2026-05-11' : '2026-05-12',
      kind: at % 5 === 0 ? 'event' : 'page_view',
      event: at % 5 === 0 ? 'Signup' : '',
      visitorId,
      deviceId: visitorId,
      path: paths[(at * 5) % paths.length]!,
      source: at % 4 === 0 && visitor % 5 !== 0 ? `source ${visitor % 5}` : '',
      country: ['', 'DE', 'US'][visitor % 3]!,
      isBot: at % 13 === 0,
    };
  });
  const website = await days.addWebsite(records);
  const scene = await askLiveScene(website, nowMs);

  const since = (minutes: number) =>
    records
      .map(asShown)
      .filter((one) => !one.isBot && one.receivedAtMs <= nowMs)
      .filter((one) => occurredAtMs(one) > nowMs - minutes * 60_000);
  const recent = since(30);
  const byTime = recent.toSorted((one, other) => occurredAtMs(other) - occurredAtMs(one));
  const sourceOf = (visitorId: bigint) =>
    byTime.findLast((one) => one.visitorId === visitorId && one.source !== '')?.source ?? '';
  const top = (read: (record: TestRecord) => string) =>
    [...Map.groupBy(recent, read)]
      .map(([value, of]) => ({ value, visitors: new Set(of.map(({ visitorId }) => visitorId)).size }))
      .toSorted((one, other) => other.visitors - one.visitors || (one.value < other.value ? -1 : 1))
      .slice(0, 10);
  const { visitors, minutes } = await askLive(website, nowMs);
  assert.deepEqual(scene, {
    visitors,
    minutes,
    pages: top(({ path }) => path),
    sources: top(({ visitorId }) => sourceOf(visitorId)),
    countries: top(({ country }) => country),
    latest: byTime.slice(0, 20).map((one) => ({
      at: new Date(occurredAtMs(one)).toISOString(),
      page: one.path,
      event: one.kind === 'event' ? one.event : null,
      country: one.country,
      source: sourceOf(one.visitorId),
      browser: one.browser,
      device: one.device,
    })),
  });
  assert.equal(scene.visitors, new Set(since(5).map(({ visitorId }) => visitorId)).size);
  assert.ok(scene.pages.length === 10 && scene.latest.some(({ event }) => event !== null));
  assert.ok(scene.sources.some(({ value }) => value === '') && scene.sources.length > 2);
});

test('the live scene of a website without records is empty', async () => {
  const website = await days.addWebsite([]);
  const { minutes, ...scene } = await askLiveScene(website, Date.parse('2026-05-12T00:10:00Z'));
  assert.ok(minutes.every(({ visitors, pageViews }) => visitors === 0 && pageViews === 0));
  assert.deepEqual(scene, { visitors: 0, pages: [], sources: [], countries: [], latest: [] });
});

test('somebody who signs in stays one visitor, and people who share a device are distinguished', async () => {
  const nowMs = Date.parse('2026-05-12T12:00:00Z');
  const [ann, ben, eve] = [101n, 102n, 103n];
  const recordAt = (minutesAgo: number, deviceId: bigint, client?: bigint, source = ''): TestRecord => ({
    ...anyRecord,
    receivedAtMs: nowMs - minutesAgo * 60_000,
    day: '2026-05-12',
    kind: 'page_view',
    deviceId,
    visitorId: client ?? deviceId,
    hasClientId: client !== undefined,
    source,
    isBot: false,
  });
  const website = await days.addWebsite([
    recordAt(300, 1n),
    recordAt(4, 1n, undefined, 'Google'),
    recordAt(3, 1n, ann),
    recordAt(2, 2n, ann),
    recordAt(4, 3n, undefined, 'Bing'),
    recordAt(3, 3n, ben, 'Reddit'),
    recordAt(2, 3n, eve),
  ]);
  const scene = await askLiveScene(website, nowMs);
  assert.deepEqual([scene.visitors, (await askLive(website, nowMs)).visitors], [4, 4]);
  assert.deepEqual(
    scene.sources.map(({ value, visitors }) => `${value} ${visitors}`),
    [' 1', 'Bing 1', 'Google 1', 'Reddit 1'],
  );
  assert.deepEqual(scene.latest.map(({ source }) => source).toSorted(), [
    '',
    '',
    'Bing',
    'Google',
    'Google',
    'Reddit',
  ]);
  // What the first device did in the morning was another visit, and nobody knows whose it was.
  assert.equal((await askActivity(website, nowMs)).visitors, 5);
});

test('a record from yesterday that comes now is nobody who is here now', async () => {
  const nowMs = Date.parse('2026-05-12T12:00:00Z');
  const waitedMs = 23 * 3_600_000;
  const late = { ...anyRecord, receivedAtMs: nowMs - 1000, waitedMs, day: '2026-05-11', isBot: false };
  const website = await days.addWebsite([late]);
  const scene = await askLiveScene(website, nowMs);
  assert.deepEqual([scene.visitors, scene.latest, (await askLive(website, nowMs)).visitors], [0, [], 0]);
  const { visitors, byHour } = await askActivity(website, nowMs);
  assert.deepEqual([visitors, byHour.indexOf(1)], [1, 0]);
});
