import type { Tracker, WaitUntil } from '../client/tracker.ts';
import type { LocationSource } from '../location/location-source.ts';
import type { ProxyTrust } from '../visitor/trusted-proxies.ts';

/** `R` is the request as the framework knows it, which is what `clientId` gets. */
export type HandlerOptions<R = unknown> = {
  /** The client: `new Trackside({ url, apiKey })`. */
  trackside: Tracker;
  /** Where the script is, and where it sends to: `/side`. */
  path?: string;
  /** Which proxies stand before this server. Without, the visitor is who opened the connection. */
  proxies?: ProxyTrust;
  /** Where visitors are; of several sources the first that knows a country. */
  location?: LocationSource | readonly LocationSource[];
  /** Two letters, for visitors whose language has no such code: `en`. */
  language?: string;
  /** Your own name for this visitor, such as an account's number. */
  clientId?: (request: R) => string | null | undefined | Promise<string | null | undefined>;
  /** Further origins whose pages may send here, such as `https://www.shop.example`. */
  origins?: readonly string[];
  /**
   * For one visitor, which is an address (of IPv6 its /64) with a user agent: 60 a minute, all of them at
   * once if need be. Ten times as many for all behind one address.
   */
  rateLimit?: { perMinute: number } | false;
  /** Leave out visitors whose browser sends `DNT: 1` or `Sec-GPC: 1`. */
  respectDoNotTrack?: boolean;
  /**
   * Told of what went wrong after the answer, and of settings that cannot work. Without, it goes to the
   * console.
   */
  onError?: (fault: unknown) => void;
};

/** `path` is that of the script's endpoint, which is not a page. */
export type PageCounterOptions<R = unknown> = Omit<HandlerOptions<R>, 'origins'> & {
  /** Pages that shall not be counted. */
  ignore?: (url: URL) => boolean;
};

/** What a runtime gives beside the request. */
export type HandlerContext = { waitUntil?: WaitUntil | undefined };
