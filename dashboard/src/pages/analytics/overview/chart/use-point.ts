import { useEffect, useRef, useState } from 'preact/hooks';
import { indexAt, type Layout } from './lay-out.ts';

export type Point = {
  /** The index of the interval at the point. */
  at: number | undefined;
  /** The interval where a selection started. It ends at `at`. */
  anchor: number | undefined;
  /** A pinned point stays, with its buttons, until somebody leaves it. */
  isPinned: boolean;
};

const nowhere: Point = { at: undefined, anchor: undefined, isPinned: false };
/** A press may move this far without becoming a drag. */
const dragPixels = 6;

type Options = {
  count: number;
  layout: Layout | undefined;
  /** The element of the chart. A press outside of it leaves the point. */
  root: { current: HTMLElement | null };
  onZoom: (first: number, last: number) => void;
};

/**
 * Follows a mouse, a finger or the keyboard across a chart. A finger that moves vertically scrolls the page;
 * one that moves horizontally reads the chart.
 */
export function usePoint({ count, layout, root, onZoom }: Options) {
  const [point, setPoint] = useState(nowhere);
  const press = useRef<{ x: number; index: number; pinned: number | undefined } | undefined>(undefined);
  const isThere = point.at !== undefined && point.at < count;
  const { at, anchor, isPinned } = isThere ? point : nowhere;
  const leave = () => setPoint(nowhere);

  const indexOf = (event: PointerEvent): number => {
    const { left } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return layout === undefined ? 0 : indexAt(layout.plot, count, event.clientX - left);
  };

  useEffect(() => {
    if (!isThere) return;
    const pressElsewhere = (event: Event) => root.current?.contains(event.target as Node) || leave();
    const pressEscape = (event: KeyboardEvent) => event.key === 'Escape' && leave();
    document.addEventListener('pointerdown', pressElsewhere);
    document.addEventListener('keydown', pressEscape);
    return () => {
      document.removeEventListener('pointerdown', pressElsewhere);
      document.removeEventListener('keydown', pressEscape);
    };
  }, [isThere, root]);

  function zoom(first: number, last: number): void {
    leave();
    onZoom(Math.min(first, last), Math.max(first, last));
  }

  const pointer = {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      const index = indexOf(event);
      press.current = { x: event.clientX, index, pinned: isPinned ? at : undefined };
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      setPoint({ ...nowhere, at: index });
    },
    onPointerMove(event: PointerEvent) {
      const begun = press.current;
      const isDragged = begun !== undefined && Math.abs(event.clientX - begun.x) > dragPixels;
      if (isPinned && begun === undefined) return;
      const isSelecting = anchor !== undefined || (isDragged && event.pointerType === 'mouse');
      setPoint({ ...nowhere, at: indexOf(event), anchor: isSelecting ? begun?.index : undefined });
    },
    onPointerUp(event: PointerEvent) {
      const begun = press.current;
      press.current = undefined;
      if (begun === undefined) return;
      const index = indexOf(event);
      if (anchor !== undefined) return zoom(anchor, index);
      const isStill = Math.abs(event.clientX - begun.x) <= dragPixels;
      // A second press on the same point unpins it.
      setPoint({ ...nowhere, at: index, isPinned: isStill && begun.pinned !== index });
    },
    onPointerCancel() {
      press.current = undefined;
      leave();
    },
    onPointerLeave(event: PointerEvent) {
      if (event.pointerType === 'mouse' && press.current === undefined && !isPinned) leave();
    },
  };

  const keys = {
    moveTo: (index: number) => setPoint((last) => ({ ...nowhere, at: index, anchor: last.anchor })),
    /** The arrow keys select a range while Shift is held. */
    select: (isSelecting: boolean) =>
      setPoint((last) => ({ ...last, anchor: isSelecting ? (last.anchor ?? last.at) : undefined })),
    enter: () => at !== undefined && zoom(anchor ?? at, at),
  };

  return {
    at,
    anchor,
    isPinned,
    /** Whether a mouse button or a finger is down. */
    isPressed: press.current !== undefined,
    leave,
    zoom,
    pointer,
    keys,
    show: (index: number) => setPoint({ ...nowhere, at: index }),
  };
}
