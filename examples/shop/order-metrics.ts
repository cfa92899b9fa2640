import type { Metrics } from '@trackside/sdk';
import type { ShopOptions } from './shop-options.ts';

type PaidRequest = { url: string; header(name: string): string | undefined; peer: string | undefined };

/**
 * Who placed an order, for an event that no browser tells. The same address and browser as in the page views make it one
 * visitor; a server knows nothing about the screen.
 */
export function orderMetrics(request: PaidRequest, { proxies }: Pick<ShopOptions, 'proxies'>): Metrics {
  const ip = proxies === undefined ? request.peer : request.header(proxies.header);
  const language = /^[a-z]{2}(?![a-z])/i.exec(request.header('accept-language') ?? '')?.[0];
  return {
    Browser: { IP: ip ?? '', UserAgent: request.header('user-agent') ?? '' },
    Identify: { ClientId: null },
    Language: { Code: language ?? 'en' },
    Page: { Absolute: request.url },
    Referrer: { Absolute: null },
    Screen: { Width: 0, Height: 0 },
    Location: {},
  };
}
