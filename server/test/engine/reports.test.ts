import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addDays, daysBetween } from '@trackside/contract/calendar/day.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import { metricNames } from '@trackside/contract/stats/metrics.ts';
import type { FunnelStep } from '@trackside/contract/stats/questions.ts';
import fc from 'fast-check';
import { askFunnel, type FunnelInput } from '../../src/stats/reports/ask-funnel.ts';
import { askPaths } from '../../src/stats/reports/ask-paths.ts';
import { askRetention } from '../../src/stats/reports/ask-retention.ts';
import { askVisits } from '../../src/stats/sql/ask-visits.ts';
import { recordsOf, type TestRecord } from '../oracle/records.ts';
import { openTestDays, type PreparedWebsite, wholeYear } from '../support/test-days.ts';

const days = await openTestDays();
after(() => days.close());

const anyRecord = fc.sample(
  recordsOf({
    startMs: Date.parse('2026-01-07T23:00:00Z'),
    days: 5,
    timezones: ['Europe/Berlin', 'Europe/Berlin'],
  }),
  { numRuns: 1, seed: 1 },
)[0]![0]!;

/** Returns an ordinary record, except for what a test is about. */
function recordAt(
  localAt: string,
  visitorId: bigint,
  what: { page: string } | { event: string; parameters?: TestRecord['parameters'] },
): TestRecord {
  const isEvent = 'event' in what;
  return {
    ...anyRecord,
    localAt,
    day: localAt.slice(0, 10),
    receivedAtMs: Date.parse(`${localAt.replace(' ', 'T')}Z`),
    visitorId,
    deviceId: visitorId,
    receivedOrder: 0,
    hasClientId: true,
    isBot: false,
    bot: '',
    kind: isEvent ? 'event' : 'page_view',
    path: isEvent ? '/' : what.page,
    event: isEvent ? what.event : '',
    parameters: (isEvent && what.parameters) || [],
  };
}

const whole = { period: wholeYear, filters: [] };
const reached = ({ steps: each }: Awaited<ReturnType<typeof askFunnel>>) =>
  each.map(({ visitors }) => visitors);

type Case = PreparedWebsite & { whole: { period: Period; filters: [] } };

const firstDay = '2026-01-10';
const casesOfOneWebsite: TestRecord[] = [];
let daysOfCases = 0;
let websiteOfCases: Promise<PreparedWebsite> | undefined;

/**
 * Tests records that begin on the first day. All of these cases are in one website, each with its own days
 * and visitors, because adding up the days of a website takes longer than a question.
 */
function testRecords(
  name: string,
  records: readonly TestRecord[],
  check: (found: Case) => Promise<void>,
): void {
  const moveBy = daysOfCases;
  const own = records.map((record): TestRecord => {
    const day = addDays(record.day, moveBy);
    return {
      ...record,
      day,
      localAt: record.localAt.replace(record.day, day),
      receivedAtMs: record.receivedAtMs + moveBy * 86_400_000,
      visitorId: record.visitorId + BigInt(moveBy) * 1000n,
      deviceId: record.deviceId + BigInt(moveBy) * 1000n,
    };
  });
  casesOfOneWebsite.push(...own);
  const period = {
    from: addDays(firstDay, moveBy),
    to: own
      .map(({ day }) => day)
      .toSorted()
      .at(-1)!,
  };
  daysOfCases = daysBetween(firstDay, period.to) + 1;
  test(name, async () => {
    websiteOfCases ??= days.prepare(casesOfOneWebsite);
    await check({ ...(await websiteOfCases), whole: { period, filters: [] } });
  });
}

testRecords(
  'a step counts until the last second of the days, and not when it came before the first',
  [
    recordAt('2026-01-10 10:00:00', 1n, { page: '/' }),
    recordAt('2026-01-12 10:00:00', 1n, { event: 'Signup' }),
    recordAt('2026-01-10 10:00:00', 2n, { page: '/' }),
    recordAt('2026-01-12 10:00:01', 2n, { event: 'Signup' }),
    recordAt('2026-01-10 10:00:00', 3n, { event: 'Signup' }),
    recordAt('2026-01-12 10:00:00', 3n, { page: '/' }),
    // The first start is too early, but the second one isn't.
    recordAt('2026-01-10 10:00:00', 4n, { page: '/' }),
    recordAt('2026-01-11 10:00:00', 4n, { page: '/' }),
    recordAt('2026-01-13 10:00:00', 4n, { event: 'Signup' }),
  ],
  async ({ website, builds, whole }) => {
    const input: FunnelInput = { ...whole, steps: [{ page: '/' }, { event: 'Signup' }], within: { days: 2 } };
    assert.deepEqual(reached(await askFunnel(website, input, builds)), [4, 2]);
    assert.deepEqual(reached(await askFunnel(website, { ...input, within: 'visit' }, builds)), [4, 0]);
  },
);

