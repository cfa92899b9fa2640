import { useMemo } from 'preact/hooks';
import { metricTraits } from '../metric-traits.ts';
import type { Series } from '../series/series.ts';
import { spellValue } from '../spell-value.ts';
import type { Wording } from './describe-point.ts';

/** The numbers of the chart as a table for screen readers. */
export function SeriesTable({ series, wording }: { series: Series; wording: Wording }) {
  const { words, format, today } = wording;
  const spans = wording.times;
  return useMemo(() => {
    const { interval, period, metric, times, values, before, second, begun } = series;
    const { label } = words.metrics[metric];
    const { kind } = metricTraits[metric];
    const spell = (value: number | null | undefined) => spellValue(kind, value ?? null, format);
    return (
      // A table doesn't shrink, so the element around it is visually hidden instead.
      <div class="unseen">
        <table>
          <caption>{words.chart.title[interval](label)}</caption>
          <thead>
            <tr>
              <th scope="col">{words.chart.time}</th>
              <th scope="col">{label}</th>
              {before && <th scope="col">{words.chart.compared}</th>}
              {second && <th scope="col">{words.metrics[second.metric].label}</th>}
            </tr>
          </thead>
          <tbody>
            {times.map((time, index) => (
              <tr key={time}>
                <th scope="row">{spans.span(interval, period, time, time, today)}</th>
                <td>{index < begun ? spell(values[index]) : words.chart.toCome}</td>
                {before && <td>{spell(before[index])}</td>}
                {second && (
                  <td>
                    {spellValue(metricTraits[second.metric].kind, second.values[index] ?? null, format)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }, [series, words, spans, format, today]);
}
