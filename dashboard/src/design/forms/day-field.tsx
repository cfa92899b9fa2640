import { Field, type FieldTexts, type FieldWiring } from './field.tsx';

type Props = Pick<FieldTexts, 'label'> &
  FieldWiring<string> & {
    /** The last day that can be chosen. */
    latest?: string;
  };

export function DayField({ label, error, latest, value, onValue, ...rest }: Props) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <input
          {...control}
          {...rest}
          type="date"
          class="input"
          max={latest}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
