import { Menu } from '#design/overlays/menu.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { useThemeItems } from './use-theme-items.ts';

export function ThemeSwitch() {
  const { theme: words } = useSharedWords();
  const items = useThemeItems();
  return (
    <Menu
      label={words.title}
      button={
        <>
          <HalfMoon />
          <span class="unseen">{words.title}</span>
        </>
      }
      buttonClass="button button-ghost button-icon theme-button"
      items={items}
    />
  );
}

/** A circle that is half dark and half light. */
function HalfMoon() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" stroke-width="1.4" />
      <path d="M8 2.5a5.5 5.5 0 0 1 0 11Z" fill="currentColor" />
    </svg>
  );
}
