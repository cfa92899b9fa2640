/** A number, and when it was measured. */
export type Point = { atMs: number; value: number };

/** How much more a quarter may have than an earlier one: this share of it, and at least this much. */
export type Bound = { share: number; atLeast: number };

export type Trend = {
  /** The value of each quarter of the run. The first one is the warm-up. */
  quarters: number[];
  /** The change in an hour, as the median of all slopes between two points after the warm-up. */
  perHour: number;
  hasGrown: boolean;
};

/**
 * Compares the second quarter of a run with the last. Something has grown if it is above its bound, went up in
 * most places, and had not stopped at the end: what only fills up, such as a cache, is no leak.
 */
export function findTrend(
  points: readonly Point[],
  options: { totalMs: number; bound: Bound; quantile: number },
): Trend {
  const { totalMs, bound, quantile } = options;
  const quarters = [0, 1, 2, 3].map((quarter) => {
    const [from, to] = [(quarter * totalMs) / 4, ((quarter + 1) * totalMs) / 4];
    const values = points.filter(({ atMs }) => atMs >= from && (atMs < to || quarter === 3));
    return quantileOf(
      values.map(({ value }) => value),
      quantile,
    );
  });
  const [, second, third, last] = quarters as [number, number, number, number];
  const slope = medianSlope(points.filter(({ atMs }) => atMs >= totalMs / 4));
  const allowed = Math.max(bound.atLeast, bound.share * second);
  const grew = last - second;
  const isAbove = grew > allowed;
  const goesOn = last - third > grew / 4;
  const isSteady = slope * (totalMs / 2) > allowed / 2;
  return {
    quarters,
    perHour: slope * 3_600_000,
    hasGrown: isAbove && goesOn && isSteady,
  };
}

function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The slope per millisecond that half of all pairs exceed, which a few outliers don't change (Theil–Sen). */
function medianSlope(points: readonly Point[]): number {
  const slopes = points.flatMap((one, at) =>
    points
      .slice(at + 1)
      .filter(({ atMs }) => atMs > one.atMs)
      .map((other) => (other.value - one.value) / (other.atMs - one.atMs)),
  );
  const median = quantileOf(slopes, 0.5);
  return Number.isNaN(median) ? 0 : median;
}
