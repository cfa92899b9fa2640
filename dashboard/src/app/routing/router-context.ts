import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Place, Router } from './create-router.ts';

export const RouterContext = createContext<Router | undefined>(undefined);

export function useRouter(): Router {
  const router = useContext(RouterContext);
  if (router === undefined) throw new Error('expected to be inside of RouterContext');
  return router;
}

export function usePlace(): Place {
  const router = useRouter();
  const [place, setPlace] = useState(() => router.place());
  useEffect(() => router.listen(setPlace), [router]);
  return place;
}
