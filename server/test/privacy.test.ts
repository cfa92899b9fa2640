import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { event, pageView, post } from './support/records.ts';
import { startTrackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const ipv4 = '198.51.100.213';
const ipv6 = '2001:db8:5ec2:e7:bad:cafe:dead:beef';
const clientId = 'client-marked-7f3a9c';
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0 marked-agent-51b7';
const namedBot = 'Marked-Jane Springfield-8841';
const email = 'marked.person@example.org';
const password = 'marked-secret-44d1';
const repeatKey = 'marked-order-90e5';
const secrets = [
  ipv4,
  ipv6,
  clientId,
  'marked-agent-51b7',
  'Marked-Jane',
  'Springfield-8841',
  email,
  'marked.person%40example.org',
  password,
  repeatKey,
];

/** The bytes to look for in files: each value in UTF-8, UTF-16 and base64, and the IPv6 address in binary. */
const needles: [string, Buffer][] = [
  ...secrets.flatMap((text): [string, Buffer][] => [
    [text, Buffer.from(text)],
    [`${text} in UTF-16`, Buffer.from(text, 'utf16le')],
    [`${text} in base64`, Buffer.from(Buffer.from(text).toString('base64').replace(/.=*$/, ''))],
  ]),
  ['the IPv6 address in binary', Buffer.from('20010db85ec200e70badcafedeadbeef', 'hex')],
];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function whatIsFound(files: string[]): string[] {
  return files.flatMap((file) => {
    const bytes = readFileSync(file);
    return needles.filter(([, needle]) => bytes.includes(needle)).map(([name]) => `${name} in ${file}`);
  });
}

test('no file, log or message contains the IP address, ClientId, user agent or secrets in URLs', async (t) => {
  const trackside = await startTrackside(t, { environment: { TRACKSIDE_LOG_LEVEL: 'debug' } });
  const { id, apiKey } = await trackside.addWebsite('example.com');
  const pageQuery = `email=${email}&token=${password}&from=${ipv4}`;
  const referrerQuery = `user=${encodeURIComponent(email)}`;
  const marked = {
    Browser: { IP: ipv4, UserAgent: userAgent },
    Identify: { ClientId: clientId },
    Page: { Absolute: `https://ann:${password}@www.example.com/a?${pageQuery}#${password}` },
    Referrer: { Absolute: `https://ann:${password}@other.example/${email}?${referrerQuery}#${password}` },
  };
  await waitFor('the key to be known', async () => {
    return (await post(trackside.origin(), '/api/page-view', apiKey, pageView())).status === 200;
  });
  const keyed = { 'Idempotency-Key': repeatKey };
  const send = (path: string, body: unknown, headers = {}) =>
    post(trackside.origin(), path, apiKey, body, headers);
  const dry = { 'Trackside-Dry-Run': '1' };
  const numbered = { 'Trackside-Release': '1.42', 'Trackside-Sequence': 'web-1.7' };
  const excluded = pageView({ ...marked, Page: { Absolute: `https://www.example.com/admin?${pageQuery}` } });
  await trackside.control.websites.update(id, {
    exclusions: [
      { kind: 'path', value: '/admin' },
      { kind: 'network', value: '192.0.2.0/24' },
    ],
  });
  const accepted = [
    await send('/api/page-view', pageView(marked), keyed),
    await send('/api/page-view', pageView(marked), keyed),
    await send('/api/page-view', pageView({ ...marked, Identify: { ClientId: null } })),
    await send('/api/event-view', event('Signup', [{ Name: 'plan', Value: 'pro' }], marked)),
    await send(
      '/api/page-view',
      pageView({ ...marked, Browser: { IP: ipv6, UserAgent: userAgent }, Identify: {} }),
    ),
    await send('/api/page-view', { ...pageView(marked), OccurredAt: new Date().toISOString() }, numbered),
    await send('/api/batch', { Records: [{ ...pageView(marked), IdempotencyKey: `${repeatKey}-2` }] }),
    // These three count as bots, but are on no list of bot names.
    await send('/api/page-view', pageView({ Browser: { IP: ipv4, UserAgent: namedBot } })),
    await send('/api/page-view', pageView({ Browser: { IP: ipv4, UserAgent: `${namedBot}-Crawler/1.0` } })),
    await send('/api/event-view', event('Seen', [], { Browser: { IP: ipv4, UserAgent: `bot ${namedBot}` } })),
  ];
  assert.deepEqual(
    accepted.map(({ status }) => status),
    accepted.map(() => 200),
  );

  const isExcluded = async () =>
    String((await send('/api/page-view', excluded)).body.Message).startsWith('Excluded');
  await waitFor('the exclusions to be known', isExcluded);
  // What is understood is for whoever sent it, so only the log and the files are looked at.
  assert.equal((await send('/api/page-view', pageView(marked), dry)).status, 200);

  const misplaced = [
    pageView({ ...marked, Language: { Code: ipv4 } }),
    pageView({ ...marked, Language: { Code: clientId } }),
    pageView({ ...marked, Location: { CountryCode: ipv4, ContinentCode: ipv6 } }),
    pageView({ ...marked, Screen: { Width: ipv4, Height: clientId } }),
    pageView({ ...marked, Page: { Absolute: ipv4 } }),
    pageView({ ...marked, Browser: { IP: clientId, UserAgent: ipv4 } }),
    { ...pageView(marked), OccurredAt: ipv4 },
    { ...pageView(marked), OccurredAt: clientId },
    { [ipv4]: 1, [clientId]: marked },
    `{"Metrics": ${JSON.stringify(marked)}`,
  ];
  const messages: string[] = [];
  for (const body of misplaced) {
    const { status, body: answer } = await send('/api/page-view', body);
    assert.equal(status, 400);
    messages.push(answer.Message);
  }
  const { status: ofBatch, body: ofRecords } = await send('/api/batch', {
    Records: [...misplaced.slice(0, -1), { ...pageView(marked), IdempotencyKey: repeatKey.repeat(20) }],
  });
  assert.equal(ofBatch, 207);
  messages.push(JSON.stringify(ofRecords));
  const wrongHeaders = [
    keyed,
    { 'Idempotency-Key': repeatKey.repeat(20) },
    { 'Trackside-Sequence': clientId },
    { 'Trackside-Release': `${email} ${'x'.repeat(300)}` },
    { 'Trackside-Dry-Run': clientId },
  ];
  for (const headers of wrongHeaders) {
    const { status, body: answer } = await send('/api/page-view', pageView(), headers);
    assert.equal(status, 400);
    messages.push(answer.Message);
  }

  await waitFor(
    'the records to be loaded',
    async () => (await trackside.countRows(`website_id = ${id}`)) >= accepted.length,
  );
  const reports = [
    ['verify'],
    ['doctor'],
    ['stats', 'example.com'],
    ['website', 'list'],
    ['ledger', 'example.com'],
    ['ledger', 'example.com', '--json'],
  ];
  for (const words of reports) {
    const { code, stdout, stderr } = await trackside.runHere(...words);
    assert.equal(code, 0, stderr);
    messages.push(stdout, stderr);
  }
  assert.equal(
    await trackside.countRows(`website_id = ${id} and event_name = 'Seen' and bot = 'Other bot'`),
    1,
  );
  // The store compresses its files, so its rows are searched as well.
  const rows = JSON.stringify(await trackside.store.query({ query: 'select * from records' }));
  assert.deepEqual(
    secrets.filter((secret) => rows.includes(secret)),
    [],
  );
  const running = filesBelow(trackside.dataDir);
  assert.ok(
    running.some((file) => file.includes('/journal/')) && running.some((file) => file.includes('/store/')),
  );
  assert.deepEqual(whatIsFound(running), []);
  assert.equal(await trackside.end('SIGTERM'), 0);
  assert.deepEqual(whatIsFound(filesBelow(trackside.dataDir)), []);
  for (const secret of [...secrets, apiKey]) {
    assert.ok(!messages.join('\n').includes(secret), `expected no ${secret} in a message`);
    assert.ok(!trackside.output().includes(secret), `expected no ${secret} in the output`);
  }
  // The host of the page was written in plain text and is found. So the search works.
  const journal = filesBelow(trackside.folder.journal).map((file) => readFileSync(file));
  assert.ok(journal.some((bytes) => bytes.includes('www.example.com')));
});
