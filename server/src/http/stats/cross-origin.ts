import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Website } from '../../control/websites/website-row.ts';

type ReadableWebsite = Pick<Website, 'readOrigins' | 'deletingSince'>;

/** Request headers that a page of another origin may set, and response headers that it may read. */
const allowedHeaders = 'Authorization, Content-Type';
const shownHeaders = [
  'Retry-After',
  'Trackside-Total-Rows',
  'Trackside-Visitors-Are',
  'Trackside-Visitors',
  'Trackside-Visitors-Without-ClientId',
].join(', ');
/** A website's list can change, so a browser asks again after ten minutes. */
const preflightSeconds = 600;

/**
 * Lets a page of another origin read the answer if one of these websites names its origin. Only answers to a
 * read token can be read. Cookies are never allowed, so a page cannot use the session of whoever looks at it.
 */
export function allowOrigin(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  websites: readonly ReadableWebsite[],
): void {
  if (headers.authorization === undefined || !isNamed(headers.origin, websites)) return;
  reply.header('Access-Control-Allow-Origin', headers.origin);
  reply.header('Access-Control-Expose-Headers', shownHeaders);
}

/**
 * Answers what a browser asks before the question itself. That request has no token, so it is allowed if any
 * website names the origin. Returns false if it is not allowed.
 */
export function answerPreflight(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  websites: readonly ReadableWebsite[],
): boolean {
  const { origin, 'access-control-request-method': method } = headers;
  if (method !== 'POST' || !isNamed(origin, websites)) return false;
  reply.code(204).headers({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': String(preflightSeconds),
  });
  reply.send();
  return true;
}

function isNamed(origin: string | undefined, websites: readonly ReadableWebsite[]): origin is string {
  if (origin === undefined) return false;
  return websites.some(
    ({ readOrigins, deletingSince }) => deletingSince === null && readOrigins.includes(origin),
  );
}
