import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useFormat } from '#format/format-context.tsx';
import { fill } from '#words/fill.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';

type Props = { days: number; onClose: () => void; onConfirm: () => void };

/** Asks for confirmation before existing records are deleted. */
export function ShortenDialog({ days, onClose, onConfirm }: Props) {
  const { retention: words, cancel } = useEditWebsiteWords();
  const format = useFormat();
  const before = format.day(new Date(Date.now() - days * 86_400_000).toISOString());
  return (
    <Dialog title={words.ask} onClose={onClose}>
      <p class="muted">
        {fill(words.consequences(format.count(days, words.days)), { before: <b>{before}</b> })}
      </p>
      <DialogButtons>
        <Button onClick={onClose}>{cancel}</Button>
        <Button kind="danger" onClick={onConfirm}>
          {words.confirm}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
