import { after, before } from 'node:test';
import { startTrackside, type Trackside } from './start-trackside.ts';

/**
 * Starts one server before the tests of a file or suite, and ends it after them. Returns how to get it. It is
 * there in every test, and in every `before` that is registered later.
 */
export function shareTrackside(options: Parameters<typeof startTrackside>[1] = {}): () => Trackside {
  const cleanUps: (() => Promise<void>)[] = [];
  let trackside: Trackside | undefined;
  before(async () => {
    trackside = await startTrackside({ after: (cleanUp) => void cleanUps.push(cleanUp) }, options);
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return () => {
    if (trackside === undefined) throw new Error('expected the server to be started before it is asked for');
    return trackside;
  };
}
