import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { erasePerson } from '../../src/actions/erase-person.ts';
import { removeWebsite } from '../../src/actions/remove-website.ts';
import { createFakeClock, openTestControl } from '../../src/control/test-control.ts';
import { openWebsiteCache } from '../../src/control/websites/website-cache.ts';
import { visitorOfClient } from '../../src/intake/steps/identify.ts';
import { maxLateMs } from '../../src/records/late-limits.ts';
import { type RemovalOptions, startRemovals } from '../../src/removal/start-removals.ts';
import { testLong, times } from '../support/long-form.ts';
import { openDayBuilder } from '../support/test-days.ts';
import { silentLog, untilReady } from '../support/test-engine.ts';
import { emptyTables, shareSweptStore } from '../support/test-store.ts';
import { waitFor } from '../support/wait-for.ts';

const tables = ['records', 'ended_visits', 'open_visits', 'closed_rollups', 'open_rollups', 'day_builds'];

/** Everything that was received is in the store. */
const loader: RemovalOptions['loader'] = {
  receivedTo: async () => [{ worker: 1, segment: 1, offset: 1 }],
  isLoadedTo: async () => true,
  batchEnded: async () => {},
};

// Each test empties the tables.
const { engine, store } = await shareSweptStore();

type Setting = {
  timezone?: string;
  start?: string;
  /** The websites whose days are added up. This takes longest, so tests leave out what they don't need. */
  built: readonly number[];
};

/**
 * Adds two websites with the same 20 ClientIds. Each ClientId has two records a day on the six days up to
 * today.
 */
async function open(t: TestContext, options: Setting) {
  const clock = createFakeClock(options.start ?? '2026-04-05T12:00:00Z');
  const { control } = await openTestControl(t, { clock });
  await emptyTables(store);
  for (const domain of ['a.test', 'b.test'])
    await control.websites.add({ domain, timezone: options.timezone ?? 'UTC', contingent: null });
  const websiteCache = await openWebsiteCache({
    control,
    clock,
    intervalMs: 250,
    settleMs: 0,
    log: silentLog,
  });
  t.after(() => websiteCache.stop());
  const days = openDayBuilder(store, { clock });
  const visitorOf = (websiteId: number, clientId: string) =>
    visitorOfClient(websiteCache.get(websiteId)!, clientId);
  const people = Array.from({ length: 20 }, (_, index) => `person-${index}`);

  async function fill(websiteId: number, times = 1, by = people): Promise<void> {
    await store.query({
      query: `
        insert into records (
          node, batch, website_id, day, received_at, local_at, kind, visitor_id, has_client_id, path
        )
        select 'test', 1, {id:UInt32}, toDate('2026-03-31') + intDiv(number, 40 * {times:UInt32}) as at,
          toDateTime64(at, 3, 'UTC') + 3600, toDateTime(at, 'UTC') + 3600, 'page_view',
          {visitors:Array(UInt64)}[1 + number % length({visitors:Array(UInt64)})], true, '/'
        from numbers(6 * 40 * {times:UInt32})`,
      params: {
        id: websiteId,
        times,
        visitors: by.map((person) => BigInt(visitorOf(websiteId, person))),
      },
    });
  }
  for (const id of [1, 2]) {
    await fill(id);
    if (!options.built.includes(id)) continue;
    await days.ready(id, { from: '2026-03-01', to: '2026-04-30' }, '2026-04-05');
  }

  let looks = 0;
  function start(changes: Partial<RemovalOptions> = {}) {
    const data = startRemovals({
      control,
      websiteCache,
      store,
      days,
      clock,
      log: silentLog,
      loader,
      noteErasure: async () => true,
      journalHoldsFromMs: () => 0,
      checkpointUsage: async () => {},
      isStoreReady: () => {
        looks += 1;
        return true;
      },
      clockSettleMs: 0,
      intervalMs: 25,
      ...changes,
    });
    t.after(() => data.stop({ withinMs: 300_000 }));
    const actor = { email: 'ada@example.com' };
    return {
      ...data,
      // These two do what the routes do.
      async erasePerson(id: number, clientId: string) {
        const person = { website: { id, domain: 'a.test' }, visitorId: data.visitorOf(id, clientId) };
        return await erasePerson({ control, run: data.erase }, actor, person);
      },
      async deleteWebsite(id: number) {
        const wanted = { website: { id, domain: 'a.test' }, confirm: 'a.test' };
        return await removeWebsite({ control, run: data.deleteWebsite }, actor, wanted);
      },
    };
  }
  /** Waits until each of the three kinds of work has had its turn. */
  const untilLooked = async () => {
    const enough = looks + 30;
    await waitFor('the next look', () => looks > enough);
  };
  const rowsIn = async (table: string, where: string) => {
    const query = `select count() as rows from ${table} where ${where}`;
    return (await store.query<{ rows: number }>({ query }))[0]!.rows;
  };
  const rowsOf = (websiteId: number, clientId: string, table = 'records') =>
    rowsIn(table, `website_id = ${websiteId} and visitor_id = ${visitorOf(websiteId, clientId)}`);
  return { clock, control, websiteCache, days, start, fill, rowsIn, rowsOf, visitorOf, untilLooked };
}

