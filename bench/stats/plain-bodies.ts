import { makeBodies } from '../ingest/make-bodies.ts';

/** Returns bodies without a ClientId, for websites that have none. */
export function plainBodies() {
  return makeBodies(20).filter(({ body }) => body.includes('"ClientId":null'));
}
