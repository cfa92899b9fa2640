import { useApi } from '#api/api-context.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useForm } from '#forms/use-form.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';

type Props = { website: WebsiteSettings; onClose: () => void; onBegun: () => void };

export function DeleteDialog({ website: { id, name, domain, shownDomain }, onClose, onBegun }: Props) {
  const { remove: words, cancel } = useEditWebsiteWords();
  const api = useApi();
  const isRight = (typed: string) => [domain, shownDomain].includes(typed.trim().toLowerCase());
  const form = useForm({
    initial: { confirm: '' },
    check: ({ confirm }) => (isRight(confirm) ? {} : { confirm: words.mismatch(shownDomain) }),
    // The node expects the encoded domain; the user may type it in readable letters.
    send: () => api.deleteWebsite(id, domain),
    onDone: onBegun,
  });
  return (
    <Dialog title={words.ask(name)} onClose={onClose}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        <p class="muted">{words.consequences}</p>
        <TextField
          label={words.label(shownDomain)}
          autocomplete="off"
          hasFocusFirst
          {...form.field('confirm')}
        />
        <FormMessage message={form.fault?.message} />
        <DialogButtons>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" kind="danger" isBusy={form.isBusy} isDisabled={!isRight(form.values.confirm)}>
            {words.confirm}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
