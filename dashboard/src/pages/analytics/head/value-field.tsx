import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '#design/display/icon.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { beginHere } from '#design/forms/begin-here.ts';
import { Field } from '#design/forms/field.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useHeadWords } from './head-words.ts';
import type { Suggestion } from './use-suggestions.ts';

type Props = {
  label: string;
  error: string | undefined;
  text: string;
  onText: (text: string) => void;
  /** Listed below the field. The list is always open. */
  suggestions: readonly Suggestion[] | undefined;
  isChosen: (suggestion: Suggestion) => boolean;
  onChoose: (suggestion: Suggestion) => void;
};

const none = -1;

/** A text, or one of the existing values. Arrow keys move through the list, and Enter picks from it. */
export function ValueField({ label, error, text, onText, suggestions, isChosen, onChoose }: Props) {
  const words = useHeadWords().filter;
  const format = useFormat();
  const [active, setActive] = useState(none);
  const list = useRef<HTMLDivElement>(null);
  const options = suggestions ?? [];
  useEffect(() => setActive(none), [text]);
  useEffect(() => {
    list.current?.querySelector('[data-active=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    const suggestion = options[active];
    if (key === 'ArrowDown') setActive((active + 1) % Math.max(1, options.length));
    else if (key === 'ArrowUp') setActive(active <= 0 ? options.length - 1 : active - 1);
    else if (key === 'Enter' && suggestion !== undefined) onChoose(suggestion);
    else return;
    event.preventDefault();
  }
  return (
    <Field label={label} error={error}>
      {(control) => (
        <>
          <input
            {...control}
            class="input"
            type="text"
            role="combobox"
            aria-expanded={options.length > 0}
            aria-controls={options.length > 0 ? `${control.id}-list` : undefined}
            aria-autocomplete="list"
            aria-activedescendant={options[active] && `${control.id}-${active}`}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            ref={beginHere}
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <div
            class="values"
            ref={list}
            {...(options.length > 0 && {
              id: `${control.id}-list`,
              role: 'listbox',
              'aria-label': words.suggestions,
            })}
          >
            {suggestions === undefined && <ValuesSkeleton />}
            {suggestions?.length === 0 && <p class="combobox-nothing">{words.noSuggestions}</p>}
            {options.map((suggestion, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
              <div
                key={suggestion.value}
                id={`${control.id}-${index}`}
                class="combobox-option"
                role="option"
                aria-selected={isChosen(suggestion)}
                data-active={index === active}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(suggestion)}
              >
                <span class="grow cut">{suggestion.label}</span>
                {isChosen(suggestion) && <Icon name="check" />}
                <span class="combobox-detail">{format.number(suggestion.visitors)}</span>
              </div>
            ))}
          </div>
        </>
      )}
    </Field>
  );
}

function ValuesSkeleton() {
  return (
    <div class="values-skeleton" aria-hidden="true">
      <Skeleton width="62%" />
      <Skeleton width="48%" />
      <Skeleton width="55%" />
      <Skeleton width="38%" />
    </div>
  );
}
