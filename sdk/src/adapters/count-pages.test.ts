import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type HostOptions, hosts } from './test-hosts.ts';
import { browserPost, collected } from './test-request.ts';
import { createStage } from './test-stage.ts';

const browser = {
  Host: 'shop.example',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)',
  Accept: 'text/html,application/xhtml+xml',
  'Accept-Language': 'fil, de-AT;q=0.9, en;q=0.5',
  Referer: 'https://search.example/',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Mode': 'navigate',
};

for (const host of hosts.filter(({ canCountPages }) => canCountPages)) {
  describe(`${host.name} without a script`, { timeout: 300_000 }, () => {
    const stage = createStage(host);

    async function start(options: Partial<HostOptions> = {}) {
      const started = await stage.start(options);
      const get = (path: string, headers = {}, method = 'GET') =>
        started.send({ method, path, headers: { ...browser, ...headers } });
      return { ...started, get };
    }

    test('counts an HTML page, with what its request says about the visitor', async () => {
      const { get, until } = await start();
      const got = await get('/page?size=42', { 'X-Account': 'a-17' });
      assert.deepEqual([got.status, got.body], [200, '<h1>Shoes</h1>']);
      const [record] = await until(1);
      assert.deepEqual(record, {
        kind: 'page-view',
        metrics: {
          Browser: { IP: '127.0.0.1', UserAgent: 'Mozilla/5.0 (X11; Linux x86_64)' },
          Identify: { ClientId: 'a-17' },
          Language: { Code: 'de' },
          Page: { Absolute: 'http://shop.example/page?size=42' },
          Referrer: { Absolute: 'https://search.example/' },
          Screen: { Width: 0, Height: 0 },
          Location: record?.metrics.Location,
        },
      });
    });

    test('names the page as the visitor sees it, in front of a proxy', async () => {
      const { get, until } = await start({ proxies: { hops: 1 } });
      const forwarded = {
        'X-Forwarded-For': '192.0.2.9',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'www.shop.example',
        Host: 'backend:8080',
      };
      await get('/page', forwarded);
      const [record] = await until(1);
      assert.equal(record?.metrics.Page.Absolute, 'https://www.shop.example/page');
      assert.equal(record?.metrics.Browser.IP, '192.0.2.9');
    });

    test('counts a page that the browser still has, and one requested by an old browser', async () => {
      const { get, until } = await start();
      assert.equal((await get('/known')).status, 304);
      const old = { 'Sec-Fetch-Dest': [], 'Sec-Fetch-Mode': [], Referer: [], 'Accept-Language': [] };
      await get('/page', old);
      assert.deepEqual((await until(2)).map(({ metrics }) => metrics.Page.Absolute).sort(), [
        'http://shop.example/known',
        'http://shop.example/page',
      ]);
    });

    test('leaves out assets, errors, redirects, health checks, and pages loaded ahead or in pieces', async () => {
      const { get, send, until } = await start({
        respectDoNotTrack: true,
        ignore: (url) => url.searchParams.has('hidden'),
      });
      for (const path of [
        '/style.css',
        '/data',
        '/broken',
        '/gone',
        '/moved',
        '/health',
        '/side',
        '/page?hidden',
      ]) {
        await get(path);
      }
      for (const headers of [
        { 'Sec-Purpose': 'prefetch;prerender' },
        { Purpose: 'prefetch' },
        { 'X-Moz': 'prefetch' },
        { 'Sec-Fetch-Dest': 'iframe' },
        { 'Sec-Fetch-Mode': 'cors' },
        { 'HX-Request': 'true' },
        { 'Turbo-Frame': 'cart' },
        { 'X-Requested-With': 'XMLHttpRequest' },
        { RSC: '1' },
        { Range: 'bytes=0-10' },
        { 'User-Agent': 'kube-probe/1.31' },
        { DNT: '1' },
      ]) {
        await get('/page', headers);
      }
      await get('/page', {}, 'HEAD');
      await send({ ...browserPost('a=1'), path: '/form' }); // is an event
      await get('/page', { 'X-Account': 'the only one' });
      const pages = (await until(2)).filter(({ kind }) => kind === 'page-view');
      assert.deepEqual(
        pages.map(({ metrics }) => metrics.Identify.ClientId),
        ['the only one'],
      );
    });

    test('counts in addition to what the script sends', async () => {
      const { get, send, until } = await start();
      await get('/page');
      await send(browserPost(collected));
      assert.equal((await until(2)).length, 2);
    });
  });
}
