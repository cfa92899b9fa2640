export type Metrics = {
  accepted: number;
  /** Returns a quantile of the journal's sync times since `before`, from the histogram. */
  syncQuantileMs(quantile: number, before?: Metrics): number;
  buckets: { leMs: number; count: number }[];
};

export async function readMetrics(origin: string): Promise<Metrics> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const sum = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);
  const buckets = [...text.matchAll(/^trackside_journal_sync_seconds_bucket\{le="([^"]+)"\} (\d+)/gm)].map(
    ([, le, count]) => ({
      leMs: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le) * 1000,
      count: Number(count),
    }),
  );
  return {
    accepted: sum(/^trackside_records_accepted_total\{[^}]*\} (\d+)/gm),
    buckets,
    syncQuantileMs(quantile, before) {
      const counts = buckets.map(({ leMs, count }, i) => ({
        leMs,
        count: count - (before?.buckets[i]?.count ?? 0),
      }));
      const all = counts.at(-1)?.count ?? 0;
      let lower = { leMs: 0, count: 0 };
      for (const upper of counts) {
        if (upper.count >= quantile * all) {
          const share = (quantile * all - lower.count) / Math.max(1, upper.count - lower.count);
          return Number.isFinite(upper.leMs) ? lower.leMs + share * (upper.leMs - lower.leMs) : lower.leMs;
        }
        lower = upper;
      }
      return 0;
    },
  };
}
