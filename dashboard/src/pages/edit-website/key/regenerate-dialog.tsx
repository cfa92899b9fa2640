import { useApi } from '#api/api-context.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { Ago } from '#design/display/ago.tsx';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useForm } from '#forms/use-form.ts';
import { fill } from '#words/fill.ts';
import { useAccessWords } from '../access-words.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';

type Props = {
  settings: WebsiteSettings;
  onClose: () => void;
  onDone: (result: { apiKey: string; settings: WebsiteSettings }) => void;
};

export function RegenerateDialog({ settings: { id, key, shownDomain }, onClose, onDone }: Props) {
  const { key: words } = useAccessWords();
  const { cancel } = useEditWebsiteWords();
  const api = useApi();
  const form = useForm({
    initial: { old: 'stops' as 'stops' | 'stays' },
    send: ({ old }) => api.regenerateKey(id, old === 'stays' ? 24 : 0),
    onDone,
  });
  return (
    <Dialog title={words.ask} onClose={onClose}>
      <p class="muted">
        {fill(words.consequences, { domain: <b>{shownDomain}</b> })}{' '}
        {key.lastUsedAt !== null && fill(words.keyLastUsed, { ago: <Ago at={key.lastUsedAt} /> })}{' '}
        {key.oldKeyUntil !== null && words.previousEnds}
      </p>
      <RadioGroup
        legend={words.old}
        {...form.field('old')}
        choices={[
          { value: 'stops', label: words.stops, hint: words.stopsHint },
          { value: 'stays', label: words.stays, hint: words.staysHint },
        ]}
      />
      <FormMessage message={form.fault?.message} />
      <DialogButtons>
        <Button onClick={onClose}>{cancel}</Button>
        {/* Not a submit button, because the Enter key that opened this dialog must not confirm it too. */}
        <Button kind="danger" isBusy={form.isBusy} onClick={() => form.submit()}>
          {words.confirm}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
