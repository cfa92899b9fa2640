import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import { maxBatch } from '@trackside/contract/stats/limits.ts';
import type { Filter, Goal } from '@trackside/contract/stats/questions.ts';
import fc from 'fast-check';
import type { Website } from '../../src/control/websites/website-row.ts';
import { createKnownEvents } from '../../src/stats/cache/known-events.ts';
import { createStatistics, type Saved, type Statistics } from '../../src/stats/create-statistics.ts';
import { QuestionError } from '../../src/stats/question/question-error.ts';
import type { Clock } from '../../src/time/clock.ts';
import { asShown } from '../oracle/oracle-addresses.ts';
import { botsOracle, liveOracle } from '../oracle/oracle-bots.ts';
import { answerOracle, periodOf, type SentQuestion, testedMetrics } from '../oracle/oracle-questions.ts';
import { funnelOracle, pathsOracle, retentionOracle } from '../oracle/oracle-reports.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { isLongForm, testLong, times } from '../support/long-form.ts';
import { askAll, openDayBuilder, websiteOf, wholeYear } from '../support/test-days.ts';
import { newWebsiteId, shareTestStore } from '../support/test-store.ts';

// These are questions as programs send them, with every member left out and with every member present.

const timezone = 'Europe/Berlin';
const nowMs = Date.parse('2026-11-15T21:58:00Z');
const now = createLocalTime(timezone)(nowMs).at.slice(0, 16);
const dayMs = 86_400_000;
const clock: Clock = { now: () => nowMs, monotonicMs: () => performance.now() };

const { store } = await shareTestStore();
const days = openDayBuilder(store, { clock, sharedMs: 30_000 });
const goals = [
  { event: 'Signup' },
  { page: '/pricing' },
  { page: '/*g*' },
  { page: '/blog/%C3%a4' },
  { event: 'Not yet sent' },
].map((goal, at) => ({ id: at + 1, name: at === 0 ? 'Sign-up' : null, goal }));
const segment: readonly Filter[] = [
  { dimension: 'country', is: 'DE' },
  { dimension: 'page', contains: '/' },
];
const saved: Saved = {
  goalsOf: async () => goals,
  findSegment: async (_, id, userId) => (id === 7 && userId === 1 ? { filters: segment } : undefined),
};
const statistics = createStatistics({ store, clock, completeUpToMs: clock.now, days, saved });
const websites: { website: Website; records: readonly TestRecord[] }[] = [];

before(async () => {
  const records = longRecords();
  await addWebsite(records);
  await addWebsite(records.filter(({ hasClientId, day }) => !hasClientId && day >= '2026-09-15'));
});
after(() => days.stop({ withinMs: 300_000 }));

async function addWebsite(records: readonly TestRecord[]): Promise<void> {
  const id = newWebsiteId();
  await insertRecords(store, id, records);
  // In advance, because a question doesn't wait long for days that have never been added up.
  await days.rebuild(id, wholeYear, now.slice(0, 10), () => {});
  websites.push({ website: websiteOf(id, timezone), records });
}

/** Returns more days, hours of a week, minutes of a day and values of a dimension than one page has rows. */
function longRecords(): TestRecord[] {
  const draw = (startMs: number, daysLong: number, numRuns: number) => {
    const timezones: [string, string] = [timezone, timezone];
    return fc.sample(recordsOf({ startMs, days: daysLong, timezones }), { numRuns, seed: 17 }).flat();
  };
  const today = draw(nowMs - 20 * 3_600_000, 1, 4).filter(({ receivedAtMs }) => receivedAtMs <= nowMs);
  const drawn = [...draw(nowMs - 138 * dayMs, 20, 2), ...draw(nowMs - 8 * dayMs, 6, 6), ...today];
  const local = createLocalTime(timezone);
  const daily = Array.from({ length: 140 }, (_, ago): TestRecord => {
    const receivedAtMs = nowMs - 3_600_000 - ago * dayMs;
    const { day, at } = local(receivedAtMs);
    const visitorId = BigInt(1_000_000 + ago);
    const own = { visitorId, deviceId: visitorId, hasClientId: false, isBot: false, bot: '' };
    return {
      ...drawn[ago % drawn.length]!,
      receivedAtMs,
      day,
      localAt: at,
      ...own,
      city: `City ${ago % 120}`,
    };
  });
  const present = [1, 4, 20].map((minutesAgo, at): TestRecord => {
    const receivedAtMs = nowMs - minutesAgo * 60_000;
    const visitorId = BigInt(2_000_000 + at);
    const own = { visitorId, deviceId: visitorId };
    return { ...daily[0]!, receivedAtMs, localAt: local(receivedAtMs).at, ...own };
  });
  return [...drawn, ...daily, ...present];
}

