import { shownPath } from '@trackside/contract/stats/shown-path.ts';
import { createCachedReader } from '../concurrency/bounded-cache.ts';
import { shownHost } from '../text/shown-host.ts';
import type { PayloadBytes } from './journal-row.ts';

const [quote, percent, comma, hyphen, backslash] = Buffer.from('"%,-\\');
/** Pages have few different addresses, and texts in other scripts are almost all escapes. */
const cacheEntries = 2000;
const maxCachedChars = 1000;

/**
 * Creates a function that returns the bytes of a payload with readable host and path, or undefined if they
 * already are. Most are, so it looks at their bytes before it decodes them.
 */
export function createDecodeAddresses(
  columns: readonly string[],
): (payload: PayloadBytes) => Buffer | undefined {
  // In all segments that were ever written, the path follows the host, and the values before have no commas.
  const place = columns.indexOf('host');
  if (place === -1 || columns[place + 1] !== 'path') return () => undefined;
  const readShown = createCachedReader({
    maxEntries: cacheEntries,
    maxChars: maxCachedChars,
    read: (text) => {
      const [host, path] = JSON.parse(`[${text}]`) as [string, string];
      return JSON.stringify([shownHost(host), shownPath(path)]).slice(1, -1);
    },
  });
  return ({ bytes, start, end }) => {
    const from = skipValues(bytes, start + 1, place);
    const hostEnd = skipString(bytes, from);
    const to = skipString(bytes, hostEnd + 1);
    if (!hasPunycode(bytes, from, hostEnd) && !hasPercent(bytes, hostEnd, to)) return undefined;
    const text = bytes.toString('utf8', from, to);
    const shown = readShown(text);
    if (shown === text) return undefined;
    return Buffer.concat([bytes.subarray(start, from), Buffer.from(shown), bytes.subarray(to, end)]);
  };
}

function skipValues(bytes: Buffer, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0; at += 1) if (bytes[at] === comma) left -= 1;
  return at;
}

/** Returns the position after a text that begins with a quote. */
function skipString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (; bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
  return at + 1;
}

/** Whether a host may have a label in punycode. Other labels with two hyphens are rare. */
function hasPunycode(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at += 1) if (bytes[at] === hyphen && bytes[at - 1] === hyphen) return true;
  return false;
}

function hasPercent(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] === percent) return true;
  return false;
}
