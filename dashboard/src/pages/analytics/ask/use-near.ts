import type { RefCallback } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useAnalytics } from '../analytics-context.ts';

/** How far below the page something may lie to count as near. */
const marginPixels = 400;
/**
 * So long after the first answers are there, the rest is asked for as well: whoever scrolls or prints then
 * finds it.
 */
const quietMs = 2_500;

/**
 * Whether an element has come near to what is seen, once and for all. Before printing, everything is near.
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
