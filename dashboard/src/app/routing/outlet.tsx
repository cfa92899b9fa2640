import type { ComponentType } from 'preact';
import { useErrorBoundary, useLayoutEffect, useRef } from 'preact/hooks';
import { PageFault } from '../frame/page-fault.tsx';
import type { PageName } from './match-route.ts';
import type { PageProps, Pages } from './page.ts';

type Props = PageProps & { pages: Pages; name: PageName };

/** Shows a page. */
export function Outlet({ pages, name, ...props }: Props) {
  const shown = useRef<string | undefined>(undefined);
  const key = `${name} ${props.websiteId}`;

  // On a new page the focus starts at the title, for keyboard and screen reader users.
  useLayoutEffect(() => {
    const isFirst = shown.current === undefined;
    shown.current = key;
    const isTyping = document.activeElement?.matches('input, textarea');
    if (!isFirst && !isTyping) document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [key]);

  return <Guarded key={key} Page={pages[name]} {...props} />;
}

/** Shows an error in a page in its place, so that the header still works. */
function Guarded({ Page, ...props }: PageProps & { Page: ComponentType<PageProps> }) {
  const [error] = useErrorBoundary((cause) => console.error(cause));
  return error ? <PageFault /> : <Page {...props} />;
}
