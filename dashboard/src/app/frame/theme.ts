export type Theme = 'light' | 'dark' | 'system';

/** The chosen theme. `public/theme.js` reads the same storage entry before the first paint. */
export function readTheme(storage: Pick<Storage, 'getItem'>): Theme {
  try {
    const theme = storage.getItem('theme');
    return theme === 'light' || theme === 'dark' ? theme : 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(
  theme: Theme,
  page: { dataset: DOMStringMap },
  storage: Pick<Storage, 'setItem'>,
): void {
  if (theme === 'system') delete page.dataset.theme;
  else page.dataset.theme = theme;
  try {
    storage.setItem('theme', theme);
  } catch {
    // Storage is disabled, so the choice lasts as long as the page.
  }
}
