import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '#design/display/icon.tsx';
import { VisitorText } from '#design/display/visitor-text.tsx';
import { usePanelsWords } from '../panels-words.ts';
import './crumbs.css';

type Props = {
  /** The list at the top, such as "All countries", then the chosen values. The last one is shown now. */
  labels: readonly string[];
  /** Called with the number of values that stay. */
  onBack: (to: number) => void;
  /** Whether a press in this panel has led here, so that the keyboard goes on from here. */
  hasFocus: boolean;
};

/** The way down to a list, each part of which leads back. */
export function Crumbs({ labels, onBack, hasFocus }: Props) {
  const words = usePanelsWords();
  const root = useRef<HTMLElement>(null);
  const depth = labels.length;
  useEffect(() => {
    if (hasFocus) root.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
  }, [depth]);

  function back(to: number): void {
    const tab = root.current?.closest('.panel')?.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
    // The crumbs may be about to go.
    tab?.focus();
    onBack(to);
  }
  return (
    <nav class="crumbs-down" aria-label={words.list.crumbs(labels[0] ?? '')} ref={root}>
      <ol>
        {labels.map((label, index) => (
          <li key={label}>
            {index > 0 && <Icon name="chevron" />}
            {index === depth - 1 ? (
              <span class="cut" aria-current="true" tabIndex={-1} title={label}>
                <VisitorText text={label} />
              </span>
            ) : (
              <button type="button" class="cut" title={label} onClick={() => back(index)}>
                <VisitorText text={label} />
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