let askedQuestions = 0;

/** In the short form, two questions go to one website, and then two to the next. */
function nextWebsites(): typeof websites {
  if (isLongForm) return websites;
  const at = Math.floor(askedQuestions / 2) % websites.length;
  askedQuestions += 1;
  return [websites[at]!];
}

async function assertAnswer(sent: SentQuestion): Promise<void> {
  for (const { website, records } of nextWebsites()) {
    const { rows, totalRows, visitorsAre } = await statistics.query(website, sent);
    const expected = answerOracle(records, sent, now);
    assert.deepEqual({ rows, totalRows, visitorsAre }, expected, JSON.stringify(sent));
  }
}

/** In the short form, asks the questions of a website together, so that one statement answers several. */
async function assertAnswers(sent: readonly SentQuestion[]): Promise<void> {
  if (isLongForm) return await askAll(sent, assertAnswer);
  const byWebsite = Map.groupBy(sent, () => nextWebsites()[0]!);
  for (const [{ website, records }, questions] of byWebsite) {
    for (let at = 0; at < questions.length; at += maxBatch) {
      const screen = questions.slice(at, at + maxBatch);
      const asked = screen.map((question) => ({ kind: 'query' as const, question }));
      const answers = await Promise.all(statistics.answerScreen(website, asked));
      for (const [index, question] of screen.entries()) {
        const { rows, totalRows, visitorsAre } = answers[index] as Awaited<ReturnType<Statistics['query']>>;
        const expected = answerOracle(records, question, now);
        assert.deepEqual({ rows, totalRows, visitorsAre }, expected, JSON.stringify(question));
      }
    }
  }
}

const periods: SentQuestion['period'][] = [
  undefined,
  'today',
  '7d',
  '130d',
  'all',
  { from: '2026-07-01', to: '2026-11-08' },
  { lastMinutes: 600 },
];
const intervalsOf = (period: SentQuestion['period']): SentQuestion['interval'][] => {
  const isShort = period === 'today' || (typeof period === 'object' && 'lastMinutes' in period);
  const areHours = isShort || period === '7d' || period === undefined;
  return [
    undefined,
    ...(isShort ? (['minute'] as const) : []),
    ...(areHours ? (['hour'] as const) : []),
    'day',
    'week',
    'month',
  ];
};
const asMember = <Name extends keyof SentQuestion>(name: Name, value: SentQuestion[Name]) =>
  value === undefined ? {} : { [name]: value };

test('a series is complete, whatever is left out', async () => {
  const questions = periods.flatMap((period) =>
    intervalsOf(period).flatMap((interval) =>
      [{}, { compare: 'previousPeriod' as const, limit: 5 }].map(
        (more): SentQuestion => ({
          ...asMember('period', period),
          ...asMember('interval', interval),
          ...more,
        }),
      ),
    ),
  );
  await assertAnswers(questions);
  const { rows } = await statistics.query(websites[0]!.website, { period: '130d', interval: 'day' });
  assert.equal(rows.filter(({ metrics }) => metrics.visitors! > 0).length, 130);
});

test('a comparison that begins before the first record says when the records begin', async () => {
  const { website, records } = websites[0]!;
  const [first] = records.map(({ day }) => day).toSorted();
  const ask = (period: string) => statistics.query(website, { period, compare: 'previousPeriod' });
  assert.equal((await ask('130d')).comparisonDataFrom, first);
  assert.equal((await ask('7d')).comparisonDataFrom, undefined);
  const { comparisonDataFrom } = await statistics.query(website, { period: '130d' });
  assert.equal(comparisonDataFrom, undefined, 'nothing is compared');
});

