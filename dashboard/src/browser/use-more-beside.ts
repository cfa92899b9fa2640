import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Marks a box that scrolls sideways while there is more to the right of it, so that its edge fades. */
export function useMoreBeside(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const scroller = box.current!;
    const mark = () =>
      scroller.toggleAttribute(
        'data-more',
        scroller.scrollLeft + scroller.clientWidth < scroller.scrollWidth - 1,
      );
    const observer = new ResizeObserver(mark);
    for (const element of [scroller, ...scroller.children]) observer.observe(element);
    scroller.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', mark);
    };
  }, [box]);
}
