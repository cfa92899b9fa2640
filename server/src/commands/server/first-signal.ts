/**
 * Under npm, Ctrl-C arrives twice, from the terminal and from npm. Signals this close together count as one.
 */
const sameSignalMs = 150;

/**
 * Settles at the first SIGTERM or SIGINT. The second one ends the process at once, which loses nothing that
 * was acknowledged. `letSignalsPass` ends the handling before this one. It is called once this one has begun:
 * without any in between, a signal that has just arrived would be lost.
 */
export function firstSignal(onFirst: () => void, letSignalsPass: () => void): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = () => {
      const nowMs = performance.now();
      if (firstAtMs === undefined) {
        firstAtMs = nowMs;
        onFirst();
        resolve();
      } else if (nowMs - firstAtMs > sameSignalMs) process.exit(130);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
    letSignalsPass();
  });
}
