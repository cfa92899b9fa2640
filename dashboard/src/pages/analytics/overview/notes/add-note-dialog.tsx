import { maxNoteLength } from '@trackside/contract/app/limits.ts';
import { useApi } from '#api/api-context.ts';
import type { Note } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { DayField } from '#design/forms/day-field.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useForm } from '#forms/use-form.ts';

type Props = { websiteId: number; day: string; onClose: () => void; onAdded: (note: Note) => void };

/** Adds a note about what happened on a day, for everybody who wonders about the curve later. */
export function AddNoteDialog({ websiteId, day, onClose, onAdded }: Props) {
  const api = useApi();
  const form = useForm({
    initial: { day, text: '' },
    check: checkNote,
    send: (values) => api.addNote(websiteId, { day: values.day, text: values.text.trim() }),
    onDone: onAdded,
  });
  return (
    <Dialog title="Add a note" onClose={onClose}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        <FormMessage message={form.fault?.message} />
        <TextField
          label="What happened"
          placeholder="For example: newsletter sent"
          autocomplete="off"
          hasFocusFirst
          {...form.field('text')}
          hint="Everybody who sees this website’s numbers can read it. It is not on the public page."
        />
        <div class="note-day">
          <DayField label="Day" {...form.field('day')} />
        </div>
        <div class="dialog-buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={form.isBusy}>
            Add note
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function checkNote({ day, text }: { day: string; text: string }): Record<string, string> {
  const letters = [...text.trim()].length;
  return {
    ...(day === '' && { day: 'Choose the day.' }),
    ...(letters === 0 && { text: 'Say what happened.' }),
    ...(letters > maxNoteLength && {
      text: `At most ${maxNoteLength} characters, please; these are ${letters}.`,
    }),
  };
}
