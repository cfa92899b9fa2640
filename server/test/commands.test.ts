import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, test } from 'node:test';
import { isLongForm } from './support/long-form.ts';
import { event, pageView, post } from './support/records.ts';
import { useTracksideHereOfProcess } from './support/share-trackside.ts';
import { main } from './support/spawn-server.ts';
import type { TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** This file lists all tokens and users, so the files of a process that share a server come after it. */
let trackside: TracksideHere;
const startShared = useTracksideHereOfProcess();
before(async () => {
  trackside = await startShared();
});

test('commands work while the server runs, and take effect in it', async (t) => {
  const json = async (...words: string[]) => {
    const { code, stdout, stderr } = await trackside.runHere(...words, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  /** How many records were accepted with each API key. */
  const accepted = new Map<string, number>();
  const send = async (apiKey: string, body: unknown = pageView()) => {
    const { status } = await post(trackside.origin(), '/api/page-view', apiKey, body);
    if (status === 200) accepted.set(apiKey, (accepted.get(apiKey) ?? 0) + 1);
    return status;
  };
  const untilAnswer = (apiKey: string, status: number) =>
    waitFor(`an answer of ${status}`, async () => (await send(apiKey)) === status);

  const words = ['website', 'add', 'example.com', '--timezone', 'Europe/Berlin', '--contingent', '1000'];
  const added = await json(...words);
  await t.test('the server knows a website from the moment it is added', async () => {
    assert.equal(await send(added.apiKey), 200);
  });

  let apiKey: string = added.apiKey;
  await t.test('a regenerated key works, and the old one stops,', async () => {
    const { apiKey: newKey } = await json('website', 'regenerate-key', 'example.com');
    assert.notEqual(newKey, apiKey);
    await untilAnswer(apiKey, 401);
    assert.equal(await send(newKey), 200);
    apiKey = newKey;
    assert.deepEqual(await json('website', 'show-key', String(added.id)), {
      id: added.id,
      domain: 'example.com',
      apiKey,
    });
  });

  await t.test('a contingent below what is used refuses, and a higher one accepts,', async () => {
    await json('website', 'set-contingent', 'example.com', '1');
    await untilAnswer(apiKey, 429);
    await json('website', 'set-contingent', String(added.id), 'unlimited');
    await untilAnswer(apiKey, 200);
  });

  await t.test('stats counts what was accepted, and bots separately', async () => {
    const { id, apiKey: ownKey } = await json('website', 'add', 'counted.test');
    assert.equal(await send(ownKey, {}), 400);
    const from = (IP: string, UserAgent: string) => pageView({ Browser: { IP, UserAgent } });
    const bodies = [from('203.0.113.1', firefox), from('203.0.113.1', firefox), from('203.0.113.2', firefox)];
    const bot = from('203.0.113.3', 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)');
    for (const body of [...bodies, bot]) assert.equal(await send(ownKey, body), 200);
    const signup = event('Signup', [], { Browser: { IP: '203.0.113.2', UserAgent: firefox } });
    assert.equal((await post(trackside.origin(), '/api/event-view', ownKey, signup)).status, 200);
    const isLoaded = async () => (await trackside.countRows(`website_id = ${id}`)) === 5;
    await waitFor('all to be loaded', isLoaded);

    const lines = async (...words: string[]) => {
      const { code, stdout, stderr } = await trackside.runHere('tail', 'counted.test', '--once', ...words);
      assert.equal(code, 0, stderr);
      return stdout.split('\n').filter((line) => line !== '');
    };
    const all = await lines();
    assert.equal(all.length, 6, 'tail has the refused one too');
    assert.match(all[0]!, /^\d\d:\d\d:\d\d 400 page view Metrics: expected/);
    assert.match(all[4]!, /200 page view .* · bot: GPTBot/);
    assert.deepEqual(await lines('--refused'), all.slice(0, 1));
    assert.deepEqual(await lines('--grep', 'SIGNUP'), all.slice(5));
    assert.deepEqual(await lines('--events'), all.slice(5));
    const [first] = await lines('--json');
    assert.equal(JSON.parse(first!).code, 400);
    const requests = `${trackside.origin()}/api/websites/${id}/requests`;
    const headers = { 'Trackside-Operator': 'x'.repeat(64) };
    assert.equal((await fetch(requests, { headers })).status, 401, 'a proof cannot be guessed');
    const { pageViews, events, visitors, botRecords, period } = await json(
      'stats',
      'counted.test',
      '--period',
      '7d',
    );
    assert.deepEqual(
      { pageViews, events, visitors, botRecords },
      { pageViews: 3, events: 1, visitors: 2, botRecords: 1 },
    );
    assert.equal(Date.parse(period.to) - Date.parse(period.from), 6 * 86_400_000);
  });

  if (isLongForm)
    await t.test(
      'rebuild finds sources again and decodes addresses that an older version stored',
      async () => {
        const { id, apiKey: ownKey } = await json('website', 'add', 'retold.test');
        await waitFor('the key to be known', async () => (await send(ownKey, {})) === 400);
        const urls = [
          'https://xn--mller-kva.test/caf%c3%a9',
          'https://retold.test/%C3%A9',
          'https://retold.test/?gclid=1',
        ];
        for (const Absolute of urls) assert.equal(await send(ownKey, pageView({ Page: { Absolute } })), 200);
        const { store } = trackside;
        const readStored = async () => {
          const query = 'select concat(host, path, channel) as record from records order by record';
          return (await store.ofWebsite(id).query<{ record: string }>({ query })).map(({ record }) => record);
        };
        const shown = ['müller.test/cafésearch', 'retold.test/paidSearch', 'retold.test/ésearch'];
        await waitFor('all to be loaded', async () => (await readStored()).length === shown.length);
        assert.deepEqual(await readStored(), shown);
        // An earlier version stored this.
        await store.query({
          query: `
        alter table records update
          channel = if(channel = 'paidSearch', 'paid', channel),
          path = transform(path, ['/café', '/é'], ['/caf%c3%a9', '/%C3%A9'], path),
          host = if(host = 'müller.test', 'xn--mller-kva.test', host)
        where website_id = ${id}`,
          settings: { mutations_sync: '1' },
        });
        assert.deepEqual(await readStored(), [
          'retold.test/%C3%A9search',
          'retold.test/paid',
          'xn--mller-kva.test/caf%c3%a9search',
        ]);
        assert.equal((await trackside.runHere('verify')).code, 0);
        const { websites } = await json('rebuild', 'retold.test', '--addresses', '--sources');
        assert.deepEqual(websites, [
          { website: 'retold.test', days: 1, records: 3, changedAddresses: 3, changedRecords: 1 },
        ]);
        assert.deepEqual(await readStored(), shown);
        const sourcesAgain = await trackside.runHere('rebuild', 'retold.test', '--sources');
        assert.equal(sourcesAgain.stdout, 'retold.test: 1 day, 3 records, 0 changed sources\n');
        const addressesAgain = await trackside.runHere('rebuild', 'retold.test', '--addresses');
        assert.equal(addressesAgain.stdout, 'retold.test: 1 day, 3 records, 0 changed addresses\n');
        assert.deepEqual(await json('rebuild', 'retold.test'), {
          websites: [{ website: 'retold.test', days: 1, records: 3 }],
        });
      },
    );

  await t.test('a read token can be created, listed and revoked', async () => {
    const { id, token } = await json('token', 'add', 'example.com', '--name', 'Grafana');
    assert.match(token, /^tsr_/);
    const { tokens } = await json('token', 'list', String(added.id));
    assert.deepEqual(
      tokens.map(({ name, domain }: { name: string; domain: string }) => ({ name, domain })),
      [{ name: 'Grafana', domain: 'example.com' }],
    );
    assert.equal(await send(token), 401);
    await json('token', 'revoke', String(id));
    assert.deepEqual(await json('token', 'list'), { tokens: [] });
  });

  await t.test('users can be added with a password from stdin, listed and removed', async () => {
    const password = 'tea at eleven';
    await trackside.control.users.add({ email: 'ada@example.com', password, role: 'admin' });
    const viewer = ['--role', 'viewer', '--website', 'example.com', '--website', 'demo.test'];
    const words = [main, 'user', 'add', 'bob@example.com', ...viewer, '--password-stdin'];
    const { status, stderr } = spawnSync(process.execPath, [...words, '--data-dir', trackside.dataDir], {
      input: `${password}\n`,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const { users } = await json('user', 'list');
    assert.deepEqual(
      users.map(({ email, role, websites }: Record<string, unknown>) => ({ email, role, websites })),
      [
        { email: 'ada@example.com', role: 'admin', websites: [] },
        { email: 'bob@example.com', role: 'viewer', websites: [1, added.id] },
      ],
    );
    assert.ok(await trackside.control.users.verify('bob@example.com', password));
    await json('user', 'remove', 'bob@example.com');
    await trackside.control.users.add({ email: 'eve@example.com', password, role: 'admin' });
    await json('user', 'remove', 'ada@example.com');
  });

  await t.test('the list shows the usage', async () => {
    const used = accepted.get(added.apiKey)! + accepted.get(apiKey)!;
    await waitFor('a checkpoint', async () => {
      const { websites } = await json('website', 'list');
      const website = websites.find(({ domain }: { domain: string }) => domain === 'example.com');
      return website.usedAsOfCheckpoint === used;
    });
  });

  await t.test('doctor and verify find nothing wrong', async () => {
    const { findings } = await json('doctor');
    assert.deepEqual([...new Set(findings.map(({ check }: { check: string }) => check))].sort(), [
      'Node',
      'backup',
      'clock',
      'control',
      'damage',
      'data folder',
      'disk',
      'engine',
      'fsync',
      'journal',
      'server',
      'user',
    ]);
    assert.deepEqual((await json('verify')).differences, []);
  });

  await t.test('a mistake gets an exit code and a message, not a stack trace', async () => {
    for (const [words, code, says] of [
      [['website', 'add', 'https://example.org/x'], 1, /example\.org/],
      [['website', 'add', 'example.com'], 1, /example\.com/],
      [['website', 'add', 'example.org', '--timezone', 'Mars/Olympus'], 1, /Mars\/Olympus/],
      [['website', 'add', 'example.org', '--contingent', 'many'], 1, /many/],
      [['website', 'set-contingent', 'nowhere.test', '5'], 1, /nowhere\.test/],
      [
        ['website', 'divide', 'example.com', '--confirm', 'example.com'],
        1,
        /Expected a store on a ClickHouse cluster, .*TRACKSIDE_CLICKHOUSE_CLUSTER/s,
      ],
      [['token', 'add', 'nowhere.test'], 1, /nowhere\.test/],
      [['token', 'add', 'example.com', '--name', ''], 1, /1 to 100 characters/],
      [['token', 'revoke', '99'], 1, /token list/],
      [['token', 'revoke'], 2, /token revoke ID/],
      [['user', 'add', 'ada@example.com'], 1, /--password-stdin/],
      [['user', 'add', 'ada@example.com', '--password', 'tea at eleven'], 2, /--password/],
      [['user', 'add', 'ada', '--role', 'viewer'], 1, /ada@example\.com/],
      [['user', 'remove', 'ada@example.com'], 1, /user list/],
      [['stats', 'nowhere.test'], 1, /website list/],
      [['stats', 'example.com', '--period', 'week'], 1, /30d/],
      [['stats'], 2, /stats WEBSITE/],
      [['website', 'remove', 'example.com'], 2, /unknown command/],
      [['doctor', '--fix'], 2, /--fix/],
    ] as const) {
      const result = await trackside.runHere(...words);
      assert.equal(result.code, code, words.join(' '));
      assert.match(result.stderr, says);
      assert.doesNotMatch(result.stderr, /\n\s+at /);
    }
  });

  await t.test('every command explains itself', async () => {
    const overview = await trackside.runHere('--help');
    assert.deepEqual([overview.code, overview.stderr], [0, '']);
    assert.match(overview.stdout, /^trackside: server-side web analytics\n\n {2}serve \[flags\]\n/);
    const commands = [
      ['serve'],
      ['website', 'add'],
      ['website', 'list'],
      ['website', 'show-key'],
      ['website', 'regenerate-key'],
    ];
    for (const words of [
      ...commands,
      ['website', 'set-contingent'],
      ['website', 'divide'],
      ['user', 'add'],
      ['user', 'set-password'],
      ['user', 'list'],
      ['user', 'remove'],
      ['token', 'add'],
      ['token', 'list'],
      ['token', 'revoke'],
      ['stats'],
      ['doctor'],
      ['verify'],
      ['repair'],
    ]) {
      const { code, stdout } = await trackside.runHere(...words, '--help');
      assert.equal(code, 0);
      assert.ok(stdout.startsWith(`trackside ${words.join(' ')}`) && stdout.includes('--json'), stdout);
    }
  });
});