test('an hour that clocks skipped has no row, and one that occurs twice has one', async () => {
  const { website } = websites[0]!;
  const askHours = async (day: string) => {
    const period = { from: day, to: day };
    return await statistics.query(website, { period, interval: 'hour', compare: 'previousPeriod' });
  };
  const { rows, totalRows } = await askHours('2026-03-29');
  assert.equal(totalRows, 23);
  assert.deepEqual(
    rows.slice(1, 3).map(({ time, comparisonTime }) => [time, comparisonTime]),
    [
      ['2026-03-29T01:00', '2026-03-28T01:00'],
      ['2026-03-29T03:00', '2026-03-28T03:00'],
    ],
  );
  assert.equal((await askHours('2026-10-25')).totalRows, 24);
});

test('an hour that clocks skipped is compared with nothing', async () => {
  const { website } = websites[0]!;
  const { rows } = await statistics.query(website, {
    period: { from: '2026-03-30', to: '2026-03-30' },
    interval: 'hour',
    compare: 'previousPeriod',
  });
  const compared = rows.map(({ comparison, comparisonTime }) => [comparisonTime, comparison]);
  assert.deepEqual(compared[1], ['2026-03-29T01:00', { visitors: 0 }]);
  assert.deepEqual(compared[2], [undefined, null]);
  assert.equal(compared.filter(([time]) => time !== undefined).length, 23);
});

test('answers a list, and a series of each of its values, as the question defines', async () => {
  const lists: NonNullable<SentQuestion['dimensions']>[] = [['city'], ['event'], ['page', 'country']];
  const questions = [undefined, '7d', '130d', { lastMinutes: 600 }].flatMap((period) =>
    lists.flatMap((dimensions) => [
      ...[undefined, 'day' as const].map((interval) => ({
        ...asMember('period', period),
        ...asMember('interval', interval),
        dimensions,
      })),
      { ...asMember('period', period), dimensions, compare: 'previousPeriod' as const },
    ]),
  );
  await assertAnswers(questions);
});

test('answers any combination of members as defined', async () => {
  const metric = fc.constantFrom(...testedMetrics);
  // Most questions should be answered, and this one would need a goal.
  const ordering = fc.constantFrom(...testedMetrics.filter((name) => !name.startsWith('conversion')));
  const question = fc
    .record(
      {
        period: fc.constantFrom(...periods.filter((period) => period !== undefined)),
        interval: fc.constantFrom('hour', 'day', 'week', 'month'),
        metrics: fc.uniqueArray(metric, { minLength: 1, maxLength: 3 }),
        dimensions: fc.constantFrom([], ['city'], ['weekday'], ['country', 'event'], ['page', 'city']),
        filters: fc.constantFrom(
          [],
          [{ dimension: 'country', is: 'DE' }],
          [{ dimension: 'page', contains: '/' }],
          [{ dimension: 'page', is: '/blog/%C3%a4' }],
        ),
        goal: fc.constantFrom('Signup', { event: 'Purchase' }, 'Signup', { page: '/*' }, 'Never sent'),
        compare: fc.constantFrom(
          'previousPeriod',
          'sameWeekdays',
          'previousYear',
          'yesterday',
          '30d',
          'all',
          {
            from: '2026-10-01',
            to: '2026-10-20',
          },
        ),
        order: fc.uniqueArray(fc.record({ by: fc.oneof(ordering, fc.constant('dimension')) }), {
          maxLength: 2,
        }),
        limit: fc.constantFrom(1, 7, 500),
        offset: fc.constantFrom(0, 3, 120),
      },
      { requiredKeys: [] },
    )
    .map((drawn) => drawn as SentQuestion);
  await fc.assert(
    fc.asyncProperty(fc.array(question, { minLength: 20, maxLength: 20 }), async (drawn) => {
      await askAll(drawn, async (sent) => {
        const isRefused = refusalOf(sent) !== undefined;
        if (!isRefused) return await assertAnswer(sent);
        const refused = statistics.query(websites[0]!.website, sent);
        await assert.rejects(
          refused,
          { name: 'QuestionError', message: refusalOf(sent)! },
          JSON.stringify(sent),
        );
      });
    }),
    { numRuns: times(1, 40), endOnFailure: true },
  );
});

