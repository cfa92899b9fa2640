import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '#design/forms/button.tsx';
import { Toasts } from '#design/overlays/toasts.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useFollowAccount } from '#words/language-provider.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { ConnectionBanner } from './frame/connection-banner.tsx';
import { FrontDoor } from './frame/front-door.tsx';
import { Header } from './frame/header.tsx';
import { HeaderToolsProvider } from './frame/header-tools.tsx';
import { WebsitesProvider } from './frame/websites-context.tsx';
import { matchRoute, type Route } from './routing/match-route.ts';
import { Outlet } from './routing/outlet.tsx';
import type { Pages } from './routing/page.ts';
import { usePath, useRouter } from './routing/router.ts';
import { signInPath } from './routing/safe-next.ts';
import { SessionContext } from './session/session-context.ts';
import { SignInAgain } from './session/sign-in-again.tsx';
import { useSessionState } from './session/use-session-state.ts';
import './frame/layout.css';

export function App({ pages }: { pages: Pages }) {
  const path = usePath();
  const route = useMemo(() => matchRoute(path), [path]);
  return (
    <Toasts>
      <ConnectionBanner />
      {route.page === 'share' ? (
        <Outlet pages={pages} name="share" path={path} websiteId={0} />
      ) : (
        <AppOfUser pages={pages} path={path} route={route} />
      )}
    </Toasts>
  );
}

/** All pages except the public ones, which don't depend on who is signed in. */
function AppOfUser({ pages, path, route }: { pages: Pages; path: string; route: Route }) {
  const router = useRouter();
  const state = useSessionState();
  const spellFault = useSpellFault({ hasRetry: true });
  const words = useSharedWords();
  const { session, isKnown, fault } = state;

  const isSignInNeeded = isKnown && session === undefined && route.audience !== 'anyone';
  useEffect(() => {
    if (isSignInNeeded) router.go(signInPath(path + router.place().search), { replace: true });
    else if (path === '/') router.go('/websites', { replace: true });
  }, [isSignInNeeded, router, path]);

  const language = session?.user.language;
  const followAccount = useFollowAccount();
  useEffect(() => {
    if (language !== undefined) followAccount(language);
  }, [language, followAccount]);

  // For a viewer, the pages of admins don't exist.
  const isHidden = route.audience === 'admin' && session?.user.role !== 'admin';
  const shell = (
    <HeaderToolsProvider>
      <div class="wrap">
        <Header route={route} />
        <main class="main">
          <Outlet
            pages={pages}
            name={isHidden ? 'not-found' : route.page}
            path={path}
            websiteId={route.websiteId}
          />
        </main>
      </div>
    </HeaderToolsProvider>
  );
  return (
    <SessionContext.Provider value={state}>
      {isKnown && session === undefined && !isSignInNeeded && shell}
      {session !== undefined && <WebsitesProvider key={session.user.id}>{shell}</WebsitesProvider>}
      {!isKnown && fault !== undefined && fault.kind !== 'unreachable' && (
        <main class="wrap main">
          <FrontDoor title={words.serverNotReady}>
            <div class="stack">
              <p>{spellFault(fault)}</p>
              <Button onClick={state.look}>{words.tryAgain}</Button>
            </div>
          </FrontDoor>
        </main>
      )}
      <SignInAgain />
    </SessionContext.Provider>
  );
}