async function killEngine(): Promise<void> {
  const { pid, restarts } = engine.supervisor.state();
  process.kill(pid!, 'SIGKILL');
  await waitFor('the restart', () => engine.supervisor.state().restarts > restarts);
  await untilReady(engine.supervisor);
}

test('exports a person, then erases them with records on their way, and nobody else', async (t) => {
  const { start, fill, rowsIn, rowsOf, days } = await open(t, { built: [1] });
  const arrived = Promise.withResolvers<void>();
  const data = start({ loader: { ...loader, batchEnded: () => arrived.promise } });
  const lines = (await text(await data.exportPerson(1, 'person-3'))).trimEnd().split('\n');
  assert.equal(lines.length, 12);
  const { visitor_id, day, path } = JSON.parse(lines[0]!);
  assert.deepEqual([typeof visitor_id, day, path], ['string', '2026-03-31', '/']);
  assert.equal(new Set(lines.map((line) => JSON.parse(line).visitor_id)).size, 1);

  const erased = data.erasePerson(1, 'person-3');
  await fill(1);
  assert.equal(await rowsOf(1, 'person-3'), 24, 'nothing is removed before');
  arrived.resolve();
  assert.deepEqual(await erased, { records: 24 });
  assert.deepEqual([await rowsOf(1, 'person-3'), await rowsOf(1, 'person-3', 'visits')], [0, 0]);
  assert.equal(await text(await data.exportPerson(1, 'person-3')), '');
  assert.equal(await rowsIn('records', 'website_id = 1'), 2 * (240 - 12));
  assert.equal(await rowsIn('records', 'website_id = 2'), 240);
  assert.deepEqual([await rowsOf(1, 'person-4', 'visits'), await rowsOf(2, 'person-3')], [6, 12]);
  const { days: built } = await days.ready(1, { from: '2026-03-01', to: '2026-04-30' }, '2026-04-05');
  assert.equal(built.length, 6);
  assert.deepEqual(await data.erasePerson(1, 'person-3'), { records: 0 }, 'once more does nothing');
  assert.deepEqual(await data.erasePerson(1, 'nobody'), { records: 0 });
});

