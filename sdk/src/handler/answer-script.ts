import type { HandlerAnswer, IncomingRequest } from '../request/incoming-request.ts';
import { scriptText } from '../script/script-text.ts';

const cacheControl = 'public, max-age=3600, stale-while-revalidate=86400';

/**
 * Creates the answer with the browser script, for pages of this origin, or with `isShared` also for those of
 * other origins.
 */
export function createScriptAnswerer(options: {
  respectDoNotTrack: boolean;
  isShared: boolean;
}): (request: IncomingRequest) => Promise<HandlerAnswer> {
  const text = scriptText({ respectDoNotTrack: options.respectDoNotTrack });
  const sharing: Record<string, string> = options.isShared
    ? { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' }
    : { 'Cross-Origin-Resource-Policy': 'same-origin' };
  let tag: Promise<string> | undefined;

  return async (request) => {
    tag ??= makeTag(text);
    const headers = { 'Cache-Control': cacheControl, ETag: await tag, ...sharing };
    if (isHeld(request.header('if-none-match'), await tag)) return { status: 304, headers, body: '' };
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/javascript; charset=utf-8',
        'X-Content-Type-Options': 'nosniff',
        ...headers,
      },
      body: request.method === 'HEAD' ? '' : text,
    };
  };
}

/** Returns a weak ETag, because compression on the way changes the bytes but not the script. */
async function makeTag(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const start = new Uint8Array(digest, 0, 8);
  return `W/"${Array.from(start, (byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
}

function isHeld(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const bare = (text: string) => text.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((held) => held.trim() === '*' || bare(held) === bare(tag));
}
