import { useState } from 'preact/hooks';
import { Button } from '#design/forms/button.tsx';
import { Field } from '#design/forms/field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { spanOf } from '../view/periods.ts';
import { checkRange } from './check-range.ts';
import './range-dialog.css';

/** From one day to another. */
export function RangeDialog({ onClose }: { onClose: () => void }) {
  const { wanted, today, change } = useAnalytics();
  const begun = spanOf(wanted.period === 'all' ? '30d' : wanted.period, today);
  const [from, setFrom] = useState(begun.from.slice(0, 10));
  const [to, setTo] = useState(begun.to.slice(0, 10));
  const [error, setError] = useState<string>();

  function submit(event: Event): void {
    event.preventDefault();
    const found = checkRange({ from, to }, today);
    setError(found);
    if (found !== undefined) return;
    onClose();
    change({ period: { from, to } });
  }
  return (
    <Dialog title="Custom range" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <div class="range-days">
          <DayField label="From" value={from} onValue={setFrom} latest={today} error={error} />
          <DayField label="To" value={to} onValue={setTo} latest={today} />
        </div>
        <div class="dialog-buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary">
            Show
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type Props = {
  label: string;
  value: string;
  onValue: (value: string) => void;
  latest: string;
  error?: string | undefined;
};

function DayField({ label, value, onValue, latest, error }: Props) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <input
          {...control}
          class="input"
          type="date"
          max={latest}
          required
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
