import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type HostOptions, hosts } from './test-hosts.ts';
import { browserPost } from './test-request.ts';
import { createStage } from './test-stage.ts';

for (const host of hosts) {
  describe(`events of a backend on ${host.name}`, { timeout: 300_000 }, () => {
    const stage = createStage(host);

    async function start(options: Partial<HostOptions> = {}) {
      const { send, until } = await stage.start(options);
      return { until, post: (headers = {}) => send({ ...browserPost('44', headers), path: '/form' }) };
    }

    test('belong to the visitor who sent the request, on the page that it was sent from', async () => {
      const { post, until } = await start({ location: () => ({ CountryCode: 'CH' }) });
      const answer = await post({
        Referer: 'http://shop.example/checkout?step=2',
        'Accept-Language': 'de-CH',
        'X-Account': 'a-17',
      });
      assert.equal(answer.body, 'form: 44');
      const [record] = await until(1);
      assert.deepEqual(record, {
        kind: 'event',
        name: 'Form',
        parameters: { text: '44' },
        metrics: {
          Browser: { IP: '127.0.0.1', UserAgent: 'Mozilla/5.0 (X11; Linux x86_64)' },
          Identify: { ClientId: 'a-17' },
          Language: { Code: 'de' },
          Page: { Absolute: 'http://shop.example/checkout?step=2' },
          Referrer: { Absolute: null },
          Screen: { Width: 0, Height: 0 },
          Location: record?.metrics.Location,
        },
      });
      assert.equal(record?.metrics.Location.CountryCode, 'CH');
    });

    test('belong to the requested address, if the page is unknown or elsewhere', async () => {
      const { post, until } = await start();
      await post();
      await post({ Referer: 'https://bank.example/paid' });
      const seen = (await until(2)).map(({ metrics }) => [metrics.Page.Absolute, metrics.Referrer.Absolute]);
      assert.deepEqual(seen, [
        ['http://shop.example/form', null],
        ['http://shop.example/form', 'https://bank.example/paid'],
      ]);
    });

    test('are left out for visitors who do not want to be counted, if told to', async () => {
      const { post, until } = await start({ respectDoNotTrack: true });
      await post({ 'Sec-GPC': '1' });
      await post({ 'X-Account': 'the only one' });
      assert.deepEqual(
        (await until(1)).map(({ metrics }) => metrics.Identify.ClientId),
        ['the only one'],
      );
    });
  });
}
