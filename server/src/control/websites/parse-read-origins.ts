import { maxOriginLength, maxReadOrigins } from '@trackside/contract/app/limits.ts';
import { ControlError } from '../database/control-error.ts';

/**
 * Reads the origins whose pages may ask for the statistics of a website. Each becomes what a browser sends in
 * the header Origin, so that the two can be compared as texts.
 */
export function parseReadOrigins(texts: readonly string[]): string[] {
  const origins = [...new Set(texts.map(parseOrigin))];
  if (origins.length <= maxReadOrigins) return origins;
  throw new ControlError('invalid', `Origins: expected at most ${maxReadOrigins}, got ${origins.length}.`);
}

function parseOrigin(text: string): string {
  const trimmed = text.trim();
  const url = trimmed.length > maxOriginLength ? null : URL.parse(trimmed);
  const isPlain =
    url !== null &&
    /^https?:\/\/[^/?#@*\s]+\/?$/i.test(trimmed) &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    `${url.origin}/` === url.href;
  if (isPlain) return url.origin;
  throw new ControlError(
    'invalid',
    'Origin: expected a scheme and a host, such as https://intranet.example.com, ' +
      `without a path or *, got ${shown(trimmed)}.`,
  );
}

const shown = (text: string) =>
  text.length > maxOriginLength ? `a text of ${text.length} characters` : JSON.stringify(text);
