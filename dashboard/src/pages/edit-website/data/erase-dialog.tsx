import { useApi } from '#api/api-context.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useForm } from '#forms/use-form.ts';

type Props = { websiteId: number; clientId: string; onClose: () => void; onDone: () => void };

export function EraseDialog({ websiteId, clientId, onClose, onDone }: Props) {
  const api = useApi();
  const say = useToast();
  const format = useFormat();
  const form = useForm({
    initial: {},
    send: () => api.erasePerson(websiteId, clientId),
    onDone: ({ records }) => {
      if (records === 0) say('There is no record with this ClientId.');
      else say(records === 1 ? '1 record erased.' : `${format.number(records)} records erased.`);
      onDone();
    },
  });
  return (
    <Dialog title="Erase all records of this person?" onClose={onClose}>
      <p class="muted">
        Every record that was sent with this ClientId is deleted, with what the person did before signing in
        during the same visit. The numbers of those days are counted anew. This cannot be undone.
      </p>
      <code class="secret">{clientId}</code>
      <FormMessage message={form.fault?.message} />
      <div class="dialog-buttons">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={form.isBusy} onClick={() => form.submit()}>
          Erase records
        </Button>
      </div>
    </Dialog>
  );
}
