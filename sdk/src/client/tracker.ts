import type { EventParameters, Metrics } from '../record/metrics.ts';

/** Keeps a runtime alive until the promise is settled. Edge and serverless platforms call it waitUntil. */
export type WaitUntil = (promise: Promise<unknown>) => void;

/** The part of the client that handlers need: taking a record without waiting and without an exception. */
export type Tracker = {
  trackPageView(metrics: Metrics, options?: { waitUntil?: WaitUntil }): void;
  trackEvent(
    name: string,
    parameters: EventParameters,
    metrics: Metrics,
    options?: { waitUntil?: WaitUntil },
  ): void;
};
