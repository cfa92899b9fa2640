import { Field, type FieldTexts, type FieldWiring } from './field.tsx';

type Props = FieldTexts & FieldWiring<string> & { rows: number; isCode?: boolean };

/** A field for several lines. */
export function TextAreaField(props: Props) {
  const { label, hint, error, isOptional, value, onValue, isCode = false, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional ?? false}>
      {(control) => (
        <textarea
          {...control}
          {...rest}
          class={isCode ? 'input input-lines input-code' : 'input input-lines'}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
          spellcheck={false}
          autocapitalize="off"
        />
      )}
    </Field>
  );
}
