import { useEffect, useState } from 'preact/hooks';
import { copyText } from '#browser/copy-text.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { Button, type ButtonKind } from '../forms/button.tsx';
import { useToast } from '../overlays/toasts.tsx';
import { Icon } from './icon.tsx';
import './copy-button.css';

type Props = {
  /** Returns the text to copy, which may have to be fetched first. The caller reports a rejected promise. */
  text: () => string | Promise<string>;
  children: string;
  kind?: ButtonKind;
  isSmall?: boolean;
  isIconOnly?: boolean;
  /** A dialog that opens focuses this button. */
  hasFocusFirst?: boolean;
};

const thanksMs = 2_000;

/** Copies a text and confirms that in place of the button's own text. */
export function CopyButton(props: Props) {
  const {
    text,
    children,
    kind = 'ghost',
    isSmall = false,
    isIconOnly = false,
    hasFocusFirst = false,
  } = props;
  const words = useSharedWords();
  const say = useToast();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), thanksMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    copyText(text()).then(
      (isDone) => (isDone ? setIsCopied(true) : say(words.copyByHand, { isBad: true })),
      () => setIsCopied(false),
    );
  return (
    <>
      <Button
        kind={kind}
        isSmall={isSmall}
        isIconOnly={isIconOnly}
        {...(isIconOnly && { icon: isCopied ? 'check' : 'copy' })}
        title={isIconOnly ? children : undefined}
        autofocus={hasFocusFirst}
        onClick={copy}
      >
        {isIconOnly ? (
          children
        ) : (
          // Both texts are there and only one is visible, so that the button keeps its width.
          <span class="copy" data-copied={isCopied}>
            <span>{children}</span>
            <span>
              <Icon name="check" />
              {words.copied}
            </span>
          </span>
        )}
      </Button>
      <span class="unseen" role="status">
        {isCopied && words.copied}
      </span>
    </>
  );
}
