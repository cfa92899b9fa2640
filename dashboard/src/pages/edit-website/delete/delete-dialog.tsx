import { useApi } from '#api/api-context.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useForm } from '#forms/use-form.ts';

type Props = { website: WebsiteSettings; onClose: () => void; onBegun: () => void };

export function DeleteDialog({ website: { id, name, domain, shownDomain }, onClose, onBegun }: Props) {
  const api = useApi();
  const isRight = (typed: string) => [domain, shownDomain].includes(typed.trim().toLowerCase());
  const form = useForm({
    initial: { confirm: '' },
    check: ({ confirm }) => (isRight(confirm) ? {} : { confirm: `Type ${shownDomain} to confirm.` }),
    // The node expects the encoded domain; the user may type it in readable letters.
    send: () => api.deleteWebsite(id, domain),
    onDone: onBegun,
  });
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        <p class="muted">
          Its API key stops at once, and all of its records and statistics are deleted. This cannot be undone.
        </p>
        <TextField
          label={`Type ${shownDomain} to confirm`}
          autocomplete="off"
          hasFocusFirst
          {...form.field('confirm')}
        />
        <FormMessage message={form.fault?.message} />
        <div class="dialog-buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" isBusy={form.isBusy} isDisabled={!isRight(form.values.confirm)}>
            Delete website
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
