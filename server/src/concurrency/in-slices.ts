/** How long work may have the thread before others get it. */
const sliceMs = 4;

/** Runs work that pauses where it can be interrupted, and lets others have the thread from time to time. */
export async function inSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  let untilMs = performance.now() + sliceMs;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (performance.now() < untilMs) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    untilMs = performance.now() + sliceMs;
  }
}
