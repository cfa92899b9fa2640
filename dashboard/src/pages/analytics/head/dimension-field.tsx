import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import { Field } from '#design/forms/field.tsx';
import { dimensionNames, dimensions } from '../view/dimensions.ts';
import { useViewWords } from '../view/view-words.ts';
import { useHeadWords } from './head-words.ts';

type Props = { value: DimensionName; onValue: (value: DimensionName) => void };

const groups = [...new Set(dimensionNames.map((name) => dimensions[name].group))];

/** The choice of the dimension to filter by. */
export function DimensionField({ value, onValue }: Props) {
  const words = useHeadWords().filter;
  const viewWords = useViewWords();
  return (
    <Field label={words.dimension}>
      {(control) => (
        <select
          {...control}
          class="input"
          value={value}
          onChange={(event) => onValue(event.currentTarget.value as DimensionName)}
        >
          {groups.map((group) => (
            <optgroup key={group} label={viewWords.dimensionGroups[group]}>
              {dimensionNames
                .filter((name) => dimensions[name].group === group)
                .map((name) => (
                  <option key={name} value={name}>
                    {viewWords.dimensions[name]}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}
