import { createContext } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useProvided } from '#browser/use-provided.ts';

export type Place = { path: string; search: string; hash: string };

export type Router = {
  place(): Place;
  go(to: string, options?: { replace: boolean }): void;
  /** The listener is called after each change of place. */
  listen(listener: (place: Place) => void): () => void;
};

/** Handles clicks on links to pages of this application. In every other way links stay plain links. */
export function createRouter(window: Window, isOurs: (path: string) => boolean): Router {
  const { document, history, location } = window;
  const listeners = new Set<(place: Place) => void>();
  const place = () => ({ path: location.pathname, search: location.search, hash: location.hash });
  const tell = () => {
    for (const listener of listeners) listener(place());
  };

  function go(to: string, options?: { replace: boolean }): void {
    const last = location.pathname;
    if (options?.replace) history.replaceState(null, '', to);
    else history.pushState(null, '', to);
    // Another view of the same page keeps its scroll position.
    if (location.pathname !== last) window.scrollTo(0, 0);
    tell();
  }

  window.addEventListener('popstate', tell);
  document.addEventListener('click', (event) => {
    const isPlain =
      event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!isPlain || event.defaultPrevented) return;
    const link = (event.target as Element | null)?.closest?.('a');
    if (link?.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    const isJump = link.hash !== '' && link.pathname === location.pathname;
    if (isJump || !isOurs(link.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });

  return {
    place,
    go,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const RouterContext = createContext<Router | undefined>(undefined);

export const useRouter = (): Router => useProvided(RouterContext);

/** Returns the current path. Only a change of the path renders again. */
export function usePath(): string {
  const router = useRouter();
  const [path, setPath] = useState(() => router.place().path);
  useEffect(() => router.listen((place) => setPath(place.path)), [router]);
  return path;
}

/**
 * Returns the current place of the page at a path. A page that stays while the next one is loading keeps its
 * last place.
 */
export function usePlace(path: string): Place {
  const router = useRouter();
  const [place, setPlace] = useState(() => router.place());
  useEffect(() => {
    const read = (next: Place) =>
      next.path === path && setPlace((last) => (isSamePlace(last, next) ? last : next));
    read(router.place());
    return router.listen(read);
  }, [router, path]);
  return place;
}

const isSamePlace = (one: Place, other: Place) =>
  one.path === other.path && one.search === other.search && one.hash === other.hash;
