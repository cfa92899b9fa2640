import { useState } from 'preact/hooks';
import { useFormat } from '#format/format-context.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { beginHere } from './begin-here.ts';
import { Button } from './button.tsx';
import { Field, type FieldTexts, type FieldWiring } from './field.tsx';
import { ratePassword } from './rate-password.ts';
import './password-field.css';

type Props = Pick<FieldTexts, 'label' | 'isOptional'> &
  FieldWiring<string> & {
    /** A new password is rated while it is typed. */
    isNew?: boolean;
    hasFocusFirst?: boolean;
  };

export function PasswordField({
  label,
  name,
  value,
  onValue,
  error,
  isOptional = false,
  isNew = false,
  hasFocusFirst = false,
}: Props) {
  const { password: words } = useSharedWords();
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      label={label}
      isOptional={isOptional}
      error={error}
      hint={isNew ? <Strength password={value} /> : undefined}
    >
      {(control) => (
        <div class="input-inside">
          <input
            {...control}
            class="input"
            name={name}
            {...(isShown ? ({ type: 'text' } as const) : ({ type: 'password' } as const))}
            autocomplete={isNew ? 'new-password' : 'current-password'}
            ref={hasFocusFirst ? beginHere : null}
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
            spellcheck={false}
            autocapitalize="off"
          />
          <Button
            kind="quiet"
            isSmall
            isIconOnly
            icon={isShown ? 'eye-off' : 'eye'}
            aria-pressed={isShown}
            title={isShown ? words.hide : words.show}
            onClick={() => setIsShown(!isShown)}
          >
            {words.show}
          </Button>
        </div>
      )}
    </Field>
  );
}

function Strength({ password }: { password: string }) {
  const { password: words } = useSharedWords();
  const format = useFormat();
  const { level, text } = ratePassword(password, words, format);
  return (
    <span class="strength" data-level={level}>
      <span class="strength-bars" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {text}
    </span>
  );
}
