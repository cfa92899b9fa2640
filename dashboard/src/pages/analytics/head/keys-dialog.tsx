import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { customRangeKey, namedPeriods, periodKeys } from '../view/view.ts';
import { useViewWords } from '../view/view-words.ts';
import { useHeadWords } from './head-words.ts';
import './keys-dialog.css';

/** Lists the keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { isShared } = useAnalytics();
  const { keys: words, range } = useHeadWords();
  const { periods } = useViewWords();
  const keys: readonly [string, string][] = [
    ['/', words.addFilter],
    ['X', words.clearFilters],
    ['←', words.previous],
    ['→', words.next],
    ...namedPeriods.map((name): [string, string] => [periodKeys[name].toUpperCase(), periods[name]]),
    [customRangeKey.toUpperCase(), range.title],
    ...(isShared ? [] : [['L', words.live] as [string, string]]),
    ['?', words.help],
  ];
  return (
    <Dialog title={words.title} onClose={onClose}>
      <dl class="keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd class="key">{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <DialogButtons>
        <Button onClick={onClose}>{words.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}