/** Returns a pattern of the reasons to refuse a question, or undefined if the question is valid. */
function refusalOf(sent: SentQuestion): RegExp | undefined {
  const { period = '30d', interval, dimensions = [], order = [], offset = 0, compare, goal } = sent;
  const metrics: readonly string[] = [...(sent.metrics ?? []), ...order.map(({ by }) => by)];
  const isLong = period === '130d' || period === 'all' || (typeof period === 'object' && 'from' in period);
  const isList = dimensions.length > 0;
  const reasons = [
    interval === 'hour' && isLong && 'interval: expected at most 3000 intervals',
    !isList && offset > 0 && 'offset: expected only with dimensions',
    !isList && interval !== undefined && order.length > 0 && 'order: expected only with dimensions',
    isList &&
      interval !== undefined &&
      compare !== undefined &&
      'compare: expected an interval or dimensions',
    metrics.some((name) => name.startsWith('conversion')) &&
      goal === undefined &&
      'goal: expected an event or a page, because',
    goal === 'Never sent' && 'goal: expected the name of an event that the website has sent',
  ].filter((reason) => reason !== false);
  return reasons.length === 0 ? undefined : new RegExp(`^(?:${reasons.join('|')})`);
}

testLong('the goals have the numbers that a question about each of them has', async () => {
  const asked: Pick<SentQuestion, 'period' | 'interval' | 'filters' | 'compare'>[] = [
    {},
    { period: '130d', interval: 'week', compare: 'previousPeriod' },
    { period: 'today', interval: 'day', compare: 'previousYear' },
    { period: '7d', filters: [{ dimension: 'page', contains: 'b' }], interval: 'day' },
    { period: { lastMinutes: 600 }, compare: 'previousPeriod' },
  ];
  for (const { website, records } of websites) {
    for (const { interval, ...sent } of asked) {
      const question = { ...sent, ...asMember('interval', interval) };
      const answer = await statistics.goals(website, question);
      const metrics = ['conversions', 'conversionRate'] as const;
      const { rows } = answerOracle(records, { ...sent, metrics: ['visitors'] }, now);
      assert.equal(answer.visitors, rows[0]!.metrics.visitors, JSON.stringify(question));
      const expected = goals.map((one) => {
        const [whole] = answerOracle(records, { ...sent, metrics, goal: asPage(one.goal) }, now).rows;
        const { compare: _, ...alone } = sent;
        const series = { ...alone, ...asMember('interval', interval), metrics, goal: asPage(one.goal) };
        return {
          ...one,
          ...whole!.metrics,
          ...(sent.compare !== undefined && { comparison: whole!.comparison }),
          ...(interval !== undefined && {
            trend: answerOracle(records, series, now).rows.map(({ time, metrics: of }) => ({
              time,
              conversions: of.conversions,
            })),
          }),
        };
      });
      assert.deepEqual(answer.goals, expected, JSON.stringify(question));
    }
  }
  const { website } = websites[0]!;
  const { goals: found } = await statistics.goals(website, { period: '130d' });
  assert.ok(
    found.slice(0, 3).every(({ conversions }) => conversions > 0),
    'there is something to compare',
  );
});

/** The oracle takes a page as it is shown. */
const asPage = (goal: Goal): Goal => ('page' in goal ? { page: decodeURIComponent(goal.page) } : goal);

test('answers a goal of the website before its first event has arrived', async () => {
  const { website } = websites[0]!;
  const question = { metrics: ['conversions'], goal: { event: 'Not yet sent' } };
  const { rows } = await statistics.query(website, question);
  assert.deepEqual(rows[0]?.metrics, { conversions: 0 });
});

