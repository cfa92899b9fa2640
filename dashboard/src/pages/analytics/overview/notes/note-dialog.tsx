import { maxNoteLength } from '@trackside/contract/app/limits.ts';
import { useApi } from '#api/api-context.ts';
import type { Note } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { DayField } from '#design/forms/day-field.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import type { Format } from '#format/create-format.ts';
import { useFormat } from '#format/format-context.tsx';
import { useForm } from '#forms/use-form.ts';
import { type OverviewWords, useOverviewWords } from '../overview-words.ts';

type Props = {
  websiteId: number;
  /** The note to edit, or the day of a new one. */
  note: Note | { day: string };
  onClose: () => void;
  onSaved: (note: Note) => void;
};

/** Adds or edits a note about what happened on a day, for everybody who wonders about the curve later. */
export function NoteDialog({ websiteId, note, onClose, onSaved }: Props) {
  const api = useApi();
  const format = useFormat();
  const words = useOverviewWords().note;
  const form = useForm({
    initial: { day: note.day, text: 'text' in note ? note.text : '' },
    check: (values) => checkNote(values, words, format),
    refused: { day: words.dayMissing, text: words.textMissing },
    send: (values) => {
      const body = { day: values.day, text: values.text.trim() };
      return 'id' in note ? api.changeNote(websiteId, note.id, body) : api.addNote(websiteId, body);
    },
    onDone: onSaved,
  });
  return (
    <Dialog title={'id' in note ? words.edit : words.addTitle} onClose={onClose}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        <FormMessage message={form.fault?.message} />
        <TextField
          label={words.text}
          placeholder={words.example}
          autocomplete="off"
          hasFocusFirst
          {...form.field('text')}
          hint={words.hint}
        />
        <div class="note-day">
          <DayField label={words.day} {...form.field('day')} />
        </div>
        <DialogButtons>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={form.isBusy}>
            {'id' in note ? words.save : words.add}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function checkNote(
  { day, text }: { day: string; text: string },
  words: OverviewWords['note'],
  format: Format,
): Record<string, string> {
  const letters = [...text.trim()].length;
  return {
    ...(day === '' && { day: words.dayMissing }),
    ...(letters === 0 && { text: words.textMissing }),
    ...(letters > maxNoteLength && {
      text: words.tooLong(format.number(maxNoteLength), format.number(letters)),
    }),
  };
}
