import type { IncomingRequest } from '../request/incoming-request.ts';

/** Makes a request from `peer` with these headers, named in lowercase. */
export function makeRequest(
  peer: string | undefined,
  headers: Record<string, string> = {},
  url = 'http://shop.internal/side',
): IncomingRequest {
  return {
    method: 'POST',
    url: new URL(url),
    peer,
    header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
  };
}
