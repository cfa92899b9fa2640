import { after } from 'node:test';
import { startTrackside, type Trackside } from './start-trackside.ts';

/**
 * Returns a function for `before` that starts one server for all tests of a file or suite. It is ended after
 * them.
 */
export function shareTrackside(options: Parameters<typeof startTrackside>[1] = {}): () => Promise<Trackside> {
  const cleanUps: (() => Promise<void>)[] = [];
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return () => startTrackside({ after: (cleanUp) => void cleanUps.push(cleanUp) }, options);
}
