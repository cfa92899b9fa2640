import { after } from 'node:test';
import { startTrackside, startTracksideHere, type Trackside, type TracksideHere } from './start-trackside.ts';

/**
 * Returns a function for `before` that starts one server for all tests of a file or suite. It is ended after
 * them.
 */
export function shareTrackside(options: Parameters<typeof startTrackside>[1] = {}): () => Promise<Trackside> {
  const t = cleanUpAfterAll();
  return () => startTrackside(t, options);
}

/** Does the same with a server in this process, for tests that don't need signals, exit codes or crashes. */
export function shareTracksideHere(
  options: Parameters<typeof startTracksideHere>[1] = {},
): () => Promise<TracksideHere> {
  const t = cleanUpAfterAll();
  return () => startTracksideHere(t, options);
}

function cleanUpAfterAll(): Parameters<typeof startTrackside>[0] {
  const cleanUps: (() => Promise<void>)[] = [];
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return { after: (cleanUp) => void cleanUps.push(cleanUp) };
}
