import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { metricNames } from '@trackside/contract/stats/metrics.ts';
import type { Filter, Key } from '@trackside/contract/stats/questions.ts';
import fc from 'fast-check';
import { decodeStoredAddresses } from '../../src/commands/data/decode-stored-addresses.ts';
import { addressSql } from '../../src/stats/addresses/address-sql.ts';
import { numbersOf } from '../../src/stats/days/ready-days.ts';
import { createAskInTurn } from '../../src/stats/plan/ask-in-turn.ts';
import { countTogether, createSources } from '../../src/stats/plan/plan-screen.ts';
import type { Question } from '../../src/stats/question/read-question.ts';
import { askBots } from '../../src/stats/reports/ask-bots.ts';
import type { CountedRow } from '../../src/stats/sql/ask-visits.ts';
import { type AddressRules, plainRules, toHost, toPage } from '../../src/text/address-rules.ts';
import { askOracle } from '../oracle/oracle.ts';
import { asShown, byRules, decodePath } from '../oracle/oracle-addresses.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { anyCharacter } from '../support/any-character.ts';
import { testLong, times } from '../support/long-form.ts';
import { openDayBuilder, untilReady } from '../support/test-days.ts';
import { emptyTables, shareSweptStore } from '../support/test-store.ts';

const { store } = await shareSweptStore();
const websiteRules = new Map<number, AddressRules>();
const days = openDayBuilder(store, { rulesOf: (id) => websiteRules.get(id) });
after(() => days.stop({ withinMs: 300_000 }));

const ignoreAll: AddressRules = { ignoreTrailingSlash: true, ignoreCase: true, ignoreWww: true };
const period = { from: '2026-01-01', to: '2026-12-31' };
const today = '2026-11-15';
const calendar = {
  startMs: Date.parse('2026-03-28T20:00:00Z'),
  days: 2,
  timezones: ['Europe/Berlin', 'Europe/Berlin'] as [string, string],
};
const records = fc.sample(recordsOf(calendar), { numRuns: 2, seed: 17 }).flat();
const askInTurn = createAskInTurn(store);
let lastWebsite = 0;

async function addWebsite(some: readonly TestRecord[], version?: 'older') {
  lastWebsite += 1;
  websiteRules.set(lastWebsite, plainRules);
  await insertRecords(store, lastWebsite, some, 1, version);
  return store.ofWebsite(lastWebsite);
}

/** Returns records that are the same except for these members. */
const withAddresses = (addresses: readonly Partial<TestRecord>[]) =>
  addresses.map((address) => ({ ...records[0]!, isBot: false, ...address }));

/** Returns the addresses that the visits of a website have. */
async function shownIn(websiteId: number, column: 'path' | 'host'): Promise<string[]> {
  const { builds } = await untilReady(days, websiteId, period, today);
  const rows = await store.ofWebsite(websiteId).query<{ value: string }>({
    query: `
      select distinct arrayJoin(${column}) as value
      from visits
      where website_id = {website_id:UInt32} and build in {builds:Array(UInt64)}
      order by value`,
    params: { builds: builds.flatMap(numbersOf).map(BigInt) },
  });
  return rows.map(({ value }) => value);
}

const ask = (dimension: 'page' | 'entryPage' | 'exitPage' | 'host', filters: Filter[] = []): Question => ({
  period,
  metrics: metricNames,
  dimensions: [{ dimension }],
  filters,
  order: [],
  limit: 10_000,
  offset: 0,
});

async function readRows(websiteId: number, question: Question): Promise<CountedRow[]> {
  const ready = await untilReady(days, websiteId, period, today);
  const website = askInTurn({ websiteId, by: 'user' });
  return (await countTogether(website, [question], ready, createSources())[0]!).rows;
}

async function answer(websiteId: number, question: Question): Promise<string[]> {
  const rows = await readRows(websiteId, question);
  return rows.map(({ values, counts }) => JSON.stringify({ values, counts })).toSorted();
}

const answerOracle = (some: readonly TestRecord[], question: Question, rules?: AddressRules) =>
  askOracle(some, question, rules)
    .map(({ values, counts }) => JSON.stringify({ values, counts }))
    .toSorted();

