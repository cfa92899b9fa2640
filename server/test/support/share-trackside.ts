import { after } from 'node:test';
import { isLongForm } from './long-form.ts';
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

let startOfProcess: (() => Promise<Trackside>) | undefined;
let startHereOfProcess: (() => Promise<TracksideHere>) | undefined;

/**
 * Gives the files that are imported after this one server together, if they ask for it. It is ended after all
 * of them. In the long form, they fill the store too much for that.
 */
export function shareTracksideOfProcess(): void {
  if (isLongForm) return;
  startOfProcess = once(shareTrackside());
  startHereOfProcess = once(shareTracksideHere());
}

function once<Started>(start: () => Promise<Started>): () => Promise<Started> {
  let started: Promise<Started> | undefined;
  return () => {
    started ??= start();
    return started;
  };
}

/**
 * Returns a function for `before` that returns the server of all files of the process, or starts one for this
 * file. The tests leave it running, with a store that can be opened.
 */
export function useTracksideOfProcess(): () => Promise<Trackside> {
  return startOfProcess ?? shareTrackside();
}

/** Does the same with a server in this process. */
export function useTracksideHereOfProcess(): () => Promise<TracksideHere> {
  return startHereOfProcess ?? shareTracksideHere();
}

function cleanUpAfterAll(): Parameters<typeof startTrackside>[0] {
  const cleanUps: (() => Promise<void>)[] = [];
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return { after: (cleanUp) => void cleanUps.push(cleanUp) };
}
