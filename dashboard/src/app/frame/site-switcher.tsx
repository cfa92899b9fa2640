import type { Website } from '#api/shapes.ts';
import { Icon } from '#design/display/icon.tsx';
import { SiteLetter } from '#design/display/site-letter.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import type { MenuItem } from '#design/overlays/menu-item.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import type { PageName } from '../routing/match-route.ts';
import { useIsAdmin } from '../session/session-context.ts';
import { useWebsites } from './websites-context.tsx';

/** The pages that every website has. Switching the website stays on the same kind of page. */
const samePage: Partial<Record<PageName, string>> = {
  'edit-website': '/settings',
  live: '/live',
  quality: '/quality',
};

const maxItems = 12;

/** Names the current website and links to the others: those with the most traffic, if there are many. */
export function SiteSwitcher({ websiteId, page }: { websiteId: number; page: PageName }) {
  const websites = useWebsites().value?.websites ?? [];
  const isAdmin = useIsAdmin();
  const { header: words } = useSharedWords();
  const current = websites.find(({ id }) => id === websiteId);
  if (current === undefined) return null;
  const items: MenuItem[] = [
    ...listMost(websites, current).map((website) => ({
      kind: 'link' as const,
      label: website.name,
      href: `/websites/${website.id}${samePage[page] ?? ''}`,
      isCurrent: website.id === websiteId,
      before: <SiteLetter name={website.name} id={website.id} />,
    })),
    { kind: 'line' },
    { kind: 'link', label: words.allWebsites, href: '/websites' },
    ...(isAdmin ? (['quality', 'settings'] as const) : [])
      .filter((part) => samePage[page] !== `/${part}`)
      .map((part) => ({
        kind: 'link' as const,
        label: words[part],
        href: `/websites/${websiteId}/${part}`,
      })),
  ];
  return (
    <Menu
      isLeft
      label={words.websites}
      buttonClass="button button-ghost site-button"
      button={
        <>
          <SiteLetter name={current.name} id={current.id} />
          <span class="unseen">{words.switchFrom(current.name)}</span>
          <span class="cut" aria-hidden="true">
            {current.name}
          </span>
          <Icon name="chevron" />
        </>
      }
      items={items}
    />
  );
}

/** The websites in their own order. If there are too many for a menu, those with the most records this month. */
function listMost(websites: readonly Website[], current: Website): readonly Website[] {
  if (websites.length <= maxItems) return websites;
  const others = websites.filter(({ id }) => id !== current.id);
  const most = others.sort((a, b) => b.usage.used - a.usage.used).slice(0, maxItems - 1);
  return [current, ...most];
}
