import { Icon } from '../design/display/icon.tsx';
import { SiteLetter } from '../design/display/site-letter.tsx';
import { Menu } from '../design/overlays/menu.tsx';
import type { MenuItem } from '../design/overlays/menu-item.tsx';
import { useWebsites } from './websites-context.tsx';

/** Which website this is about, and the way to the others. */
export function SiteSwitcher({ websiteId, isInSettings }: { websiteId: number; isInSettings: boolean }) {
  const websites = useWebsites().value?.websites ?? [];
  const current = websites.find(({ id }) => id === websiteId);
  if (current === undefined) return null;
  const items: MenuItem[] = [
    ...websites.map((website) => ({
      kind: 'link' as const,
      label: website.name,
      href: `/websites/${website.id}${isInSettings ? '/settings' : ''}`,
      isCurrent: website.id === websiteId,
      before: <SiteLetter name={website.name} id={website.id} />,
    })),
    { kind: 'line' },
    { kind: 'link', label: 'All websites', href: '/websites' },
  ];
  return (
    <Menu
      isLeft
      label="Websites"
      buttonClass="button button-ghost site-button"
      button={
        <>
          <SiteLetter name={current.name} id={current.id} />
          <span class="unseen">Switch website, now </span>
          <span class="cut">{current.shownDomain}</span>
          <Icon name="chevron" />
        </>
      }
      items={items}
    />
  );
}
