import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import { Icon } from '#design/display/icon.tsx';
import { useNames } from '#format/names.ts';
import { useHeadWords } from './head-words.ts';
import './chips.css';

type Props = {
  dimension: DimensionName;
  values: readonly string[];
  onValues: (values: readonly string[]) => void;
};

/** The chosen values of a filter with several values, each with a button that removes it. */
export function ChosenValues({ dimension, values, onValues }: Props) {
  const names = useNames();
  const words = useHeadWords().filter;
  if (values.length === 0) return null;
  return (
    <ul class="chips" aria-label={words.chosen}>
      {values.map((value) => (
        <li key={value} class="chip chip-value">
          <span class="cut">{names.value(dimension, value)}</span>
          <button
            type="button"
            class="chip-cross"
            onClick={() => onValues(values.filter((one) => one !== value))}
          >
            <Icon name="cross" />
            <span class="unseen">{words.removeValue(names.value(dimension, value))}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
