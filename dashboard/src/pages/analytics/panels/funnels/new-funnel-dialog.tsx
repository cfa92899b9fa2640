import { useApi } from '#api/api-context.ts';
import type { Funnel } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useForm } from '#forms/use-form.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { checkFunnel, emptyFunnel, toNewFunnel } from './funnel-draft.ts';
import { StepsField } from './steps-field.tsx';

type Props = { onAdded: (funnel: Funnel) => void; onClose: () => void };

export function NewFunnelDialog({ onAdded, onClose }: Props) {
  const api = useApi();
  const { website } = useAnalytics();
  const form = useForm({
    initial: emptyFunnel,
    check: checkFunnel,
    send: (draft) => api.addFunnel(website.id, toNewFunnel(draft)),
    onDone: onAdded,
  });
  return (
    <Dialog title="New funnel" onClose={onClose}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        <FormMessage message={form.fault?.message} />
        <TextField
          label="Name"
          autocomplete="off"
          placeholder="Sign-up"
          hasFocusFirst
          {...form.field('name')}
        />
        <StepsField {...form.field('steps')} />
        <RadioGroup
          legend="All steps"
          {...form.field('within')}
          choices={[
            { value: 'visit', label: 'In one visit' },
            {
              value: 'days',
              label: 'Within some days',
              hint: 'Only visitors with a ClientId: others are not recognised the next day.',
              more: (
                <TextField
                  label="Days from the first step to the last"
                  inputMode="numeric"
                  autocomplete="off"
                  {...form.field('withinDays')}
                />
              ),
            },
          ]}
        />
        <div class="dialog-buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={form.isBusy}>
            Add funnel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
