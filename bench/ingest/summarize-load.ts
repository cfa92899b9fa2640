import type { LoadResult } from './send-closed-loop.ts';

export function summarizeLoad(load: {
  latenciesMs: readonly number[];
  errors: number;
  tookMs: number;
  recordsInRequest: number;
}): LoadResult {
  const { latenciesMs, errors, tookMs, recordsInRequest } = load;
  const answers = latenciesMs.length * recordsInRequest;
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return {
    perSecond: (answers * 1000) / tookMs,
    answers,
    errors,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}