testLong('exports and erases what a person did before they signed in along with them', async (t) => {
  const { start, control, rowsIn, rowsOf, visitorOf, days, websiteCache } = await open(t, { built: [] });
  const [ann, ben] = [visitorOf(1, 'ann'), visitorOf(1, 'ben')];
  // Device 900 is Ann's from 10:00 on, and had another visit before. Device 901 is shared. On 902, Ann was
  // signed in from the start, as far as is known.
  const records = [
    ['09:00:00', '900', '900'],
    ['10:00:00', '900', '900'],
    ['10:20:00', '900', ann],
    ['10:40:00', '900', '900'],
    ['10:00:00', '901', '901'],
    ['10:05:00', '901', ann],
    ['10:10:00', '901', ben],
    ['11:00:00', '902', ann],
  ];
  await store.query({
    query: `
      insert into records (
        node, batch, website_id, day, received_at, local_at, kind, visitor_id, has_client_id, path, device_id
      )
      select 'test', 2, 1, '2026-04-04', toDateTime64(concat('2026-04-04 ', row.1), 3, 'UTC') as at, at,
        'page_view', row.3, row.2 != row.3, '/', row.2
      from (
        select arrayJoin(arrayZip(
          {at:Array(String)}, {device:Array(UInt64)}, {visitor:Array(UInt64)}
        )) as row
      )`,
    params: {
      at: records.map(([at]) => at),
      device: records.map(([, device]) => BigInt(device!)),
      visitor: records.map(([, , visitor]) => BigInt(visitor!)),
    },
  });
  await days.ready(1, { from: '2026-04-04', to: '2026-04-04' }, '2026-04-05');
  assert.equal(await rowsOf(1, 'ann', 'visits'), 3);
  const at = (time: string) => Date.parse(`2026-04-04T${time}Z`);
  const devicesErasedAt = async (receivedBefore: number) =>
    (await store.ofWebsite(1).findErasedVisits({ visitorId: ann, receivedBefore })).map(
      ({ deviceId }) => deviceId,
    );
  const lastLateAt = at('11:30:00') + maxLateMs;
  assert.deepEqual(await devicesErasedAt(lastLateAt - 1), ['900', '902']);
  assert.deepEqual(await devicesErasedAt(lastLateAt), ['900'], 'nothing can come anymore');
  const data = start();
  const exported = (await text(await data.exportPerson(1, 'ann'))).trimEnd().split('\n');
  assert.deepEqual(
    exported
      .map((line) => JSON.parse(line))
      .map((one) => `${one.received_at.slice(11, 19)} ${one.device_id}`)
      .toSorted(),
    ['10:00:00 900', '10:05:00 901', '10:20:00 900', '10:40:00 900', '11:00:00 902'],
  );
  assert.deepEqual(await data.erasePerson(1, 'ann'), { records: 5 });
  assert.deepEqual([await rowsOf(1, 'ann'), await rowsOf(1, 'ann', 'visits')], [0, 0]);
  assert.equal(await rowsIn('records', 'website_id = 1 and device_id in (900, 901, 902)'), 3);
  assert.equal(await rowsIn('visits', 'visitor_id = 900'), 1, 'no replaced build has the others');
  const [erasure] = await control.erasures.list();
  assert.deepEqual(
    erasure!.visits.map(({ deviceId }) => deviceId),
    ['900', '902'],
  );
  const isWanted = (time: string, visitorId: string) =>
    websiteCache.isWanted({ websiteId: 1, day: '2026-04-04', visitorId, occurredAtMs: at(time) });
  assert.deepEqual(
    records.map(([time, , visitor]) => isWanted(time!, visitor!)),
    [true, false, false, false, true, false, true, false],
    'none of them comes back from the journal',
  );
  assert.deepEqual(
    ['10:30:00', '10:30:01', '11:29:59', '11:30:00'].map((time) => isWanted(time, '902')),
    [true, false, false, true],
    'nor does what comes late for such a visit',
  );
});

test('exports a person completely, but none of a website that is missing or being deleted', async (t) => {
  const { start, fill, control, websiteCache } = await open(t, { built: [] });
  // More records than are requested at once.
  await fill(1, 25, ['person-3']);
  const data = start({ isStoreReady: () => false });
  const lines = (await text(await data.exportPerson(1, 'person-3'))).trimEnd().split('\n');
  assert.equal(lines.length, 12 * 501);
  assert.equal(new Set(lines.map((line) => JSON.parse(line).visitor_id)).size, 1);

  await assert.rejects(data.erasePerson(9, 'person-3'), { name: 'ControlError', reason: 'not-found' });
  await control.deletions.begin(2);
  await websiteCache.refresh();
  await assert.rejects(data.exportPerson(2, 'person-3'), { name: 'ControlError', reason: 'not-found' });
  assert.deepEqual(await control.erasures.list(), []);
});

testLong(
  'finishes an erasure that an ended process or a command wrote down, even if the engine dies',
  async (t) => {
    const { start, control, rowsIn, rowsOf, visitorOf, days } = await open(t, { built: [] });
    await control.erasures.add(1, visitorOf(1, 'person-3'));
    const data = start();
    await waitFor('the erasure', async () => (await rowsOf(1, 'person-3')) === 0);
    await control.erasures.add(1, visitorOf(1, 'person-4'));
    await waitFor('the other erasure', async () => (await rowsOf(1, 'person-4')) === 0);

    await days.ready(1, { from: '2026-03-01', to: '2026-04-30' }, '2026-04-05');
    const kills = [
      [150, 'person-5'],
      [0, 'person-6'],
      [1500, 'person-7'],
    ] as const;
    const rounds = times(1, kills.length);
    for (const [waitMs, person] of kills.slice(0, rounds)) {
      const erased = data.erasePerson(1, person);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await killEngine();
      await erased;
      assert.deepEqual([await rowsOf(1, person), await rowsOf(1, person, 'visits')], [0, 0]);
    }
    assert.equal(await rowsIn('records', 'website_id = 1'), 240 - 12 * (2 + rounds));
    assert.equal(await rowsIn('records', 'website_id = 2'), 240);
  },
);