const later = (record: TestRecord) => ({ ...record, receivedAtMs: record.receivedAtMs + 1 });

testRecords(
  'of records in the same second, the order counts, and one record is one step',
  [
    recordAt('2026-01-10 10:00:00', 1n, { event: 'Signup' }),
    later(recordAt('2026-01-10 10:00:00', 1n, { page: '/' })),
    recordAt('2026-01-10 10:00:00', 2n, { page: '/' }),
    later(recordAt('2026-01-10 10:00:00', 2n, { event: 'Signup' })),
    recordAt('2026-01-10 10:00:00', 3n, { page: '/' }),
    later(recordAt('2026-01-10 10:00:00', 3n, { page: '/' })),
  ],
  async ({ website, builds, whole }) => {
    for (const within of ['visit', { days: 1 }] as const) {
      const ask = async (...asked: FunnelStep[]) =>
        reached(await askFunnel(website, { ...whole, steps: asked, within }, builds));
      assert.deepEqual(await ask({ page: '/' }, { event: 'Signup' }), [3, 1]);
      assert.deepEqual(await ask({ page: '/' }, { page: '/*' }), [3, 1]);
      assert.deepEqual(await ask({ page: '/*' }, { page: '/' }, { page: '/' }), [3, 1, 0]);
    }
  },
);

const parameters = [
  { name: 'plan', value: 'free' },
  { name: 'tier', value: 'pro' },
];

testRecords(
  'an event is a step only when name and value are of the same parameter',
  [
    recordAt('2026-01-10 10:00:00', 1n, { page: '/' }),
    recordAt('2026-01-10 10:00:01', 1n, { event: 'Signup', parameters }),
  ],
  async ({ website, builds, whole }) => {
    const ask = async (name: string, value: string) => {
      const asked: FunnelStep[] = [{ page: '/' }, { event: 'Signup', parameter: { name, value } }];
      return reached(await askFunnel(website, { ...whole, steps: asked }, builds));
    };
    assert.deepEqual(await ask('plan', 'free'), [1, 1]);
    assert.deepEqual(await ask('tier', 'pro'), [1, 1]);
    assert.deepEqual(await ask('plan', 'pro'), [1, 0]);
  },
);

testRecords(
  'shares are of the first step and of the one before, and there are none of nobody',
  [1n, 2n, 3n, 4n].flatMap((visitor) => [
    recordAt('2026-01-10 10:00:00', visitor, { page: '/' }),
    recordAt('2026-01-10 10:00:01', visitor, { page: visitor > 2n ? '/pricing' : '/' }),
    recordAt('2026-01-10 10:00:02', visitor, { page: visitor > 3n ? '/buy' : '/' }),
  ]),
  async ({ website, builds, whole }) => {
    const asked = [{ page: '/' }, { page: '/pricing' }, { page: '/buy' }];
    assert.deepEqual(await askFunnel(website, { ...whole, steps: asked }, builds), {
      steps: [
        { step: { page: '/' }, visitors: 4, shareOfFirst: 1, shareOfPrevious: null },
        { step: { page: '/pricing' }, visitors: 2, shareOfFirst: 0.5, shareOfPrevious: 0.5 },
        { step: { page: '/buy' }, visitors: 1, shareOfFirst: 0.25, shareOfPrevious: 0.5 },
      ],
    });
    const nobody = await askFunnel(website, { ...whole, steps: [{ page: '/x' }, { page: '/' }] }, builds);
    assert.deepEqual(
      nobody.steps.map(({ visitors, shareOfFirst, shareOfPrevious }) => [
        visitors,
        shareOfFirst,
        shareOfPrevious,
      ]),
      [
        [0, null, null],
        [0, null, null],
      ],
    );
  },
);

const view = (visitor: bigint, second: number, path: string) =>
  recordAt(`2026-01-10 10:00:${String(second).padStart(2, '0')}`, visitor, { page: path });

