import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { type Comparison, comparisons } from '../view/view.ts';

const texts: Readonly<Record<Comparison, string>> = {
  none: 'No comparison',
  previousPeriod: 'Previous period',
  previousYear: 'Year before',
};

export function CompareMenu() {
  const { wanted, change } = useAnalytics();
  // Nothing precedes all time.
  const offered = comparisons.filter((one) => wanted.period !== 'all' || one !== 'previousPeriod');
  return (
    <Menu
      label="Compare with"
      buttonClass="button button-ghost"
      button={
        <>
          Compare
          <span class="unseen"> with: {texts[wanted.compare]}</span>
          <Icon name="chevron" />
        </>
      }
      items={offered.map((one) => ({
        kind: 'choice',
        label: texts[one],
        isChosen: wanted.compare === one,
        onSelect: () => change({ compare: one }),
      }))}
    />
  );
}
