import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { intervalOf, intervalsOf, intervalTexts } from '../view/intervals.ts';
import './about.css';

/** The choice of the chart's interval. It offers only those that make a readable chart. */
export function IntervalMenu() {
  const { wanted, today, change } = useAnalytics();
  const chosen = intervalOf(wanted, today);
  return (
    <Menu
      label="Interval of the chart"
      buttonClass="button button-quiet button-small interval-button"
      button={
        <>
          <span class="unseen">Interval of the chart: </span>
          {intervalTexts[chosen]}
          <Icon name="chevron" />
        </>
      }
      items={intervalsOf(wanted.period, today).map((interval) => ({
        kind: 'choice',
        label: intervalTexts[interval],
        isChosen: interval === chosen,
        onSelect: () => change({ interval }),
      }))}
    />
  );
}