testRecords(
  'pages before and after are those around the first page view, each once in a row',
  [
    ...['/', '/', '/pricing', '/pricing', '/buy', '/pricing', '/'].map((path, index) =>
      view(1n, index, path),
    ),
    ...['/pricing', '/pricing', '/buy'].map((path, index) => view(2n, index, path)),
    ...['/', '/blog', '/pricing'].map((path, index) => view(3n, index, path)),
    recordAt('2026-01-10 10:00:09', 3n, { event: 'Signup' }),
    view(4n, 0, '/'),
  ],
  async ({ website, builds, whole }) => {
    const found = await askPaths(website, { ...whole, page: '/pricing', steps: 2, limit: 10 }, builds);
    const at = (number: number, ...pages: string[]) => ({
      step: number,
      visits: pages.length,
      pages: [...Map.groupBy(pages, (path) => path)].map(([path, all]) => ({
        page: path,
        visits: all.length,
      })),
    });
    assert.deepEqual(found, {
      visits: 3,
      entries: 1,
      exits: 1,
      before: [at(1, '/', '/blog'), at(2, '/')],
      after: [at(1, '/buy', '/buy'), at(2, '/pricing')],
    });
  },
);

/** Returns records that don't count. Days that follow each other are built at once. */
function botOnEachDay(from: string, to: string): TestRecord[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => ({
    ...recordAt(`${addDays(from, at)} 09:00:00`, 99n, { page: '/' }),
    isBot: true,
  }));
}

test('a visitor belongs to the week of the first visit ever, not of the first one in the period', async () => {
  const bot = { ...recordAt('2026-01-06 10:00:00', 2n, { page: '/' }), isBot: true };
  const records = [
    ...['2026-01-11', '2026-01-12', '2026-01-19'].map((day) =>
      recordAt(`${day} 10:00:00`, 1n, { page: '/' }),
    ),
    // A bot's record does not count as a visit.
    bot,
    recordAt('2026-01-18 10:00:00', 2n, { page: '/' }),
    recordAt('2026-01-26 10:00:00', 2n, { page: '/' }),
    { ...recordAt('2026-01-13 10:00:00', 3n, { page: '/' }), hasClientId: false },
    ...botOnEachDay('2026-01-06', '2026-01-26'),
  ];
  const { website, builds } = await days.prepare(records);
  const asked = { period: { from: '2026-01-12', to: '2026-01-27' }, filters: [] };
  assert.deepEqual(await askRetention(website, asked, builds), {
    cohorts: [
      { week: '2026-01-12', visitors: 1, weeks: [1, 0, 1] },
      { week: '2026-01-19', visitors: 0, weeks: [0, 0] },
      { week: '2026-01-26', visitors: 0, weeks: [0] },
    ],
    visitorsWithoutClientId: 1,
  });
  const onlyNew = await askRetention(
    website,
    { ...asked, filters: [{ dimension: 'visitorType', is: 'new' }] },
    builds,
  );
  assert.deepEqual(onlyNew.cohorts[0], { week: '2026-01-12', visitors: 1, weeks: [1, 0, 0] });
});

test('a week that the period cuts off has the visitors who were new within the period', async () => {
  // 9 January 2026 is a Friday.
  const { website, builds } = await days.prepare([
    recordAt('2026-01-09 10:00:00', 1n, { page: '/' }),
    recordAt('2026-01-11 10:00:00', 2n, { page: '/' }),
    recordAt('2026-01-13 10:00:00', 1n, { page: '/' }),
    ...botOnEachDay('2026-01-09', '2026-01-13'),
  ]);
  const cohortsOf = async (from: string, to: string) =>
    (await askRetention(website, { period: { from, to }, filters: [] }, builds)).cohorts;
  assert.deepEqual(await cohortsOf('2026-01-09', '2026-01-13'), [
    { week: '2026-01-05', visitors: 2, weeks: [2, 1] },
    { week: '2026-01-12', visitors: 0, weeks: [0] },
  ]);
  assert.deepEqual(await cohortsOf('2026-01-10', '2026-01-13'), [
    { week: '2026-01-05', visitors: 1, weeks: [1, 0] },
    { week: '2026-01-12', visitors: 0, weeks: [0] },
  ]);
  assert.deepEqual(await cohortsOf('2026-01-11', '2026-01-11'), [
    { week: '2026-01-05', visitors: 1, weeks: [1] },
  ]);
});

