import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { TestContext } from 'node:test';
import { scriptText } from '../../sdk/src/script/script-text.ts';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { startWebsite } from './drive.ts';
import type { Driver, Language } from './languages.ts';
import { say, standIn } from './stand-in.ts';

const apiKey = 'k'.repeat(43);
const release = 'shop 1.4.2';
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const settings = { proxies: { networks: ['loopback'] } };
/** As a browser sends them through a proxy. */
const headers = {
  'X-Forwarded-For': '203.0.113.7',
  'User-Agent': userAgent,
  'Accept-Language': 'fil-PH, de',
};

/**
 * Runs the client's own website over real HTTP while Trackside is away, asks it to wait, and comes back.
 */
export async function runWebsite(
  t: TestContext,
  driver: Driver,
  { isShortLived }: Pick<Language, 'isShortLived'>,
): Promise<void> {
  const accepted: (string | undefined)[] = [];
  let requests = 0;
  const trackside = await standIn(t, (response, { key }) => {
    requests += 1;
    // The first attempt is refused politely, the second breaks off, and the third gets an answer that is not
    // Trackside's.
    if (requests === 1) say(response, 503, 'Later', { 'Retry-After': '0' });
    else if (requests === 2) response.destroy();
    else if (requests === 3) response.writeHead(502).end('<h1>Bad gateway</h1>');
    else {
      accepted.push(key);
      say(response, 200, 'Success');
    }
  });
  const website = await startWebsite(driver, { url: trackside.origin, apiKey, release, settings });

  await t.test('serves the script of the SDK from its own domain', async () => {
    const answer = await send('GET', `${website.origin}/side`, {});
    assert.equal(answer.text, scriptText({ respectDoNotTrack: false }));
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
    const tag = answer.headers.etag!;
    const again = await send('GET', `${website.origin}/side`, { 'If-None-Match': tag });
    assert.deepEqual([again.status, again.text], [304, '']);
    const head = await send('HEAD', `${website.origin}/side`, {});
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  await t.test('answers the browser while Trackside is away', async () => {
    const page = await send('GET', `${website.origin}/shoes?size=42`, headers);
    assert.deepEqual([page.status, page.text], [200, '<h1>Shop</h1>']);
    const body = JSON.stringify({ ScreenWidth: 1920, ScreenHeight: 1080, Absolute: `${website.origin}/` });
    const origin = { ...headers, Origin: website.origin };
    assert.equal((await send('POST', `${website.origin}/side`, origin, body)).status, 204);
    assert.equal((await send('POST', `${website.origin}/checkout`, headers)).status, 303);
  });

  await t.test('refuses what is not its own, too long, or not JSON', async () => {
    const post = async (Origin: string, body: string) =>
      (await send('POST', `${website.origin}/side`, { ...headers, Origin }, body)).status;
    assert.equal(await post('https://elsewhere.example', '{}'), 403);
    assert.equal(await post(website.origin, 'no JSON'), 400);
    assert.equal(await post(website.origin, 'x'.repeat(40_000)), 413);
    assert.equal((await send('DELETE', `${website.origin}/side`, {})).status, 405);
  });

  await t.test('delivers each record once, with the same key in all attempts', async () => {
    await waitFor('three records to be accepted', async () => {
      if (isShortLived) await send('GET', `${website.origin}/flush`, {});
      return accepted.length >= 3;
    });
    const bodies = new Map<string, Set<string>>();
    for (const { key, body } of trackside.sent) {
      bodies.set(key!, (bodies.get(key!) ?? new Set()).add(JSON.stringify(body)));
    }
    assert.equal(bodies.size, 3);
    assert.deepEqual(accepted.toSorted(), [...bodies.keys()].toSorted(), 'none is accepted twice');
    for (const [key, variants] of bodies) {
      assert.match(key, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      assert.equal(variants.size, 1, 'every attempt has the same bytes');
    }
    for (const { apiKey: key } of trackside.sent) assert.equal(key, apiKey);
  });

  await t.test('says only in the first request with a record that it is the first', () => {
    const sent = Map.groupBy(trackside.sent, ({ key }) => key);
    for (const [first, ...others] of sent.values()) {
      assert.equal(first?.attempt, '1');
      for (const { attempt } of others) assert.match(attempt ?? '', /^[2-9]$/);
    }
    assert.ok(sent.size < trackside.sent.length, 'some were sent again');
  });

  await t.test('numbers the records, the same in all attempts, and names the release', () => {
    for (const each of trackside.sent) assert.equal(each.release, release);
    const sent = Map.groupBy(trackside.sent, ({ key }) => key);
    const sequences = [...sent.values()].map((attempts) => {
      assert.equal(new Set(attempts.map(({ sequence }) => sequence)).size, 1);
      return attempts[0]!.sequence;
    });
    if (isShortLived) {
      assert.deepEqual(sequences, [undefined, undefined, undefined]);
      return;
    }
    const [stream = ''] = sequences[0]?.split('.') ?? [];
    assert.match(stream, /^[\w-]{16}$/);
    assert.deepEqual(sequences.toSorted(), [`${stream}.1`, `${stream}.2`, `${stream}.3`]);
  });

  await t.test('says who, where from and what', () => {
    const records = new Map(trackside.sent.map(({ key, path, body }) => [key, { path, body }]));
    const found = [...records.values()] as { path: string; body: Recorded }[];
    const pages = found.filter(({ path }) => path === '/api/page-view').map(({ body }) => body.Metrics);
    const [event] = found.filter(({ path }) => path === '/api/event-view').map(({ body }) => body);
    assert.deepEqual(pages.map(({ Page }) => Page.Absolute).sort(), [
      `${website.origin}/`,
      `${website.origin}/shoes?size=42`,
    ]);
    const counted = pages.find(({ Screen }) => Screen.Width === 0);
    assert.equal(counted?.Language.Code, 'de');
    for (const { Browser } of pages) assert.deepEqual(Browser, { IP: '203.0.113.7', UserAgent: userAgent });
    assert.deepEqual([event?.Name, event?.Parameters], ['Order paid', [{ Name: 'total', Value: '44' }]]);
  });

  await t.test('ends with nothing left over, and has reported what went wrong', async () => {
    const { remaining, faults, counts } = await website.stop();
    assert.equal(remaining, 0);
    assert.deepEqual([counts.accepted, counts.queued, counts.dropped, counts.refused], [3, 0, 0, 0]);
    assert.ok(counts.retried! >= 2, `${counts.retried} attempts after the first`);
    assert.ok(faults.includes('unavailable'), faults.join());
  });
}

type Answer = {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  text: string;
};

/** Sends a request as it is. `fetch` would add headers that reveal that it is not a page load. */
function send(
  method: string,
  url: string,
  headers: Record<string, string | string[]>,
  body = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: { ...headers, 'Content-Length': `${body.length}` } });
    outgoing.on('error', reject);
    outgoing.on('response', async (response) => {
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece);
      const text = Buffer.concat(pieces).toString();
      resolve({ status: response.statusCode, headers: response.headers, text });
    });
    outgoing.end(body);
  });
}

type Recorded = {
  Name?: string;
  Parameters?: unknown;
  Metrics: {
    Browser: unknown;
    Language: { Code: string };
    Page: { Absolute: string };
    Screen: { Width: number };
  };
};
