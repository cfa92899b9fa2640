import { LinkButton } from '#design/forms/button.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import type { Route } from '../routing/match-route.ts';
import { useSession } from '../session/session-context.ts';
import { HeaderTools } from './header-tools.tsx';
import { LiveCount } from './live-count.tsx';
import { LostHint } from './lost-hint.tsx';
import { Mark } from './mark.tsx';
import { SiteSwitcher } from './site-switcher.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { UserMenu } from './user-menu.tsx';
import './header.css';

export function Header({ route: { page, websiteId } }: { route: Route }) {
  const { session } = useSession();
  const { header: words } = useSharedWords();
  const isAboutWebsite = session !== undefined && websiteId > 0;
  const isAnalytics = isAboutWebsite && (page === 'website' || page === 'live');
  const isAdmin = session?.user.role === 'admin';
  const hasSettings = isAboutWebsite && isAdmin && page !== 'edit-website';
  return (
    <header
      class={`header${isAboutWebsite ? ' header-website' : ''}${isAnalytics ? ' header-analytics' : ''}`}
    >
      <a class="header-mark" href="/websites" aria-label={words.home}>
        <Mark size={22} />
        <span>Trackside</span>
      </a>
      {isAboutWebsite && <SiteSwitcher websiteId={websiteId} page={page} />}
      {isAnalytics && <LiveCount websiteId={websiteId} isCurrent={page === 'live'} />}
      {isAnalytics && isAdmin && <LostHint websiteId={websiteId} />}
      <span class="grow" />
      {page === 'website' && <HeaderTools />}
      {hasSettings && (
        <LinkButton
          kind="quiet"
          isIconOnly
          icon="gear"
          title={words.settings}
          href={`/websites/${websiteId}/settings`}
        >
          {words.settings}
        </LinkButton>
      )}
      {session !== undefined && <UserMenu user={session.user} />}
      <ThemeSwitch />
    </header>
  );
}