test('a visit with a hundred thousand records fits into the memory of a question', async () => {
  const website = await days.addWebsite([]);
  await website.run({
    query: `
      insert into open_visits (
        website_id, day, build, visitor_id, has_client_id, started_at, at, is_event, path, event_name
      )
      select
        {website_id:UInt32}, '2026-01-10', 1, 1, true, '2026-01-10 00:00:00',
        arrayMap(i -> toDateTime('2026-01-10 00:00:00', 'UTC') + intDiv(i, 2), range(100000)),
        arrayMap(i -> false, range(100000)),
        arrayMap(i -> concat('/', toString(intDiv(i, 2) % 1000)), range(100000)),
        arrayMap(i -> '', range(100000))`,
  });
  const asked: FunnelStep[] = [...Array(7).fill({ page: '*' }), { page: '/999' }];
  for (const within of ['visit', { days: 90 }] as const) {
    const found = await askFunnel(website, { ...whole, steps: asked, within }, [{ build: '1' }]);
    assert.deepEqual(reached(found), Array(8).fill(1));
  }
  const found = await askPaths(website, { ...whole, page: '/500', steps: 3, limit: 10 }, [{ build: '1' }]);
  assert.deepEqual(found.after.at(-1), { step: 3, visits: 1, pages: [{ page: '/503', visits: 1 }] });
  assert.equal((await askRetention(website, whole, [{ build: '1' }])).visitorsWithoutClientId, 0);
});

test('every report is empty for a website without records', async () => {
  const { website, builds } = await days.prepare([]);
  const funnel = await askFunnel(website, { ...whole, steps: [{ page: '*' }, { page: '*' }] }, builds);
  assert.deepEqual(reached(funnel), [0, 0]);
  const none = [{ step: 1, visits: 0, pages: [] }];
  assert.deepEqual(await askPaths(website, { ...whole, page: '/', steps: 1, limit: 10 }, builds), {
    visits: 0,
    entries: 0,
    exits: 0,
    before: none,
    after: none,
  });
  const period = { from: '2026-01-06', to: '2026-01-19' };
  assert.deepEqual(await askRetention(website, { period, filters: [] }, builds), {
    cohorts: [
      { week: '2026-01-05', visitors: 0, weeks: [0, 0, 0] },
      { week: '2026-01-12', visitors: 0, weeks: [0, 0] },
      { week: '2026-01-19', visitors: 0, weeks: [0] },
    ],
    visitorsWithoutClientId: 0,
  });
});

/** Returns a record without a ClientId on a device, or with the ClientId of somebody. */
function onDevice(deviceId: bigint, record: TestRecord, client?: bigint): TestRecord {
  return { ...record, deviceId, visitorId: client ?? deviceId, hasClientId: client !== undefined };
}

const noLimit = {
  metrics: metricNames,
  dimensions: [],
  order: [],
  limit: 100,
  offset: 0,
  goal: { event: 'Signup' },
};

testRecords(
  'people who sign up during a visit are counted once, and their source gets the sign-up',
  [...Array(10).keys()].flatMap((person) => {
    const [device, client] = [BigInt(100 + person), BigInt(200 + person)];
    return [
      { ...onDevice(device, recordAt('2026-01-10 10:00:00', 0n, { page: '/' })), source: 'Google' },
      onDevice(device, recordAt('2026-01-10 10:01:00', 0n, { page: '/signup' })),
      onDevice(device, recordAt('2026-01-10 10:02:00', 0n, { event: 'Signup' }), client),
      onDevice(device, recordAt('2026-01-10 10:03:00', 0n, { page: '/welcome' }), client),
    ].map((record, at) => (at === 0 ? record : { ...record, source: 'internal' }));
  }),
  async ({ website, builds, whole }) => {
    const { rows } = await askVisits(
      website,
      { ...whole, ...noLimit, dimensions: [{ dimension: 'source' }] },
      builds,
    );
    assert.deepEqual(
      rows.map(({ values, counts }) => [values, counts.visitors, counts.visits, counts.converted]),
      [[['Google'], 10, 10, 10]],
    );
    const steps = [{ page: '/' }, { page: '/signup' }, { event: 'Signup' }, { page: '/welcome' }];
    assert.deepEqual(reached(await askFunnel(website, { ...whole, steps }, builds)), [10, 10, 10, 10]);
    const inDays = { ...whole, steps, within: { days: 1 } };
    assert.deepEqual(reached(await askFunnel(website, inDays, builds)), [10, 10, 10, 10]);
  },
);

