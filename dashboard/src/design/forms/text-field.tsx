import type { JSX } from 'preact';
import { beginHere } from './begin-here.ts';
import { Field, type FieldTexts, type FieldWiring } from './field.tsx';

type Props = FieldTexts &
  FieldWiring<string> &
  Pick<JSX.IntrinsicElements['input'], 'autocomplete' | 'placeholder' | 'inputMode'> & {
    hasFocusFirst?: boolean;
  };

export function TextField(props: Props) {
  const { label, hint, error, isOptional, value, onValue, hasFocusFirst, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional ?? false}>
      {(control) => (
        <input
          {...control}
          {...rest}
          type="text"
          class="input"
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
          ref={hasFocusFirst ? beginHere : null}
          spellcheck={false}
          autocapitalize="off"
        />
      )}
    </Field>
  );
}
