import { useEffect, useState } from 'preact/hooks';
import type { IconName } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { applyTheme, readTheme, type Theme } from './theme.ts';

const themes: readonly { theme: Theme; icon: IconName }[] = [
  { theme: 'light', icon: 'sun' },
  { theme: 'dark', icon: 'moon' },
  { theme: 'system', icon: 'screen' },
];

export function ThemeSwitch() {
  const { theme: words } = useSharedWords();
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
      label={words.title}
      button={
        <>
          <HalfMoon />
          <span class="unseen">{words.title}</span>
        </>
      }
      buttonClass="button button-ghost button-icon"
      items={themes.map((one) => ({
        kind: 'choice',
        label: words[one.theme],
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
