import { useApi } from '#api/api-context.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useForm } from '#forms/use-form.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';

type Props = { websiteId: number; clientId: string; onClose: () => void; onDone: () => void };

export function EraseDialog({ websiteId, clientId, onClose, onDone }: Props) {
  const { person: words, cancel } = useEditWebsiteWords();
  const api = useApi();
  const say = useToast();
  const format = useFormat();
  const form = useForm({
    initial: {},
    send: () => api.erasePerson(websiteId, clientId),
    onDone: ({ records }) => {
      say(records === 0 ? words.none : format.count(records, words.erased));
      onDone();
    },
  });
  return (
    <Dialog title={words.ask} onClose={onClose}>
      <p class="muted">{words.consequences}</p>
      <code class="secret">{clientId}</code>
      <FormMessage message={form.fault?.message} />
      <DialogButtons>
        <Button onClick={onClose}>{cancel}</Button>
        <Button kind="danger" isBusy={form.isBusy} onClick={() => form.submit()}>
          {words.confirm}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
