import { makeBodies } from '../ingest/make-bodies.ts';

/** Without ClientId: it makes a website one whose lists need the visits. */
export function plainBodies() {
  return makeBodies(20).filter(({ body }) => body.includes('"ClientId":null'));
}
