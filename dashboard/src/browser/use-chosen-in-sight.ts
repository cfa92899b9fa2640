import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** How much of the neighbor stays visible, to show that there are more. */
const margin = 24;

/** Scrolls a row sideways until its chosen item is visible, without scrolling the page. */
export function useChosenInSight(row: RefObject<HTMLElement | null>, selector: string, chosen: string): void {
  useLayoutEffect(() => {
    const item = row.current?.querySelector(selector);
    if (!row.current || !item) return;
    const [all, one] = [row.current.getBoundingClientRect(), item.getBoundingClientRect()];
    if (one.right > all.right) row.current.scrollLeft += one.right - all.right + margin;
    else if (one.left < all.left) row.current.scrollLeft -= all.left - one.left + margin;
  }, [row, selector, chosen]);
}
