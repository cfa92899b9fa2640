import type { Segment } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { SegmentRow } from './segment-row.tsx';
import { useSegmentsWords } from './segments-words.ts';
import './segments.css';

type Props = {
  segments: readonly Segment[];
  onChanged: (segment: Segment) => void;
  onRemoved: (segment: Segment) => void;
  onClose: () => void;
};

/** All segments that the user can switch to. */
export function ManageSegmentsDialog({ segments, onChanged, onRemoved, onClose }: Props) {
  const words = useSegmentsWords().managing;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p class="muted">{segments.length === 0 ? words.empty : words.about}</p>
      <ul class="segment-rows">
        {segments.map((segment) => (
          <SegmentRow key={segment.id} segment={segment} onChanged={onChanged} onRemoved={onRemoved} />
        ))}
      </ul>
      <DialogButtons>
        <Button onClick={onClose}>{words.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}
