import { useEffect, useState } from 'preact/hooks';
import { applyTheme, readTheme, type Theme } from './theme.ts';

/** Returns the chosen theme and how to choose another. It follows a choice in another tab. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(() => readTheme(localStorage));
  const choose = (chosen: Theme) => {
    applyTheme(chosen, document.documentElement, localStorage);
    setTheme(chosen);
  };
  useEffect(() => {
    const follow = (event: StorageEvent) => event.key === 'theme' && choose(readTheme(localStorage));
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
  return [theme, choose];
}
