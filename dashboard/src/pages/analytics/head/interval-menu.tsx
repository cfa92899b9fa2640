import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { intervalOf, intervalsOf } from '../view/intervals.ts';
import { useViewWords } from '../view/view-words.ts';
import { useHeadWords } from './head-words.ts';
import './about.css';

/** The choice of the chart's interval. It offers only those that make a readable chart. */
export function IntervalMenu() {
  const { wanted, today, change } = useAnalytics();
  const { label } = useHeadWords().interval;
  const texts = useViewWords().intervals;
  const chosen = intervalOf(wanted, today);
  return (
    <Menu
      label={label}
      buttonClass="button button-quiet button-small interval-button"
      button={
        <>
          <span class="unseen">{label}: </span>
          {texts[chosen]}
          <Icon name="chevron" />
        </>
      }
      items={intervalsOf(wanted.period, today).map((interval) => ({
        kind: 'choice',
        label: texts[interval],
        isChosen: interval === chosen,
        onSelect: () => change({ interval }),
      }))}
    />
  );
}
