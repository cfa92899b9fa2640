import { useLayoutEffect, useRef } from 'preact/hooks';

/** What each key does, by the name that the browser gives it. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/**
 * Listens for single keys, unless somebody types, looks at a dialog or menu, or means something else with
 * them.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  // Before the page is painted: a key that is pressed at once must not be lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      // Capital letters too: the key may be locked.
      const act = latest.current[event.key] ?? latest.current[event.key.toLowerCase()];
      if (act === undefined || isMeantOtherwise(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

const takesKeys = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=slider]';

function isMeantOtherwise(event: KeyboardEvent): boolean {
  const { defaultPrevented, ctrlKey, metaKey, altKey, isComposing, target } = event;
  if (defaultPrevented || ctrlKey || metaKey || altKey || isComposing) return true;
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.closest(takesKeys) !== null;
}