testLong('shows days built by earlier rules as they are, and the sweep rebuilds them', async () => {
  await emptyTables(store);
  const ofDays = [
    { path: '/caf%c3%a9', host: 'www.xn--mller-kva.example', day: '2026-03-20' },
    { path: '/Caf%C3%A9/', host: 'xn--mller-kva.example' },
  ];
  // The sweep builds one day at a time, because two have more records than one statement may hold.
  const { websiteId } = await addWebsite(
    withAddresses(ofDays.flatMap((one) => Array.from({ length: 600 }, () => one))),
  );
  const plain = ['/Café/', '/café'];
  assert.deepEqual(await shownIn(websiteId, 'path'), plain);
  assert.deepEqual(await shownIn(websiteId, 'host'), ['müller.example', 'www.müller.example']);

  websiteRules.set(websiteId, ignoreAll);
  assert.deepEqual(await shownIn(websiteId, 'path'), plain);
  await days.sweep('2026-11-01');
  assert.deepEqual(await shownIn(websiteId, 'path'), ['/café']);
  assert.deepEqual(await shownIn(websiteId, 'host'), ['müller.example']);

  websiteRules.set(websiteId, plainRules);
  await days.sweep('2026-11-01');
  assert.deepEqual(await shownIn(websiteId, 'path'), plain);

  // Days that were built by today's rules are left alone.
  const { builds: before } = await untilReady(days, websiteId, period, today);
  await days.sweep('2026-11-01');
  assert.deepEqual((await untilReady(days, websiteId, period, today)).builds, before);
});

/** Letters whose lower case is another text, and a capital sigma in places where it has different ones. */
const capitals = [
  ...Array.from({ length: 0x1_e944 }, (_, code) => String.fromCodePoint(code)).filter(
    (letter) => letter.toLowerCase() !== letter && letter.isWellFormed(),
  ),
  'ΑΣ',
  'ΑΣ Α',
  'ΣΑ',
];

test('the store has and shows addresses as the server reads them, whatever they contain', async () => {
  const special = [
    '/',
    '//',
    'A',
    'ß',
    '%',
    '%2',
    '%zz',
    '%2f',
    '%25',
    '%c3',
    '%C3%84',
    '%e2%80%8b',
    "'",
    '\\',
  ];
  const piece = fc.oneof(
    fc.constantFrom(...special),
    fc.nat(0xff).map((byte) => `%${byte.toString(16).padStart(2, '0')}`),
    fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 2 })
      .map((text) => Buffer.from(text.toWellFormed()).toString('hex').replaceAll(/../g, '%$&')),
  );
  const path = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => `/${pieces.join('')}`);
  const paths = [...fc.sample(path, times(800, 20_000)), ...capitals.map((letter) => `/${letter}/`)];
  const hosts = [
    'www.xn--mller-kva.example:8080',
    'xn--80ak6aa92e.com',
    'www.a.test',
    'www.www.com',
    'a.test',
  ];
  const came = withAddresses(paths.map((one, at) => ({ path: one, host: hosts[at % hosts.length]! })));
  const website = await addWebsite(came);
  for (const rules of [plainRules, ignoreAll]) {
    const addresses = addressSql(rules);
    const rows = await website.query<{ path: string; page: string; host: string; shownHost: string }>({
      query: `
        select path, ${addresses.path('path')} as page, host, ${addresses.host('host')} as shownHost
        from records`,
    });
    assert.deepEqual(
      rows.map(({ page, shownHost }) => [page, shownHost]),
      rows.map((row) => [toPage(row.path, rules), toHost(row.host, rules)]),
    );
    assert.deepEqual(rows.map((row) => row.path).toSorted(), paths.map(decodePath).toSorted());
  }
});

test('with plain rules, a statement reads paths and hosts unchanged', () => {
  const { path, host } = addressSql(plainRules);
  assert.deepEqual([path('path'), host('host')], ['path', 'host']);
});

test('a website with all three choices is counted as by the oracle', async () => {
  const varied = records.map((record, at): TestRecord => {
    const { path } = record;
    return { ...record, path: [path, `${path}/`, path.toUpperCase(), `${path.toUpperCase()}//`][at % 4]! };
  });
  const { websiteId } = await addWebsite(varied);
  websiteRules.set(websiteId, ignoreAll);
  const questions = [
    ask('page'),
    ask('entryPage'),
    ask('exitPage'),
    ask('host'),
    ask('page', [{ dimension: 'host', is: 'a.test' }]),
    ask('host', [{ dimension: 'page', is: '/pricing' }]),
    ask('host', [{ dimension: 'entryPage', isNot: '/blog/ä' }]),
  ];
  for (const question of questions) {
    const found = await answer(websiteId, question);
    assert.deepEqual(found, answerOracle(varied, question, ignoreAll), JSON.stringify(question));
    assert.notDeepEqual(found, answerOracle(varied, question), 'The choices must make a difference.');
  }
  const bots = varied.filter(({ isBot }) => isBot).map((record) => byRules(asShown(record), ignoreAll));
  const { rows } = await askBots(store.ofWebsite(websiteId), {
    period,
    keys: ['page', 'host'],
    limit: 1000,
    offset: 0,
    addressRules: ignoreAll,
  });
  const counted = Map.groupBy(bots, ({ path, host }) => JSON.stringify([path, host]));
  assert.deepEqual(
    new Map(
      rows.map(({ dimensions, records }) => [JSON.stringify([dimensions.page, dimensions.host]), records]),
    ),
    new Map([...counted].map(([key, of]) => [key, of.length])),
  );
});

