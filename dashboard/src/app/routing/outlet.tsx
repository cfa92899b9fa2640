import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { PageFault } from '../frame/page-fault.tsx';
import type { Place } from './create-router.ts';
import type { PageName } from './match-route.ts';
import type { Page, Pages } from './page.ts';

type Loaded = { name: PageName; Page: Page; place: Place; websiteId: number };
type Props = { pages: Pages; name: PageName; place: Place; websiteId: number };

/** Shows a page. While the file of the next one is on its way, the last one stays. */
export function Outlet({ pages, name, place, websiteId }: Props) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [hasFailed, setHasFailed] = useState(false);
  // A fault in a page is said in its place; the header leads elsewhere.
  const [error, resetError] = useErrorBoundary((cause) => console.error(cause));
  const shown = useRef<string | undefined>(undefined);

  useEffect(() => {
    let isWanted = true;
    pages[name]().then(
      (Page) => {
        if (!isWanted) return;
        resetError();
        setLoaded({ name, Page, place, websiteId });
      },
      // Most likely a newer version has been installed, and this one's files are gone.
      () => isWanted && setHasFailed(true),
    );
    return () => {
      isWanted = false;
    };
  }, [pages, name, place, websiteId]);

  // The other pages are small: fetched ahead, they open without a pause. From a public page no way leads to
  // them.
  const isFirstShown = loaded !== undefined && loaded.name !== 'share';
  useEffect(() => {
    if (!isFirstShown) return;
    const timer = setTimeout(
      () => void Promise.allSettled(Object.values(pages).map((load) => load())),
      1_500,
    );
    return () => clearTimeout(timer);
  }, [isFirstShown, pages]);

  // A new page begins at its title, for the keyboard and for screen readers.
  const key = loaded && `${loaded.name} ${loaded.websiteId}`;
  useLayoutEffect(() => {
    const isFirst = shown.current === undefined;
    shown.current = key;
    const isTyping = document.activeElement?.matches('input, textarea');
    if (!isFirst && !isTyping) document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [key]);

  if (hasFailed || error) return <PageFault />;
  if (loaded === undefined) return null;
  const { Page } = loaded;
  return <Page key={key} place={loaded.place} websiteId={loaded.websiteId} />;
}
