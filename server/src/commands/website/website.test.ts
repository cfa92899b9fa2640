import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFakeClock, openTestControl } from '../../control/test-control.ts';
import {
  addWebsite,
  listWebsites,
  regenerateKey,
  setContingent,
  setReadOrigins,
  showKey,
} from './website.ts';

async function open(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  return { control, clock };
}

test('adds a website without a limit in UTC, and prints its key', async (t) => {
  const options = await open(t);
  const { json, text } = await addWebsite({ ...options, args: { domain: 'Example.com' } });
  const apiKey = await options.control.websites.apiKey(1);
  assert.deepEqual(json, {
    id: 1,
    domain: 'example.com',
    timezone: 'UTC',
    contingent: null,
    name: 'example.com',
    retentionDays: null,
    readOrigins: [],
    createdAt: '2026-03-10T09:00:00.000Z',
    apiKey,
  });
  assert.deepEqual(text.split('\n').slice(0, 5), [
    'id             1',
    'domain         example.com',
    `API key        ${apiKey}`,
    'timezone       UTC',
    'monthly quota  unlimited',
  ]);
});

test('adds a website with a contingent and a timezone', async (t) => {
  const options = await open(t);
  const args = { domain: 'example.com', contingent: '25000', timezone: 'Asia/Tokyo' };
  const { text } = await addWebsite({ ...options, args });
  assert.match(text, /timezone {7}Asia\/Tokyo\nmonthly quota {2}25,000/);
  assert.equal((await options.control.websites.find('example.com'))?.contingent, 25_000);
});

test('adds a lost website with its ID', async (t) => {
  const options = await open(t);
  await options.control.websites.lose(3);
  const args = { domain: 'example.com', lostId: '2' };
  assert.match((await addWebsite({ ...options, args })).text, /^id +2\n/);
  for (const lostId of ['0', '-1', '1.5', 'x', ''])
    await assert.rejects(addWebsite({ ...options, args: { domain: 'b.test', lostId } }), {
      name: 'CommandError',
      message: `--lost-id: expected the ID of a website, such as 7, got "${lostId}".`,
    });
});

test('lists the websites with their usage this month', async (t) => {
  const options = await open(t);
  assert.match((await listWebsites({ ...options, args: {} })).text, /no websites yet/);
  await addWebsite({ ...options, args: { domain: 'a.example', contingent: '5000' } });
  await addWebsite({ ...options, args: { domain: 'longer.example', timezone: 'Europe/Berlin' } });
  await options.control.usage.checkpoint({
    node: 'a',
    position: { segment: 1, offset: 1 },
    settled: [
      { websiteId: 1, month: '2026-03', records: 1234 },
      { websiteId: 1, month: '2026-02', records: 99 },
    ],
  });
  const { json, text } = await listWebsites({ ...options, args: {} });
  assert.deepEqual(text.split('\n'), [
    'id  domain          timezone       monthly quota  used in 2026-03  created',
    '1   a.example       UTC            5,000          1,234            2026-03-10',
    '2   longer.example  Europe/Berlin  unlimited      0                2026-03-10',
  ]);
  const createdAt = '2026-03-10T09:00:00.000Z';
  assert.deepEqual(json, {
    month: '2026-03',
    websites: [
      {
        id: 1,
        domain: 'a.example',
        timezone: 'UTC',
        contingent: 5000,
        createdAt,
        usedAsOfCheckpoint: 1234,
        name: 'a.example',
        retentionDays: null,
        readOrigins: [],
      },
      {
        name: 'longer.example',
        retentionDays: null,
        readOrigins: [],
        id: 2,
        domain: 'longer.example',
        timezone: 'Europe/Berlin',
        contingent: null,
        createdAt,
        usedAsOfCheckpoint: 0,
      },
    ],
  });
});

