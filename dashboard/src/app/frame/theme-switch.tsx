import { useEffect, useState } from 'preact/hooks';
import type { IconName } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import { applyTheme, readTheme, type Theme } from './theme.ts';

const themes: readonly { theme: Theme; label: string; icon: IconName }[] = [
  { theme: 'light', label: 'Light', icon: 'sun' },
  { theme: 'dark', label: 'Dark', icon: 'moon' },
  { theme: 'system', label: 'As the system', icon: 'screen' },
];

export function ThemeSwitch() {
  const [theme, setTheme] = useState(() => readTheme(localStorage));
  useEffect(() => {
    // The theme was changed in another tab.
    const follow = (event: StorageEvent) => {
      if (event.key !== 'theme') return;
      const chosen = readTheme(localStorage);
      applyTheme(chosen, document.documentElement, localStorage);
      setTheme(chosen);
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
  return (
    <Menu
      label="Theme"
      button={
        <>
          <HalfMoon />
          <span class="unseen">Theme</span>
        </>
      }
      buttonClass="button button-ghost button-icon"
      items={themes.map((one) => ({
        kind: 'choice',
        label: one.label,
        icon: one.icon,
        isChosen: one.theme === theme,
        onSelect: () => {
          applyTheme(one.theme, document.documentElement, localStorage);
          setTheme(one.theme);
        },
      }))}
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
