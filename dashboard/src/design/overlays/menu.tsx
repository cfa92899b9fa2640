import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepOnScreen } from './keep-on-screen.ts';
import { type MenuItem, MenuItemView } from './menu-item.tsx';
import './menu.css';

type Props = {
  /** The name of the menu for screen readers. */
  label: string;
  /** The content of the button. It must name the button's purpose, visually or for screen readers only. */
  button: ComponentChildren;
  buttonClass: string;
  items: readonly MenuItem[];
  isLeft?: boolean;
  /** Shown above the items, without being one of them. */
  head?: ComponentChildren;
};

const reachable = '[role^=menuitem]';

/** A button with a menu below it. Arrow keys move through the menu, and Escape closes it. */
export function Menu({ label, button, buttonClass, items, isLeft = false, head }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const opened = useRef<HTMLDivElement>(null);
  const id = useId();
  const targets = () => [...(root.current?.querySelectorAll<HTMLElement>(reachable) ?? [])];

  useLayoutEffect(() => {
    if (!isOpen) return;
    keepOnScreen(opened.current!);
    targets()[0]?.focus();
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setIsOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [isOpen]);

  function close(): void {
    setIsOpen(false);
    opener.current?.focus();
  }
  function onKeyDown(event: KeyboardEvent): void {
    const all = targets();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    if (event.key === 'Escape') close();
    else if (to !== undefined) all.at(to % all.length)?.focus();
    else return;
    event.preventDefault();
  }

  return (
    <div class="menu-root" ref={root}>
      <button
        ref={opener}
        type="button"
        class={buttonClass}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div class={isLeft ? 'menu menu-left' : 'menu'} ref={opened}>
          {head !== undefined && <div class="menu-head">{head}</div>}
          <div role="menu" id={id} aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
            {items.map((item, index) => (
              <MenuItemView key={item.kind === 'line' ? index : item.label} item={item} close={close} />
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
