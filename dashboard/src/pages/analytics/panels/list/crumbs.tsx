import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '#design/display/icon.tsx';
import { VisitorText } from '#design/display/visitor-text.tsx';
import { usePanelsWords } from '../panels-words.ts';
import './crumbs.css';

type Props = {
  /** The list at the top, such as "All countries", then the chosen values. The last one is shown now. */
  labels: readonly string[];
  /** Called with the number of values to keep. */
  onBack: (to: number) => void;
  /** Whether a press in this panel led here, so that keyboard users continue from here. */
  hasFocus: boolean;
};

/** The path to the shown list. Each part of it leads back. */
export function Crumbs({ labels, onBack, hasFocus }: Props) {
  const words = usePanelsWords();
  const root = useRef<HTMLElement>(null);
  const depth = labels.length;
  useEffect(() => {
    if (hasFocus) root.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
  }, [depth]);

  function back(to: number): void {
    const tab = root.current?.closest('.panel')?.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
    // The crumbs may be about to disappear.
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
