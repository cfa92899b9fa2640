import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { FieldWiring } from './field.tsx';
import './radio-group.css';

export type Choice<Value extends string> = {
  value: Value;
  label: string;
  hint?: ComponentChildren;
  /** More fields, shown while this choice is selected. */
  more?: ComponentChildren;
};

type Props<Value extends string> = FieldWiring<Value> & {
  legend: string;
  choices: readonly Choice<Value>[];
  isLegendUnseen?: boolean;
};

/** One of a few choices, all of them visible. */
export function RadioGroup<Value extends string>(props: Props<Value>) {
  const { legend, name, value, choices, onValue, error, isLegendUnseen } = props;
  const id = useId();
  return (
    <fieldset class="radios" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend class={isLegendUnseen ? 'unseen' : 'field-legend'}>{legend}</legend>
      {choices.map((choice) => (
        <div class="radio" key={choice.value}>
          <label class="radio-label">
            <input
              type="radio"
              name={`${name}-${id}`}
              value={choice.value}
              checked={value === choice.value}
              onChange={() => onValue(choice.value)}
            />
            <span>
              {choice.label}
              {choice.hint !== undefined && <span class="radio-hint">{choice.hint}</span>}
            </span>
          </label>
          {choice.more !== undefined && value === choice.value && <div class="radio-more">{choice.more}</div>}
        </div>
      ))}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
