import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../display/icon.tsx';
import { Field, type FieldTexts, type FieldWiring } from './field.tsx';
import './combobox.css';

export type Option = { value: string; label: string; detail: string };

type Props = FieldTexts &
  FieldWiring<string> & {
    /** The options that match a search. An empty search matches all of them. */
    find: (search: string) => Option[];
    /** Shown when nothing is found. */
    nothing: string;
  };

/** A choice among many options, found by typing. It follows the combobox pattern of the ARIA practices. */
export function Combobox({ label, hint, error, name, value, onValue, find, nothing }: Props) {
  const [search, setSearch] = useState<string>();
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const isOpen = search !== undefined;
  const options = isOpen ? find(search) : [];

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, isOpen]);

  function open(): void {
    setSearch('');
    setActive(
      Math.max(
        0,
        find('').findIndex((option) => option.value === value),
      ),
    );
  }
  function choose(option: Option | undefined): void {
    if (option !== undefined) onValue(option.value);
    setSearch(undefined);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'Escape' && isOpen) setSearch(undefined);
    else if (key === 'Enter' && isOpen) choose(options[active]);
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!isOpen) open();
      else setActive((active + (key === 'ArrowDown' ? 1 : options.length - 1)) % Math.max(1, options.length));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div class="combobox">
          <input
            {...control}
            class="input"
            name={name}
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={`${control.id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={options[active] && `${control.id}-${active}`}
            autocomplete="off"
            spellcheck={false}
            value={isOpen ? search : value}
            placeholder={value}
            onInput={(event) => {
              setSearch(event.currentTarget.value);
              setActive(0);
            }}
            onClick={() => !isOpen && open()}
            onKeyDown={onKeyDown}
            onBlur={() => setSearch(undefined)}
          />
          <Icon name="chevron" />
          <div
            class="combobox-list"
            id={`${control.id}-list`}
            role="listbox"
            aria-label={label}
            hidden={!isOpen}
            ref={list}
          >
            {options.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
              <div
                key={option.value}
                id={`${control.id}-${index}`}
                class="combobox-option"
                role="option"
                aria-selected={index === active}
                // Without this the input would lose the focus, which closes the list.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
              >
                <span class="cut">{option.label}</span>
                <span class="combobox-detail">{option.detail}</span>
              </div>
            ))}
            {isOpen && options.length === 0 && <p class="combobox-nothing">{nothing}</p>}
          </div>
        </div>
      )}
    </Field>
  );
}
