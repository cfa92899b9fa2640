import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { PageFault } from '../frame/page-fault.tsx';
import type { PageName } from './match-route.ts';
import type { Page, Pages } from './page.ts';

type Loaded = { name: PageName; Page: Page; path: string; websiteId: number };
type Props = { pages: Pages; name: PageName; path: string; websiteId: number };

/** Shows a page. The last page stays while the file of the next one is loading. */
export function Outlet({ pages, name, path, websiteId }: Props) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [hasFailed, setHasFailed] = useState(false);
  // An error in a page is shown in place of the page, so that the header still works.
  const [error, resetError] = useErrorBoundary((cause) => console.error(cause));
  const shown = useRef<string | undefined>(undefined);

  useEffect(() => {
    let isWanted = true;
    pages[name]().then(
      (Page) => {
        if (!isWanted) return;
        resetError();
        setLoaded({ name, Page, path, websiteId });
      },
      // Most likely a newer version was installed and the files of this one are gone.
      () => isWanted && setHasFailed(true),
    );
    return () => {
      isWanted = false;
    };
  }, [pages, name, path, websiteId]);

  // The other pages are small, so they are preloaded to open without a pause. A public page links to none of
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

  // On a new page the focus starts at the title, for keyboard and screen reader users.
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
  return <Page key={key} path={loaded.path} websiteId={loaded.websiteId} />;
}