testLong(
  "removes days that are too old, by the website's midnight, once the clock has run for a while",
  async (t) => {
    // April 5 begins at 11:00 UTC there, and ends 25 hours later.
    const { start, control, websiteCache, clock, rowsIn, untilLooked } = await open(t, {
      timezone: 'Pacific/Auckland',
      start: '2036-01-01T00:00:00Z',
      built: [1],
    });
    await control.websites.update(1, { retentionDays: 3 });
    await websiteCache.refresh();
    const data = start({ clockSettleMs: 600_000 });
    // A clock that is wrong at the start removes nothing.
    clock.pass(590_000);
    await untilLooked();
    clock.jump(Date.parse('2026-04-04T11:49:59Z') - clock.now());
    await untilLooked();
    clock.pass(590_000);
    await untilLooked();
    assert.equal(await rowsIn('records', 'website_id = 1'), 240);
    clock.pass(10_000);
    await waitFor('the first time', () => data.lastRetention(1) !== undefined);
    assert.deepEqual(data.lastRetention(1), {
      at: clock.now(),
      keptFrom: '2026-04-02',
      removedRecords: 2 * 40,
    });
    assert.equal(await rowsIn('records', 'website_id = 1'), 4 * 40);
    assert.equal(await rowsIn('visits', "website_id = 1 and day < '2026-04-02'"), 0);
    assert.equal(await rowsIn('records', 'website_id = 2'), 240);
    assert.equal(data.lastRetention(2), undefined);

    // A retention that is set during a day takes effect on the next day.
    await control.websites.update(2, { retentionDays: 1 });
    await websiteCache.refresh();
    clock.pass(24 * 3_600_000);
    await untilLooked();
    assert.equal(await rowsIn('records', 'website_id = 2'), 240);
    assert.equal(await rowsIn('records', 'website_id = 1'), 4 * 40);
    clock.pass(1000);
    await waitFor('the next day', () => data.lastRetention(2) !== undefined);
    assert.deepEqual(
      [data.lastRetention(1)?.keptFrom, data.lastRetention(2)?.keptFrom],
      ['2026-04-03', '2026-04-05'],
    );
    assert.equal(await rowsIn('records', 'website_id = 1'), 3 * 40);
    assert.equal(await rowsIn('records', 'website_id = 2'), 40);
  },
);

test('deletes a website with all of its data, even if the engine dies and the process ends', async (t) => {
  const { start, control, websiteCache, fill, rowsIn } = await open(t, { built: [1] });
  await fill(1, 40);
  const settled = [1, 2].map((websiteId) => ({ websiteId, month: '2026-04', records: 5 }));
  const position = { segment: 1, offset: 1 };
  const checkpointUsage = () => control.usage.checkpoint({ node: 'n1', position, settled });
  const first = start({ checkpointUsage });
  assert.equal(first.deletion(1), undefined);
  assert.equal((await first.deleteWebsite(1)).state, 'running');
  assert.equal(websiteCache.get(1), undefined, 'from now on it is not there');
  await killEngine();
  await first.stop({ withinMs: 0 });
  assert.equal((await control.websites.list()).length, 2, 'the website goes last');

  const second = start({ checkpointUsage });
  await waitFor('the deletion', () => second.deletion(1)?.state === 'done');
  const { deletedRecords, allRecords } = second.deletion(1)!;
  assert.equal(deletedRecords, allRecords);
  for (const table of tables) assert.equal(await rowsIn(table, 'website_id = 1'), 0, table);
  assert.equal(await rowsIn('records', 'website_id = 2'), 240, 'the other one stays');
  assert.deepEqual(
    (await control.websites.list()).map(({ id }) => id),
    [2],
  );
  assert.deepEqual(
    [await control.usage.usedOf(1, '2026-04'), await control.usage.usedOf(2, '2026-04')],
    [0, 5],
  );
  await assert.rejects(second.deleteWebsite(1), { name: 'ControlError', reason: 'not-found' });
});
