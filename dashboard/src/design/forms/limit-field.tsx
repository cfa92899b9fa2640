import { useId, useRef } from 'preact/hooks';
import type { FieldWiring } from './field.tsx';
import './radio-group.css';
import './limit-field.css';

export type Limit = { isLimited: boolean; text: string };

type Props = FieldWiring<Limit> & {
  legend: string;
  texts: { unlimited: string; unlimitedHint: string; limited: string; unit: string };
};

/** No limit, or a number of something. Typing a number selects that option. */
export function LimitField({ legend, name, value, onValue, error, texts }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <fieldset class="radios" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend class="field-legend">{legend}</legend>
      <label class="radio-label">
        <input
          type="radio"
          name={id}
          checked={!value.isLimited}
          onChange={() => onValue({ ...value, isLimited: false })}
        />
        <span>
          {texts.unlimited} <span class="limit-hint">{texts.unlimitedHint}</span>
        </span>
      </label>
      <div class="limit">
        <label class="radio-label">
          <input
            type="radio"
            name={id}
            checked={value.isLimited}
            onChange={() => {
              onValue({ ...value, isLimited: true });
              // Somebody who chooses a limit wants to type it next.
              input.current?.focus();
            }}
          />
          <span id={`${id}-limited`}>{texts.limited}</span>
        </label>
        <input
          ref={input}
          class="input"
          type="text"
          name={name}
          inputMode="numeric"
          autocomplete="off"
          aria-labelledby={`${id}-limited ${id}-unit`}
          aria-invalid={error === undefined ? undefined : 'true'}
          value={value.text}
          onInput={(event) => onValue({ isLimited: true, text: event.currentTarget.value })}
        />
        <span id={`${id}-unit`}>{texts.unit}</span>
      </div>
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
