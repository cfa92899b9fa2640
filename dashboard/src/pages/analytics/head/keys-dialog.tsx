import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { periodTexts } from '../view/periods.ts';
import { namedPeriods } from '../view/view.ts';
import './keys-dialog.css';

/** Lists the keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { isShared } = useAnalytics();
  const keys: readonly [string, string][] = [
    ['/', 'Add a filter'],
    ['X', 'Clear all filters'],
    ['←', 'Previous period'],
    ['→', 'Next period'],
    ...namedPeriods.map((name, index): [string, string] => [String(index + 1), periodTexts[name]]),
    ...(isShared ? [] : [['L', 'Who is there now'] as [string, string]]),
    ['?', 'This list'],
  ];
  return (
    <Dialog title="Keyboard" onClose={onClose}>
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
      <div class="dialog-buttons">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
