import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Note } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import type { TimeWords } from '../series/create-time-words.ts';

type Props = {
  websiteId: number;
  notes: readonly Note[];
  words: TimeWords;
  today: string;
  canEdit: boolean;
  onClose: () => void;
  onRemoved: (id: number) => void;
};

/** The notes of a day, a week or a month. */
export function NotesDialog({ websiteId, notes, words, today, canEdit, onClose, onRemoved }: Props) {
  return (
    <Dialog title={notes.length === 1 ? 'Note' : 'Notes'} onClose={onClose}>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note.id} class="notes-item">
            <p>{note.text}</p>
            <div class="notes-about">
              <span class="grow">
                {words.longDay(note.day, today)} · {note.author}
              </span>
              {canEdit && <RemoveButton websiteId={websiteId} note={note} onRemoved={onRemoved} />}
            </div>
          </li>
        ))}
      </ul>
      <div class="dialog-buttons">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

type RemoveProps = Pick<Props, 'websiteId' | 'onRemoved'> & { note: Note };

/** Asks for confirmation in place. A note is too small for a dialog, but too valuable to lose by accident. */
function RemoveButton({ websiteId, note, onRemoved }: RemoveProps) {
  const api = useApi();
  const say = useToast();
  const [isAsked, setIsAsked] = useState(false);
  const form = useForm({
    initial: {},
    send: () => api.removeNote(websiteId, note.id),
    onDone: () => {
      say('Note deleted.');
      onRemoved(note.id);
    },
    // Somebody else has already removed it.
    onFault: (fault) => {
      if (fault.kind !== 'not-found') return false;
      onRemoved(note.id);
      return true;
    },
  });
  return (
    <>
      <FormMessage message={form.fault?.message} />
      <Button
        kind={isAsked ? 'danger' : 'danger-ghost'}
        isSmall
        isBusy={form.isBusy}
        onClick={() => (isAsked ? form.submit() : setIsAsked(true))}
      >
        {isAsked ? 'Really delete?' : 'Delete'}
      </Button>
    </>
  );
}
