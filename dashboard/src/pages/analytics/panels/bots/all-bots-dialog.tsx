import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { type BarItem, BarList } from '../bar-list.tsx';

type Props = { rows: readonly BarItem[]; onSelect: (bot: string) => void; onClose: () => void };

export function AllBotsDialog({ rows, onSelect, onClose }: Props) {
  return (
    <Dialog title="Bots" onClose={onClose}>
      <BarList heading="Bot" unit="Records" rows={rows} limit={rows.length} onSelect={onSelect} />
      <div class="dialog-buttons">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