test('combines the filters of a segment with those of the question', async () => {
  const { website } = websites[0]!;
  const filters: Filter[] = [{ dimension: 'city', contains: '1' }];
  const questions = {
    query: { period: 'all', dimensions: ['city'] },
    goals: { period: '130d' },
    funnel: { steps: [{ page: '/*' }, { event: 'Signup' }] },
    retention: {},
    paths: { page: '/' },
  };
  for (const [kind, question] of Object.entries(questions) as [keyof typeof questions, object][]) {
    const answerTo = (more: object) => statistics[kind](website, { ...question, ...more }, { userId: 1 });
    const named = await answerTo({ filters, segment: 7 });
    assert.deepEqual(named, await answerTo({ filters: [...segment, ...filters] }), kind);
    assert.notDeepEqual(named, await answerTo({ filters }), kind);
  }
});

test('refuses a segment that is missing or belongs to somebody else, by its own code', async () => {
  const { website } = websites[0]!;
  const refuse = (question: object, userId?: number) =>
    assert.rejects(statistics.query(website, question, { userId }), {
      name: 'QuestionError',
      fault: 'segment-unknown',
      message: /^segment: expected the id of a segment of this website, got /,
    });
  await refuse({ segment: 7 });
  await refuse({ segment: 8 }, 1);
  await refuse({ segment: '7', period: 'all' }, 1);
  await assert.rejects(statistics.query(website, { segment: null }, { userId: 1 }), {
    fault: 'question-invalid',
    message: 'segment: expected a value, got null; leave it out for the default',
  });
  const tooMany = Array<Filter>(19).fill({ dimension: 'country', is: 'DE' });
  await assert.rejects(statistics.query(website, { filters: tooMany, segment: 7 }, { userId: 1 }), {
    fault: 'question-invalid',
    message: 'filters: expected at most 20 together with those of the segment, got 21',
  });
});

test('looks for an unknown event again after some seconds, and no more once it was found', async () => {
  const websiteId = newWebsiteId();
  const website = store.ofWebsite(websiteId);
  let ms = 0;
  const isKnown = createKnownEvents({ monotonicMs: () => ms });
  const event = 'Purchase of a lifetime';
  const look = () => isKnown(website, 'user', event);
  assert.equal(await look(), false);
  const record = websites[0]!.records.find(({ kind }) => kind === 'event')!;
  await insertRecords(store, websiteId, [{ ...record, event }]);
  ms = 9_999;
  assert.equal(await look(), false);
  ms = 10_000;
  assert.equal(await look(), true);
  const unasked = () => assert.fail('what is known is not read again');
  const isRemembered = isKnown({ ...store.ofWebsite(websiteId), query: unasked }, 'user', event);
  assert.equal(await isRemembered, true);
  assert.equal(await isKnown(website, 'user', 'Another one'), false);
});

test('refuses a comparison with too many intervals before anything is read', async () => {
  const compare = { from: '2007-01-01', to: '2026-01-01' };
  const asked = statistics.query(websites[0]!.website, { period: 'today', interval: 'minute', compare });
  await assert.rejects(
    asked,
    (error) => error instanceof QuestionError && /^compare: expected at most/.test(error.message),
  );
});

test('counts bots of the requested minutes only, even after the last row', async () => {
  const { website, records } = websites[0]!;
  const bots = records.filter(({ isBot }) => isBot);
  const since = (minutes: number) => {
    const start = Date.parse(`${now.replace(' ', 'T')}Z`) - (minutes - 1) * 60_000;
    return bots.filter(({ localAt }) => Date.parse(`${localAt.replace(' ', 'T')}Z`) >= start).length;
  };
  const [hours] = (await statistics.bots(website, { period: { lastMinutes: 600 } })).rows;
  assert.equal(hours?.records, since(600));
  assert.ok(since(600) > 0 && since(600) < since(1440));
  const monthStart = '2026-10-17';
  const ofMonth = bots.filter(({ day }) => day >= monthStart);
  assert.deepEqual((await statistics.bots(website, {})).rows[0]?.records, ofMonth.length);
  const behind = await statistics.bots(website, { dimensions: ['page'], offset: 100 });
  assert.deepEqual(
    [behind.rows, behind.totalRows],
    [[], new Set(ofMonth.map((one) => asShown(one).path)).size],
  );
  const nobody = await statistics.bots(website, { dimensions: [], bot: 'NoSuchBot' });
  const zeros = { dimensions: {}, records: 0, days: 0, lastAt: null };
  assert.deepEqual([nobody.rows, nobody.totalRows], [[zeros], 1]);
  assert.deepEqual((await statistics.bots(website, { bot: 'NoSuchBot' })).rows, []);
});

