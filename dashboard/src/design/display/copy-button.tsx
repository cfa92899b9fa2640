import { useEffect, useState } from 'preact/hooks';
import { copyText } from '#browser/copy-text.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { Button, type ButtonKind } from '../forms/button.tsx';

type Props = {
  /** Returns the text to copy, which may have to be fetched first. The caller reports a rejected promise. */
  text: () => string | Promise<string>;
  children: string;
  kind?: ButtonKind;
  isSmall?: boolean;
  isIconOnly?: boolean;
};

const thanksMs = 2_000;

/** Copies a text and confirms that in place of the button's own text. */
export function CopyButton({ text, children, kind = 'ghost', isSmall = false, isIconOnly = false }: Props) {
  const words = useSharedWords();
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), thanksMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    copyText(text()).then(
      (isCopied) => setState(isCopied ? 'copied' : 'refused'),
      () => setState('ready'),
    );
  const said = { ready: children, copied: words.copied, refused: words.copyByHand }[state];
  return (
    <>
      <Button
        kind={kind}
        isSmall={isSmall}
        isIconOnly={isIconOnly}
        {...((isIconOnly || state === 'copied') && { icon: state === 'copied' ? 'check' : 'copy' })}
        title={isIconOnly ? children : undefined}
        onClick={copy}
      >
        {said}
      </Button>
      <span class="unseen" role="status">
        {state === 'copied' && words.copied}
      </span>
    </>
  );
}
