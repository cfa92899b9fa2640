import { useRef } from 'preact/hooks';
import { useChosenInSight } from '#browser/use-chosen-in-sight.ts';
import './choice.css';

type Props<Id extends string> = {
  label: string;
  options: readonly { id: Id; label: string }[];
  selected: Id;
  onSelect: (id: Id) => void;
};

/** A choice within a tab, as a row of small buttons. */
export function Choice<Id extends string>({ label, options, selected, onSelect }: Props<Id>) {
  const row = useRef<HTMLDivElement>(null);
  useChosenInSight(row, '[aria-pressed=true]', selected);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be for a form
    <div class="choice" role="group" aria-label={label} ref={row}>
      {options.map((option) => (
        <button
          key={option.id}
          type="button"
          aria-pressed={option.id === selected}
          onClick={() => onSelect(option.id)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
