import { makeBodies } from '../ingest/make-bodies.ts';

/**
 * Returns bodies without a ClientId, because lists of a website with ClientIds have to be read from the
 * visits.
 */
export function plainBodies() {
  return makeBodies(20).filter(({ body }) => body.includes('"ClientId":null'));
}
