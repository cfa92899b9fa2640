import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { saveFile } from '#browser/save-file.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';
import { EraseDialog } from './erase-dialog.tsx';

/** Exports or erases all records of one person, identified by the ClientId that the backend sends. */
export function PersonForm({ settings: { id, domain } }: { settings: WebsiteSettings }) {
  const { person: words } = useEditWebsiteWords();
  const api = useApi();
  const say = useToast();
  const [isErasing, setIsErasing] = useState(false);
  const form = useForm({
    initial: { clientId: '' },
    check: ({ clientId }) => (clientId === '' ? { clientId: words.missing } : {}),
    refused: { clientId: words.missing },
    send: ({ clientId }) => api.exportPerson(id, clientId),
    onDone: (file) => {
      if (file.size === 0) return say(words.none);
      saveFile(file, `person-${domain}.ndjson`);
      say(words.exported);
    },
  });
  const { clientId } = form.values;
  return (
    <form class="stack card-part" ref={form.ref} onSubmit={form.submit} noValidate>
      <TextField
        label={words.label}
        placeholder={words.placeholder}
        autocomplete="off"
        hint={words.hint}
        {...form.field('clientId')}
      />
      <FormMessage message={form.fault?.message} />
      <div class="row">
        <Button type="submit" isBusy={form.isBusy}>
          {words.export}
        </Button>
        <Button kind="danger-ghost" onClick={() => (clientId === '' ? form.submit() : setIsErasing(true))}>
          {words.erase}
        </Button>
      </div>
      {isErasing && (
        <EraseDialog
          websiteId={id}
          clientId={clientId}
          onClose={() => setIsErasing(false)}
          onDone={() => {
            setIsErasing(false);
            form.replace({ clientId: '' });
          }}
        />
      )}
    </form>
  );
}
