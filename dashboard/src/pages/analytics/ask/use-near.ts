import type { RefCallback } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** How far below the page something may lie to count as near. */
const marginPixels = 400;

/** Whether an element has come near to what is seen, once and for all. Before printing, everything is near. */
export function useNear(): [ref: RefCallback<Element>, isNear: boolean] {
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
    const show = () => setIsNear(true);
    window.addEventListener('beforeprint', show);
    return () => window.removeEventListener('beforeprint', show);
  }, []);
  return [ref, isNear];
}