testLong('decodes addresses that an older version stored, even if it is interrupted', async () => {
  const written = ['/blog/%c3%A4', '/blog/%C3%a4', '/%zz', '/%2F', '/plain', "/it's%20\\", '/%E6%97%A5'];
  const encoded = records.map((record, at): TestRecord => {
    // Half of them are a month earlier.
    const inMonth = (text: string) => (at % 2 === 0 ? text : text.replace('2026-03', '2026-01'));
    const host = at % 3 === 0 ? 'xn--mller-kva.test' : 'a.test';
    const [day, localAt] = [inMonth(record.day), inMonth(record.localAt)];
    return { ...record, day, localAt, host, path: written[at % written.length]! };
  });
  const older = await addWebsite(encoded, 'older');
  const other = await addWebsite(encoded, 'older');
  const stored = async (website: typeof older) => {
    const rows = await website.query<{ path: string; host: string }>({
      query: 'select path, host from records',
    });
    return rows.map(({ path, host }) => `${host}${path}`).toSorted();
  };
  const told: string[] = [];
  const limits = { groupsAtOnce: times(6, 3), maxChangesChars: times(120, 60) };
  let mutations = 0;
  const decode = (mayChange: () => boolean) =>
    decodeStoredAddresses({
      store: {
        ...older,
        rewriteAddresses: (of, options) => {
          if (!mayChange()) throw new Error('the engine is away');
          mutations += 1;
          return older.rewriteAddresses(of, options);
        },
      },
      limits,
      onProgress: (month, changed) => told.push(`${month} ${changed}`),
    });

  await assert.rejects(
    decode(() => mutations < 1),
    /the engine is away/,
  );
  const { addresses } = await decode(() => true);
  const shown = encoded.map((record) =>
    asShown({ ...record, host: record.host.replace('xn--mller-kva', 'müller') }),
  );
  assert.deepEqual(await stored(older), shown.map(({ host, path }) => `${host}${path}`).toSorted());
  assert.ok(mutations > times(2, 4), `${mutations} mutations`);
  assert.ok(addresses > 0 && told.includes('2026-01-01 0'), JSON.stringify(told));
  assert.equal(told.at(-1), `2026-03-01 ${addresses}`);
  assert.deepEqual(await decode(() => false), { addresses: 0 });
  assert.deepEqual(await stored(other), encoded.map(({ host, path }) => `${host}${path}`).toSorted());
  assert.deepEqual(await answer(older.websiteId, ask('page')), answerOracle(shown, ask('page')));
});

test('parameters that are not valid text are counted and filtered by the text that is shown', async () => {
  const queries = ['q=caf%E9', 'q=caf%E8', 'q=caf%E8', 'q=caf%00', 'q=tea', 'n%E9=1', 'n%00=1'];
  const visitors = queries.map((query, at) => ({ query, visitorId: BigInt(at), deviceId: BigInt(at) }));
  const { websiteId } = await addWebsite(withAddresses(visitors));
  const count = async (key: Key, filters: Filter[] = []) => {
    const order: Question['order'] = [{ by: 'visitors', descending: true }];
    const rows = await readRows(websiteId, { ...ask('page', filters), dimensions: [key], order });
    return rows.map(({ values: [value], counts }) => [value, counts.visitors]);
  };
  const q: Key = { dimension: 'queryParameter', of: 'q' };
  const shownValue = 'caf\uFFFD';
  const shownName = 'n\uFFFD';
  assert.deepEqual(await count({ dimension: 'queryParameter' }), [
    ['q', 5],
    [shownName, 2],
  ]);
  assert.deepEqual(await count(q), [
    [shownValue, 4],
    ['tea', 1],
  ]);
  assert.deepEqual(await count(q, [{ ...q, is: shownValue }]), [[shownValue, 4]]);
  assert.deepEqual(await count({ dimension: 'queryParameter', of: shownName }), [['1', 2]]);
});
