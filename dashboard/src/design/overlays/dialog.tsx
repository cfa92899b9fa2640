import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import './dialog.css';

type Props = {
  title: string;
  children: ComponentChildren;
  /** Asked for by Escape, by a click beside it, or by a button inside. Without it, the dialog stays. */
  onClose?: (() => void) | undefined;
};

/** A native modal dialog: while it is there, it is open. The browser gives the focus back when it goes. */
export function Dialog({ title, children, onClose }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  // At once, not after the next paint: Escape may come before that.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const cancel = (event: Event) => {
      event.preventDefault();
      onClose?.();
    };
    // Only a press that also began beside the dialog: one that began in a field was a selection of text.
    const press = (event: PointerEvent) => event.target === dialog && onClose?.();
    // A browser may close it without asking, when Escape is pressed again and again.
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
