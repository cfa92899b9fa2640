import { shownPath } from '@trackside/contract/stats/shown-path.ts';
import { encodedHost, shownHost } from './shown-host.ts';

/**
 * Which addresses of a website count as one page. All are off by default, because servers may distinguish
 * them.
 */
export type AddressRules = {
  /** `/about/` is `/about`. */
  ignoreTrailingSlash: boolean;
  /** `/About` is `/about`. */
  ignoreCase: boolean;
  /** `www.example.com` is `example.com`. */
  ignoreWww: boolean;
};

export const plainRules: AddressRules = { ignoreTrailingSlash: false, ignoreCase: false, ignoreWww: false };

/** The regular expression means the same to JavaScript and to the store. */
export const leadingWww = '^(www\\.)+([^.]+\\.)';

const www = new RegExp(leadingWww);
/** The first character of a path always stays. */
const trailingSlashes = /(.)\/+$/s;

/** Returns a path as the lists of a website show it. Every form of a page has the same result. */
export function toPage(path: string, rules: AddressRules): string {
  const shown = toPartOfPage(path, rules);
  return rules.ignoreTrailingSlash ? shown.replace(trailingSlashes, '$1') : shown;
}

/** The same for a part of a path, whose last slash can be in the middle of the whole path. */
export function toPartOfPage(part: string, rules: AddressRules): string {
  const shown = shownPath(part);
  return rules.ignoreCase ? shown.toLowerCase() : shown;
}

/** Returns a host, in punycode or in letters, as the lists of a website show it. */
export function toHost(host: string, rules: AddressRules): string {
  const shown = shownHost(encodedHost(host));
  return rules.ignoreWww ? shown.replace(www, '$2') : shown;
}
