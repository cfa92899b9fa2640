import type { IconName } from '#design/display/icon.tsx';
import type { MenuItem } from '#design/overlays/menu-item.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import type { Theme } from './theme.ts';
import { useTheme } from './use-theme.ts';

const themes: readonly { theme: Theme; icon: IconName }[] = [
  { theme: 'light', icon: 'sun' },
  { theme: 'dark', icon: 'moon' },
  { theme: 'system', icon: 'screen' },
];

/** The themes as items of a menu. */
export function useThemeItems(): MenuItem[] {
  const { theme: words } = useSharedWords();
  const [chosen, choose] = useTheme();
  return themes.map(({ theme, icon }) => ({
    kind: 'choice',
    label: words[theme],
    icon,
    isChosen: theme === chosen,
    onSelect: () => choose(theme),
  }));
}
