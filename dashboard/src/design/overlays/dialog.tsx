import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import './dialog.css';

type Props = {
  title: string;
  children: ComponentChildren;
  /**
   * Called on Escape, on a click outside, or by a button inside. Without it, the dialog can't be dismissed.
   */
  onClose?: (() => void) | undefined;
};

/** A native modal dialog that is open while it is rendered. The browser restores the focus when it closes. */
export function Dialog({ title, children, onClose }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    // The browser scrolls to what gets the focus, which may be a button at the end.
    for (const element of [dialog, dialog.firstElementChild!]) element.scrollTop = 0;
    return () => dialog.close();
  }, []);
  // A layout effect, because Escape may be pressed before the next paint.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const cancel = (event: Event) => {
      event.preventDefault();
      onClose?.();
    };
    // What counts is where a press starts: one that starts in a field and ends outside is selecting text.
    const press = (event: PointerEvent) => event.target === dialog && onClose?.();
    // A browser may close the dialog without a cancel event when Escape is pressed repeatedly.
    const closed = () => (onClose === undefined ? dialog.showModal() : onClose());
    dialog.addEventListener('cancel', cancel);
    dialog.addEventListener('close', closed);
    dialog.addEventListener('pointerdown', press);
    return () => {
      dialog.removeEventListener('cancel', cancel);
      dialog.removeEventListener('close', closed);
      dialog.removeEventListener('pointerdown', press);
    };
  }, [onClose]);
  return (
    <dialog class="dialog" ref={ref} aria-labelledby={id}>
      <div class="dialog-inside">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
