import { Mark } from './mark.tsx';
import type { Route } from './match-route.ts';
import { useSession } from './session-context.ts';
import { SiteSwitcher } from './site-switcher.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { UserMenu } from './user-menu.tsx';
import './header.css';

export function Header({ route }: { route: Route }) {
  const { session } = useSession();
  const isAboutWebsite = session !== undefined && route.websiteId > 0;
  return (
    <header class={isAboutWebsite ? 'header header-website' : 'header'}>
      <a class="header-mark" href="/websites" aria-label="Trackside, all websites">
        <Mark size={22} />
        <span>Trackside</span>
      </a>
      {isAboutWebsite && (
        <SiteSwitcher websiteId={route.websiteId} isInSettings={route.page === 'edit-website'} />
      )}
      <span class="grow" />
      {session !== undefined && <UserMenu user={session.user} />}
      <ThemeSwitch />
    </header>
  );
}
