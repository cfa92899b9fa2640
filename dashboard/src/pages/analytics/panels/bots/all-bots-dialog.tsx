import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { type BarItem, BarList } from '../bar-list.tsx';
import { useReportsWords } from '../reports-words.ts';

type Props = { rows: readonly BarItem[]; onSelect: (bot: string) => void; onClose: () => void };

export function AllBotsDialog({ rows, onSelect, onClose }: Props) {
  const words = useReportsWords().bots;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <BarList heading={words.bot} unit={words.unit} rows={rows} limit={rows.length} onSelect={onSelect} />
      <DialogButtons>
        <Button onClick={onClose}>{words.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}
