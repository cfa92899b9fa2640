import type { RefCallback } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useAnalytics } from '../analytics-context.ts';

/** How far outside of the visible page an element may be to count as near. */
const marginPixels = 400;
/**
 * This long after the first answers, everything else is asked for as well, so that it is there for scrolling
 * and printing.
 */
const quietMs = 2_500;

/**
 * Tells whether an element has ever been near the visible part of the page. Everything is near before
 * printing.
 */
export function useNear(): [ref: RefCallback<Element>, isNear: boolean] {
  const { transition } = useAnalytics().asking;
  const [isNear, setIsNear] = useState(false);
  const observer = useRef<IntersectionObserver | undefined>(undefined);
  const ref = useCallback((element: Element | null) => {
    observer.current?.disconnect();
    observer.current = undefined;
    if (element === null) return;
    observer.current = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.current?.disconnect();
        setIsNear(true);
      },
      { rootMargin: `${marginPixels}px 0px` },
    );
    observer.current.observe(element);
  }, []);
  useEffect(() => {
    if (isNear) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => setIsNear(true);
    const wait = () => {
      if (transition.status().asOf !== undefined) timer ??= setTimeout(show, quietMs);
    };
    wait();
    const stopListening = transition.listen(wait);
    window.addEventListener('beforeprint', show);
    return () => {
      clearTimeout(timer);
      stopListening();
      window.removeEventListener('beforeprint', show);
    };
  }, [transition, isNear]);
  return [ref, isNear];
}
