import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import { useFormat } from '#format/format-context.tsx';
import { toSpan } from '../../view/periods.ts';
import type { CardMetric } from '../../view/view.ts';
import type { OverviewWords } from '../overview-words.ts';
import type { Series } from '../series/series.ts';

type Props = {
  series: Series;
  words: OverviewWords;
  metrics: readonly CardMetric[];
  onSecond: (metric: CardMetric | undefined) => void;
};

/** Tells what each line of the chart is, and offers a second metric. */
export function ChartLegend({ series, words, metrics, onSecond }: Props) {
  const format = useFormat();
  const { metric, second, comparison, period } = series;
  const others = metrics.filter((one) => one !== metric);
  const label = second && words.metrics[second.metric].label;
  const isOtherYear = comparison?.from.slice(0, 4) !== period.to.slice(0, 4);
  return (
    <div class="chart-legend">
      <ul aria-label={words.chart.legend}>
        <li class="chart-legend-first">{words.metrics[metric].label}</li>
        {comparison !== undefined && (
          <li class="chart-legend-before">{format.span(toSpan(comparison), isOtherYear)}</li>
        )}
      </ul>
      <Menu
        isLeft
        label={words.chart.secondMenu}
        buttonClass="button button-quiet button-small chart-legend-second"
        button={
          label === undefined ? (
            <>
              <Icon name="plus" />
              {words.chart.addSecond}
            </>
          ) : (
            <>
              <i class="chart-legend-line" aria-hidden="true" />
              <span aria-hidden="true">{label}</span>
              <span class="unseen">{words.chart.second(label)}</span>
              <Icon name="chevron" />
            </>
          )
        }
        items={[
          ...others.map((one) => ({
            kind: 'choice' as const,
            label: words.metrics[one].label,
            isChosen: one === second?.metric,
            onSelect: () => onSecond(one),
          })),
          { kind: 'line' },
          {
            kind: 'choice',
            label: words.chart.noSecond,
            isChosen: second === undefined,
            onSelect: () => onSecond(undefined),
          },
        ]}
      />
    </div>
  );
}
