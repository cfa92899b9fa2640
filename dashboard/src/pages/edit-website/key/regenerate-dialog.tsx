import { useApi } from '#api/api-context.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { Ago } from '#design/display/ago.tsx';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useForm } from '#forms/use-form.ts';

type Props = {
  settings: WebsiteSettings;
  onClose: () => void;
  onDone: (result: { apiKey: string; settings: WebsiteSettings }) => void;
};

export function RegenerateDialog({ settings: { id, key, shownDomain }, onClose, onDone }: Props) {
  const api = useApi();
  const form = useForm({
    initial: { old: 'stops' as 'stops' | 'stays' },
    send: ({ old }) => api.regenerateKey(id, old === 'stays' ? 24 : 0),
    onDone,
  });
  return (
    <Dialog title="Regenerate the API key?" onClose={onClose}>
      <p class="muted">
        Every backend that sends records for <b>{shownDomain}</b> needs the new key. One that still sends the
        old key gets a 401, and its records are lost.{' '}
        {key.lastUsedAt !== null && (
          <>
            The key was last used <Ago at={key.lastUsedAt} />.
          </>
        )}
      </p>
      <RadioGroup
        legend="The old key"
        {...form.field('old')}
        choices={[
          { value: 'stops', label: 'Stops at once', hint: 'When it may have been seen by others.' },
          {
            value: 'stays',
            label: 'Works for 24 more hours',
            hint: 'Time to put the new one everywhere, without a gap.',
          },
        ]}
      />
      <FormMessage message={form.fault?.message} />
      <div class="dialog-buttons">
        <Button onClick={onClose}>Cancel</Button>
        {/* Not a submit button, because the Enter key that opened this dialog must not confirm it too. */}
        <Button kind="danger" isBusy={form.isBusy} onClick={() => form.submit()}>
          Regenerate key
        </Button>
      </div>
    </Dialog>
  );
}
