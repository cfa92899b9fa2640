import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { comparisons } from '../view/view.ts';
import { useViewWords } from '../view/view-words.ts';
import { useHeadWords } from './head-words.ts';

export function CompareMenu() {
  const { wanted, change } = useAnalytics();
  const words = useHeadWords().compare;
  const texts = useViewWords().comparisons;
  // Nothing precedes all time.
  const offered = comparisons.filter((one) => wanted.period !== 'all' || one !== 'previousPeriod');
  return (
    <Menu
      label={words.menu}
      buttonClass="button button-ghost"
      button={
        <>
          <span aria-hidden="true">{words.button}</span>
          <span class="unseen">{words.chosen(texts[wanted.compare])}</span>
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
