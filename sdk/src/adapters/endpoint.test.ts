import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { scriptText } from '../script/script-text.ts';
import { type HostOptions, hosts } from './test-hosts.ts';
import { browserPost, collected } from './test-request.ts';
import { createStage } from './test-stage.ts';

const noLocation = {
  ContinentCode: null,
  CountryCode: null,
  City: null,
  PostalCode: null,
  Region: null,
  RegionCode: null,
  Timezone: null,
};
const metrics = {
  Browser: { IP: '127.0.0.1', UserAgent: 'Mozilla/5.0 (X11; Linux x86_64)' },
  Identify: { ClientId: null },
  Language: { Code: 'en' },
  Page: { Absolute: 'https://shop.example/shoes?size=42' },
  Referrer: { Absolute: 'https://search.example/?q=shoes' },
  Screen: { Width: 1920, Height: 1080 },
  Location: noLocation,
};
const event = { ...collected, Name: 'Order', Parameters: { plan: 'pro', seats: 5, gift: false } };

for (const host of hosts) {
  describe(host.name, { timeout: 300_000 }, () => {
    const { start, faults } = createStage(host);

    test('serves the script over GET, cacheable and with a tag to revalidate it', async () => {
      const { send } = await start();
      const got = await send({ path: '/side' });
      assert.equal(got.status, 200);
      assert.equal(got.body, scriptText({ respectDoNotTrack: false }));
      assert.equal(got.headers['content-type'], 'text/javascript; charset=utf-8');
      assert.match(got.headers['cache-control'] ?? '', /^public, max-age=\d+/);
      assert.equal(got.headers['x-content-type-options'], 'nosniff');
      assert.equal(got.headers['cross-origin-resource-policy'], 'same-origin');
      const again = await send({ path: '/side?v=1', headers: { 'If-None-Match': got.headers.etag! } });
      assert.deepEqual([again.status, again.body, again.headers.etag], [304, '', got.headers.etag]);
      const head = await send({ method: 'HEAD', path: '/side' });
      assert.deepEqual([head.status, head.body, head.headers.etag], [200, '', got.headers.etag]);
    });

    test('answers a page view with 204 and records all of it', async () => {
      const { send, until } = await start();
      const got = await send(browserPost(collected));
      assert.deepEqual([got.status, got.body], [204, '']);
      assert.equal(got.headers['cache-control'], 'no-store');
      assert.deepEqual(await until(1), [{ kind: 'page-view', metrics }]);
    });

    test('answers an event with 204 and records its name and parameters as text', async () => {
      const { send, until } = await start();
      assert.equal((await send(browserPost(event))).status, 204);
      const parameters = [
        { Name: 'plan', Value: 'pro' },
        { Name: 'seats', Value: '5' },
        { Name: 'gift', Value: 'false' },
      ];
      assert.deepEqual(await until(1), [{ kind: 'event', name: 'Order', parameters, metrics }]);
    });

    test('adds the location and the customer’s own id of the visitor', async () => {
      const location: HostOptions['location'] = [
        () => undefined,
        async ({ header }, ip) => ({ CountryCode: header('x-country') ?? null, City: `near ${ip}` }),
      ];
      const { send, until } = await start({ location });
      await send(browserPost(collected, { 'X-Account': 'a-17', 'X-Country': 'AT' }));
      const [record] = await until(1);
      assert.deepEqual(record?.metrics.Identify, { ClientId: 'a-17' });
      assert.equal(record?.metrics.Location.CountryCode, 'AT');
      assert.equal(record?.metrics.Location.ContinentCode, 'EU');
      assert.equal(record?.metrics.Location.City, 'near 127.0.0.1');
    });

    test('replaces a language without two letters with the website’s own', async () => {
      const { send, until } = await start({ language: 'de' });
      await send(browserPost({ ...collected, Language: 'fil-PH' }));
      await send(browserPost({ ...collected, Language: 'pt-BR' }));
      const codes = (await until(2)).map(({ metrics }) => metrics.Language.Code);
      assert.deepEqual(codes.sort(), ['de', 'pt']);
    });

    test('says with a 400 what is wrong with a body, and records nothing', async () => {
      const { send, records } = await start();
      const many = Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`p${n}`, 'x']));
      const cases: [unknown, RegExp][] = [
        ['', /^Body: expected a JSON object, got nothing/],
        ['{"Absolute"', /^Body: .* not JSON/],
        ['[]', /^Body: expected a JSON object, got an array/],
        [{ ...collected, Absolute: undefined }, /^Absolute: expected an absolute http or https URL/],
        [{ ...collected, Absolute: `https://shop.example/${'x'.repeat(8200)}` }, /^Absolute: .*8192/],
        [{ ...collected, ScreenWidth: '1920' }, /^ScreenWidth: expected a number/],
        [
          { ...event, Parameters: many },
          /^Parameters: expected an array of 0 to 12 elements, got an array of 13/,
        ],
        [{ ...event, Name: ' ' }, /^Name: expected a string of 1 to 256/],
        [{ ...event, Parameters: { plan: 'x'.repeat(2049) } }, /^Parameters\[0\]\.Value: .*2048/],
      ];
      for (const [body, text] of cases) {
        const got = await send(browserPost(body));
        assert.equal(got.status, 400, String(text));
        assert.match(got.body, text);
        assert.equal(got.headers['content-type'], 'text/plain; charset=utf-8');
        assert.equal(got.headers['cache-control'], 'no-store');
      }
      assert.deepEqual(records, []);
    });

    test('refuses another origin with 403, unless it is listed', async () => {
      const { send, until } = await start({ origins: ['https://www.shop.example'] });
      const from = (origin: string, page: string) =>
        send(
          browserPost(
            { ...collected, Absolute: page },
            { Origin: origin, 'Sec-Fetch-Site': 'same-site', 'X-Account': page },
          ),
        );
      assert.equal((await from('https://evil.example', 'https://shop.example/')).status, 403);
      assert.equal((await from('https://www.shop.example', 'https://evil.example/')).status, 403);
      const listed = await from('https://www.shop.example', 'https://www.shop.example/a');
      assert.equal(listed.status, 204);
      assert.equal(listed.headers['access-control-allow-origin'], 'https://www.shop.example');
      assert.deepEqual(
        (await until(1)).map(({ metrics }) => metrics.Page.Absolute),
        ['https://www.shop.example/a'],
      );
    });

    test('allows a listed origin, and no other, to ask before it sends', async () => {
      const { send } = await start({ origins: ['https://www.shop.example'] });
      const ask = (origin: string) =>
        send({ method: 'OPTIONS', path: '/side', headers: { Host: 'shop.example', Origin: origin } });
      const listed = await ask('https://www.shop.example');
      assert.equal(listed.status, 204);
      assert.equal(listed.headers['access-control-allow-origin'], 'https://www.shop.example');
      assert.equal(listed.headers['access-control-allow-headers'], 'content-type');
      assert.equal((await ask('https://evil.example')).headers['access-control-allow-origin'], undefined);
    });

    test('refuses a body over 32 KiB with 413, announced or not', async () => {
      const { send, records } = await start();
      const large = JSON.stringify({ ...collected, More: 'x'.repeat(33_000) });
      assert.equal((await send(browserPost(large))).status, 413);
      assert.equal((await send(browserPost(large, { 'Transfer-Encoding': 'chunked' }))).status, 413);
      assert.equal((await send(browserPost('x'.repeat(600_000)))).status, 413);
      assert.deepEqual(records, []);
    });

    test('limits the records of one visitor per minute, and still accepts others', async () => {
      const { send, until } = await start({ rateLimit: { perMinute: 2 }, proxies: { hops: 1 } });
      const from = (ip: string) => send(browserPost(collected, { 'X-Forwarded-For': ip }));
      const statuses = [];
      for (const ip of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])
        statuses.push((await from(ip)).status);
      assert.deepEqual(statuses, [204, 204, 429, 204]);
      assert.ok(Number((await from('192.0.2.1')).headers['retry-after']) >= 1);
      await until(3);
      assert.match(
        String(faults.splice(0)),
        /^Error: A visitor sent more than 2 records per minute[^,]*, and/,
      );
    });

    test('takes the address that its own proxy has seen', async () => {
      const { send, until } = await start({ proxies: { hops: 1 } });
      await send(browserPost(collected, { 'X-Forwarded-For': '198.51.100.1, 2001:db8::7' }));
      assert.equal((await until(1))[0]?.metrics.Browser.IP, '2001:db8::7');
    });

    test('leaves out visitors who do not want to be counted, if told to', async () => {
      const { send, until } = await start({ respectDoNotTrack: true });
      assert.equal((await send(browserPost(collected, { DNT: '1' }))).status, 204);
      assert.equal((await send(browserPost(collected, { 'Sec-GPC': '1' }))).status, 204);
      assert.equal((await send(browserPost(collected, { 'X-Account': 'counted' }))).status, 204);
      assert.deepEqual(
        (await until(1)).map(({ metrics }) => metrics.Identify.ClientId),
        ['counted'],
      );
      assert.equal((await send({ path: '/side' })).body, scriptText({ respectDoNotTrack: true }));
    });

    test('answers other methods with 405 and names those that work', async () => {
      const { send } = await start();
      const got = await send({ method: 'PUT', path: '/side', body: 'x' });
      assert.deepEqual([got.status, got.headers.allow], [405, 'GET, HEAD, POST, OPTIONS']);
    });

    test('leaves other routes and their bodies alone', async () => {
      const { send, until } = await start();
      const got = await send(browserPost('a=1', { 'Sec-Fetch-Site': 'cross-site' }));
      assert.equal(got.status, 403);
      const form = await send({ ...browserPost('a=1'), path: '/form' });
      assert.deepEqual([form.status, form.body], [200, 'form: a=1']);
      const kinds = (await until(1)).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['event'], 'which the route itself tracks');
    });

    test('continues after a client that leaves in the middle of its body', async () => {
      const { port, send, until } = await start();
      await new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', reject);
        socket.write(
          'POST /side HTTP/1.1\r\nHost: shop.example\r\nOrigin: https://shop.example\r\n' +
            'Content-Length: 900\r\n\r\n{"a',
          () => socket.destroy(),
        );
        socket.on('close', () => resolve());
      });
      assert.equal((await send(browserPost(collected))).status, 204);
      assert.equal((await until(1)).length, 1);
    });
  });
}
