import { useMemo } from 'preact/hooks';
import { metricTexts } from '../metric-texts.ts';
import type { Series } from '../series/series.ts';
import { spellValue } from '../spell-value.ts';
import type { Wording } from './describe-point.ts';

/** The numbers of the chart as a table for screen readers. */
export function SeriesTable({ series, wording }: { series: Series; wording: Wording }) {
  const { words, format, today } = wording;
  return useMemo(() => {
    const { interval, period, metric, times, values, before, begun } = series;
    const { label, kind } = metricTexts[metric];
    const spell = (value: number | null | undefined) => spellValue(kind, value ?? null, format);
    return (
      // A table doesn't shrink, so the element around it is visually hidden instead.
      <div class="unseen">
        <table>
          <caption>
            {label} by {interval}
          </caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">{label}</th>
              {before && <th scope="col">Before</th>}
            </tr>
          </thead>
          <tbody>
            {times.map((time, index) => (
              <tr key={time}>
                <th scope="row">{words.span(interval, period, time, time, today)}</th>
                <td>{index < begun ? spell(values[index]) : 'Still to come'}</td>
                {before && <td>{spell(before[index])}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }, [series, words, format, today]);
}
