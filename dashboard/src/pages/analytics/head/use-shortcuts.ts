import { useLayoutEffect, useRef } from 'preact/hooks';

/** The action of each key, by the browser's name of the key. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/**
 * Handles single keys, except while somebody is typing, while a dialog or menu is open, or together with
 * modifier keys.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  // A layout effect, so that a key pressed right after the first paint is not lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      // Capital letters work too, because Caps Lock may be on.
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
