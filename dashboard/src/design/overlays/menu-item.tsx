import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../display/icon.tsx';

export type MenuItem =
  | { kind: 'link'; label: string; href: string; isCurrent?: boolean; before?: ComponentChildren }
  | { kind: 'action'; label: string; onSelect: () => void }
  | {
      kind: 'choice';
      label: string;
      icon?: IconName;
      /** Shown at the right, such as the keyboard shortcut of the item. */
      hint?: string;
      isChosen: boolean;
      onSelect: () => void;
    }
  | { kind: 'line' };

export function MenuItemView({ item, close }: { item: MenuItem; close: () => void }) {
  if (item.kind === 'line') return <hr class="menu-line" />;
  if (item.kind === 'link') {
    return (
      <a
        class="menu-item"
        role="menuitem"
        tabIndex={-1}
        href={item.href}
        aria-current={item.isCurrent ? 'page' : undefined}
        onClick={close}
      >
        {item.before}
        <span class="cut">{item.label}</span>
      </a>
    );
  }
  const select = () => {
    close();
    item.onSelect();
  };
  if (item.kind === 'action') {
    return (
      <button type="button" class="menu-item" role="menuitem" tabIndex={-1} onClick={select}>
        <span class="cut">{item.label}</span>
      </button>
    );
  }
  return (
    <button
      type="button"
      class="menu-item"
      role="menuitemradio"
      aria-checked={item.isChosen}
      tabIndex={-1}
      onClick={select}
    >
      {item.icon !== undefined && <Icon name={item.icon} />}
      <span class="grow cut">{item.label}</span>
      {item.isChosen && <Icon name="check" />}
      {item.hint !== undefined && (
        <span class="menu-hint" data-key={item.hint.length === 1} aria-hidden="true">
          {item.hint}
        </span>
      )}
    </button>
  );
}
