import type { Tracker } from '../client/tracker.ts';
import type { EventParameters, Metrics } from '../record/metrics.ts';

type Recorded =
  | { kind: 'page-view'; metrics: Metrics }
  | { kind: 'event'; name: string; parameters: EventParameters; metrics: Metrics };

/** Creates a tracker that keeps the records that it gets, and lets a test wait for them. */
export function createTestTracker() {
  const records: Recorded[] = [];
  const waiting = new Set<() => void>();
  const add = (record: Recorded) => {
    records.push(record);
    for (const look of waiting) look();
  };
  const trackside: Tracker = {
    trackPageView: (metrics) => add({ kind: 'page-view', metrics }),
    trackEvent: (name, parameters, metrics) => add({ kind: 'event', name, parameters, metrics }),
  };
  return {
    trackside,
    records,
    /** Resolves when there are this many records. */
    until: (count: number) =>
      new Promise<Recorded[]>((resolve) => {
        const look = () => {
          if (records.length < count) return;
          waiting.delete(look);
          resolve(records);
        };
        waiting.add(look);
        look();
      }),
  };
}
