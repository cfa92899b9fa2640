import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Note } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { useOverviewWords } from '../overview-words.ts';
import type { TimeWords } from '../series/create-time-words.ts';

type Props = {
  websiteId: number;
  notes: readonly Note[];
  times: TimeWords;
  today: string;
  canEdit: boolean;
  onClose: () => void;
  onEdit: (note: Note) => void;
  onRemoved: (id: number) => void;
};

/** The notes of a day, a week or a month. */
export function NotesDialog(props: Props) {
  const { websiteId, notes, times, today, canEdit, onClose, onEdit, onRemoved } = props;
  const words = useOverviewWords().note;
  return (
    <Dialog title={notes.length === 1 ? words.one : words.many} onClose={onClose}>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note.id} class="notes-item">
            <p>{note.text}</p>
            <div class="notes-about">
              <span class="grow">
                {times.longDay(note.day, today)}
                <br />
                {note.author}
              </span>
              {canEdit && (
                <Button kind="ghost" isSmall onClick={() => onEdit(note)}>
                  {words.edit}
                </Button>
              )}
              {canEdit && <RemoveButton websiteId={websiteId} note={note} onRemoved={onRemoved} />}
            </div>
          </li>
        ))}
      </ul>
      <DialogButtons>
        <Button onClick={onClose}>{words.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}

type RemoveProps = Pick<Props, 'websiteId' | 'onRemoved'> & { note: Note };

/** Asks for confirmation in place. A note is too small for a dialog, but too valuable to lose by accident. */
function RemoveButton({ websiteId, note, onRemoved }: RemoveProps) {
  const api = useApi();
  const words = useOverviewWords().note;
  const say = useToast();
  const [isAsked, setIsAsked] = useState(false);
  const form = useForm({
    initial: {},
    send: () => api.removeNote(websiteId, note.id),
    onDone: () => {
      say(words.deleted);
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
        {isAsked ? words.confirmDelete : words.delete}
      </Button>
    </>
  );
}
