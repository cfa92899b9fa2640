import autocannon from 'autocannon';

/** Times are those of pages only, because visitors do not wait for what the script sends. */
export type ShopLoad = { perSecond: number; pages: number; faults: number; p50Ms: number; p99Ms: number };

type Options = {
  origin: string;
  connections: number;
  seconds: number;
  /** Requests a second of all connections together. Without it, as many as possible. */
  rate?: number;
  /** Whether to send what the browser script sends after each page. */
  hasScript?: boolean;
};

const path = '/maps/islands/skerra';
const visitors = 250;

/** Loads a page of the shop the way browsers do, for many visitors. */
export async function loadShop(options: Options): Promise<ShopLoad> {
  const { origin, connections, seconds, rate, hasScript = false } = options;
  const requests = Array.from({ length: visitors }, (_, visitor) => requestsOf(visitor, origin, hasScript));
  const pageMs: number[] = [];
  const { errors, non2xx, duration } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url: origin,
        connections,
        duration: seconds,
        requests: requests.flat(),
        ...(rate !== undefined && { overallRate: rate }),
      },
      (fault, result) => (fault ? reject(fault) : resolve(result)),
    );
    // autocannon's own percentiles are whole milliseconds, and a page takes less.
    run.on('response', (_client, statusCode, _bytes, tookMs) => {
      if (statusCode === 200) pageMs.push(tookMs);
    });
  });
  pageMs.sort((a, b) => a - b);
  const quantile = (share: number) => pageMs[Math.floor(share * pageMs.length)] ?? Number.NaN;
  return {
    perSecond: pageMs.length / duration,
    pages: pageMs.length,
    faults: errors + non2xx,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

function requestsOf(visitor: number, origin: string, hasScript: boolean): autocannon.Request[] {
  const headers = {
    'cf-connecting-ip': `203.0.113.${visitor}`,
    'cf-ipcountry': 'DE',
    'accept-language': 'de-DE,de;q=0.9',
    'user-agent':
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
      'Chrome/142.0.0.0 Safari/537.36',
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    accept: 'text/html',
  };
  const page = { method: 'GET' as const, path, headers };
  if (!hasScript) return [page];
  const body = JSON.stringify({
    ScreenWidth: 1440,
    ScreenHeight: 900,
    Language: 'de-DE',
    Referrer: '',
    Absolute: `${origin}${path}`,
  });
  const sent = { ...headers, origin, 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' };
  return [page, { method: 'POST', path: '/side', headers: sent, body }];
}
