import { fileURLToPath } from 'node:url';
import type { BrowserContext, CDPSession } from 'playwright-core';

export type Loaded = {
  firstPaintMs: number;
  /** The time until every panel of the first screen is filled. */
  filledMs: number;
  shift: number;
  /** What moved, and by how much. */
  shifted: { what: string; shift: number }[];
  /** The requests that left the browser by then. */
  requests: number;
  bytes: number;
  /** The URLs of the requests that were scripts. */
  scripts: string[];
  /** The requests for numbers: when each was sent, and how long it took until its last line. */
  batches: { atMs: number; tookMs: number }[];
};

const watchPage = fileURLToPath(new URL('./watch-page.js', import.meta.url));
const patienceMs = 30_000;
/** Anything that comes after everything is there could still move it. */
const settleMs = 400;
/** A function, because the page's policy does not allow a string as a script. */
const isFilled = () => (globalThis as { watched?: Partial<Loaded> }).watched?.filledMs !== undefined;
const readWatched = 'globalThis.watched';
const readBatches = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('/api/stats/batch'))
  .map(({ requestStart, responseEnd }) => ({ atMs: requestStart, tookMs: responseEnd - requestStart }))`;

/** Opens a URL in a new page of a context, and measures until it is filled and still. */
export async function loadPage(context: BrowserContext, address: string): Promise<Loaded> {
  const page = await context.newPage();
  await page.addInitScript({ path: watchPage });
  const counted = await countNetwork(await context.newCDPSession(page));
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(isFilled, undefined, { timeout: patienceMs });
  const network = { ...counted, scripts: [...counted.scripts] };
  await page.waitForTimeout(settleMs);
  const seen = (await page.evaluate(readWatched)) as Pick<
    Loaded,
    'firstPaintMs' | 'filledMs' | 'shift' | 'shifted'
  >;
  const batches = (await page.evaluate(readBatches)) as Loaded['batches'];
  await page.close();
  return { ...seen, ...network, batches };
}

async function countNetwork(session: CDPSession): Promise<Pick<Loaded, 'requests' | 'bytes' | 'scripts'>> {
  const counted = { requests: 0, bytes: 0, scripts: [] as string[] };
  const sent = new Map<string, { url: string; isScript: boolean }>();
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    const isKept = response.fromDiskCache === true || response.url.startsWith('data:');
    if (!isKept) sent.set(requestId, { url: response.url, isScript: type === 'Script' });
  });
  session.on('Network.requestServedFromCache', ({ requestId }) => sent.delete(requestId));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = sent.get(requestId);
    // Nothing went over the wire: it came from the browser's memory.
    if (request === undefined || encodedDataLength === 0) return;
    counted.requests += 1;
    counted.bytes += encodedDataLength;
    if (request.isScript) counted.scripts.push(request.url);
  });
  await session.send('Network.enable');
  return counted;
}
