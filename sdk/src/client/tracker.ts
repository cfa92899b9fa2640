import type { EventParameters, Metrics } from '../record/metrics.ts';

/** Keeps a runtime alive until the promise is settled; what edge and serverless platforms call waitUntil. */
export type WaitUntil = (promise: Promise<unknown>) => void;

/** What the handlers need of the client: to hand over a record, without a wait and without an exception. */
export type Tracker = {
  trackPageView(metrics: Metrics, options?: { waitUntil?: WaitUntil }): void;
  trackEvent(
    name: string,
    parameters: EventParameters,
    metrics: Metrics,
    options?: { waitUntil?: WaitUntil },
  ): void;
};
