import type { RefObject } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AnalyticsContext } from '../analytics-context.ts';
import { createKeptHeights } from './kept-heights.ts';

/**
 * Keeps a panel from changing its height while the page is loading, so that nothing below it moves. It starts
 * as tall as at the last visit, or else as its placeholder. Once the reader changes the view, or `letGo` is
 * called, it is as tall as its content.
 */
export function useHeldHeight(panel: string): [ref: RefObject<HTMLElement | null>, letGo: () => void] {
  const ref = useRef<HTMLElement>(null);
  const analytics = useContext(AnalyticsContext);
  const view = analytics?.wanted;
  const [first] = useState({ view, panel });
  const [isLetGo, setIsLetGo] = useState(false);
  const isHeld = view !== undefined && view === first.view && !isLetGo;
  useLayoutEffect(() => {
    const element = ref.current;
    if (!isHeld || element === null || analytics === undefined) return;
    const width = window.innerWidth;
    // A filtered view has fewer rows. Public pages store nothing in the browsers of strangers.
    const isUsual = !analytics.isShared && view.filters.length === 0 && view.goal === undefined;
    const kept = isUsual ? createKeptHeights(analytics.website.id, width, localStorage) : undefined;
    const hold = (height: number) => element.style.setProperty('--held', `${height}px`);
    const free = () => element.style.removeProperty('--held');
    hold(kept?.read(first.panel) ?? element.offsetHeight);
    const keep = () => {
      const isLoading = element.querySelector('.skeleton') !== null;
      const held = element.offsetHeight;
      free();
      if (!isLoading) kept?.keep(first.panel, element.offsetHeight);
      hold(held);
    };
    const followWidth = () => window.innerWidth !== width && free();
    window.addEventListener('pagehide', keep);
    window.addEventListener('resize', followWidth);
    return () => {
      window.removeEventListener('pagehide', keep);
      window.removeEventListener('resize', followWidth);
      keep();
      free();
    };
  }, [isHeld]);
  return [ref, () => setIsLetGo(true)];
}
