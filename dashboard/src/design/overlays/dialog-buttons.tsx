import { type ComponentChildren, toChildArray } from 'preact';
import { useMedia } from '#browser/use-media.ts';
import './dialog.css';

/**
 * The buttons at the end of a dialog or form, given with the main one last. On a phone they are stacked, and
 * the main one comes first, for the eye and for the keyboard.
 */
export function DialogButtons({ children }: { children: ComponentChildren }) {
  const isStacked = useMedia('(max-width: 480px)');
  const buttons = toChildArray(children);
  return (
    <div class="dialog-buttons" ref={beginHarmless}>
      {isStacked ? buttons.toReversed() : buttons}
    </div>
  );
}

/** A dialog focuses its first button, and an Enter key held too long must not confirm a deletion. */
function beginHarmless(row: HTMLElement | null): void {
  if (!row?.firstElementChild?.matches('.button-danger')) return;
  (row.lastElementChild as HTMLElement).autofocus = true;
}
