const quietMs = 60_000;

export type FaultReporter = {
  report(fault: unknown): void;
  /** For faults that can happen on every request: reports each kind at most once a minute. */
  reportNowAndThen(kind: string, makeFault: () => Error): void;
};

/**
 * Passes faults on. A fault inside `onError` itself is swallowed, because nobody is left to tell and a
 * visitor waits.
 */
export function createFaultReporter({
  onError,
  nowMs,
}: {
  onError: (fault: unknown) => unknown;
  nowMs: () => number;
}): FaultReporter {
  const toldMs = new Map<string, number>();

  function report(fault: unknown): void {
    try {
      Promise.resolve(onError(fault)).catch(() => {});
    } catch {}
  }

  return {
    report,
    reportNowAndThen(kind, makeFault) {
      const now = nowMs();
      if (now - (toldMs.get(kind) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
      toldMs.set(kind, now);
      report(makeFault());
    },
  };
}
