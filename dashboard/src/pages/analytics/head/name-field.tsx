import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { Field } from '#design/forms/field.tsx';
import { useHeadWords } from './head-words.ts';
import { useSuggestions } from './use-suggestions.ts';

type Props = {
  dimension: DimensionName;
  value: string;
  onValue: (value: string) => void;
  filters: readonly Filter[];
};

/** The name of the parameter whose values are filtered. */
export function NameField({ dimension, value, onValue, filters }: Props) {
  const words = useHeadWords().filter;
  const names = useSuggestions(
    { dimension: dimension === 'parameterValue' ? 'parameterName' : dimension },
    '',
    filters,
  );
  return (
    <Field label={words.parameter} isOptional>
      {(control) => (
        <>
          <input
            {...control}
            class="input"
            type="text"
            list={`${control.id}-names`}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          <datalist id={`${control.id}-names`}>
            {names?.map((name) => (
              <option key={name.value} value={name.value} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
