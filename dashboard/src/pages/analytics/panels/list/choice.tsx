import './choice.css';

type Props<Id extends string> = {
  label: string;
  options: readonly { id: Id; label: string }[];
  selected: Id;
  onSelect: (id: Id) => void;
};

/** A choice within a tab: small buttons in a row. */
export function Choice<Id extends string>({ label, options, selected, onSelect }: Props<Id>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form, and no frame around it
    <div class="choice" role="group" aria-label={label}>
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
