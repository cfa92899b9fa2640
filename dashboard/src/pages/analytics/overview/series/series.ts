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
  /** How many intervals have started. */
  begun: number;
  /** The index of the current interval. */
  unfinished: number | undefined;
};

export function readSeries(
  answer: Answers['query'],
  { metric, interval, timeZone }: { metric: CardMetric; interval: Interval; timeZone: string },
): Series {
  const { rows, period } = answer;
  const now = localMinute(createLocalTimeOrUtc(timeZone)(Date.parse(answer.asOf)));
  const times = rows.map(({ time }) => time ?? '');
  const begun = times.filter((time) => time <= now).length;
  return {
    metric,
    interval,
    period,
    times,
    begun,
    values: rows.map(({ metrics }, index) => (index < begun ? (metrics[metric] ?? null) : null)),
    before:
      answer.comparison === undefined
        ? undefined
        : rows.map(({ comparison }) => comparison?.[metric] ?? null),
    unfinished: begun > 0 && isUnfinished(interval, times[begun - 1]!, now) ? begun - 1 : undefined,
  };
}

function isUnfinished(interval: Interval, start: string, now: string): boolean {
  const end = intervalEnd(interval, start);
  // A day is compared with the current day, so it is unfinished until it ends.
  return end >= now.slice(0, end.length);
}