for (const { name, records, visitors, visits } of [
  {
    name: 'two people who share a device have their own visits, and the rest stays anonymous',
    records: [
      onDevice(1n, recordAt('2026-01-10 10:00:00', 0n, { page: '/' })),
      onDevice(1n, recordAt('2026-01-10 10:01:00', 0n, { page: '/' }), 11n),
      onDevice(1n, recordAt('2026-01-10 10:02:00', 0n, { page: '/' }), 12n),
      onDevice(1n, recordAt('2026-01-10 10:03:00', 0n, { page: '/' })),
    ],
    visitors: 3,
    visits: 3,
  },
  {
    name: 'somebody who comes back to a shared device after half an hour has another visit',
    records: [
      onDevice(1n, recordAt('2026-01-10 10:00:00', 0n, { page: '/' }), 11n),
      onDevice(1n, recordAt('2026-01-10 10:20:00', 0n, { page: '/' }), 12n),
      onDevice(1n, recordAt('2026-01-10 10:40:00', 0n, { page: '/' }), 11n),
    ],
    visitors: 2,
    visits: 3,
  },
  {
    name: 'a person with two devices is one visitor with two visits',
    records: [
      onDevice(1n, recordAt('2026-01-10 10:00:00', 0n, { page: '/' })),
      onDevice(1n, recordAt('2026-01-10 10:01:00', 0n, { page: '/' }), 11n),
      onDevice(2n, recordAt('2026-01-10 10:01:00', 0n, { page: '/' }), 11n),
      onDevice(2n, recordAt('2026-01-10 10:02:00', 0n, { page: '/' })),
    ],
    visitors: 1,
    visits: 2,
  },
  {
    name: 'a sign-in after midnight leaves the visit before it anonymous',
    records: [
      onDevice(1n, recordAt('2026-01-10 23:59:00', 0n, { page: '/' })),
      onDevice(2n, recordAt('2026-01-11 00:01:00', 0n, { page: '/' })),
      onDevice(2n, recordAt('2026-01-11 00:02:00', 0n, { page: '/' }), 11n),
    ],
    visitors: 2,
    visits: 2,
  },
  {
    name: 'a sign-in after half an hour of silence leaves the visit before it anonymous',
    records: [
      onDevice(1n, recordAt('2026-01-10 10:00:00', 0n, { page: '/' })),
      onDevice(1n, recordAt('2026-01-10 10:30:00', 0n, { page: '/' }), 11n),
      onDevice(1n, recordAt('2026-01-10 10:59:59', 0n, { page: '/' })),
    ],
    visitors: 2,
    visits: 2,
  },
]) {
  testRecords(name, records, async ({ website, builds, whole }) => {
    const [row] = (await askVisits(website, { ...whole, ...noLimit }, builds)).rows;
    assert.deepEqual([row!.counts.visitors, row!.counts.visits], [visitors, visits]);
  });
}

testRecords(
  'steps on two devices that are used at once count in the order of their time',
  [
    onDevice(1n, recordAt('2026-01-10 10:00:00', 0n, { page: '/blog' }), 11n),
    onDevice(1n, recordAt('2026-01-10 10:20:00', 0n, { event: 'Signup' }), 11n),
    onDevice(2n, recordAt('2026-01-10 10:10:00', 0n, { page: '/pricing' }), 11n),
    onDevice(2n, recordAt('2026-01-10 10:30:00', 0n, { page: '/' }), 11n),
  ],
  async ({ website, builds, whole }) => {
    const steps = [{ page: '/blog' }, { page: '/pricing' }, { event: 'Signup' }, { page: '/' }];
    const input = { ...whole, steps, within: { days: 1 } };
    assert.deepEqual(reached(await askFunnel(website, input, builds)), [1, 1, 1, 1]);
  },
);

testRecords(
  'records of the same millisecond stay in the order in which they came',
  ['/z', '/a', '/m']
    .map((page, receivedOrder) => ({
      ...onDevice(1n, recordAt('2026-01-10 10:00:00', 0n, { page })),
      receivedOrder,
    }))
    .toReversed(),
  async ({ website, builds, whole }) => {
    const keys = [{ dimension: 'entryPage' as const }, { dimension: 'exitPage' as const }];
    const { rows } = await askVisits(website, { ...whole, ...noLimit, dimensions: keys }, builds);
    assert.deepEqual(
      rows.map(({ values }) => values),
      [['/z', '/m']],
    );
  },
);
