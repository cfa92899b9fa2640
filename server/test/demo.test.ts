import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { findServer } from '../src/commands/parts/find-server.ts';
import { readConfig } from '../src/config/read-config.ts';
import { times } from './support/long-form.ts';
import { startTracksideHere } from './support/start-trackside.ts';

/** Without today, which may have just begun, two of them have visitors with a ClientId. */
const days = times(4, 20);
const small = ['--days', String(days), '--visits-per-day', '30'];
const twoDays = ['--days', '2', '--visits-per-day', '20'];

test('trackside demo fills a separate website, with and without a server', async (t) => {
  const trackside = await startTracksideHere(t);
  const json = async (...words: string[]) => {
    const { code, stdout, stderr } = await trackside.runHere(...words, '--json');
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  };

  await t.test('the records are there while the server runs', async () => {
    const { records, ...made } = await json('demo', ...small);
    assert.deepEqual(made, {
      website: 'demo.trackside.test',
      id: 2,
      timezone: 'Europe/Berlin',
      days,
      seed: 1,
      notes: 2,
      funnels: 2,
    });
    assert.equal(await trackside.countRows('website_id = 2'), records);
  });

  await t.test('its days are added up before anybody asks', async () => {
    const records = await trackside.countRows('website_id = 2');
    const [made] = await trackside.store.query<{ days: number }>({
      query: 'select uniqExact(day) as days from records where website_id = 2',
    });
    // Just after midnight, the last of the days has no records yet.
    assert.ok(Number(made!.days) >= days - 1, `records on ${made!.days} days`);
    const [built] = await trackside.store.query<{ days: number; records: number }>({
      query: 'select count() as days, sum(records) as records from day_builds final where website_id = 2',
    });
    assert.deepEqual([Number(built!.days), Number(built!.records)], [Number(made!.days), records]);
    const answer = await json('stats', 'demo.trackside.test', '--period', `${days + 1}d`);
    const { pageViews, events, botRecords, visitorsAre } = answer;
    assert.equal(pageViews + events + botRecords, records);
    assert.equal(visitorsAre, 'mixed');
  });

  await t.test('the audit log has what the server and the command add', async () => {
    const entries = (await trackside.control.auditLog.list({ limit: 50 })).reverse();
    const [first, second, ...others] = entries.map(({ actor, action, subject }) => [actor, action, subject]);
    assert.deepEqual(first, ['server', 'website.added', 'demo.test']);
    assert.deepEqual(second, ['command line', 'website.added', 'demo.trackside.test']);
    const funnels = await trackside.control.savedFunnels.list(2);
    assert.deepEqual(
      others.map(([, action]) => action),
      ['note.added', 'note.added', ...funnels.map(() => 'funnel.added')],
    );
  });

  await t.test('has notes, and funnels that can be asked', async () => {
    const notes = await trackside.control.notes.list(2);
    assert.deepEqual(
      notes.map(({ text }) => text.split(':')[0]),
      ['Front page of Hacker News', 'Newsletter'],
    );
    const { token } = await trackside.control.readTokens.add(2, 'test');
    for (const { name, steps } of await trackside.control.savedFunnels.list(2)) {
      const response = await fetch(`${trackside.origin()}/api/stats/funnel`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify({ period: `${days}d`, steps }),
      });
      assert.equal(response.status, 200, `${name}: ${await response.text()}`);
    }
  });

  await t.test('refuses a website that has records, and says what to do instead', async () => {
    const before = await trackside.countRows();
    const { code, stderr } = await trackside.runHere('demo', ...small);
    assert.equal(code, 1);
    assert.match(stderr, /demo\.trackside\.test already has records.*trackside demo --domain/);
    assert.equal(await trackside.countRows(), before);
  });

  const { port } = new URL(trackside.origin());
  const tell = (domain: string) =>
    trackside.runHereWith({ TRACKSIDE_PORT: '0' }, 'demo', ...twoDays, '--domain', domain);

  await t.test('fills a website without records, in its own timezone', async () => {
    await json('website', 'add', 'empty.test', '--timezone', 'Asia/Tokyo');
    const refused = await trackside.runHere('demo', ...small, '--domain', 'empty.test', '--timezone', 'UTC');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /empty\.test already exists, with the timezone Asia\/Tokyo/);
    const { stdout } = await tell('empty.test');
    assert.ok(stdout.includes(`\n  http://127.0.0.1:${port}/websites/3\n`), stdout);
    assert.ok((await trackside.countRows('website_id = 3')) > 0);
    const isElsewhere = "dateDiff('hour', received_at, local_at, 'UTC') != 9";
    assert.equal(await trackside.countRows(`website_id = 3 and ${isElsewhere}`), 0);
  });

  await t.test(
    'says where to look in a browser when the server could not write down its address',
    async () => {
      await rm(trackside.folder.origin);
      const unknown = await tell('unknown.test');
      assert.match(unknown.stdout, /\/websites\/4 at the address the server printed/);
      const environment = { TRACKSIDE_DATA_DIR: trackside.dataDir, TRACKSIDE_PORT: port };
      const { origin } = await findServer(readConfig({}, environment));
      assert.equal(origin, trackside.origin());
    },
  );

  await t.test('does not touch the journal and its batches', async () => {
    assert.deepEqual((await json('verify')).differences, []);
  });

  await t.test('a mistake gets a message, and adds no website', async () => {
    for (const [flag, value] of [
      ['--days', '0'],
      ['--days', 'many'],
      ['--visits-per-day', '1e9'],
      ['--seed', '-1'],
      ['--timezone', 'Mars/Olympus'],
    ] as const) {
      const { code, stderr } = await trackside.runHere('demo', '--domain', 'never.test', `${flag}=${value}`);
      assert.equal(code, 1, stderr);
      assert.ok(stderr.includes(value), stderr);
    }
    const { websites } = await json('website', 'list');
    assert.ok(!websites.some(({ domain }: { domain: string }) => domain === 'never.test'));
  });

  await t.test('works without a server, and says what to do next', async () => {
    await trackside.end('SIGTERM');
    const { code, stdout } = await trackside.runHere('demo', ...twoDays, '--domain', 'alone.test');
    assert.equal(code, 0);
    assert.match(stdout, /^alone\.test now has [\d,]+ made-up records over 2 days/);
    assert.match(stdout, /\/websites\/5 at the address it prints/);
    assert.ok(stdout.includes(`  npm start -- --data-dir ${trackside.dataDir}\n`), stdout);
    assert.ok(
      stdout.includes(`npx trackside stats alone.test --period 2d --data-dir ${trackside.dataDir}\n`),
    );
    const { pageViews } = await json('stats', 'alone.test', '--period', '2d');
    assert.ok(pageViews > 10, String(pageViews));
  });
});
