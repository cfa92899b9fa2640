import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import type { MenuItem } from '#design/overlays/menu-item.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { shiftPeriod } from '../view/shift-period.ts';
import { customRangeKey, namedPeriods, periodKeys, type Span } from '../view/view.ts';
import { useViewWords } from '../view/view-words.ts';
import { useHeadWords } from './head-words.ts';
import { useShift } from './use-shift.ts';

/** The choice of the period, with buttons for the previous and the next one. */
export function RangeControl({ onCustomRange }: { onCustomRange: () => void }) {
  const { wanted, today, change } = useAnalytics();
  const words = useHeadWords().period;
  const { periods } = useViewWords();
  const format = useFormat();
  const { period } = wanted;
  const label =
    typeof period === 'string' ? periods[period] : format.span(period, isOtherYear(period, today));
  const items: MenuItem[] = [
    ...namedPeriods.map((name) => ({
      kind: 'choice' as const,
      label: periods[name],
      hint: periodKeys[name].toUpperCase(),
      isChosen: period === name,
      onSelect: () => change({ period: name }),
    })),
    { kind: 'line' },
    {
      kind: 'choice',
      label: words.custom,
      hint: customRangeKey.toUpperCase(),
      isChosen: typeof period === 'object',
      onSelect: onCustomRange,
    },
  ];
  return (
    <div class="range">
      <ShiftButton by={-1} label={words.previous} />
      <Menu
        label={words.label}
        buttonClass="button button-ghost"
        button={
          <>
            <span class="unseen">{words.label}: </span>
            <span class="cut">{label}</span>
            <Icon name="chevron" />
          </>
        }
        items={items}
      />
      <ShiftButton by={1} label={words.next} />
    </div>
  );
}

const isOtherYear = ({ from }: Span, today: string) => from.slice(0, 4) !== today.slice(0, 4);

function ShiftButton({ by, label }: { by: -1 | 1; label: string }) {
  const { wanted, today } = useAnalytics();
  const shift = useShift();
  const isLast = shiftPeriod(wanted.period, today, by) === undefined;
  return (
    <button
      type="button"
      class="button button-ghost button-icon"
      aria-label={label}
      aria-disabled={isLast ? 'true' : undefined}
      aria-keyshortcuts={by === -1 ? 'ArrowLeft' : 'ArrowRight'}
      onClick={() => shift(by)}
    >
      {by === -1 ? '‹' : '›'}
    </button>
  );
}