test('shows and regenerates the key of a website given by id or by domain', async (t) => {
  const options = await open(t);
  await addWebsite({ ...options, args: { domain: 'example.com' } });
  const first = await showKey({ ...options, args: { website: '1' } });
  assert.equal(first.text, await options.control.websites.apiKey(1));
  const second = await regenerateKey({ ...options, args: { website: 'EXAMPLE.com' } });
  const apiKey = await options.control.websites.apiKey(1);
  assert.notEqual(apiKey, first.text);
  assert.deepEqual(second.json, { id: 1, domain: 'example.com', apiKey });
  assert.ok(second.text.includes(`\n${apiKey}\n`));
  assert.equal((await showKey({ ...options, args: { website: 'example.com' } })).text, apiKey);
});

test('sets and lifts a contingent', async (t) => {
  const options = await open(t);
  await addWebsite({ ...options, args: { domain: 'example.com' } });
  const set = (contingent: string) => setContingent({ ...options, args: { website: '1', contingent } });
  assert.equal((await set('1000')).text, 'The monthly quota of example.com is now 1,000 records.');
  assert.equal((await options.control.websites.find('1'))?.contingent, 1000);
  assert.equal((await set('unlimited')).text, 'The monthly quota of example.com is now unlimited.');
  assert.equal((await options.control.websites.find('1'))?.contingent, null);
  await assert.rejects(set('many'), { reason: 'invalid' });
});

test('records what was changed or shown, but no key', async (t) => {
  const options = await open(t);
  const { control } = options;
  await addWebsite({ ...options, args: { domain: 'example.com' } });
  await showKey({ ...options, args: { website: '1' } });
  await regenerateKey({ ...options, args: { website: '1' } });
  for (const contingent of ['1000', '1000', 'unlimited']) {
    await setContingent({ ...options, args: { website: '1', contingent } });
  }
  await assert.rejects(setContingent({ ...options, args: { website: '1', contingent: 'many' } }));
  const entries = (await control.auditLog.list({ limit: 50 })).reverse();
  assert.deepEqual(
    entries.map(({ action, detail }) => [action, detail]),
    [
      ['website.added', {}],
      ['website.key-revealed', {}],
      ['website.key-regenerated', { keepOldHours: 0 }],
      ['website.contingent-changed', { contingent: { from: null, to: 1000 } }],
      ['website.contingent-changed', { contingent: { from: 1000, to: null } }],
    ],
  );
  for (const { actor, websiteId, subject } of entries) {
    assert.deepEqual([actor, websiteId, subject], ['command line', 1, 'example.com']);
  }
  assert.ok(!JSON.stringify(entries).includes(await control.websites.apiKey(1)));
});

test('says what to do about an unknown website', async (t) => {
  const options = await open(t);
  for (const website of ['7', 'example.com']) {
    const refusal = { reason: 'not-found', message: new RegExp(`got "${website}".*trackside website list`) };
    await assert.rejects(showKey({ ...options, args: { website } }), refusal);
    await assert.rejects(regenerateKey({ ...options, args: { website } }), refusal);
    await assert.rejects(setContingent({ ...options, args: { website, contingent: '1' } }), refusal);
  }
  const pasted = { website: 'https://example.com/' };
  await assert.rejects(showKey({ ...options, args: pasted }), { message: /use example\.com$/ });
});

test('sets the origins whose pages may read, and removes them', async (t) => {
  const options = await open(t);
  await addWebsite({ ...options, args: { domain: 'a.example' } });
  const set = (...origins: string[]) => setReadOrigins({ ...options, args: { website: '1', origins } });
  assert.match(
    (await set('https://b.example/', 'http://localhost:3000')).text,
    /a\.example.*:\n\nhttps:\/\/b/,
  );
  const { websites } = options.control;
  assert.deepEqual((await websites.find('1'))?.readOrigins, ['https://b.example', 'http://localhost:3000']);
  await assert.rejects(set('https://b.example', '*'), /expected a scheme and a host/);
  assert.equal((await websites.find('1'))?.readOrigins.length, 2);
  assert.match((await set('none')).text, /^Pages on other origins cannot/);
  assert.deepEqual((await websites.find('1'))?.readOrigins, []);
});
