import assert from 'node:assert/strict';

/** What a browser would do in the shop, without a browser, so that many visitors fit into one test. */
export type Browsing = {
  /** A unique text for each page view that the shop accepted. */
  views: Set<string>;
  /** The same for each event, including those of the shop's own server. */
  events: Set<string>;
  /** How long the shop's pages took. */
  pageMs: number[];
};

export const createBrowsing = (): Browsing => ({ views: new Set(), events: new Set(), pageMs: [] });

const paths = ['/', '/maps', '/maps/islands', '/maps/islands/skerra', '/about'];

/**
 * Loads one page and sends what its script would send. Sometimes adds an event of the script, and sometimes
 * an order.
 */
export async function browse(shop: string, number: number, done: Browsing): Promise<void> {
  const path = paths[number % paths.length]!;
  // Many visitors, because a single one would soon reach the rate limit.
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
