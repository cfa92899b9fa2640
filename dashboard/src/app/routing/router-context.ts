import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Place, Router } from './create-router.ts';

export const RouterContext = createContext<Router | undefined>(undefined);

export function useRouter(): Router {
  const router = useContext(RouterContext);
  if (router === undefined) throw new Error('expected to be inside of RouterContext');
  return router;
}

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
    const read = (next: Place) => next.path === path && setPlace(next);
    read(router.place());
    return router.listen(read);
  }, [router, path]);
  return place;
}
