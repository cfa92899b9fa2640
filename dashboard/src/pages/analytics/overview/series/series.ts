import { type Interval, intervalEnd } from '@trackside/contract/calendar/intervals.ts';
import { createLocalTimeOrUtc, localMinute } from '@trackside/contract/calendar/local-time.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Answers } from '@trackside/contract/stats/answers.ts';
import type { CardMetric } from '../../view/view.ts';

/** The data that the chart draws. */
export type Series = {
  metric: CardMetric;
  interval: Interval;
  period: Period;
  /** The start of each interval, in the website's timezone. */
  times: readonly string[];
  /** Null where there is no value: a rate without visits, or a time in the future. */
  values: readonly (number | null)[];
  before: readonly (number | null)[] | undefined;
  /** The period of `before`, and the start of the interval that each one is compared with. */
  comparison?: Period | undefined;
  beforeTimes?: readonly (string | undefined)[] | undefined;
  /** Another metric, in the same intervals. */
  second?: { metric: CardMetric; values: readonly (number | null)[] } | undefined;
  /** How many intervals have started. */
  begun: number;
  /** The index of the current interval. */
  unfinished: number | undefined;
};

export function readSeries(
  answer: Answers['query'],
  asked: { metric: CardMetric; second?: CardMetric | undefined; interval: Interval; timeZone: string },
): Series {
  const { metric, second, interval, timeZone } = asked;
  const { rows, period, comparison } = answer;
  const now = localMinute(createLocalTimeOrUtc(timeZone)(Date.parse(answer.asOf)));
  const times = rows.map(({ time }) => time ?? '');
  const begun = times.filter((time) => time <= now).length;
  const valuesOf = (one: CardMetric) =>
    rows.map(({ metrics }, index) => (index < begun ? (metrics[one] ?? null) : null));
  return {
    metric,
    interval,
    period,
    times,
    begun,
    values: valuesOf(metric),
    before: comparison === undefined ? undefined : rows.map((row) => row.comparison?.[metric] ?? null),
    comparison,
    beforeTimes: comparison && rows.map(({ comparisonTime }) => comparisonTime),
    second: second && { metric: second, values: valuesOf(second) },
    unfinished: begun > 0 && isUnfinished(interval, times[begun - 1]!, now) ? begun - 1 : undefined,
  };
}

function isUnfinished(interval: Interval, start: string, now: string): boolean {
  const end = intervalEnd(interval, start);
  // A day is compared with the current day, so it is unfinished until it ends.
  return end >= now.slice(0, end.length);
}
