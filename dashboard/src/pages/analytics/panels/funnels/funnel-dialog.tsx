import { maxFunnels, maxNameLength } from '@trackside/contract/app/limits.ts';
import { useApi } from '#api/api-context.ts';
import type { Funnel } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useForm } from '#forms/use-form.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { checkFunnel, emptyFunnel, toDraft, toNewFunnel } from './funnel-draft.ts';
import { useFunnelsWords } from './funnels-words.ts';
import { StepsField } from './steps-field.tsx';

type Props = {
  /** The funnel to edit. Undefined for a new one. */
  funnel: Funnel | undefined;
  onSaved: (funnel: Funnel) => void;
  onClose: () => void;
};

/** Creates a funnel, or edits one. */
export function FunnelDialog({ funnel, onSaved, onClose }: Props) {
  const api = useApi();
  const { website } = useAnalytics();
  const words = useFunnelsWords();
  const form = useForm({
    initial: funnel === undefined ? emptyFunnel : toDraft(funnel),
    check: (draft) => checkFunnel(draft, words),
    refused: {
      name: words.form.nameRefused({ length: maxNameLength, funnels: maxFunnels }),
      steps: words.form.stepsRefused,
    },
    send: (draft) =>
      funnel === undefined
        ? api.addFunnel(website.id, toNewFunnel(draft))
        : api.changeFunnel(website.id, funnel.id, toNewFunnel(draft)),
    onDone: onSaved,
  });
  return (
    <Dialog title={funnel === undefined ? words.new : words.edit} onClose={onClose}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        <FormMessage message={form.fault?.message} />
        <TextField
          label={words.form.name}
          autocomplete="off"
          placeholder={words.form.nameExample}
          hasFocusFirst
          {...form.field('name')}
        />
        <StepsField {...form.field('steps')} />
        <RadioGroup
          legend={words.form.window}
          {...form.field('within')}
          choices={[
            { value: 'visit', label: words.form.inOneVisit },
            {
              value: 'days',
              label: words.form.withinDays,
              hint: words.form.withinDaysHint,
              more: (
                <TextField
                  label={words.form.days}
                  inputMode="numeric"
                  autocomplete="off"
                  {...form.field('withinDays')}
                />
              ),
            },
          ]}
        />
        <DialogButtons>
          <Button onClick={onClose}>{words.form.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={form.isBusy}>
            {funnel === undefined ? words.form.create : words.form.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
