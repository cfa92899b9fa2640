import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useSharedWords } from '#words/shared-words.ts';
import './field.css';

/** Connects a field with a value of its form. `field` of `useForm` provides it. */
export type FieldWiring<Value> = {
  name: string;
  value: Value;
  onValue: (value: Value) => void;
  error?: string | undefined;
};

export type FieldTexts = {
  label: string;
  hint?: ComponentChildren;
  /** Shown after the label of a field that may stay empty. */
  isOptional?: boolean;
};

export type Control = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
};

type Props = FieldTexts & {
  error?: string | undefined;
  children: (control: Control) => ComponentChildren;
};

/** A label, a control, a hint and an error. */
export function Field({ label, hint, error, isOptional, children }: Props) {
  const words = useSharedWords();
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
        {isOptional && <span class="field-optional"> {words.optional}</span>}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error === undefined ? undefined : 'true',
      })}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <div class="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  );
}
