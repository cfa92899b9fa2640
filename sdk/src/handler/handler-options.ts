import type { Tracker, WaitUntil } from '../client/tracker.ts';
import type { LocationSource } from '../location/location-source.ts';
import type { ProxyTrust } from '../visitor/trusted-proxies.ts';

/** `R` is the framework's own request type, which is passed to `clientId`. */
export type HandlerOptions<R = unknown> = {
  /** The client: `new Trackside({ url, apiKey })`. */
  trackside: Tracker;
  /** The path of the script, which it also sends to. `/side` by default. */
  path?: string;
  /** The proxies in front of this server. By default, the visitor is whoever opened the connection. */
  proxies?: ProxyTrust;
  /** Where visitors are. With several sources, the first one that knows a country is used. */
  location?: LocationSource | readonly LocationSource[];
  /** Two letters, for visitors whose language has no such code. `en` by default. */
  language?: string;
  /** Your own id for this visitor, such as an account number. */
  clientId?: (request: R) => string | null | undefined | Promise<string | null | undefined>;
  /** Further origins whose pages may send here, such as `https://www.shop.example`. */
  origins?: readonly string[];
  /**
   * The limit for one visitor, which is an address (for IPv6 its /64) with a user agent. 60 a minute by
   * default, which may come all at once. All visitors behind one address together may send ten times as many.
   */
  rateLimit?: { perMinute: number } | false;
  /** Leaves out visitors whose browser sends `DNT: 1` or `Sec-GPC: 1`. */
  respectDoNotTrack?: boolean;
  /**
   * Called when something goes wrong after the answer, and for settings that cannot work. By default, faults
   * are written to the console.
   */
  onError?: (fault: unknown) => void;
};

/** `path` is the script's endpoint, which is not a page. */
export type PageCounterOptions<R = unknown> = Omit<HandlerOptions<R>, 'origins'> & {
  /** Returns true for pages that should not be counted. */
  ignore?: (url: URL) => boolean;
};

/** What a runtime provides besides the request. */
export type HandlerContext = { waitUntil?: WaitUntil | undefined };
