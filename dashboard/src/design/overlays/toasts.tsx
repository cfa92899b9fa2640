import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { useSharedWords } from '#words/shared-words.ts';
import { Icon } from '../display/icon.tsx';
import { Button } from '../forms/button.tsx';
import './toasts.css';

type Toast = { id: number; text: string; isBad: boolean };
type Say = (text: string, options?: { isBad: boolean }) => void;

const shownMs = 6_000;

const ToastContext = createContext<Say>(() => {});

/** Announces what has happened, at the edge of the page and to screen readers. */
export const useToast = (): Say => useContext(ToastContext);

export function Toasts({ children }: { children: ComponentChildren }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const lastId = useRef(0);
  const remove = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const say = useCallback<Say>((text, options) => {
    lastId.current += 1;
    const toast = { id: lastId.current, text, isBad: options?.isBad ?? false };
    setToasts((all) => [...all.slice(-2), toast]);
  }, []);
  return (
    <ToastContext.Provider value={say}>
      {children}
      <div class="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          <ToastView key={toast.id} toast={toast} remove={remove} />
        ))}
      </div>
    </ToastContext.Provider>
  );
}

function ToastView({ toast, remove }: { toast: Toast; remove: (id: number) => void }) {
  const words = useSharedWords();
  useEffect(() => {
    const timer = setTimeout(() => remove(toast.id), toast.isBad ? shownMs * 2 : shownMs);
    return () => clearTimeout(timer);
  }, [toast, remove]);
  return (
    <div class={toast.isBad ? 'toast toast-bad' : 'toast'}>
      <Icon name={toast.isBad ? 'alert' : 'check'} />
      <span class="grow">{toast.text}</span>
      <Button kind="quiet" isSmall isIconOnly icon="cross" onClick={() => remove(toast.id)}>
        {words.dismiss}
      </Button>
    </div>
  );
}
