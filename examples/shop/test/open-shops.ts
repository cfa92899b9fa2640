import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Trackside as Client, type TracksideOptions } from '@trackside/sdk';
import { cloudflare } from '@trackside/sdk/location';
import { post } from '../../../server/test/support/records.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';
import { serveShops } from '../serve-shops.ts';

/** Opens both shops as they would run behind Cloudflare, sending to a Trackside. */
export async function openShops(t: TestContext, options: TracksideOptions) {
  const client = new Client(options);
  const shops = await serveShops(
    { trackside: client, proxies: { header: 'cf-connecting-ip' }, location: cloudflare },
    { express: 0, hono: 0 },
  );
  t.after(async () => {
    await shops.close();
    await client.close({ withinMs: 0 });
  });
  return {
    client,
    ...shops,
    /** Waits until Trackside has answered for everything that was tracked. */
    async untilSent(withinMs: number): Promise<void> {
      assert.deepEqual(await client.flush({ withinMs }), { remaining: 0 });
    },
  };
}

/** Waits until a new key works. The empty body is refused, so that nothing is counted. */
export async function untilKnown(url: string, apiKey: string): Promise<void> {
  const isKnown = async () => (await post(url, '/api/page-view', apiKey, {})).status !== 401;
  await waitFor('the key to be known', isKnown);
}