/** Returns a question with all its members, without each of those that can be left out, and without all. */
function leavingOut(whole: object, optional: readonly string[]): object[] {
  const without = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));
  return [whole, ...optional.map((name) => without([name])), without(optional)];
}

const filters = [{ dimension: 'country', is: 'DE' } as const];
const someDays = { from: '2026-10-20', to: '2026-11-12' };
const questionsOfReports = {
  live: [{}],
  bots: [
    ...leavingOut(
      { period: '7d', dimensions: ['page', 'day'], bot: 'GPTBot', page: '/', limit: 2, offset: 1 },
      ['period', 'dimensions', 'bot', 'page', 'limit', 'offset'],
    ),
    { dimensions: [] },
  ],
  funnel: leavingOut(
    { steps: [{ page: '/' }, { page: '/pricing' }], period: someDays, filters, within: { days: 3 } },
    ['period', 'filters', 'within'],
  ),
  retention: leavingOut({ period: someDays, filters }, ['period', 'filters']),
  paths: leavingOut({ page: '/', period: someDays, filters, steps: 3, limit: 2 }, [
    'period',
    'filters',
    'steps',
    'limit',
  ]),
} as const;

test('reports, all asked together, match their definition whichever member is left out', async () => {
  const asked = Object.entries(questionsOfReports).flatMap(([kind, questions]) =>
    questions.map((question) => ({ kind: kind as keyof typeof questionsOfReports, question })),
  );
  assert.ok(asked.length <= maxBatch);
  for (const { website, records } of websites.slice(0, times(1, 2))) {
    const answers = await Promise.all(statistics.answerScreen(website, asked));
    for (const [at, { kind, question }] of asked.entries()) {
      const { asOf, period, visitorsAre, ...answer } = answers[at] as Record<string, unknown>;
      assert.deepEqual(answer, reportOracles[kind](records, question), JSON.stringify({ kind, question }));
    }
  }
});

const scopeOf = (question: object, usualPeriod: string, records: readonly TestRecord[]) => {
  const { period = usualPeriod, filters: own = [] } = question as {
    period?: SentQuestion['period'];
    filters?: Filter[];
  };
  return { ...question, period: periodOf(period, records, now), filters: own };
};
const reportOracles: Record<
  keyof typeof questionsOfReports,
  (records: readonly TestRecord[], question: object) => object
> = {
  live: (records) => liveOracle(records, nowMs),
  bots: (records, question) => botsOracle(records, question, now),
  funnel: (records, question) => {
    const usual = { within: 'visit', steps: [] } as const;
    return funnelOracle(records, { ...usual, ...scopeOf(question, '30d', records) });
  },
  retention: (records, question) => retentionOracle(records, scopeOf(question, '90d', records)),
  paths: (records, question) => {
    const usual = { page: '/', steps: 2, limit: 10 };
    return pathsOracle(records, { ...usual, ...scopeOf(question, '30d', records) });
  },
};

test('a list and a series match their definition whichever member is left out', async () => {
  const common = { period: someDays, metrics: ['visits', 'conversionRate'], filters, goal: 'Signup' };
  const order = [{ by: 'visits' }, { by: 'dimension', descending: true }];
  const list = { ...common, dimensions: ['page'], compare: 'all', order, limit: 3, offset: 1 };
  const series = { ...common, interval: 'week', compare: '30d' };
  const lists = leavingOut(list, ['period', 'metrics', 'filters', 'compare', 'order', 'limit', 'offset']);
  const all = [...lists, ...leavingOut(series, ['period', 'interval', 'metrics', 'filters', 'compare'])];
  await assertAnswers(all as SentQuestion[]);
});
