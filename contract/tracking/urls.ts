import { expected } from './rule.ts';

const maxUrlLength = 8192;
const httpWithHost = /^https?:\/\/[^/?#\\]/i;
const schemeWithHost = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]/i;

/** The page: a complete http or https URL. */
export function pageUrl(value: unknown): string | undefined {
  if (isUrl(value, httpWithHost)) return undefined;
  return expected(`an absolute http or https URL of at most ${maxUrlLength} characters`, value);
}

/** The referrer: any scheme that has a host (apps send android-app://…); an empty string means none. */
export function referrerUrl(value: unknown): string | undefined {
  if (value === '' || isUrl(value, schemeWithHost)) return undefined;
  return expected(
    `an absolute URL with scheme and host of at most ${maxUrlLength} characters, an empty string`,
    value,
  );
}

/** What nearly every address looks like, and what every parser takes: told without parsing it. */
const ordinaryUrl = /^https?:\/\/(?!xn--)[a-z\d-]+(?:\.(?!xn--)[a-z\d-]+)*\.[a-z]{2,}(?:\/[!-~]*)?$/;

function isUrl(value: unknown, shape: RegExp): boolean {
  if (typeof value !== 'string' || value.length > maxUrlLength) return false;
  return ordinaryUrl.test(value) || (shape.test(value) && URL.canParse(value));
}
