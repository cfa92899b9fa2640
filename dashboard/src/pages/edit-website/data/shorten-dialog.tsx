import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useFormat } from '#format/format-context.tsx';

type Props = { days: number; onClose: () => void; onConfirm: () => void };

/** Asks for confirmation before existing records are deleted. */
export function ShortenDialog({ days, onClose, onConfirm }: Props) {
  const format = useFormat();
  const limit = format.day(new Date(Date.now() - days * 86_400_000).toISOString());
  return (
    <Dialog title="Delete older records?" onClose={onClose}>
      <p class="muted">
        All records of this website from before <b>{limit}</b> will be deleted within a day, and then each day
        those that have become older than {format.number(days)} {days === 1 ? 'day' : 'days'}. They cannot be
        brought back, and their numbers are gone from the statistics.
      </p>
      <div class="dialog-buttons">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" onClick={onConfirm}>
          Delete older records
        </Button>
      </div>
    </Dialog>
  );
}
