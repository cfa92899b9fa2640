import type { IncomingRecord } from '../request/incoming-request.ts';

/** Makes a request without a server. Header names are in lowercase. */
export function makeIncoming(
  given: Partial<Omit<IncomingRecord, 'url' | 'header'>> & {
    url?: string;
    headers?: Record<string, string>;
  } = {},
): IncomingRecord {
  const { url = 'http://shop.example/side', headers = {}, ...rest } = given;
  return {
    method: 'GET',
    peer: '192.0.2.7',
    readText: async () => '',
    ...rest,
    url: new URL(url),
    header: (name) => headers[name],
  };
}
