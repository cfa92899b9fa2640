import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { canCompare, comparisons } from '../view/view.ts';
import { useViewWords } from '../view/view-words.ts';
import { useHeadWords } from './head-words.ts';

/** The choice of what the numbers are compared with. */
export function CompareMenu({ onCustomRange }: { onCustomRange: () => void }) {
  const { wanted, change } = useAnalytics();
  const format = useFormat();
  const words = useHeadWords().compare;
  const texts = useViewWords().comparisons;
  const { compare } = wanted;
  return (
    <Menu
      label={words.menu}
      buttonClass="button button-ghost"
      button={
        <>
          <span aria-hidden="true">{words.button}</span>
          <span class="unseen">
            {words.chosen(typeof compare === 'object' ? format.span(compare) : texts[compare])}
          </span>
          <Icon name="chevron" />
        </>
      }
      items={[
        ...comparisons
          .filter((one) => canCompare(wanted.period, one))
          .map((one) => ({
            kind: 'choice' as const,
            label: texts[one],
            isChosen: compare === one,
            onSelect: () => change({ compare: one }),
          })),
        { kind: 'line' },
        {
          kind: 'choice',
          label: words.custom,
          isChosen: typeof compare === 'object',
          onSelect: onCustomRange,
        },
      ]}
    />
  );
}
