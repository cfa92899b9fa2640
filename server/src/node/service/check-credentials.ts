import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type Credentials = { user: string; password: string };

/**
 * Returns a check of the credentials in a request, in either form that ClickHouse's clients use. It takes
 * the same time for every wrong user and password, so that nobody learns how much of a guess was right.
 */
export function checkCredentials(expected: Credentials): (headers: IncomingHttpHeaders) => boolean {
  const wanted = digest(expected);
  return (headers) => {
    const given = readCredentials(headers);
    return given !== undefined && timingSafeEqual(digest(given), wanted);
  };
}

/** The parts are hashed on their own: "a" with "bc" must not equal "ab" with "c". */
function digest({ user, password }: Credentials): Buffer {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return Buffer.concat([hash(user), hash(password)]);
}

function readCredentials(headers: IncomingHttpHeaders): Credentials | undefined {
  const encoded = /^basic +([\w+/=-]+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (encoded !== undefined) {
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    return colon === -1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
  }
  const { 'x-clickhouse-user': user, 'x-clickhouse-key': password = '' } = headers;
  if (typeof user !== 'string' || typeof password !== 'string') return undefined;
  return { user, password };
}
