import { useApi } from '#api/api-context.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { useForm } from '#forms/use-form.ts';
import { useAccessWords } from '../access-words.ts';

type Props = { websiteId: number; onMade: (token: string) => void };

export function NewTokenForm({ websiteId, onMade }: Props) {
  const { tokens: words } = useAccessWords();
  const api = useApi();
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => (name.trim() === '' ? { name: words.nameMissing } : {}),
    refused: { name: words.nameRefused },
    send: ({ name }) => api.addToken(websiteId, name.trim()),
    onDone: ({ token }) => {
      form.replace({ name: '' });
      onMade(token);
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.submit} noValidate>
      <FormMessage message={form.fault?.message} />
      <div class="token-new">
        <TextField
          label={words.new}
          placeholder={words.placeholder}
          autocomplete="off"
          {...form.field('name')}
        />
        <Button type="submit" isBusy={form.isBusy}>
          {words.create}
        </Button>
      </div>
    </form>
  );
}
