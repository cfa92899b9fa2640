import { ok } from '#api/fault.ts';
import { Button } from '#design/forms/button.tsx';
import { DayField } from '#design/forms/day-field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { type Errors, useForm } from '#forms/use-form.ts';
import { useAnalytics } from '../analytics-context.ts';
import { comparedSpan } from '../view/compared-span.ts';
import { spanOf } from '../view/periods.ts';
import { checkRange } from './check-range.ts';
import { useHeadWords } from './head-words.ts';
import './range-dialog.css';

type Props = {
  /** What the days are for: the numbers, or what they are compared with. */
  of: 'period' | 'compare';
  onClose: () => void;
};

/** Asks for a first and a last day. */
export function RangeDialog({ of, onClose }: Props) {
  const { wanted, today, change } = useAnalytics();
  const { range: words, compare } = useHeadWords();
  const shown = spanOf(wanted.period === 'all' ? '30d' : wanted.period, today);
  const begun = of === 'period' ? shown : (comparedSpan(wanted, today) ?? shown);
  const form = useForm({
    initial: { from: begun.from.slice(0, 10), to: begun.to.slice(0, 10) },
    check: (range): Errors => {
      const error = checkRange(range, today, words);
      return error === undefined ? {} : { from: error };
    },
    // Nothing is sent to the server. The address changes, and the page asks about the new period.
    send: async (range) => ok(range),
    onDone: (range) => {
      onClose();
      change(of === 'period' ? { period: range } : { compare: range });
    },
  });
  return (
    <Dialog title={of === 'period' ? words.title : compare.rangeTitle} onClose={onClose}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        <div class="range-days">
          <DayField label={words.from} latest={today} {...form.field('from')} />
          <DayField label={words.to} latest={today} {...form.field('to')} />
        </div>
        <DialogButtons>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" kind="primary">
            {words.apply}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
