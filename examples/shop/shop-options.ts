import type { Tracker } from '@trackside/sdk';
import type { LocationSource } from '@trackside/sdk/location';

export type ShopOptions = {
  trackside: Tracker;
  /**
   * The header in which a proxy in front names the visitor: `{ header: 'cf-connecting-ip' }` behind
   * Cloudflare.
   */
  proxies?: { header: string };
  /** Where visitors are: `cloudflare` behind Cloudflare. */
  location?: LocationSource;
};
