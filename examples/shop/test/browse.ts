import assert from 'node:assert/strict';

/** What a browser would do in the shop, without a browser: many of them fit into one test. */
export type Browsing = {
  /** Of each page view that the shop took: what tells it from all others. */
  views: Set<string>;
  /** The same of each event, those of the shop's own server too. */
  events: Set<string>;
  /** How long the shop's pages took. */
  pageMs: number[];
};

export const createBrowsing = (): Browsing => ({ views: new Set(), events: new Set(), pageMs: [] });

const paths = ['/', '/maps', '/maps/islands', '/maps/islands/skerra', '/about'];

/** One page and what its script sends; now and then an event of the script, and now and then an order. */
export async function browse(shop: string, number: number, done: Browsing): Promise<void> {
  const path = paths[number % paths.length]!;
  // Many visitors: one alone would soon have sent more than is taken of one.
  const address = `198.51.${(number >> 8) % 256}.${number % 256}`;
  const headers = {
    'cf-connecting-ip': address,
    'cf-ipcountry': 'SE',
    'accept-language': 'sv',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  };
  const begunMs = performance.now();
  const page = await fetch(shop + path, { headers });
  await page.text();
  done.pageMs.push(performance.now() - begunMs);
  assert.equal(page.status, 200);

  const send = async (more: object) => {
    const collected = { ScreenWidth: 1280, ScreenHeight: 800, Language: 'sv-SE', Referrer: '' };
    const body = JSON.stringify({ ...collected, Absolute: `${shop}${path}?view=${number}`, ...more });
    const answer = await fetch(`${shop}/side`, {
      method: 'POST',
      body,
      headers: { ...headers, origin: shop },
    });
    assert.equal(answer.status, 204, await answer.text());
  };
  await send({});
  done.views.add(`view=${number}`);
  if (number % 3 === 0) {
    await send({ Name: 'Look', Parameters: { number } });
    done.events.add(`Look ${number}`);
  }
  if (number % 10 === 0) {
    const ordered = await fetch(`${shop}/checkout`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, cookie: 'basket=skerra.a2.1' },
    });
    assert.equal(ordered.status, 303);
    done.events.add(`Order paid ${/order=(IL-\d+)/.exec(ordered.headers.getSetCookie().join())![1]}`);
  }
}
